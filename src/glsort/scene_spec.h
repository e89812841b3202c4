#pragma once

#include <glsort/spec.h>

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// What a scene sorts, as plain values without OpenGL. `SceneSorter` takes a `SceneSpec`.

namespace glsort {

/// An input of a source: a number or vector for each element, in a buffer of the caller's.
///
/// The library gives the GLSL of the source a function named after the input: `vec4 NAME_at(uint element)` for floats,
/// `uvec4 NAME_at(uint element)` for integers. Components that the input lacks are 0, 0, 0 and 1, as those of a vertex
/// attribute. The function reads any element below the capacity of the source.
struct SceneInput {
    /// How a component lies in memory.
    enum class Type {
        f32,  ///< 4 bytes. GLSL gets a float.
        f16,  ///< 2 bytes. GLSL gets a float.
        u32,  ///< 4 bytes. GLSL gets a uint.
    };
    /// An identifier: letters, digits and single underlines. Not a name of GLSL, and not one that begins with `gl_`,
    /// `glsort_` or `GLSORT_`. The GLSL of the source must not define `NAME_at`.
    std::string name;
    Type type = Type::f32;
    std::uint32_t components = 4;  ///< 1 to 4.
    /// Bytes from one element to the next: a multiple of 2. 0: elements lie one after the other.
    std::uint32_t stride = 0;
    /// Bytes from the begin of the caller's slice to the first element: a multiple of 2.
    std::uint32_t offset = 0;
};

/// Bytes of a component in memory: 4 or 2.
constexpr std::uint32_t component_bytes(SceneInput::Type type) {
    return type == SceneInput::Type::f16 ? 2 : 4;
}
/// Bytes from one element to the next.
constexpr std::uint32_t stride_of(const SceneInput& input) {
    return input.stride != 0 ? input.stride : input.components * component_bytes(input.type);
}

/// The inputs of a source, as the C++ version of its `sort_key` reads them.
class SceneElements {
  public:
    virtual ~SceneElements() = default;
    /// What `vec4 NAME_at(uint element)` returns. `input` is the number of the input in `SceneSource::inputs`.
    virtual std::array<float, 4> floats(std::size_t input, std::uint32_t element) const = 0;
    /// What `uvec4 NAME_at(uint element)` returns.
    virtual std::array<std::uint32_t, 4> uints(std::size_t input, std::uint32_t element) const = 0;
};

/// Elements of one kind, and the key of each: the particles of an emitter, the triangles of a mesh.
struct SceneSource {
    /// Stands in printed programs and in the messages of shader compilers.
    std::string name = "source";
    std::uint32_t capacity = 0;  ///< Max elements, from 0 on.
    /// Whether the count of elements lies in a buffer (`SceneArguments::Source::gpu_count`).
    bool gpu_count = false;
    std::vector<SceneInput> inputs = {};
    /// GLSL that defines the function `bool sort_key(uint element, out K key)`. False: the element is not drawn, and
    /// its key does not matter.
    ///
    /// `K` is float for `SceneSpec::key` f32, int for i32, uint for u32, and uvec2 (low word, high word) for u64.
    ///
    /// `Comparison::glsl` lists the rules for such a text. The functions of the inputs are declared before the text.
    std::string sort_key = {};
    /// The function of `sort_key` in C++: writes the bits of the key, the low word first, and returns whether the
    /// element is drawn. Only for programs that the cpu runs. Null: these programs throw `Error`.
    std::function<bool(const SceneElements& elements, std::uint32_t element, std::array<std::uint32_t, 2>& key)> host =
        nullptr;
};

/// Sources that are sorted as one.
///
/// The *item* number of an element is `base_of(sources, source) + element`. The number does not depend on counts. Equal
/// keys keep the order of their item numbers.
struct SceneSpec {
    /// 1 to 64 sources. The capacities add up to at most 2^32-2.
    std::vector<SceneSource> sources;
    KeyType key = KeyType::f32;                   ///< f32, i32, u32 or u64.
    Direction direction = Direction::descending;  ///< Descending depths: from back to front.
    /// As `SortSpec::algorithm`. The algorithm must take a count on the GPU (`Takes::gpu_count`).
    std::string algorithm = "automatic";
    Backend backend = Backend::automatic;
};

/// The most sources of a scene.
inline constexpr std::size_t max_scene_sources = 64;

/// The item number of element 0 of a source: the sum of the capacities before it.
inline std::uint32_t base_of(const std::vector<SceneSource>& sources, std::size_t source) {
    std::uint32_t base = 0;
    for (std::size_t i = 0; i < source; ++i)
        base += sources[i].capacity;
    return base;
}

/// An item, taken apart.
struct SceneItem {
    std::size_t source = 0;
    std::uint32_t element = 0;
    friend bool operator==(const SceneItem&, const SceneItem&) = default;
};
/// The source and the element of an item number. `item` must be below the sum of the capacities. Cost: linear in the
/// sources.
inline SceneItem item_of(const std::vector<SceneSource>& sources, std::uint32_t item) {
    std::size_t source = 0;
    while (item >= sources[source].capacity)
        item -= sources[source++].capacity;
    return {source, item};
}

}  // namespace glsort
