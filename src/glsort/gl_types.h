#pragma once

#include <glsort/spec.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// The OpenGL objects and functions that an application and the library hand each other, as plain values. Nothing in
/// this header calls OpenGL.

namespace glsort {

/// A pointer to an OpenGL function, cast to one type for all functions.
using GlProcedure = void (*)();

/// Finds functions of OpenGL by name. Any callable that takes a name and returns a pointer converts to this class, such
/// as a lambda around `QOpenGLContext::getProcAddress` or `osg::getGLExtensionFuncPtr`. Some loaders convert directly:
/// `eglGetProcAddress`, `glXGetProcAddress`, `glfwGetProcAddress` and `SDL_GL_GetProcAddress`. `wglGetProcAddress`
/// alone is not enough: functions of OpenGL 1.1 come from opengl32.dll. The library calls the loader only in the
/// function that takes the loader, so a lambda may refer to local variables.
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
            // Some loaders return a pointer to a function, others a pointer to void.
            if constexpr (std::is_invocable_v<const Function&, const char*>)
                return reinterpret_cast<GlProcedure>(find(name));
            else
                return reinterpret_cast<GlProcedure>(find(reinterpret_cast<const unsigned char*>(name)));
        };
    }

    /// The function named `name`. Null if there is no such function. Call only if there is a loader (`operator bool`).
    GlProcedure operator()(const char* name) const { return find_(name); }
    /// Whether there is a loader to call. False for null pointers.
    explicit operator bool() const { return find_ != nullptr; }

  private:
    std::function<GlProcedure(const char*)> find_;
};

/// Functions of the application's that are called around each op of a sort (`SorterOptions::hook`). The functions may
/// issue timestamps and debug groups, and must leave all other state as it is. They must not call the sorter. They must
/// not throw: a sort that stops halfway leaves the results and the caller's state undefined. Set both functions, or
/// none.
struct OpHook {
    /// `op`: the kernel and where the op stands in its algorithm, as in `to_text`. The text ends with a zero byte. The
    /// text is valid only during the call.
    std::function<void(std::string_view op)> begin = nullptr;
    std::function<void()> end = nullptr;
};

/// Two functions of the application's that keep the binaries of programs (`SorterOptions::binaries`).
///
/// The sorter calls both functions while it is constructed, grows, or is asked whether it is `ready`, in the thread of
/// that call. A sort calls the functions only if the sort waits for a construction or a growth. The functions must not
/// use the sorter. An empty function is not called. If a function throws, the exception ends the construction or the
/// growth.
///
/// Needs OpenGL 4.1, GL_ARB_get_program_binary or OpenGL ES 3.0, and a driver with a format for binaries. Without
/// them, no function is called, and shaders are compiled as ever.
struct ProgramBinaries {
    /// Returns the entry that was stored last under `key`, or an empty vector. `key`: 48 hexadecimal digits, which
    /// stand for the driver and the text of the shaders. A new driver therefore finds no old entries.
    ///
    /// The sorter checks the entry that `load` returns. For a stale or damaged entry, the sorter compiles the program
    /// again and stores a new entry.
    std::function<std::vector<std::byte>(std::string_view key)> load = nullptr;
    /// Keeps an entry under `key`, in place of an older one. An entry has between about 1 KiB and some 100 KiB.
    std::function<void(std::string_view key, std::span<const std::byte> entry)> store = nullptr;
};

/// Keeps each entry in a file of a folder, named after the key. Makes the folder when an entry is stored. Several
/// processes may use one folder at once: a file is first written under another name, and then renamed. A file that
/// cannot be read counts as missing. A file that cannot be written is left out, without an error. The library never
/// deletes old files.
GLSORT_API ProgramBinaries binaries_in_folder(const std::string& folder);

/// What becomes of the OpenGL state that a sort changes. Choose `restore` for an engine with a cache of OpenGL state:
/// such a cache does not notice what others change.
enum class StatePolicy {
    restore,  ///< A call saves the state, and restores the state at its end. Costs queries at every call.
    /// The state stays as the sort left it. `clobbered_state` lists what changed. A call does not check sizes,
    /// formats and mappings of buffers and textures. Transform feedback must not be active.
    caller_resets,
};

/// Who reads or writes the memory of the result next. On the compute backend, the sort ends with the memory barrier for
/// these readers. OpenGL itself orders the writes of the fragment backend. Combine readers with `|`.
///
/// A persistent mapping without GL_MAP_COHERENT_BIT is the exception. Before the CPU reads there, the application calls
/// glMemoryBarrier with GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT, and waits for a fence.
enum class Readers : std::uint32_t {
    none = 0,
    vertex = 1,     ///< As vertex attributes.
    index = 2,      ///< As element indices.
    storage = 4,    ///< In shaders, as a storage buffer. Also needed before shaders write there.
    uniform = 8,    ///< In shaders, as a uniform buffer.
    texture = 16,   ///< In shaders, as a texture or image.
    indirect = 32,  ///< As indirect draw or dispatch parameters.
    /// By copies, mapping and read-back. Also needed before uploads, draws and transform feedback write the memory of
    /// the result.
    transfer = 64,
    all = 127,
};
constexpr Readers operator|(Readers a, Readers b) {
    return static_cast<Readers>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}
constexpr bool operator&(Readers a, Readers b) {
    return (static_cast<std::uint32_t>(a) & static_cast<std::uint32_t>(b)) != 0;
}

/// A part of a caller's buffer. The part begins at byte `offset`, and the call decides its length. The offset is a
/// multiple of 16, 8 or 4: the largest of these that divides the size of a key, or of a value.
struct BufferSlice {
    std::uint32_t name = 0;    ///< The name of a buffer object.
    std::uint64_t offset = 0;  ///< Bytes.
};

/// Keys in a buffer, and values if there is a payload. Both slices may be of one buffer, but must not overlap.
struct Buffers {
    BufferSlice keys = {};
    /// With a payload `bytes` a sort reads and writes the values. With a payload `index` a sort only writes. An index
    /// that a sort writes to an output texture needs no slice here.
    BufferSlice values = {};
};

/// A caller's 2D texture, with one element in each texel of level 0. The texel of element i is
/// `texel_of({layout, width}, i)` (stream/stream.h). In a row-wise texture this is texel (i % width, i / width). A
/// texture for n elements is at least as large as `bounding_box({layout, width}, n)`.
///
/// The first channels hold the words of a key, as raw bits, the low word of a 64-bit key first. The next channel holds
/// the value. The base level must be 0 and the swizzle the identity, as in a new texture. Filters do not matter. Texels
/// of elements past the count of a sort keep their contents.
struct TextureView {
    /// The name of a GL_TEXTURE_2D. Key and value together take one word (GL_R32UI), two (GL_RG32UI), or three or four
    /// (GL_RGBA32UI). An input of keys alone may have the format for keys and values.
    std::uint32_t name = 0;
    /// Texels of level 0: the size of the whole texture, also if fewer texels are in use. With another size, a call
    /// throws `Error`, where the call can ask OpenGL (`Sorter::sort`).
    std::uint32_t width = 0;
    std::uint32_t height = 0;  ///< As `width`.
    Layout layout = Layout::row_wise;
};

}  // namespace glsort
