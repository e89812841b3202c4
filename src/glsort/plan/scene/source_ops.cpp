#include <glsort/plan/scene/scene_access.h>
#include <glsort/plan/scene/scene_program.h>
#include <glsort/plan/scene/source_ops.h>
#include <glsort/stream/cpu_invocation.h>

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

namespace glsort::scene {
namespace {

// The parameters of a block in front of those of values.
enum : std::size_t { count_parameter, base_parameter, first_group_parameter, first_value_parameter };
static_assert(first_value_parameter == ScenePlan::first_value_parameter);

std::uint32_t buffers_of(const SceneSource& source) {
    const auto inputs = std::count_if(source.inputs.begin(), source.inputs.end(),
                                      [](const SceneInput& input) { return input.medium == Medium::buffer; });
    const bool count = source.gpu_count && source.gpu_count_medium == Medium::buffer;
    return static_cast<std::uint32_t>(inputs) + (count ? 1 : 0);
}

/// How many sources like this one an op can serve. `blocks`: storage blocks of the op beside those of sources.
std::size_t sources_of_an_op(const SceneSource& source, std::uint32_t blocks, const Limits& limits) {
    const bool textures = std::any_of(source.inputs.begin(), source.inputs.end(), in_texture) ||
                          (source.gpu_count && source.gpu_count_medium == Medium::texture);
    if (textures || !limits.block_arrays) return 1;
    // A context with arrays of blocks has room for 1024 words of integers of an op. What does not belong to sources
    // takes 372 of these at most. Shaders are composed for 1, 2, 4, 8, ... blocks. Beside its parameters, a block takes
    // two words. The last vector of a block has up to three unused words.
    constexpr std::size_t most_words = 640;
    const std::size_t words = first_value_parameter + 4 * source.values.size() + 5;
    std::size_t sources = std::bit_floor(std::max<std::size_t>(most_words / words, 1));
    if (const std::uint32_t buffers = buffers_of(source); buffers > 0)
        sources =
            std::min<std::size_t>(sources, (limits.storage_blocks - std::min(blocks, limits.storage_blocks)) / buffers);
    return std::max<std::size_t>(sources, 1);
}

/// Input i of all sources, then input i + 1. The counts come last.
std::vector<StreamUse> reads_of(const SceneBuilder& to, std::span<const ScenePlan::Source> planned) {
    std::vector<StreamUse> reads;
    for (std::size_t i = 0; i < planned.front().inputs.size(); ++i)
        for (const ScenePlan::Source& one : planned)
            reads.push_back({one.inputs[i], to.all_of(one.inputs[i])});
    for (const ScenePlan::Source& one : planned)
        if (one.count) reads.push_back({*one.count, to.all_of(*one.count)});
    return reads;
}

/// An op for `planned`. `number`: of the op in the program.
SourceOp op_for(const SceneBuilder& to, std::span<ScenePlan::Source> planned, std::size_t number,
                std::uint32_t portion) {
    SourceOp made;
    made.first_item = to.base_of(planned.front());
    std::vector<Block> blocks;
    for (ScenePlan::Source& one : planned) {
        const SceneSource& source = made.sources.emplace_back(to.source_of(one));
        std::vector<std::uint32_t> parameters{source.capacity, to.base_of(one), made.groups};
        parameters.resize(first_value_parameter + 4 * source.values.size());
        const std::uint32_t end = made.groups + records_for(source.capacity, portion);
        blocks.push_back({std::exchange(made.groups, end), end});
        made.end_item = to.base_of(one) + source.capacity;
        one.op = number;
        one.block = made.op.blocks.size();
        made.op.blocks.push_back({.parameters = std::move(parameters), .labels = {}});
    }
    made.op.domain = Substream(std::move(blocks));
    made.op.reads = reads_of(to, planned);
    return made;
}

}  // namespace

std::uint32_t SourceBlocks::limit(const CpuInvocation& k) const {
    return k.block_parameter(count_parameter);
}

std::uint32_t SourceBlocks::given_count(CpuInvocation& k) const {
    const SceneSource& source = sources[k.block];
    return source.gpu_count ? k.read(sources.size() * source.inputs.size() + k.block, 0)[0] : limit(k);
}

std::uint32_t SourceBlocks::base(const CpuInvocation& k) const {
    return k.block_parameter(base_parameter);
}

std::uint32_t SourceBlocks::group(const CpuInvocation& k) const {
    return k.instance - k.block_parameter(first_group_parameter);
}

SourceBlocks declare_sources(Kernel& kernel, const std::vector<SceneSource>& sources, const KeyForm& form) {
    kernel.block_parameters = {{"count"}, {"base"}, {"first_group"}};
    SourceBlocks blocks{sources, declare_sort_keys(kernel, sources, form)};
    if (!sources.front().gpu_count) return blocks;
    declare_port_of_blocks(kernel, {.name = "gpu_count", .access = Access::gather, .role = PortRole::other},
                           sources.size());
    kernel.defines.emplace_back("GLSORT_GPU_COUNT", "1");
    return blocks;
}

std::vector<SourceOp> divide_sources(SceneBuilder& to, std::uint32_t portion, std::uint32_t blocks,
                                     std::uint32_t blocks_of_last, const Limits& limits) {
    std::vector<SourceOp> ops;
    const std::span<ScenePlan::Source> all = to.plan.sources;
    const auto add = [&](std::size_t first, std::size_t count) {
        const std::size_t number = to.plan.program.ops.size() + ops.size();
        ops.push_back(op_for(to, all.subspan(first, count), number, portion));
    };
    for (std::size_t first = 0; first < all.size();) {
        const SceneSource& source = to.source_of(all[first]);
        std::size_t end = first + 1;
        while (end < all.size() && alike(source, to.source_of(all[end])))
            ++end;
        std::size_t in_last = 0;
        if (end == all.size()) in_last = std::min(end - first, sources_of_an_op(source, blocks_of_last, limits));
        const std::size_t most = sources_of_an_op(source, blocks, limits);
        for (const std::size_t others = end - in_last; first < others;) {
            const std::size_t together = std::min(most, others - first);
            add(first, together);
            first += together;
        }
        if (in_last > 0) add(first, in_last);
        first = end;
    }
    ops.back().last = true;
    return ops;
}

std::uint32_t most_buffers_of(const SceneSpec& spec) {
    std::uint32_t most = 0;
    for (const SceneSource& source : spec.sources)
        most = std::max(most, buffers_of(source));
    return most;
}

}  // namespace glsort::scene
