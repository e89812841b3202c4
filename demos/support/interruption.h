#pragma once

#include <functional>
#include <thread>

namespace glsort::demo {

/// While it lives, Ctrl-C (and SIGTERM) end the program in order: `finish` is called in a thread of its own, while all
/// other threads go on, and the program ends with exit code 130 (143) right after.
///
/// Make it before other threads begin: signals are blocked in this thread, and in those that it starts.
class Interruption {
  public:
    explicit Interruption(std::function<void()> finish);
    ~Interruption();
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;

  private:
    std::thread thread_;
};

}  // namespace glsort::demo
