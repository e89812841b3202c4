#include <glsort/gl_types.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <string>

namespace glsort::test {
namespace {

void found() {}

// Declarations of the functions of applications. Each converts without a cast.
extern "C" {
void (*egl_get_proc_address(const char* name))() {  // EGL, GLFW, and OSMesa.
    return std::strcmp(name, "glFlush") == 0 ? &found : nullptr;
}
void (*glx_get_proc_address(const unsigned char* name))() {
    return egl_get_proc_address(reinterpret_cast<const char*>(name));
}
void* sdl_get_proc_address(const char* name) {
    return reinterpret_cast<void*>(egl_get_proc_address(name));
}
}
using FarProc = long long (*)();  // WGL returns a PROC.
FarProc wgl_get_proc_address(const char* name) {
    return reinterpret_cast<FarProc>(egl_get_proc_address(name));
}
// OSG and Qt have member functions.
struct QtContext {
    void (*getProcAddress(const char* name) const)() { return egl_get_proc_address(name); }
};

void check_finds(const GetProcAddress& get_proc_address) {
    REQUIRE(get_proc_address);
    CHECK(get_proc_address("glFlush") == &found);
    CHECK(get_proc_address("glFlushNothing") == nullptr);
}

TEST_CASE("the functions of window libraries fit without a cast", "[stream]") {
    check_finds(egl_get_proc_address);
    check_finds(&egl_get_proc_address);
    check_finds(glx_get_proc_address);
    check_finds(sdl_get_proc_address);
    check_finds(wgl_get_proc_address);
    const QtContext context;
    check_finds([&context](const char* name) { return context.getProcAddress(name); });
    const std::string prefix = "gl";  // A callable with state.
    const GetProcAddress copy = [prefix](const char* name) {
        return std::strncmp(name, prefix.c_str(), 2) == 0 ? egl_get_proc_address(name) : nullptr;
    };
    check_finds(GetProcAddress(copy));
}

TEST_CASE("without a function to call there is nothing", "[stream]") {
    CHECK_FALSE(GetProcAddress());
    CHECK_FALSE(GetProcAddress(nullptr));
    void (*(*none)(const char*))() = nullptr;
    CHECK_FALSE(GetProcAddress(none));
}

}  // namespace
}  // namespace glsort::test
