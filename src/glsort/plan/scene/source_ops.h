#pragma once

#include <glsort/limits.h>
#include <glsort/plan/scene/scene_builder.h>
#include <glsort/plan/scene/sort_key.h>
#include <glsort/spec.h>
#include <glsort/stream/kernel.h>
#include <glsort/stream/program.h>

#include <cstdint>
#include <vector>

/// Ops that call `sort_key` for several sources at once. The sources are neighbours and `alike` (sort_key.h). Each
/// source is a block of the op's domain. The block has its own count, values and buffers. One dispatch instead of many
/// saves about 1.5 us for each source on an H100 (docs/experiments/scenes.md, "What changed, in turn").

namespace glsort::scene {

/// The part of a kernel that knows the sources.
struct SourceBlocks {
    std::vector<SceneSource> sources;  ///< One for each block.
    StoredKey stored_key;

    /// Of the source that the invocation belongs to: the capacity, or the count if the CPU knows the count.
    std::uint32_t limit(const CpuInvocation& k) const;
    /// The count that the caller gives, which may exceed the capacity.
    std::uint32_t given_count(CpuInvocation& k) const;
    std::uint32_t base(const CpuInvocation& k) const;
    /// The number of the group among those of the source.
    std::uint32_t group(const CpuInvocation& k) const;
};

/// Gives a kernel without ports and parameters those of the sources. Inputs: the sources' own, then their counts if the
/// GPU alone knows the counts. Parameters of a block: `count`, `base`, `first_group`, those of values.
SourceBlocks declare_sources(Kernel& kernel, const std::vector<SceneSource>& sources, const KeyForm& form);

/// An op without kernel, writes and parameters.
struct SourceOp {
    Op op;
    std::vector<SceneSource> sources;
    std::uint32_t first_item = 0;
    std::uint32_t end_item = 0;
    std::uint32_t groups = 0;
    bool last = false;
};

/// Divides the sources of a plan among the first ops of its program, and notes in the plan where each source is.
/// `portion`: max items of a group. `blocks`, `blocks_of_last`: storage blocks of an op, and of the last op, beside
/// those of the sources.
std::vector<SourceOp> divide_sources(SceneBuilder& to, std::uint32_t portion, std::uint32_t blocks,
                                     std::uint32_t blocks_of_last, const Limits& limits);

/// The most storage blocks that a source needs.
std::uint32_t most_buffers_of(const SceneSpec& spec);

}  // namespace glsort::scene
