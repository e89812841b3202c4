#pragma once

#include <glsort/spec.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

/// What an application and the library hand each other of OpenGL: plain values, and no call of OpenGL.

namespace glsort {

/// A function of OpenGL, of any type.
using GlProcedure = void (*)();

/// Finds functions of OpenGL by name. Everything fits that can be called with a name and returns a pointer: the
/// functions of EGL, GLX, WGL, GLFW and SDL as they are, and a lambda around a member function such as Qt's
/// `QOpenGLContext::getProcAddress`. The name is a `const char*`, or a `const unsigned char*` as GLX has it.
class GetProcAddress {
  public:
    GetProcAddress() = default;
    GetProcAddress(std::nullptr_t) {}
    template <class Function>
    requires(!std::is_same_v<Function, GetProcAddress> && (std::is_invocable_v<const Function&, const char*> ||
                                                           std::is_invocable_v<const Function&, const unsigned char*>))
        GetProcAddress(Function function) {
        if constexpr (std::is_pointer_v<Function>)
            if (function == nullptr) return;
        find_ = [find = std::move(function)](const char* name) {
            // Some return a function, some a pointer to void.
            if constexpr (std::is_invocable_v<const Function&, const char*>)
                return reinterpret_cast<GlProcedure>(find(name));
            else
                return reinterpret_cast<GlProcedure>(find(reinterpret_cast<const unsigned char*>(name)));
        };
    }

    /// The function of that name. Null if there is none.
    GlProcedure operator()(const char* name) const { return find_(name); }
    /// Whether there is something to call.
    explicit operator bool() const { return find_ != nullptr; }

  private:
    std::function<GlProcedure(const char*)> find_;
};

/// What becomes of the OpenGL state that a sort needs for itself. An engine that keeps track of state on its
/// own takes `restore`: such an engine does not notice what others change.
enum class StatePolicy {
    restore,        ///< Saved and restored: the context is as it was. Costs queries at every call.
    caller_resets,  ///< Left as the sort left it: `clobbered_state` names it. No queries of
                    ///< state, so sizes and formats of buffers and textures are not checked either, and
                    ///< an active transform feedback is not paused: there must be none.
};

/// Who reads the result next: places the final barrier. Combine with `|`.
enum class Readers : std::uint32_t {
    none = 0,
    vertex = 1,     ///< As vertex attributes.
    index = 2,      ///< As element indices.
    storage = 4,    ///< In shaders, as a storage buffer.
    uniform = 8,    ///< In shaders, as a uniform buffer.
    texture = 16,   ///< In shaders, as a texture or image.
    indirect = 32,  ///< As indirect draw or dispatch parameters.
    transfer = 64,  ///< By copies, mapping or read-back; and uploads over what the sort wrote.
    all = 127,
};
constexpr Readers operator|(Readers a, Readers b) {
    return static_cast<Readers>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}
constexpr bool operator&(Readers a, Readers b) {
    return (static_cast<std::uint32_t>(a) & static_cast<std::uint32_t>(b)) != 0;
}

/// A part of a caller's buffer: from byte `offset` on, as long as the call needs. The offset is a multiple of 16, 8 or
/// 4 bytes: the largest of these that divides the size of a key, or of a value.
struct BufferSlice {
    std::uint32_t name = 0;    ///< Of a buffer object.
    std::uint64_t offset = 0;  ///< Bytes.
};

/// Keys, and with a payload values, in buffers. Two slices of one buffer may serve, if they do not overlap.
struct Buffers {
    BufferSlice keys = {};
    /// With a payload: read and written; a payload `index` is written only. An index that goes to a texture needs none.
    BufferSlice values = {};
};

/// A caller's 2D texture, one element a texel, level 0: element i at the texel that `layout` says.
/// Keys are the first channel (of 64 bits the first two, the low word first; of a comparison as many as they
/// have words), values the channel after them, as raw bits. Its base level is 0 and its swizzle the identity
/// (both are so by default); filters do not matter. Texels of elements past the count of a sort stay as they
/// are.
struct TextureView {
    /// Of a GL_TEXTURE_2D: GL_R32UI (keys), GL_RG32UI (keys and values); of 64-bit keys GL_RG32UI
    /// and GL_RGBA32UI, whose last channel is not used; of longer ones GL_RGBA32UI. As an input of
    /// keys alone, the format for keys and values does as well.
    std::uint32_t name = 0;
    std::uint32_t width = 0;   ///< Texels.
    std::uint32_t height = 0;  ///< Texels.
    Layout layout = Layout::row_wise;
};

}  // namespace glsort
