#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "check_run.h"

namespace glsort::check {

/// Looks after a run: says how far it is, names a round that takes too long, and leaves a trace where the process
/// crashes. While it lives, the first SIGINT or SIGTERM asks for an end, and the second ends the process.
class Watch {
  public:
    /// `seconds` is how long the run takes, 0 where it has no limit of time. `trace` is a file that is told about
    /// crashes, besides standard error; -1: none.
    Watch(const Totals& totals, double seconds, int trace);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    /// What is at work from now on.
    void begin(const std::string& what);
    /// What took over a minute.
    std::vector<std::string> slow() const;

    /// Whether an end was asked for.
    static bool interrupted();

  private:
    using Clock = std::chrono::steady_clock;

    void look();
    std::string progress_line() const;

    const Totals& totals_;
    double seconds_;
    int trace_;
    bool terminal_;
    Clock::time_point started_ = Clock::now();

    mutable std::mutex mutex_;
    std::condition_variable wake_;
    bool end_ = false;
    std::string what_;
    Clock::time_point began_ = Clock::now();
    bool named_ = false;
    std::vector<std::string> slow_;
    std::thread thread_;
};

}  // namespace glsort::check
