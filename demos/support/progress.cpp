#include "support/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "support/interruption.h"

namespace glsort::demo {
namespace {

constexpr double long_work = 2;  // Seconds from which on work gets a line.

// A line that wraps could not be erased.
std::string cut_to_terminal(const std::string& text) {
    winsize size = {};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 2) return text;
    return text.substr(0, size.ws_col - 1u);
}

}  // namespace

std::string duration_text(double seconds) {
    const auto whole = static_cast<std::uint64_t>(std::ceil(std::max(seconds, 0.0)));
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
    return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

Progress::Progress(bool asked) : terminal_(isatty(STDERR_FILENO) == 1), asked_(asked) {
    if (terminal_ || asked_) thread_ = start_without_interruptions([this] { tick(); });
}

Progress::~Progress() {
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
        erase();
    }
    wake_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void Progress::begin(std::string what, std::uint64_t total) {
    const std::lock_guard lock(mutex_);
    erase();
    what_ = std::move(what);
    total_ = total;
    done_ = 0;
    began_ = reported_ = Clock::now();
    // Whoever asks wants to read what is done, however short the work.
    if (asked_ && !terminal_) std::fprintf(stderr, "%s\n", what_.c_str());
}

void Progress::at(std::uint64_t done) {
    const std::lock_guard lock(mutex_);
    if (done != done_) reported_ = Clock::now();
    done_ = done;
}

void Progress::at(std::uint64_t done, std::uint64_t total) {
    at(done);
    const std::lock_guard lock(mutex_);
    total_ = total;
}

void Progress::name(std::string what) {
    const std::lock_guard lock(mutex_);
    what_ = std::move(what);
    if (asked_ && !terminal_) std::fprintf(stderr, "%s\n", what_.c_str());
}

void Progress::end() {
    const std::lock_guard lock(mutex_);
    erase();
    what_.clear();
}

std::unique_lock<std::mutex> Progress::quiet() {
    std::unique_lock lock(mutex_);
    erase();
    return lock;
}

void Progress::tick() {
    // In a file a line now and then is enough.
    const auto pause = terminal_ ? std::chrono::milliseconds(200) : std::chrono::milliseconds(2000);
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, pause, [this] { return over_; }))
        draw();
}

// Empty for work that is not long, as far as one can tell.
std::string Progress::line() const {
    if (what_.empty()) return {};
    const auto seconds_to = [this](Clock::time_point when) {
        return std::chrono::duration<double>(when - began_).count();
    };
    const double past = seconds_to(Clock::now());
    if (total_ == 0 || done_ == 0)
        return past < long_work ? "" : fmt::format("{}: {} so far", what_, duration_text(past));
    const double done = std::min(1.0, static_cast<double>(done_) / static_cast<double>(total_));
    // By the last report: between two reports the time left goes down.
    const double whole = seconds_to(reported_) / done;
    if (std::max(whole, past) < long_work) return {};
    return fmt::format("{}: {:.0f} %, {} left", what_, std::floor(100 * done),
                       duration_text(std::max(whole - past, 1.0)));
}

void Progress::draw() {
    const std::string text = line();
    if (text.empty()) return;
    // To the beginning of the line, and clear the line (ECMA-48).
    if (terminal_)
        std::fprintf(stderr, "\r\033[K%s", cut_to_terminal(text).c_str());
    else
        std::fprintf(stderr, "%s\n", text.c_str());
    std::fflush(stderr);
    drawn_ = terminal_;
}

void Progress::erase() {
    if (std::exchange(drawn_, false)) std::fputs("\r\033[K", stderr);
}

}  // namespace glsort::demo
