#pragma once

#include <glad/gl.h>
#include <glsort/scene.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "support/gl_buffer.h"
#include "support/headless_context.h"

/// What the examples need besides glsort: a context, buffers, and a look at the result. Your application has all of
/// these.

namespace glsort::example {

/// The loader of the context. Libraries for windows have such a function.
demo::GlFunction get_proc_address(const char* name);

/// A current OpenGL context without a window, with the newest version that the driver has.
class Context {
  public:
    Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    /// A new buffer, which lives as long as the context: the contents, and zeros behind up to `room` values.
    template <class T>
    std::uint32_t buffer(const std::vector<T>& contents, std::size_t room = 0) {
        const std::size_t values = room > contents.size() ? room : contents.size();
        std::vector<std::uint32_t> words((values * sizeof(T) + 3) / 4);
        if (!contents.empty()) std::memcpy(words.data(), contents.data(), contents.size() * sizeof(T));
        return buffers_.emplace_back(std::make_unique<demo::GlBuffer>(gl_, words))->name();
    }
    /// A new buffer of zeros, with room for that many u32.
    std::uint32_t room(std::size_t words) { return buffer(std::vector<std::uint32_t>(words)); }

    /// The first words of a buffer. Waits for the GPU: a renderer has no need of this.
    std::vector<std::uint32_t> read(const BufferSlice& slice, std::size_t words) const;

    /// Draws points by an index buffer, and returns what the vertex shader writes to `flat out uvec2 item`, in the
    /// order of the draw.
    std::vector<std::array<std::uint32_t, 2>> draw(const std::string& vertex_shader, std::uint32_t indices,
                                                   std::uint32_t count);

  private:
    demo::HeadlessContext headless_;
    GladGLContext gl_{};
    std::vector<std::unique_ptr<demo::GlBuffer>> buffers_;
};

/// Runs the body of an example, and prints the message of an error that the body throws. Returns the exit code: that of
/// the body, or 1 after an error.
int run(int (*body)());

/// Prints what the example found, and the backend. Returns the exit code: 1 if the result is wrong.
int conclude(const SceneSorter& sorter, bool right, const std::string& text);

}  // namespace glsort::example
