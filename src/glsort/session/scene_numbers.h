#pragma once

#include <glsort/plan/scene/key_form.h>
#include <glsort/plan/scene/scene_program.h>
#include <glsort/scene.h>
#include <glsort/stream/scheduler.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// The numbers that a sort of a scene hands to the ops of its programs.

namespace glsort::scene {

/// Sets values that are parameters of an op: four parameters per value, from `parameter` on.
void set_values(Scheduler& scheduler, std::size_t op, std::size_t parameter,
                std::span<const std::array<float, 4>> values);

/// The count of a source, unless the GPU alone knows the count.
void set_source_count(Scheduler& scheduler, const ScenePlan::Source& planned, std::uint32_t count);
/// The values of a source.
void set_source_values(Scheduler& scheduler, const ScenePlan::Source& planned,
                       std::span<const std::array<float, 4>> values);
/// The depths that the keys of a source are quantised over.
void set_depths(Scheduler& scheduler, const ScenePlan::Source& planned, const DepthRange& range);

/// Sets where the corners of source number `source` begin in the caller's index buffer, and the base vertex of its
/// indices.
void set_corners(Scheduler& scheduler, std::size_t op, std::size_t source, std::uint32_t first_index,
                 std::int32_t base_vertex);

/// The elements of each input in one call. `elements`: those of inputs without `SceneInput::elements`. `tables`: as
/// `SceneArguments::Source::table_elements`.
class InputSizes {
  public:
    InputSizes(std::uint32_t elements, std::span<const std::uint32_t> tables) : elements_(elements), tables_(tables) {}
    /// Elements of the next input.
    std::uint32_t next(const SceneInput& input) {
        if (input.elements == 0) return elements_;
        return tables_.empty() ? input.elements : tables_[table_++];
    }

  private:
    std::uint32_t elements_;
    std::span<const std::uint32_t> tables_;
    std::size_t table_ = 0;
};

/// The elements of a source for which a call must have room. `count`: the source's count in the call, unless the GPU
/// alone knows the count. Then the call must have room for the capacity.
inline std::uint32_t most_elements(const SceneSource& source, std::uint32_t count) {
    return source.gpu_count ? source.capacity : count;
}

/// The items for which a call must have room.
std::uint32_t most_items(const SceneSpec& spec, const SceneArguments& arguments);
/// Indices in the caller's index buffer in one call.
inline std::uint32_t index_count(const SceneSpec& spec, const SceneArguments& arguments) {
    return arguments.index_count != 0 ? arguments.index_count : spec.triangles->indices;
}

/// Throws `Error` unless `tables` is empty, or has a number for each input with `SceneInput::elements`. No number may
/// exceed `SceneInput::elements`. `owner`: "sources" or "results", and its number.
void check_tables(const char* owner, std::size_t number, const std::vector<SceneInput>& inputs,
                  std::span<const std::uint32_t> tables);

/// Throws `Error` if the depths do not fit the specification.
void check_depths(const SceneSpec& spec, float nearest, float farthest);

}  // namespace glsort::scene
