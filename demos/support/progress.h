#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace glsort::demo {

/// A line on standard error that says what a program does, how far the work is, and how long the rest will take. Only
/// work of more than two seconds gets a line.
///
/// On a terminal the line is redrawn in place, and gone at the end. Elsewhere nothing is said, unless asked for: then
/// each report is a line of its own.
class Progress {
  public:
    /// `asked`: report wherever standard error goes (option --progress).
    explicit Progress(bool asked);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// Begins a piece of work: `sorting 1048576 keys`. Without a total the line says how long the work has taken.
    void begin(std::string what, std::uint64_t total = 0);
    /// So much of the total is done. For any number of calls: what is drawn goes by the clock.
    void at(std::uint64_t done);
    /// The same where the total becomes known on the way.
    void at(std::uint64_t done, std::uint64_t total);
    /// Names the part of the work that is being done.
    void name(std::string what);
    /// Nothing is being done.
    void end();

    /// Takes the line away while the lock is held: for whoever writes to the same terminal.
    [[nodiscard]] std::unique_lock<std::mutex> quiet();

  private:
    using Clock = std::chrono::steady_clock;

    void tick();
    std::string line() const;
    void draw();
    void erase();

    bool terminal_;
    bool asked_;
    std::mutex mutex_;
    std::condition_variable wake_;
    bool over_ = false;
    bool drawn_ = false;
    std::string what_;
    std::uint64_t total_ = 0;
    std::uint64_t done_ = 0;
    Clock::time_point began_;
    Clock::time_point reported_;  // When `done_` became what it is.
    std::thread thread_;          // Draws while the program is within a long call.
};

/// `3 min 20 s`, rounded up to whole seconds.
std::string duration_text(double seconds);

}  // namespace glsort::demo
