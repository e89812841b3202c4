#pragma once

#include <glsort/scene.h>
#include <glsort/sorter.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

/// What the adapters for engines share: sorters that belong to a context, and grow with the objects drawn there.

namespace glsort::integrations {

/// An object of an engine. Its points or triangles are put in order. All data lie in buffers of the engine.
struct DrawnObject {
    BufferSlice positions = {};    ///< Floats. The offset is a multiple of 4.
    std::uint32_t components = 3;  ///< Of a position: 2 to 4. Missing ones are 0, the fourth is not read.
    std::uint32_t stride = 12;     ///< Bytes from one position to the next: a multiple of 4.
    std::uint32_t vertices = 0;    ///< Positions in the buffer.
    /// Indices in the order that the engine made: three for each triangle, or one for each point. Points may come in
    /// any order, several times, or not at all. The offset is a multiple of the size of an index. The buffer ends with
    /// a whole word of 4 bytes behind the indices, or later. Name 0: the elements are points, one for each vertex.
    BufferSlice corners = {};
    SceneInput::Type corner_type = SceneInput::Type::u32;  ///< u32 or u16.
    std::uint32_t triangles = 0;                           ///< Only with `corners`.
    std::uint32_t points = 0;                              ///< Only with `corners`, in place of `triangles`.
    /// From positions to the space of the camera, which looks along -z. In columns, as `glUniformMatrix4fv` takes them.
    std::array<float, 16> model_view = {};
};

/// The sorters of one context. All objects that an engine draws there share one sorter for each format of vertices.
/// A sorter grows by doubling, so most new objects make no new sorter.
///
/// Every call needs the context current, and leaves its state as it was (`StatePolicy::restore`): engines cannot bind
/// again what they bound once in a pass. Destruction in another context, or in none, touches no object there. Where the
/// engine has destroyed the context already, call `abandon` first.
class ContextSorters {
  public:
    /// Compiles nothing yet. `get_proc_address` finds the functions of the context.
    explicit ContextSorters(GetProcAddress get_proc_address, Backend backend = Backend::automatic)
        : get_proc_address_(std::move(get_proc_address)), backend_(backend) {}

    /// Writes the indices that draw `object` from back to front: one u32 for each point, three for each triangle.
    /// `order` has room for as many, and does not overlap what the object reads. Nothing is left out. Elements with
    /// equal depths keep their order. Throws `Error` as `SceneSorter` does. The first call for a format compiles.
    void sort(const DrawnObject& object, const BufferSlice& order) {
        const std::uint32_t each = indices_each(object);
        const std::uint32_t count = each == 0 ? object.vertices : each == 1 ? object.points : object.triangles;
        if (count == 0) return;
        SceneArguments arguments;
        SceneArguments::Source source;
        source.count = count;
        source.values = view_values(keys_of(object), view_of(object));
        source.inputs = {object.positions};
        if (each > 0) {
            // Slices begin with whole words. Corners of 16 bits may begin in the middle of a word.
            BufferSlice words = object.corners;
            words.offset -= shift_of(object);
            source.table_elements = {object.vertices};
            source.inputs.push_back(words);
            source.first_index = shift_of(object) / 2;
            arguments.indices = words;
            arguments.index_count = source.first_index + each * count;
            arguments.triangles = order;
        } else {
            arguments.order = order;
        }
        arguments.sources = {std::move(source)};
        sorter_for(object, count).sort(arguments);
    }

    /// Forgets all sorters without calling OpenGL: for a context that is gone.
    void abandon() noexcept {
        for (auto& [format, serving] : sorters_)
            serving.sorter.abandon();
        sorters_.clear();
    }

    /// Bytes of GPU memory that the sorters hold.
    std::uint64_t bytes() const {
        std::uint64_t sum = 0;
        for (const auto& [format, serving] : sorters_)
            sum += serving.sorter.scratch_bytes();
        return sum;
    }

  private:
    /// What shaders are compiled for: indices of an element, their type and shift, components and stride of positions.
    using Format = std::tuple<std::uint32_t, SceneInput::Type, std::uint32_t, std::uint32_t, std::uint32_t>;
    struct Serving {
        std::uint32_t elements;
        std::uint32_t vertices;
        SceneSorter sorter;
    };

    /// Indices of an element: 3 for triangles, 1 for points by indices, 0 for all vertices.
    static std::uint32_t indices_each(const DrawnObject& object) {
        return object.corners.name == 0 ? 0 : object.points > 0 ? 1 : 3;
    }

    /// Bytes from the begin of a word to the first index: 0 or 2.
    static std::uint32_t shift_of(const DrawnObject& object) {
        return static_cast<std::uint32_t>(object.corners.offset % 4);
    }

    static ViewKeys keys_of(const DrawnObject& object) {
        ViewKeys keys;
        if (indices_each(object) == 3) keys.corners = "corners";
        keys.frustum = false;
        return keys;
    }

    /// Without culling the projection does not matter.
    static View view_of(const DrawnObject& object) {
        return {.view = object.model_view, .projection = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
    }

    SceneSpec spec_for(const DrawnObject& object, std::uint32_t elements, std::uint32_t vertices) const {
        const std::uint32_t each = indices_each(object);
        SceneSource source;
        source.name = each == 3 ? "triangles" : "points";
        source.capacity = elements;
        source.inputs = {{.name = "position", .components = object.components, .stride = object.stride}};
        SceneSpec spec;
        spec.backend = backend_;
        if (each > 0) {
            source.inputs[0].elements = vertices;
            const std::uint32_t shift = shift_of(object);
            source.inputs.push_back(
                {.name = "corners", .type = object.corner_type, .components = each, .offset = shift});
            spec.order = false;
            spec.triangles = {.type = object.corner_type, .indices = shift / 2 + each * elements, .corners = each};
        }
        compute_view_keys(source, keys_of(object));
        if (each == 1) look_up_points(source);
        spec.sources = {std::move(source)};
        return spec;
    }

    /// Has the key of a point whose number is a corner.
    static void look_up_points(SceneSource& source) {
        source.sort_key =
            "bool sort_key(uint element, out float key) {\n"
            "    key = dot(" +
            source.values.front() +
            "(), vec4(position_at(corners_at(element).x).xyz, 1.0));\n"
            "    return true;\n"
            "}\n";
        source.host = nullptr;
    }

    /// The next power of two, as far as there is one. The smallest is 1024.
    static std::uint32_t grown(std::uint32_t needed) {
        return needed > 1u << 31 ? needed : std::bit_ceil(std::max(needed, 1024u));
    }

    SceneSorter& sorter_for(const DrawnObject& object, std::uint32_t elements) {
        const Format format{indices_each(object), object.corner_type, shift_of(object), object.components,
                            object.stride};
        auto found = sorters_.find(format);
        const bool is_new = found == sorters_.end();
        if (!is_new && elements <= found->second.elements && object.vertices <= found->second.vertices)
            return found->second.sorter;
        const std::uint32_t room = grown(is_new ? elements : std::max(elements, found->second.elements));
        const std::uint32_t vertices =
            grown(is_new ? object.vertices : std::max(object.vertices, found->second.vertices));
        // If this throws, the old sorter stays.
        Serving serving{room, vertices, SceneSorter(spec_for(object, room, vertices), get_proc_address_)};
        return sorters_.insert_or_assign(format, std::move(serving)).first->second.sorter;
    }

    GetProcAddress get_proc_address_;
    Backend backend_;
    std::map<Format, Serving> sorters_;
};

}  // namespace glsort::integrations
