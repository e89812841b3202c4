#pragma once

#include <catch2/catch.hpp>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "process.h"

namespace glsort::test {

inline bool is_installed(const std::string& program) {
    return run_program("sh", {"-c", "command -v " + program}).code == 0;
}

/// An X server without a screen to look at, on a display number that was free.
class Display {
  public:
    Display()
        // It writes its number once it is ready.
        : server_("Xvfb", {"-displayfd", "1", "-screen", "0", "1280x720x24", "-nolisten", "tcp"},
                  {}, folder_.file("number"), folder_.file("err")) {
        for (int i = 0; i < 2000 && number_.find('\n') == std::string::npos; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
            number_ = read_text(folder_.file("number"));
        }
        INFO(read_text(folder_.file("err")));
        REQUIRE(number_.find('\n') != std::string::npos);
        number_.pop_back();
    }
    ~Display() {
        server_.terminate();  // so that it removes its lock
        server_.wait(std::chrono::seconds(5));
    }
    Environment environment() const {
        return {{"DISPLAY", ":" + number_}, {"WAYLAND_DISPLAY", ""}};
    }
    /// Keys and mouse of the display.
    Result xdotool(const std::vector<std::string>& arguments) const {
        return run_program("xdotool", arguments, environment());
    }

  private:
    Folder folder_;
    Process server_;
    std::string number_;
};

}  // namespace glsort::test
