#include <glsort/exec/pieces.h>
#include <glsort/stream/max_count.h>

#include <cstddef>
#include <vector>

namespace glsort {
namespace {

/// The elements of a group's tile for the max count of the program. 0: the kernel has no tiles.
std::uint32_t tile_of(const StreamProgram& program, const Op& op) {
    if (op.kernel->group_size == 1 || !op.kernel->shape.tile) return 0;
    if (!program.counts) return op.kernel->shape.tile->of(op);
    Op largest = op;
    for (Counted& parameter : largest.parameters)
        parameter = at_max_count(program, parameter);
    return op.kernel->shape.tile->of(largest);
}

}  // namespace

std::uint32_t elements_of_instance(const StreamProgram& program, const Op& op) {
    const std::uint64_t instances = std::max(at_max_count(program, op.domain).size(), 1u);
    std::uint64_t most = std::max(tile_of(program, op), 1u);
    const auto add = [&](const std::vector<StreamUse>& uses, const std::vector<Port>& ports) {
        for (std::size_t i = 0; i < uses.size(); ++i) {
            const std::uint64_t there = std::uint64_t{at_max_count(program, uses[i].records).size()} *
                                        program.streams[uses[i].stream].elements_per_record;
            const bool apart = (instances - 1) * ports[i].elements < there;
            most = std::max(
                most, apart ? std::min<std::uint64_t>(ports[i].elements, there) : (there + instances - 1) / instances);
        }
    };
    add(op.reads, input_ports(op));
    add(op.writes, output_ports(op));
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(most, unlimited));
}

std::uint32_t most_instances(const StreamProgram& program, const Op& op, std::uint32_t max_elements) {
    if (max_elements == 0) return unlimited;
    return std::max(max_elements / elements_of_instance(program, op), 1u);
}

}  // namespace glsort
