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

/// Of the programs that windows are tested with the first that is not installed; empty where all
/// are.
inline std::string missing_for_windows() {
    for (const std::string program : {"Xvfb", "xdotool"})
        if (!is_installed(program)) return program;
    return "";
}

/// An X server without a screen to look at, on a display number that was free.
class Display {
  public:
    Display()
        // It writes its number once it is ready.
        : server_("Xvfb", {"-displayfd", "1", "-screen", "0", "1280x720x24", "-nolisten", "tcp"}, {},
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
        server_.terminate();  // so that it removes its lock
        server_.wait();
    }
    Environment environment() const { return {{"DISPLAY", ":" + number_}, {"WAYLAND_DISPLAY", ""}}; }
    /// Keys and mouse of the display.
    Result xdotool(const std::vector<std::string>& arguments) const {
        return run_program("xdotool", arguments, environment());
    }

  private:
    Folder folder_;
    Process server_;
    std::string number_;
};

/// A user before a program's only window, who waits for what is to be seen, and never by the clock:
/// a busy machine draws a frame now and then.
class User {
  public:
    /// `name`: of the program; its window's title has it. `picture_key`: writes a picture of the
    /// window.
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

    /// Keys of the programs' own, which hear of every press.
    void press(const std::vector<std::string>& keys) const {
        std::vector<std::string> arguments = {"search", "--name", name_, "key"};
        arguments.insert(arguments.end(), keys.begin(), keys.end());
        display_.xdotool(arguments);  // may outlive the window
    }
    void resize(int width, int height) const {
        CHECK(display_.xdotool({"search", "--name", name_, "windowsize", std::to_string(width), std::to_string(height)})
                  .code == 0);
    }

    /// Something that mouse or keyboard does. Returns once a frame has been drawn after it: the
    /// panels look at mouse and keys once a frame, so that they would miss what comes and goes in
    /// between.
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
    /// Notches of the wheel, upwards.
    void scroll(int x, int y, int notches) {
        move_to(x, y);
        act({"click", "--repeat", std::to_string(notches), "4"});
    }
    /// In place of what a field holds that has been clicked.
    void type(const std::string& text) {
        act({"keydown", "ctrl", "keydown", "a"});
        act({"keyup", "a", "keyup", "ctrl"});
        act({"type", text});
        act({"keydown", "Return"});
        act({"keyup", "Return"});
    }

    /// What the window shows in a frame that is drawn after all that was done so far, as the
    /// program writes it.
    demo::Picture picture() { return demo::read_png(folder_.file(draw())); }
    /// Whether the window comes to show what a condition asks for.
    template <class Condition>
    bool shows(const Condition& condition) {
        return eventually([&] { return condition(picture()); });
    }

  private:
    /// Has the program draw a frame, and write it; the picture's name.
    std::string draw() {
        press({picture_key_});
        const std::string name = fmt::format("{}-{}.png", name_, ++pictures_);
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
