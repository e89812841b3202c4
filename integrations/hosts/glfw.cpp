#include <GLFW/glfw3.h>

#include <cstdio>

#include "sort_some.h"

int main() {
    // [example]
    glfwInit();
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    GLFWwindow* const window = glfwCreateWindow(640, 480, "glsort", nullptr, nullptr);
    if (window == nullptr) return std::puts("GLFW gives no window with OpenGL 3.3"), 1;
    glfwMakeContextCurrent(window);
    const int code = sort_some(glfwGetProcAddress, "GLFW");  // a glsort::Sorter takes glfwGetProcAddress
    glfwTerminate();
    return code;
    // [end]
}
