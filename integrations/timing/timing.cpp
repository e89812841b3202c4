#include "timing.h"

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>

namespace timing {

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

std::string text_of(GLenum name) {
    const GLubyte* const text = glGetString(name);
    return text ? reinterpret_cast<const char*>(text) : "unknown";
}

GLuint attach_renderbuffer(GLenum attachment, GLenum format, int width, int height) {
    GLuint renderbuffer = 0;
    glGenRenderbuffers(1, &renderbuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    glRenderbufferStorage(GL_RENDERBUFFER, format, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, renderbuffer);
    return renderbuffer;
}

}  // namespace

Offscreen::Offscreen(int width, int height, const Offscreen* share_with)
    : context_(
          {.major = 3, .minor = 3, .compatibility = true, .share_with = share_with ? &share_with->context_ : nullptr}),
      width_(width),
      height_(height) {
    context_.make_current();
    glGenFramebuffers(1, &framebuffer_);
    make_current();
    attach_renderbuffer(GL_COLOR_ATTACHMENT0, GL_RGBA8, width, height);
    attach_renderbuffer(GL_DEPTH_STENCIL_ATTACHMENT, GL_DEPTH24_STENCIL8, width, height);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        throw std::runtime_error("a framebuffer of " + std::to_string(width) + " x " + std::to_string(height) +
                                 " pixels is not complete");
}

void Offscreen::make_current() {
    context_.make_current();
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
}

Picture Offscreen::picture() const {
    Picture pixels(std::size_t(4) * std::size_t(width_) * std::size_t(height_));
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    return pixels;
}

std::string description() {
    return text_of(GL_RENDERER) + ", OpenGL " + text_of(GL_VERSION);
}

bool has_compute() {
    GLint major = 0, minor = 0;
    glGetIntegerv(GL_MAJOR_VERSION, &major);
    glGetIntegerv(GL_MINOR_VERSION, &minor);
    return major > 4 || (major == 4 && minor >= 3);
}

double milliseconds(const std::function<void()>& work) {
    glFinish();
    const Clock::time_point begin = Clock::now();
    work();
    glFinish();
    return milliseconds_since(begin);
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

double median_frame(const std::function<void(int frame)>& draw) {
    int frame = 0;
    const auto frames = [&](int count) {
        return milliseconds([&] {
            for (int i = 0; i < count; ++i)
                draw(frame++);
        });
    };
    const Clock::time_point begin = Clock::now();
    double last = frames(2);  // compiles and uploads
    do
        last = frames(1);
    while (milliseconds_since(begin) < 400);
    const int batch = std::clamp(int(20 / std::max(last, 0.01)) + 1, 1, 100);
    std::vector<double> times;
    for (int i = 0; i < 9; ++i)
        times.push_back(frames(batch) / batch);
    return median(times);
}

void require_alike(const Picture& found, const Picture& expected, const std::string& series, std::uint32_t count) {
    if (found.size() != expected.size()) throw std::runtime_error(series + ": the picture has another size");
    std::size_t different = 0;
    for (std::size_t i = 0; i < found.size(); i += 4) {
        bool far = false;
        for (std::size_t channel = i; channel < i + 3; ++channel)
            far = far || std::abs(int(found[channel]) - int(expected[channel])) > 2;
        different += far;
    }
    if (const std::size_t limit = found.size() / 4 / 50; different > limit)
        throw std::runtime_error(series + ", " + std::to_string(count) + " elements: " + std::to_string(different) +
                                 " pixels differ from the order of the CPU; the limit is " + std::to_string(limit));
}

void print_head() {
    std::puts("series,key,payload,n,ms");
}

void print_row(const std::string& series, int payload, std::uint32_t count, double milliseconds) {
    std::printf("%s,f32,%d,%u,%.*f\n", series.c_str(), payload, unsigned(count), milliseconds < 1 ? 3 : 2,
                milliseconds);
    std::fflush(stdout);
}

int run(int argument_count, char** arguments, const char* help, const std::function<void()>& measure) {
    if (argument_count > 1) {
        std::puts(help);
        return argument_count == 2 && std::strcmp(arguments[1], "--help") == 0 ? 0 : 2;
    }
    try {
        measure();
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", arguments[0], error.what());
        return 1;
    }
}

}  // namespace timing
