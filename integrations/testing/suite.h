#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// What the tests of engines share: cases that pass or fail, messages of an engine, and pictures that are compared.

namespace suite {

class Failure : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline void require(bool holds, const std::string& what) {
    if (!holds) throw Failure(what);
}

class Suite {
  public:
    /// `quiet`: only failures are printed.
    explicit Suite(bool quiet = false) : quiet_(quiet) {}

    void run(const std::string& name, const std::function<void()>& test) {
        try {
            test();
            if (!quiet_) std::printf("ok      %s\n", name.c_str());
            ++passed_;
        } catch (const std::exception& error) {
            std::printf("FAILED  %s: %s\n", name.c_str(), error.what());
            ++failed_;
        }
        std::fflush(stdout);
    }
    /// Prints the counts. Returns the exit code.
    int conclude() const {
        if (!quiet_) std::printf("%d passed, %d failed\n", passed_, failed_);
        return failed_ == 0 ? 0 : 1;
    }

  private:
    bool quiet_;
    int passed_ = 0;
    int failed_ = 0;
};

/// What an engine reports. Several threads may add.
class Messages {
  public:
    void add(const char* text) {
        const std::lock_guard lock(mutex_);
        text_ += text;
    }
    /// The messages since the last call.
    std::string take() {
        const std::lock_guard lock(mutex_);
        return std::exchange(text_, "");
    }

  private:
    std::mutex mutex_;
    std::string text_;
};

/// Four bytes a pixel.
using Picture = std::vector<std::uint8_t>;

inline int different_pixels(const Picture& a, const Picture& b) {
    if (a.size() != b.size()) throw Failure("pictures have different sizes");
    int different = 0;
    for (std::size_t i = 0; i < a.size(); i += 4)
        different += std::memcmp(&a[i], &b[i], 4) != 0;
    return different;
}

inline void require_equal(const Picture& found, const Picture& expected, const std::string& what = "picture") {
    if (const int pixels = different_pixels(found, expected); pixels != 0)
        throw Failure(what + ": " + std::to_string(pixels) + " pixels differ");
}

/// A picture that no order changes would show nothing.
inline void require_different(const Picture& unsorted, const Picture& sorted) {
    if (different_pixels(unsorted, sorted) < 1000) throw Failure("the order hardly matters in this picture");
}

}  // namespace suite
