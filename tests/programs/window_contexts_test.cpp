#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <glsort/error.h>
#include <glsort/sorter.h>

#include <catch2/catch.hpp>
#include <cstdlib>

#include "programs/display.h"
#include "support/skip.h"

namespace glsort::test {
namespace {

using Catch::Contains;

/// Sets the X server of this process.
class UseDisplay {
  public:
    explicit UseDisplay(const Display& display) {
        for (const auto& [name, value] : display.environment())
            setenv(name.c_str(), value.c_str(), 1);
        REQUIRE(glfwInit() == GLFW_TRUE);
    }
    ~UseDisplay() {
        glfwTerminate();
        for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY"})
            unsetenv(name);
    }
    UseDisplay(const UseDisplay&) = delete;
    UseDisplay& operator=(const UseDisplay&) = delete;
};

TEST_CASE("contexts of windows are told apart, made by GLX or by EGL", "[programs]") {
    if (!is_installed("Xvfb")) {
        skip("Xvfb is not installed");
        return;
    }
    const Display display;
    for (const int maker : {GLFW_NATIVE_CONTEXT_API, GLFW_EGL_CONTEXT_API}) {
        INFO((maker == GLFW_EGL_CONTEXT_API ? "EGL" : "GLX"));
        const UseDisplay use(display);
        glfwWindowHint(GLFW_CONTEXT_CREATION_API, maker);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
        glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
        glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
        GLFWwindow* first = glfwCreateWindow(8, 8, "first", nullptr, nullptr);
        REQUIRE(first != nullptr);
        GLFWwindow* sharing = glfwCreateWindow(8, 8, "sharing", nullptr, first);
        REQUIRE(sharing != nullptr);
        glfwMakeContextCurrent(first);
        {
            Sorter sorter({.capacity = 8}, glfwGetProcAddress);
            const auto message = [&] {
                try {
                    sorter.sort({.input = Buffers{{1000}, {1001}}, .count = 8});
                } catch (const Error& error) {
                    return std::string(error.what());
                }
                return std::string("(nothing thrown)");
            };
            CHECK_THAT(message(), Contains("keys.name 1000 is not a buffer"));
            glfwMakeContextCurrent(sharing);
            CHECK_THAT(message(), Contains("another OpenGL context is current"));
            glfwMakeContextCurrent(nullptr);
            CHECK_THAT(message(), Contains("no OpenGL context is current"));
            glfwMakeContextCurrent(first);
            CHECK_THAT(message(), Contains("keys.name 1000 is not a buffer"));
        }
        glfwMakeContextCurrent(nullptr);
    }
}

}  // namespace
}  // namespace glsort::test
