#include "support/interruption.h"

#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <initializer_list>
#include <utility>

namespace glsort::demo {
namespace {

// SIGUSR2, sent to the thread alone, asks that thread to leave.
constexpr int leave = SIGUSR2;

sigset_t set_of(std::initializer_list<int> numbers) {
    sigset_t set;
    sigemptyset(&set);
    for (const int number : numbers)
        sigaddset(&set, number);
    return set;
}

}  // namespace

Interruption::Interruption(std::function<void()> finish) {
    const sigset_t awaited = set_of({SIGINT, SIGTERM, leave});
    pthread_sigmask(SIG_BLOCK, &awaited, nullptr);
    thread_ = std::thread([awaited, finish = std::move(finish)] {
        int number = 0;
        if (sigwait(&awaited, &number) != 0 || number == leave) return;
        finish();
        // No destructors: the other threads are in the middle of what they do.
        _exit(128 + number);
    });
}

Interruption::~Interruption() {
    pthread_kill(thread_.native_handle(), leave);
    thread_.join();
    const sigset_t requests = set_of({SIGINT, SIGTERM});
    pthread_sigmask(SIG_UNBLOCK, &requests, nullptr);
}

}  // namespace glsort::demo
