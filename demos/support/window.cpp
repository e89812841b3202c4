#include "support/window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <exception>
#include <stdexcept>
#include <utility>

namespace glsort::demo {

namespace {

std::string glfw_reason() {
    const char* description = nullptr;
    const int code = glfwGetError(&description);
    if (code == GLFW_NO_ERROR || description == nullptr) return "GLFW gave no reason";
    return description;
}

// Initialises GLFW while any window exists.
class Library {
  public:
    static std::shared_ptr<Library> get() {
        static std::weak_ptr<Library> shared;
        std::shared_ptr<Library> library = shared.lock();
        if (library == nullptr) {
            library = std::shared_ptr<Library>(new Library);
            shared = library;
        }
        return library;
    }
    ~Library() { glfwTerminate(); }
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;

  private:
    Library() {
        if (glfwInit() != GLFW_TRUE)
            throw std::runtime_error("no display: run with --headless, or start an X server (" + glfw_reason() + ")");
    }
};

}  // namespace

int key_named(const char* name, int key) {
    if (name == nullptr || name[0] == '\0' || name[1] != '\0') return key;
    const char letter = name[0];
    if (letter >= 'a' && letter <= 'z') return GLFW_KEY_A + (letter - 'a');
    if (letter >= 'A' && letter <= 'Z') return GLFW_KEY_A + (letter - 'A');
    if (letter == '+') return GLFW_KEY_KP_ADD;
    if (letter == '-') return GLFW_KEY_MINUS;
    if (letter == '=') return GLFW_KEY_EQUAL;
    return key;
}

// The state has a fixed address, which the callbacks of GLFW keep. The Window around the state may move.
struct Window::State {
    std::shared_ptr<Library> library = Library::get();
    GLFWwindow* window = nullptr;
    WindowEvents events;
    std::exception_ptr thrown;

    ~State() {
        if (window != nullptr) glfwDestroyWindow(window);
    }

    static State& of(GLFWwindow* window) { return *static_cast<State*>(glfwGetWindowUserPointer(window)); }

    // Exceptions must not pass through GLFW, which is written in C.
    template <typename... Arguments>
    void call(const std::function<void(Arguments...)>& function, Arguments... arguments) {
        if (!function) return;
        try {
            // A copy: the function may replace itself.
            const std::function<void(Arguments...)> copy = function;
            copy(arguments...);
        } catch (...) {
            if (thrown == nullptr) thrown = std::current_exception();
        }
    }

    void rethrow() {
        if (thrown != nullptr) std::rethrow_exception(std::exchange(thrown, nullptr));
    }
};

Window::Window(const WindowOptions& options) : state_(std::make_unique<State>()) {
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, options.major);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, options.minor);
    if (options.api == Api::gl) {
        glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
        glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    } else {
        glfwWindowHint(GLFW_CLIENT_API, GLFW_OPENGL_ES_API);
        glfwWindowHint(GLFW_CONTEXT_CREATION_API, GLFW_EGL_CONTEXT_API);
    }
    glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, options.debug ? GLFW_TRUE : GLFW_FALSE);
    glfwWindowHint(GLFW_VISIBLE, options.visible ? GLFW_TRUE : GLFW_FALSE);
    glfwWindowHint(GLFW_RESIZABLE, options.resizable ? GLFW_TRUE : GLFW_FALSE);
    state_->window = glfwCreateWindow(options.width, options.height, options.title.c_str(), nullptr, nullptr);
    if (state_->window == nullptr)
        throw std::runtime_error("cannot open a window with an OpenGL " +
                                 std::string(options.api == Api::gl ? "" : "ES ") + std::to_string(options.major) +
                                 "." + std::to_string(options.minor) + " context: " + glfw_reason());

    GLFWwindow* window = state_->window;
    glfwSetWindowUserPointer(window, state_.get());
    glfwSetKeyCallback(window, [](GLFWwindow* w, int key, int scancode, int action, int modifiers) {
        State& state = State::of(w);
        state.call(state.events.key, key_named(glfwGetKeyName(key, scancode), key), action, modifiers);
    });
    glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int width, int height) {
        State& state = State::of(w);
        state.call(state.events.resize, width, height);
    });
    glfwSetCursorPosCallback(window, [](GLFWwindow* w, double x, double y) {
        State& state = State::of(w);
        state.call(state.events.cursor, x, y);
    });
    glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int button, int action, int modifiers) {
        State& state = State::of(w);
        state.call(state.events.button, button, action, modifiers);
    });
    glfwSetScrollCallback(window, [](GLFWwindow* w, double x, double y) {
        State& state = State::of(w);
        state.call(state.events.scroll, x, y);
    });
    make_current();
    set_vsync(options.vsync);
}

Window::~Window() = default;
Window::Window(Window&&) noexcept = default;
Window& Window::operator=(Window&&) noexcept = default;

void Window::make_current() {
    glfwMakeContextCurrent(state_->window);
}

GetProcAddress Window::get_proc_address() {
    return &glfwGetProcAddress;
}

bool Window::should_close() const {
    return glfwWindowShouldClose(state_->window) == GLFW_TRUE;
}

void Window::close() {
    glfwSetWindowShouldClose(state_->window, GLFW_TRUE);
}

void Window::swap_buffers() {
    glfwSwapBuffers(state_->window);
}

void Window::poll_events() {
    glfwPollEvents();
    state_->rethrow();
}

void Window::wait_events(double seconds) {
    glfwWaitEventsTimeout(seconds);
    state_->rethrow();
}

Size Window::framebuffer_size() const {
    Size size;
    glfwGetFramebufferSize(state_->window, &size.width, &size.height);
    return size;
}

Size Window::size() const {
    Size size;
    glfwGetWindowSize(state_->window, &size.width, &size.height);
    return size;
}

void Window::set_title(const std::string& title) {
    glfwSetWindowTitle(state_->window, title.c_str());
}

void Window::set_vsync(bool vsync) {
    make_current();
    glfwSwapInterval(vsync ? 1 : 0);
}

WindowEvents& Window::events() {
    return state_->events;
}

GLFWwindow* Window::handle() const {
    return state_->window;
}

}  // namespace glsort::demo
