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

/// Watches a run. Prints the progress, names a round that takes too long, and leaves a trace if the process crashes.
/// While this object lives, the first SIGINT or SIGTERM requests an end, and the second ends the process.
class Watch {
  public:
    /// `seconds` is the duration of the run; 0: no limit. `trace` is a file that gets the text of crashes, besides
    /// standard error; -1: no file.
    Watch(const Totals& totals, double seconds, int trace);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    /// Sets the description of the work from now on.
    void begin(const std::string& what);
    /// Removes the line of progress from a terminal, before other text.
    void erase_line() const;
    /// Descriptions of work that took over a minute.
    std::vector<std::string> slow() const;

    /// Whether a signal has requested an end.
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
