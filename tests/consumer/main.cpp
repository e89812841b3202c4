// Runs the examples of the README and of docs/guide in an OpenGL 3.3 context without a display. The first example draws
// three points in one place, so the nearest point must be drawn last.

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <glsort/scene.h>
#include <glsort/sorter.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "first_example.h"

namespace tracy {

// What Tracy's header has: a zone on the GPU, as long as the object lives.
std::uint32_t zones = 0;

class GpuCtxScope {
  public:
    GpuCtxScope(std::uint32_t, const char*, std::size_t, const char*, std::size_t, const char*, std::size_t, bool) {
        ++zones;
    }
};

}  // namespace tracy

namespace {

void require(bool condition, const char* what) {
    if (condition) return;
    std::fprintf(stderr, "consumer: %s\n", what);
    std::exit(1);
}

void make_context() {
    const auto get_display =
        reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
    require(get_display != nullptr, "EGL has no platform displays");
    const EGLDisplay display = get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    require(eglInitialize(display, nullptr, nullptr) == EGL_TRUE, "no surfaceless display");
    eglBindAPI(EGL_OPENGL_API);
    const EGLint attributes[] = {
        EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    const EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
    require(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) == EGL_TRUE, "no OpenGL 3.3 context");
    require(gladLoadGL(eglGetProcAddress) != 0, "no OpenGL functions");
}

GLuint make_program() {
    const char* vertex =
        "#version 330 core\n"
        "flat out int point;\n"
        "void main() { point = gl_VertexID; gl_Position = vec4(0, 0, 0, 1); }\n";
    const char* fragment =
        "#version 330 core\n"
        "flat in int point;\n"
        "out vec4 colour;\n"
        "void main() { colour = vec4(float(point) / 255.0, 0, 0, 1); }\n";
    const GLuint program = glCreateProgram();
    for (const auto& [stage, source] : {std::pair{GL_VERTEX_SHADER, vertex}, std::pair{GL_FRAGMENT_SHADER, fragment}}) {
        const GLuint shader = glCreateShader(stage);
        glShaderSource(shader, 1, &source, nullptr);
        glCompileShader(shader);
        glAttachShader(program, shader);
    }
    glLinkProgram(program);
    return program;
}

template <class Word>
GLuint make_buffer(const std::vector<Word>& words) {
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(4 * words.size()), words.data(), GL_DYNAMIC_DRAW);
    return buffer;
}

// 0, 1, 2 and so on.
GLuint make_depths(std::uint32_t count) {
    std::vector<float> depths;
    for (std::uint32_t i = 0; i < count; ++i)
        depths.push_back(static_cast<float>(i));
    return make_buffer(depths);
}

std::vector<std::uint32_t> read_buffer(GLuint buffer, std::uint32_t count) {
    std::vector<std::uint32_t> words(count);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glGetBufferSubData(GL_ARRAY_BUFFER, 0, 4 * count, words.data());
    return words;
}

// The names that the examples use.
const auto get_proc_address = eglGetProcAddress;

void sort_by_comparison(GLuint keys, GLuint indices, std::uint32_t count) {
#include "comparison_example.h"
}

struct Emitter {
    std::uint32_t count;
};

void merge_lists(GLuint depths, GLuint indices, Emitter smoke, Emitter fire, Emitter sparks){
#include "lists_example.h"
}

std::vector<std::uint32_t> sort_to_texture(GLuint depths, std::uint32_t count) {
#include "texture_example.h"
    std::vector<std::uint32_t> texels(2 * sorted.width * sorted.height);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RG_INTEGER, GL_UNSIGNED_INT, texels.data());
    std::vector<std::uint32_t> indices;
    for (std::uint32_t i = 0; i < count; ++i)
        indices.push_back(texels[2 * i + 1]);
    return indices;
}

// Sorts in the memory that the first sorter of the example shares with the second.
void sort_in_shared_memory(GLuint depths, GLuint indices, std::uint32_t count) {
#include "shared_example.h"
    opaque.sort({depths}, {indices}, count);
    smoke.sort({depths}, {indices}, count);
}

GLuint workspace = 0;

void reserve(std::uint64_t bytes) {
    workspace = make_buffer(std::vector<std::uint32_t>(bytes / 4));
}

void sort_in_workspace(GLuint depths, GLuint indices, std::uint32_t count) {
#include "scratch_example.h"
}

void sort_in_pieces(GLuint depths, GLuint indices, std::uint32_t count) {
#include "pieces_example.h"
}

void sort_visible(GLuint depths, GLuint indices, GLuint visible){
#include "count_example.h"
}

std::uint32_t shown = 0;

void show(std::uint32_t count, double) {
    shown = count;
}

// Makes a sorter in frames, lets it grow, and sorts.
void sort_in_frames(GLuint depths, GLuint indices, std::uint32_t count) {
#include "ready_example.h"
    require(!ready || sorter.ready(), "a sorter is ready once");
    while (!sorter.ready()) {
    }
#include "reserve_example.h"
    while (!sorter.ready()) {
    }
    require(sorter.spec().capacity == 1 << 18, "the sorter did not grow");
    std::filesystem::remove_all("shader-cache");
}

// Sorts with a hook and with reports. Returns the zones of the hook.
std::uint32_t sort_with_reports(GLuint depths, GLuint indices, std::uint32_t count) {
    glsort::SorterOptions options;
    options.report_finished = true;
#include "hook_example.h"
    glsort::Sorter sorter({.capacity = 1000}, get_proc_address, options);
    sorter.sort({depths}, {indices}, count);
    glFinish();
#include "finished_example.h"
    return tracy::zones;
}

// The parts of the example programs that the guide shows. Each returns the number of visible items.

std::uint32_t visible_items(const glsort::SceneSorter& sorter) {
    return read_buffer(sorter.status().name, 1)[0];
}

std::uint32_t sort_by_computed_keys(GLuint smoke, GLuint order) {
#include "computed_keys_example.h"
    return visible_items(sorter);
}

std::uint32_t sort_culled(GLuint smoke, GLuint order, const std::array<float, 16>& view,
                          const std::array<float, 16>& projection) {
#include "culling_example.h"
    return read_buffer(visible.name, 1)[0];
}

std::uint32_t sort_as_counted(GLuint depths, GLuint alive, GLuint order, GLuint command) {
#include "gpu_counts_example.h"
    return visible_items(sorter);
}

std::uint32_t sort_several_objects(GLuint smoke, GLuint fire, GLuint order) {
#include "several_objects_example.h"
    return visible_items(sorter);
}

std::uint32_t sort_to_sinks(GLuint vertices, GLuint corners, GLuint colours, const std::array<float, 16>& view,
                            const std::array<float, 16>& projection, GLuint sorted_corners, GLuint sorted_colours,
                            GLuint command) {
#include "sinks_example.h"
    return visible_items(sorter);
}

std::uint32_t sort_quantised(GLuint depths, GLuint order) {
#include "quantised_keys_example.h"
    return visible_items(sorter);
}

bool has_compute() {
    for (const glsort::ContextReport::Offer& offer : glsort::describe_context(get_proc_address).offers)
        if (offer.backend == glsort::Backend::compute) return offer.available;
    return false;
}

// That the results are right is what the programs check.
void run_examples_of_scenes() {
    const GLuint room = make_buffer(std::vector<std::uint32_t>(1 << 16));
    const GLuint order = make_buffer(std::vector<std::uint32_t>(1 << 16));
    const GLuint command = make_buffer(std::vector<std::uint32_t>(5));
    const GLuint alive = make_buffer<std::uint32_t>({3});
    // A camera at the origin sees along -z from 1 to 100, in an angle of 90 degrees.
    const std::array<float, 16> identity{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const std::array<float, 16> perspective{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -101.0f / 99, -1, 0, 0, -200.0f / 99, 0};
    require(sort_by_computed_keys(room, order) == 5, "five particles are young");
    require(sort_culled(room, order, identity, perspective) == 0, "particles at the camera are too near");
    require(sort_as_counted(make_depths(1000), alive, order, command) == 2, "particle 0 is at the camera");
    require(read_buffer(order, 2) == std::vector<std::uint32_t>{2, 1}, "two particles are not in order");
    require(read_buffer(command, 5) == std::vector<std::uint32_t>{2, 1, 0, 0, 0}, "the command does not draw two");
    require(sort_several_objects(room, room, order) == 5, "five particles of two objects are sorted");
    require(sort_to_sinks(room, room, room, identity, perspective, order, make_buffer(std::vector<std::uint32_t>(12)),
                          command) == 0,
            "triangles at the camera are too near");
    require(sort_quantised(make_depths(1 << 16), order) == 6, "six particles are sorted");
    require(read_buffer(order, 6) == std::vector<std::uint32_t>{5, 4, 3, 2, 1, 0}, "depths are not in order");
}

void run_further_examples() {
    const std::uint32_t near_depth = 0x3f000000, far_depth = 0x40000000;  // 0.5 and 2
    const GLuint keys = make_buffer<std::uint32_t>({far_depth, 1, near_depth, 9, far_depth, 0});
    const GLuint indices = make_buffer<std::uint32_t>({0, 0, 0, 0});
    sort_by_comparison(keys, indices, 3);
    require(read_buffer(indices, 3) == std::vector<std::uint32_t>{1, 2, 0},
            "the comparison does not sort by depth, then material");

    // The farthest first.
    const GLuint depths = make_buffer<float>({9.0f, 2.0f, 7.0f, 5.0f});
    merge_lists(depths, indices, {2}, {0}, {2});
    require(read_buffer(indices, 4) == std::vector<std::uint32_t>{0, 2, 3, 1},
            "the lists were not merged, the farthest first");

    // The nearest first.
    require(sort_to_texture(make_buffer<float>({9.0f, 2.0f, 7.0f, 5.0f}), 4) == std::vector<std::uint32_t>{1, 3, 2, 0},
            "the texture does not hold the indices, the nearest first");

    // By the u32 keys of the first sorter, then by the f32 keys of the second sorter, which are in order already.
    sort_in_shared_memory(make_buffer<float>({9.0f, 2.0f, 7.0f, 5.0f}), indices, 4);
    require(read_buffer(indices, 4) == std::vector<std::uint32_t>{0, 1, 2, 3}, "the shared memory did not serve both");

    sort_in_frames(make_buffer<std::uint32_t>({9, 2, 7, 5}), indices, 4);
    require(read_buffer(indices, 4) == std::vector<std::uint32_t>{1, 3, 2, 0}, "the sorter did not sort in a frame");
    require(sort_with_reports(make_buffer<std::uint32_t>({9, 2, 7}), indices, 3) > 0, "the hook was not called");
    require(shown == 3, "the sort was not reported");

    run_examples_of_scenes();

    if (!has_compute()) return;
    sort_in_workspace(make_buffer<std::uint32_t>({9, 2, 7, 5}), indices, 4);
    require(read_buffer(indices, 4) == std::vector<std::uint32_t>{1, 3, 2, 0}, "the workspace did not serve");

    sort_in_pieces(make_buffer<std::uint32_t>({9, 2, 7, 5}), indices, 4);
    require(read_buffer(indices, 4) == std::vector<std::uint32_t>{1, 3, 2, 0}, "the pieces did not sort");

    // Two of four, the farthest first.
    const GLuint visible = make_buffer<std::uint32_t>({2});
    const GLuint room = make_buffer(std::vector<std::uint32_t>(1 << 20, 7));
    sort_visible(make_depths(1 << 20), room, visible);
    require(read_buffer(room, 3) == std::vector<std::uint32_t>{1, 0, 7}, "the count on the GPU was not taken");
}

}  // namespace

int main() {
    make_context();
    GLuint texture = 0;
    GLuint framebuffer = 0;
    GLuint vertex_array = 0;
    GLuint depths = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glViewport(0, 0, 1, 1);
    glGenVertexArrays(1, &vertex_array);
    glBindVertexArray(vertex_array);
    glUseProgram(make_program());

    const std::vector<float> view_depths{5.0f, 0.25f, 7.0f};  // point 1 is the nearest
    glGenBuffers(1, &depths);
    glBindBuffer(GL_ARRAY_BUFFER, depths);
    glBufferData(GL_ARRAY_BUFFER, 12, view_depths.data(), GL_DYNAMIC_DRAW);

    SortedPoints points(depths, 3, eglGetProcAddress);
    points.draw();

    unsigned char pixel[4] = {};
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    require(glGetError() == GL_NO_ERROR, "an OpenGL error was left");
    require(pixel[3] == 255, "nothing was drawn");
    require(pixel[0] == 1, "the nearest point was not drawn last");
    run_further_examples();
    require(glGetError() == GL_NO_ERROR, "an OpenGL error was left by the further examples");
    std::printf("glsort %s: the first example draws back to front\n", glsort::version());
}
