#pragma once

#include <functional>
#include <memory>
#include <string>

#include "support/headless_context.h"

struct GLFWwindow;

namespace glsort::demo {

/// What a Window should be.
struct WindowOptions {
    std::string title = "glsort";
    int width = 1280;  ///< Width of the content, in screen coordinates. The framebuffer may be larger.
    int height = 720;
    Api api = Api::gl;
    /// Lowest acceptable version. Desktop GL gives a forward-compatible core profile, which macOS requires.
    int major = 3;
    int minor = 3;
    bool debug = false;   ///< Asks for a debug context.
    bool vsync = true;    ///< Whether swap_buffers() waits for the display.
    bool visible = true;  ///< False: a hidden window, for tests.
    bool resizable = true;
};

/// What the user does. Keys, actions, buttons and modifiers are constants of GLFW. Letters, +, - and = are the keys
/// that have these names in the layout of the keyboard. Positions are in screen coordinates from the top left. Events
/// without a function are ignored.
struct WindowEvents {
    std::function<void(int key, int action, int modifiers)> key;
    std::function<void(int width, int height)> resize;  ///< New framebuffer size, in pixels.
    std::function<void(double x, double y)> cursor;
    std::function<void(int button, int action, int modifiers)> button;
    std::function<void(double x, double y)> scroll;
};

/// The key of GLFW for what a key of the keyboard has as its name (glfwGetKeyName): letters, +, - and =. GLFW numbers
/// keys by their places on a US keyboard. Other keys, and keys without a name (null), stay as they are.
int key_named(const char* name, int key);

struct Size {
    int width = 0;
    int height = 0;
};

/// A window with an OpenGL context, through GLFW 3.3. Main thread only.
///
/// Usage:
///
///     Window window({.title = "particles"});
///     gladLoadGLContext(&gl, Window::get_proc_address());
///     window.events().key = [&](int key, int action, int) { ... };
///     while (!window.should_close()) {
///         draw(window.framebuffer_size());
///         window.swap_buffers();
///         window.poll_events();
///     }
class Window {
  public:
    /// Opens the window and makes its context current. Throws std::runtime_error if there is no display, or if GLFW
    /// cannot make the context, with GLFW's reason.
    explicit Window(const WindowOptions& options = {});
    ~Window();
    Window(Window&&) noexcept;
    Window& operator=(Window&&) noexcept;
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    void make_current();
    static GetProcAddress get_proc_address();

    bool should_close() const;
    void close();
    /// Shows the default framebuffer on the screen.
    void swap_buffers();
    /// Calls the functions in events() for all events since the last call, without waiting. Rethrows the first
    /// exception of these functions after all events.
    void poll_events();
    /// As poll_events(), but waits up to `seconds` for an event.
    void wait_events(double seconds);

    /// Size of the default framebuffer, in pixels. 0 by 0 while the window is minimised.
    Size framebuffer_size() const;
    /// Size of the content in screen coordinates, the unit of WindowEvents::cursor.
    Size size() const;
    void set_title(const std::string& title);
    void set_vsync(bool vsync);

    WindowEvents& events();
    GLFWwindow* handle() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace glsort::demo
