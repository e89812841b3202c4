#pragma once

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "process.h"
#include "support/picture.h"

namespace glsort::test {

inline bool is_installed(const std::string& program) {
    return run_program("sh", {"-c", "command -v " + program}).code == 0;
}

/// The first program for tests of windows that is not installed. Empty if all are installed.
inline std::string missing_for_windows() {
    for (std::string program : {"Xvfb", "xdotool"})
        if (!is_installed(program)) return program;
    return "";
}

/// An X server without a screen, on a free display number.
class Display {
  public:
    Display()
        // The server writes its number when it is ready.
        : server_("Xvfb", {"-displayfd", "1", "-screen", "0", "1280x720x24", "-nolisten", "tcp", "-noreset"}, {},
                  folder_.file("number"), folder_.file("err")) {
        const bool ready = eventually([this] {
            number_ = read_text(folder_.file("number"));
            return number_.find('\n') != std::string::npos;
        });
        INFO(read_text(folder_.file("err")));
        REQUIRE(ready);
        number_.pop_back();
    }
    ~Display() {
        server_.terminate();  // So that the server removes its lock.
        server_.wait();
    }
    Environment environment() const { return {{"DISPLAY", ":" + number_}, {"WAYLAND_DISPLAY", ""}}; }
    /// Sends keys and mouse events to the display.
    Result xdotool(const std::vector<std::string>& arguments) const {
        return run_program("xdotool", arguments, environment());
    }

  private:
    Folder folder_;
    Process server_;
    std::string number_;
};

/// A user of a program's only window. The user waits for changes of the picture, and never for a time: a busy machine
/// draws few frames.
class User {
  public:
    /// `name` is a part of the window's title. `picture_key`: the key that writes a picture of the window.
    User(std::string name, std::string picture_key, const std::string& program,
         const std::vector<std::string>& arguments)
        : name_(std::move(name)),
          picture_key_(std::move(picture_key)),
          process_(program, arguments, display_.environment(), folder_.file("out"), folder_.file("err"),
                   folder_.path()) {}

    std::string out() const { return read_text(folder_.file("out")); }
    std::string err() const { return read_text(folder_.file("err")); }
    int wait() { return process_.wait(); }

    std::string title() const { return display_.xdotool({"search", "--name", name_, "getwindowname"}).out; }
    void title_becomes(const std::string& text) const {
        std::string last;
        eventually([&] {
            last = title();
            return last.find(text) != std::string::npos;
        });
        INFO(err());
        REQUIRE_THAT(last, Catch::Matchers::Contains(text));
    }

    /// Presses keys of the program, which notices every press.
    void press(const std::vector<std::string>& keys) const {
        std::vector<std::string> arguments = {"search", "--name", name_, "key"};
        arguments.insert(arguments.end(), keys.begin(), keys.end());
        display_.xdotool(arguments);  // May outlive the window.
    }
    void resize(int width, int height) const {
        CHECK(display_.xdotool({"search", "--name", name_, "windowsize", std::to_string(width), std::to_string(height)})
                  .code == 0);
    }

    /// Performs an action by mouse or keyboard, and waits for the next frame. Panels look at mouse and keys once per
    /// frame, and would miss shorter actions.
    void act(const std::vector<std::string>& arguments) {
        display_.xdotool(arguments);
        draw();
    }
    void move_to(int x, int y) { act({"mousemove", std::to_string(x), std::to_string(y)}); }
    void drag(int x0, int y0, int x1, int y1, int button) {
        move_to(x0, y0);
        act({"mousedown", std::to_string(button)});
        if (x1 != x0 || y1 != y0) move_to(x1, y1);
        act({"mouseup", std::to_string(button)});
    }
    void click(int x, int y) { drag(x, y, x, y, 1); }
    /// Turns the wheel upwards by some notches.
    void scroll(int x, int y, int notches) {
        move_to(x, y);
        act({"click", "--repeat", std::to_string(notches), "4"});
    }
    /// Replaces the text of the field that was clicked last.
    void type(const std::string& text) {
        act({"keydown", "ctrl", "keydown", "a"});
        act({"keyup", "a", "keyup", "ctrl"});
        act({"type", text});
        act({"keydown", "Return"});
        act({"keyup", "Return"});
    }

    /// The picture of a frame that is drawn after all actions so far. The program writes the picture.
    demo::Picture picture() { return demo::read_png(folder_.file(draw())); }
    /// Waits until the picture satisfies a condition. Returns whether it does.
    template <class Condition>
    bool shows(const Condition& condition) {
        return eventually([&] { return condition(picture()); });
    }

  private:
    /// Makes the program draw a frame and write it. Returns the name of the picture.
    std::string draw() {
        press({picture_key_});
        std::string name = fmt::format("{}-{}.png", name_, ++pictures_);
        const bool written = eventually([&] { return out().find(name + "\n") != std::string::npos; });
        INFO(out() << err());
        REQUIRE(written);
        return name;
    }

    std::string name_;
    std::string picture_key_;
    Display display_;
    Folder folder_;
    Process process_;
    int pictures_ = 0;
};

}  // namespace glsort::test
