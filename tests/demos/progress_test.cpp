#include "support/progress.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

using namespace glsort::demo;
using Catch::Contains;
using Catch::EndsWith;

namespace {

// Redirects standard error to a descriptor for the lifetime of this object.
class ErrorsTo {
  public:
    explicit ErrorsTo(int descriptor) : before_(dup(STDERR_FILENO)) { dup2(descriptor, STDERR_FILENO); }
    ~ErrorsTo() {
        dup2(before_, STDERR_FILENO);
        close(before_);
    }
    ErrorsTo(const ErrorsTo&) = delete;
    ErrorsTo& operator=(const ErrorsTo&) = delete;

  private:
    int before_;
};

// Work whose first hundredth takes some time, so that the whole work would take long.
void work(glsort::demo::Progress& progress) {
    progress.begin("work", 100);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    progress.at(1);
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
}

/// What has been written, until nothing more comes. A terminal delivers what was written in pieces, a little later.
std::string read_all(int descriptor) {
    std::string all;
    for (pollfd waiting{descriptor, POLLIN, 0}; ::poll(&waiting, 1, 200) == 1 && (waiting.revents & POLLIN) != 0;) {
        char text[4096];
        const ssize_t got = ::read(descriptor, text, sizeof text);
        if (got <= 0) break;
        all.append(text, static_cast<std::size_t>(got));
    }
    return all;
}

}  // namespace

TEST_CASE("on a terminal progress is one line, which is gone at the end", "[demos]") {
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    REQUIRE(terminal >= 0);
    REQUIRE(grantpt(terminal) == 0);
    REQUIRE(unlockpt(terminal) == 0);
    const int other_end = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    REQUIRE(other_end >= 0);
    {
        const ErrorsTo errors(other_end);
        glsort::demo::Progress progress(false);
        work(progress);
        // Short work prints no line.
        progress.begin("short work", 100);
        progress.at(100);
    }
    const std::string text = read_all(terminal);
    CHECK_THAT(text, Contains("\r\033[Kwork: 1 %, ") && Contains(" s left"));
    CHECK_THAT(text, EndsWith("\r\033[K"));
    CHECK_THAT(text, !Contains("\n") && !Contains("short work"));
    close(other_end);
    close(terminal);
}

TEST_CASE("elsewhere there is progress where it is asked for", "[demos]") {
    for (const bool asked : {false, true}) {
        int ends[2] = {};
        REQUIRE(pipe(ends) == 0);
        {
            const ErrorsTo errors(ends[1]);
            glsort::demo::Progress progress(asked);
            progress.begin("work", 100);
            progress.name("more work");
        }
        close(ends[1]);
        CHECK(read_all(ends[0]) == (asked ? "work\nmore work\n" : ""));
        close(ends[0]);
    }
}

TEST_CASE("durations are read by people", "[demos]") {
    CHECK(duration_text(0.2) == "1 s");
    CHECK(duration_text(59.5) == "1 min 0 s");
    CHECK(duration_text(200) == "3 min 20 s");
    CHECK(duration_text(7500) == "2 h 5 min");
}
