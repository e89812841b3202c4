#include <fmt/format.h>

#include <bit>
#include <glsort/plan/bitonic.h>
#include <glsort/stream/cpu_invocation.h>

namespace glsort {
namespace {

enum : std::size_t { block_parameter, distance_parameter, odd_parameter, count_parameter };

/// One comparator, seen from record `k.instance`: the specification of shaders/bitonic_step.glsl.
void bitonic_step(CpuInvocation& k) {
    const std::uint32_t block = k.parameter(block_parameter);
    const std::uint32_t distance = k.parameter(distance_parameter);
    const bool odd = k.parameter(odd_parameter) != 0;
    const std::uint32_t count = k.parameter(count_parameter);

    std::uint32_t partner = k.instance ^ distance;
    if (partner >= count) partner = k.instance;
    const Element mine = k.read(0, k.instance);
    const Element other = k.read(0, partner);
    const bool ascending = ((k.instance & block) != 0) == odd;
    const bool lower = (k.instance & distance) == 0;
    // Equal records are equal in every bit: then it does not matter which is taken.
    const bool take_other = k.precedes(other, mine) == (lower == ascending);
    k.write(0, 0, take_other ? other : mine);
}

std::shared_ptr<const Kernel> bitonic_step_kernel(std::uint32_t words, bool pruned) {
    Kernel kernel;
    kernel.name = "bitonic_step";
    kernel.inputs = {
        {.name = "source", .access = Access::gather, .words = words, .elements = 2}};
    kernel.outputs = {{.name = "target", .words = words}};
    kernel.parameters = {{"block", Parameter::Kind::index},
                         {"distance", Parameter::Kind::index},
                         {"odd", Parameter::Kind::number},
                         {"count", Parameter::Kind::number}};
    kernel.defines = {{"RECORD_WORDS", fmt::format("{}", words)}};
    // Only where n is no power of two can a partner lie past the end.
    if (pruned) kernel.defines.emplace_back("PRUNED", "1");
    kernel.cpu = bitonic_step;
    return std::make_shared<Kernel>(std::move(kernel));
}

}  // namespace

void plan_bitonic_step(SortFrame& frame) {
    const std::uint32_t n = frame.n();
    const auto kernel = bitonic_step_kernel(frame.record_words(), !std::has_single_bit(n));
    const Substream all = Substream::range(0, n);
    const int stages = n < 2 ? 0 : std::bit_width(n - 1);
    for (int stage = 1; stage <= stages; ++stage) {
        for (int step = stage - 1; step >= 0; --step) {
            Op op;
            op.kernel = kernel;
            op.reads = {{frame.records(), all}};
            op.writes = {{frame.records(), all}};
            op.domain = all;
            // A block of 2^32 records has no mask of 32 bits, and needs none: it ascends.
            const std::uint32_t block = stage < 32 ? 1u << stage : 0u;
            // A block ascends where its number is odd or even like that of the last.
            const std::uint32_t odd = ((n - 1) & block) != 0 ? 1 : 0;
            op.parameters = {block, 1u << step, odd, n};
            op.labels = {.stage = stage, .step = step};
            frame.add(std::move(op));
        }
    }
}

}  // namespace glsort
