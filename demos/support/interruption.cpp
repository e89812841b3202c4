#include "support/interruption.h"

#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <exception>
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

// What asks the program to end. A program that shall outlive its terminal (nohup) ignores SIGHUP.
sigset_t requests_to_end() {
    struct sigaction hangup = {};
    sigaction(SIGHUP, nullptr, &hangup);
    return hangup.sa_handler == SIG_IGN ? set_of({SIGINT, SIGTERM}) : set_of({SIGINT, SIGTERM, SIGHUP});
}

// Ends the process after some seconds, without destructors.
void end_soon(int code) {
    std::thread([code] {
        std::this_thread::sleep_for(longest_finish);
        _exit(code);
    }).detach();
}

}  // namespace

Interruption::Interruption(std::function<void()> finish) {
    sigset_t awaited = requests_to_end();
    sigaddset(&awaited, leave);
    pthread_sigmask(SIG_BLOCK, &awaited, nullptr);
    thread_ = std::thread([awaited, finish = std::move(finish)] {
        int number = 0;
        if (sigwait(&awaited, &number) != 0 || number == leave) return;
        try {
            // `finish` may wait for a thread in write(), which waits for a reader.
            end_soon(128 + number);
            finish();
        } catch (const std::exception&) {
            // A full disk, for example. The program ends all the same.
        }
        // No destructors: the other threads are in the middle of what they do.
        _exit(128 + number);
    });
}

Interruption::~Interruption() {
    pthread_kill(thread_.native_handle(), leave);
    thread_.join();
    const sigset_t requests = requests_to_end();
    pthread_sigmask(SIG_UNBLOCK, &requests, nullptr);
}

std::thread start_without_interruptions(std::function<void()> work) {
    const sigset_t requests = requests_to_end();
    sigset_t before;
    pthread_sigmask(SIG_BLOCK, &requests, &before);
    std::thread thread(std::move(work));  // The thread takes over the mask of this thread.
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return thread;
}

}  // namespace glsort::demo
