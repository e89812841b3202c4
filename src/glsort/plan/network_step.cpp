#include <glsort/plan/network_step.h>
#include <glsort/stream/cpu_invocation.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace glsort {
namespace {

/// The comparators of one record: the specification of shaders/network_step.glsl.
void make_step(CpuInvocation& k, const Network& network, Partners partners) {
    const std::uint32_t count = k.parameter(network.parameters.size());
    const std::uint32_t begin = 2 * k.instance;
    // Of an odd count the last record lacks its second element, which no one reads.
    std::array<Element, 2> mine{k.read(0, begin), k.read(0, std::min(begin + 1, count - 1))};
    // Equal records are equal in every bit: then it does not matter which is taken.
    if (partners == Partners::within) {
        if (k.precedes(mine[1], mine[0]) == network.comparator(k, begin)->smaller) std::swap(mine[0], mine[1]);
    } else {
        for (std::uint32_t i = 0; i < 2; ++i) {
            const std::optional<Comparator> comparator = network.comparator(k, begin + i);
            if (!comparator || comparator->partner >= count) continue;
            const Element other = k.read(0, comparator->partner);
            if (k.precedes(other, mine[i]) == comparator->smaller) mine[i] = other;
        }
    }
    k.write(0, 0, mine[0]);
    k.write(0, 1, mine[1]);
}

}  // namespace

NetworkSteps::NetworkSteps(SortFrame& frame, Network network)
    : frame_(&frame),
      network_(std::move(network)),
      records_(frame.add_stream("records", frame.record().words(), 2)) {
    frame.set_result(records_);
}

std::shared_ptr<const Kernel> NetworkSteps::make_kernel(Partners partners) const {
    const RecordType& record = frame_->record();
    Kernel kernel;
    kernel.name = network_.kernel;
    kernel.body = "network_step";
    kernel.inputs = {{.name = "source",
                      .access = Access::gather,
                      .words = record.words(),
                      .elements = partners == Partners::within ? 2u : 4u}};
    kernel.outputs = {{.name = "target", .words = record.words(), .elements = 2}};
    kernel.parameters = network_.parameters;
    kernel.parameters.push_back({"count"});
    kernel.elements_per_instance = 2;
    kernel.includes = {network_.partners};
    // Only where n is no power of two can a partner lie past the end.
    if (!std::has_single_bit(frame_->n())) kernel.defines.emplace_back("PRUNED", "1");
    if (partners == Partners::within) kernel.defines.emplace_back("WITHIN", "1");
    if (partners == Partners::crossed) kernel.defines.emplace_back("CROSSED", "1");
    kernel.cpu = [network = network_, partners](CpuInvocation& k) { make_step(k, network, partners); };
    record.declare_in(kernel);
    return std::make_shared<Kernel>(std::move(kernel));
}

void NetworkSteps::add(Partners partners, std::vector<std::uint32_t> parameters, const Labels& labels) {
    auto& kernel = kernels_.at(static_cast<std::size_t>(partners));
    if (!kernel) kernel = make_kernel(partners);
    const Substream all = frame_->elements_of(records_);
    Op op;
    op.kernel = kernel;
    op.reads = {{records_, all}};
    op.writes = {{records_, all}};
    op.domain = all;
    op.parameters = std::move(parameters);
    op.parameters.push_back(frame_->n());
    op.labels = labels;
    frame_->add(std::move(op));
}

}  // namespace glsort
