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

/// Finds functions of OpenGL by name. These convert as they are: `eglGetProcAddress`, `glXGetProcAddress`,
/// `wglGetProcAddress`, `glfwGetProcAddress`, `SDL_GL_GetProcAddress` and `osg::getGLExtensionFuncPtr`. So does every
/// callable that takes a name and returns a pointer, such as a lambda around Qt's `QOpenGLContext::getProcAddress`.
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
    restore,  ///< Saved and restored: the context is as it was. Costs queries at every call.
    /// The state stays as the sort left it; `clobbered_state` lists what changed. Nothing is queried. Sizes and formats
    /// of buffers and textures are therefore not checked. An active transform feedback is an error of the caller.
    caller_resets,
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
    transfer = 64,  ///< By copies, mapping and read-back. Also needed for later uploads into the same memory.
    all = 127,
};
constexpr Readers operator|(Readers a, Readers b) {
    return static_cast<Readers>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}
constexpr bool operator&(Readers a, Readers b) {
    return (static_cast<std::uint32_t>(a) & static_cast<std::uint32_t>(b)) != 0;
}

/// A part of a caller's buffer: from byte `offset` on, as long as the call needs. Keys and values of 16 bytes begin at
/// a multiple of 16. In general the offset is a multiple of 16, 8 or 4: the largest that divides the size of an
/// element.
struct BufferSlice {
    std::uint32_t name = 0;    ///< Of a buffer object.
    std::uint64_t offset = 0;  ///< Bytes.
};

/// Keys, and with a payload values, in buffers. Two slices of one buffer may serve, if they do not overlap.
struct Buffers {
    BufferSlice keys = {};
    /// With a payload `bytes` the values are read and written. A payload `index` is only written, and needs no slice if
    /// the output is a texture.
    BufferSlice values = {};
};

/// A caller's 2D texture, one element a texel, level 0: element i lies at the texel that `layout` says.
///
/// The words of a key are the first channels, as raw bits; the low word of a 64-bit key comes first. A value is the
/// channel behind the key. The base level must be 0 and the swizzle the identity, as in a new texture. Filters do not
/// matter. Texels of elements past the count of a sort stay as they are.
struct TextureView {
    /// A GL_TEXTURE_2D. The format has the channels that key and value need: GL_R32UI for one, GL_RG32UI for two,
    /// GL_RGBA32UI for three and four. An input of keys alone may have the format for keys and values.
    std::uint32_t name = 0;
    std::uint32_t width = 0;   ///< Texels.
    std::uint32_t height = 0;  ///< Texels.
    Layout layout = Layout::row_wise;
};

}  // namespace glsort
