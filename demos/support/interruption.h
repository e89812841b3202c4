#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace glsort::demo {

/// The most time that Interruption gives to `finish`.
inline constexpr std::chrono::seconds longest_finish{2};

/// While it lives, Ctrl-C (and SIGTERM, and SIGHUP of a terminal that closes) end the program in order: `finish` is
/// called in a thread of its own, while all other threads go on, and the program ends with exit code 130 (143, 129)
/// right after. The program also ends if `finish` throws, or takes longer than `longest_finish`: `finish` may wait for
/// a pipe that nobody reads.
///
/// Make it before other threads begin: signals are blocked in this thread, and in those that it starts. Only threads of
/// start_without_interruptions() may begin before.
class Interruption {
  public:
    explicit Interruption(std::function<void()> finish);
    ~Interruption();
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;

  private:
    std::thread thread_;
};

/// Starts a thread in which these signals are blocked. The signals then go to the other threads of the process.
std::thread start_without_interruptions(std::function<void()> work);

}  // namespace glsort::demo
