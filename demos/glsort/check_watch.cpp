#include "check_watch.h"

#include <fmt/format.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigemptyset
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace glsort::check {
namespace {

constexpr std::chrono::seconds too_long{60};
constexpr std::array crashes{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr std::array requests{SIGINT, SIGTERM};

// The text for the signal handler. The text is complete at any time.
struct Trace {
    char text[8192];
    volatile sig_atomic_t length = 0;
    int file = -1;
};
Trace trace;
volatile sig_atomic_t asked_for_end = 0;

void write_all(int file, const char* text, std::size_t length) {
    while (length > 0) {
        const ssize_t written = write(file, text, length);
        if (written <= 0) return;
        text += written;
        length -= static_cast<std::size_t>(written);
    }
}

void tell(const char* text, std::size_t length) {
    write_all(STDERR_FILENO, text, length);
    if (trace.file >= 0) write_all(trace.file, text, length);
}

void on_crash(int number) {
    constexpr char head[] = "\nglsort check: the process crashed in ";
    tell(head, sizeof head - 1);
    tell(trace.text, static_cast<std::size_t>(trace.length));
    tell("\n", 1);
    // The first signal has removed the handler, so this signal ends the process.
    raise(number);
}

void on_request(int) {
    asked_for_end = 1;
}

void handle(int number, void (*handler)(int)) {
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, nullptr);
}

}  // namespace

Watch::Watch(const Totals& totals, double seconds, int trace_file)
    : totals_(totals), seconds_(seconds), trace_(trace_file), terminal_(isatty(STDERR_FILENO) == 1) {
    asked_for_end = 0;
    trace.length = 0;
    trace.file = trace_file;
    for (const int number : crashes)
        handle(number, on_crash);
    for (const int number : requests)
        handle(number, on_request);
    thread_ = std::thread([this] { look(); });
}

Watch::~Watch() {
    {
        const std::lock_guard lock(mutex_);
        end_ = true;
    }
    wake_.notify_all();
    thread_.join();
    for (const int number : crashes)
        handle(number, SIG_DFL);
    for (const int number : requests)
        handle(number, SIG_DFL);
    erase_line();
}

void Watch::erase_line() const {
    // To the beginning of the line, and clear the line (ECMA-48).
    if (terminal_) std::fputs("\r\033[K", stderr);
}

bool Watch::interrupted() {
    return asked_for_end != 0;
}

void Watch::begin(const std::string& what) {
    // A crash during the copy leaves a trace without text, not with half a text.
    trace.length = 0;
    const std::size_t length = std::min(what.size(), sizeof trace.text);
    std::memcpy(trace.text, what.data(), length);
    trace.length = static_cast<sig_atomic_t>(length);
    const std::lock_guard lock(mutex_);
    what_ = what;
    began_ = Clock::now();
    named_ = false;
}

std::vector<std::string> Watch::slow() const {
    const std::lock_guard lock(mutex_);
    return slow_;
}

std::string Watch::progress_line() const {
    std::string line = fmt::format("check: {} sorts, {} failures", totals_.sorts.load(), totals_.failures.load());
    if (seconds_ > 0) {
        const std::chrono::duration<double> past = Clock::now() - started_;
        line += fmt::format(", {:.0f} s left", std::max(0.0, seconds_ - past.count()));
    }
    return line;
}

void Watch::look() {
    // A file gets fewer lines than a terminal.
    const int every = terminal_ ? 1 : 10;
    std::unique_lock lock(mutex_);
    for (int second = 1; !wake_.wait_for(lock, std::chrono::seconds(1), [this] { return end_; }); ++second) {
        if (second % every == 0) std::fprintf(stderr, terminal_ ? "\r%s\033[K" : "%s\n", progress_line().c_str());
        if (named_ || what_.empty() || Clock::now() - began_ < too_long) continue;
        named_ = true;
        slow_.push_back(what_);
        const std::string line = fmt::format("\nglsort check: over {} s at work on {}\n", too_long.count(), what_);
        write_all(STDERR_FILENO, line.data(), line.size());
        if (trace_ >= 0) write_all(trace_, line.data(), line.size());
    }
}

}  // namespace glsort::check
