#include <bit>
#include <glsort/plan/bitonic.h>
#include <glsort/plan/record_type.h>
#include <glsort/stream/cpu_invocation.h>
#include <utility>

namespace glsort {
namespace {

enum : std::size_t { block_parameter, distance_parameter, odd_parameter, count_parameter };

/// The comparators of one record: the specification of shaders/bitonic_step.glsl.
void bitonic_step(CpuInvocation& k) {
    const std::uint32_t block = k.parameter(block_parameter);
    const std::uint32_t distance = k.parameter(distance_parameter);
    const bool odd = k.parameter(odd_parameter) != 0;
    const std::uint32_t count = k.parameter(count_parameter);

    const bool ascending = ((k.instance & block) != 0) == odd;
    const std::uint32_t begin = 2 * k.instance;
    Element first = k.read(0, begin);
    // Of an odd count the last record lacks its second element, which no one reads.
    Element second = begin + 1 < count ? k.read(0, begin + 1) : first;
    // Equal records are equal in every bit: then it does not matter which is taken.
    if (distance == 0) {
        if (k.precedes(second, first) == ascending) std::swap(first, second);
    } else {
        const std::uint32_t partner = 2 * (k.instance ^ distance);
        const bool smaller = ((k.instance & distance) != 0) != ascending;
        const auto compare = [&](Element& mine, std::uint32_t index) {
            if (index >= count) return;
            const Element other = k.read(0, index);
            if (k.precedes(other, mine) == smaller) mine = other;
        };
        compare(first, partner);
        compare(second, partner + 1);
    }
    k.write(0, 0, first);
    k.write(0, 1, second);
}

/// `within`: the two elements of a record are partners.
std::shared_ptr<const Kernel> bitonic_step_kernel(const RecordType& record, bool pruned, bool within) {
    Kernel kernel;
    kernel.name = "bitonic_step";
    kernel.inputs = {{.name = "source",
                      .access = Access::gather,
                      .words = record.words(),
                      .elements = within ? 2u : 4u}};
    kernel.outputs = {{.name = "target", .words = record.words(), .elements = 2}};
    kernel.parameters = {{"block", Parameter::Kind::index},
                         {"distance", Parameter::Kind::index},
                         {"odd", Parameter::Kind::number},
                         {"count", Parameter::Kind::number}};
    kernel.elements_per_instance = 2;
    // Only where n is no power of two can a partner lie past the end.
    if (pruned) kernel.defines.emplace_back("PRUNED", "1");
    if (within) kernel.defines.emplace_back("WITHIN", "1");
    kernel.cpu = bitonic_step;
    record.declare_in(kernel);
    return std::make_shared<Kernel>(std::move(kernel));
}

}  // namespace

void plan_bitonic_step(SortFrame& frame) {
    const std::uint32_t n = frame.n();
    const StreamId records = frame.add_stream("records", frame.record().words(), 2);
    frame.set_result(records);
    if (n < 2) return;
    const bool pruned = !std::has_single_bit(n);
    const auto within = bitonic_step_kernel(frame.record(), pruned, true);
    const auto across = bitonic_step_kernel(frame.record(), pruned, false);
    const Substream all = frame.elements_of(records);
    const int stages = std::bit_width(n - 1);
    for (int stage = 1; stage <= stages; ++stage) {
        for (int step = stage - 1; step >= 0; --step) {
            Op op;
            op.kernel = step == 0 ? within : across;
            op.reads = {{records, all}};
            op.writes = {{records, all}};
            op.domain = all;
            // In records, of two elements each.
            const std::uint32_t block = 1u << (stage - 1);
            const std::uint32_t distance = (1u << step) / 2;
            // A block ascends where its number is odd or even like that of the last.
            const std::uint32_t odd = (std::uint64_t{n - 1} >> stage & 1) != 0 ? 1 : 0;
            op.parameters = {block, distance, odd, n};
            op.labels = {.stage = stage, .step = step};
            frame.add(std::move(op));
        }
    }
}

}  // namespace glsort
