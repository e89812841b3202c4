#include <fmt/format.h>

#include <glsort/error.h>
#include <glsort/plan/networks/network.h>
#include <glsort/stream/cpu_invocation.h>

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <memory>
#include <set>
#include <utility>

namespace glsort {
namespace {

constexpr std::uint32_t elements_of_a_record = 2;

std::size_t parameters_of(const SortingNetwork& network) {
    const auto unnamed = std::find_if(std::begin(network.parameters), std::end(network.parameters),
                                      [](const NetworkParameter& parameter) { return parameter.name.empty(); });
    return static_cast<std::size_t>(unnamed - std::begin(network.parameters));
}

/// Whether this partner is allowed for the step's kind of partners.
bool is_expected(Partners partners, std::uint32_t element, std::uint32_t partner) {
    const bool same_record = partner / elements_of_a_record == element / elements_of_a_record;
    const bool same_place = partner % elements_of_a_record == element % elements_of_a_record;
    switch (partners) {
        case Partners::anywhere:
            return true;
        case Partners::within:
            return same_record && !same_place;
        case Partners::across:
            return !same_record && same_place;
        case Partners::crossed:
            return !same_record && !same_place;
    }
    return false;
}

/// The step of an op, as its cpu body knows it.
struct Step {
    const SortingNetwork* network;
    Partners partners;
    bool looks_past_end;  ///< Whether shaders test for partners past the end.

    /// The comparator of an element. Throws `Error` if the partner contradicts the step's kind of partners.
    std::optional<NetworkComparator> comparator(const CpuInvocation& k, std::uint32_t element) const {
        const auto found = network->comparator(StepParameters(k.parameters()), element);
        if (!found) return std::nullopt;
        const std::uint32_t count = k.parameters().back();
        const auto fail = [&](const char* why) {
            throw Error(fmt::format("network {}: element {} of {} has partner {}, {}", network->name, element, count,
                                    found->partner, why));
        };
        if (!is_expected(partners, element, found->partner)) fail("which its kind of partners excludes");
        if (!looks_past_end && found->partner >= count) fail("past the end, although the network has `ends_at_powers`");
        return found;
    }
};

/// The comparators of one record: the specification of shaders/networks/network_step.glsl.
void make_step(CpuInvocation& k, const Step& step) {
    const std::uint32_t count = k.parameters().back();
    const std::uint32_t begin = elements_of_a_record * k.instance;
    // With an odd count, the last record lacks its second element. No op reads the missing element.
    std::array<Element, elements_of_a_record> mine{k.read(0, begin), k.read(0, std::min(begin + 1, count - 1))};
    // Equal elements are equal in every bit, so either may be taken.
    if (step.partners == Partners::within) {
        const std::optional<NetworkComparator> comparator = step.comparator(k, begin);
        if (!comparator)
            throw Error(fmt::format("network {}: element {} of {} has no partner, which its kind of partners excludes",
                                    step.network->name, begin, count));
        if (k.precedes(mine[1], mine[0]) == comparator->smaller) std::swap(mine[0], mine[1]);
    } else {
        for (std::uint32_t i = 0; i < mine.size(); ++i) {
            const std::optional<NetworkComparator> comparator = step.comparator(k, begin + i);
            if (!comparator || comparator->partner >= count) continue;
            const Element other = k.read(0, comparator->partner);
            if (k.precedes(other, mine[i]) == comparator->smaller) mine[i] = other;
        }
    }
    k.write(0, 0, mine[0]);
    k.write(0, 1, mine[1]);
}

/// The network shape of an op that performs one step.
class OneStep final : public NetworkShape {
  public:
    explicit OneStep(const SortingNetwork& network) : network_(network) {}

    std::uint32_t steps(const Op&) const override { return 1; }
    Labels labels(const Op& op, std::uint32_t) const override { return op.labels; }
    std::optional<NetworkComparator> comparator(const Op& op, std::uint32_t, std::uint32_t element) const override {
        const auto found = network_.comparator(StepParameters(op.parameters), element);
        return found && found->partner < op.parameters.back() ? found : std::nullopt;
    }

  private:
    const SortingNetwork& network_;
};

std::string kernel_name(const SortingNetwork& network) {
    std::string name = fmt::format("{}_step", network.name);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

KernelPtr make_kernel(const SortingNetwork& network, const SortFrame& frame, Partners partners) {
    const ElementType& element_type = frame.element_type();
    // With a count on the GPU, n may become any number.
    const bool ends_at_n = network.ends_at_powers && std::has_single_bit(frame.n()) && !frame.request.spec.gpu_count;
    const Step step{&network, partners, !ends_at_n};
    Kernel kernel;
    kernel.name = kernel_name(network);
    kernel.body = "network_step";
    kernel.source = network.glsl;
    kernel.inputs = {{.name = "source",
                      .access = Access::gather,
                      .words = element_type.words(),
                      .elements = partners == Partners::within ? 2u : 4u}};
    kernel.outputs = {{.name = "target", .words = element_type.words(), .elements = elements_of_a_record}};
    for (std::size_t i = 0; i < parameters_of(network); ++i)
        kernel.parameters.push_back({std::string(network.parameters[i].name), network.parameters[i].kind});
    kernel.parameters.push_back({"count"});
    kernel.elements_per_instance = elements_of_a_record;
    if (!network.by_record) kernel.defines.emplace_back("GLSORT_BY_ELEMENT", "1");
    if (step.looks_past_end) kernel.defines.emplace_back("GLSORT_PRUNED", "1");
    if (partners == Partners::within) kernel.defines.emplace_back("GLSORT_WITHIN", "1");
    if (partners == Partners::crossed) kernel.defines.emplace_back("GLSORT_CROSSED", "1");
    kernel.shape.count = KernelNumber::parameter(kernel.parameters.size() - 1);
    kernel.shape.network = std::make_shared<OneStep>(network);
    kernel.cpu = [step](CpuInvocation& k) { make_step(k, step); };
    element_type.declare_in(kernel);
    return std::make_shared<Kernel>(std::move(kernel));
}

/// The counts that have the number of stages, and the kernels, of n.
CountRange counts_alike(const SortingNetwork& network, std::uint32_t n) {
    const CountRange stages = between_powers(n);
    return network.ends_at_powers && std::has_single_bit(stages.last) ? stages.cut_behind(stages.last - 1, n) : stages;
}

}  // namespace

void plan_network(SortFrame& frame, const SortingNetwork& network) {
    const StreamId records = frame.add_stream("records", frame.element_type().words(), elements_of_a_record);
    frame.set_result(records);
    const std::uint32_t n = frame.n();
    if (n < 2) return;
    const Substream all = frame.elements_of(records);
    std::array<KernelPtr, 4> kernels;  // indexed by `Partners`
    for (NetworkStep& step : network.steps(n)) {
        if (network.by_record == (step.partners == Partners::anywhere))
            throw Error(fmt::format(
                "network {}: partners must be `anywhere` in a network by element, and never by record", network.name));
        auto& kernel = kernels.at(static_cast<std::size_t>(step.partners));
        if (!kernel) kernel = make_kernel(network, frame, step.partners);
        Op op;
        op.kernel = kernel;
        op.reads = {{records, all}};
        op.writes = {{records, all}};
        op.domain = all;
        op.parameters = std::move(step.parameters);
        op.parameters.push_back(frame.count());
        op.labels = step.labels;
        frame.add(std::move(op));
    }
    frame.set_counts(counts_alike(network, n));
}

Counts counts_of_network(const SortingNetwork& network, const SortFrame& largest) {
    Counts counts{1};
    // The first step reads the caller's elements, so it has its own kernel.
    std::set<std::pair<Partners, bool>> known;
    for (std::uint64_t power = 2; power / 2 < largest.capacity(); power *= 2) {
        const auto n = static_cast<std::uint32_t>(std::min<std::uint64_t>(power, largest.capacity()));
        const std::size_t before = known.size();
        bool first = true;
        for (const NetworkStep& step : network.steps(n))
            known.insert({step.partners, std::exchange(first, false)});
        if (known.size() == before) continue;
        // A power of two, whose steps check for no end, and a count below the power.
        counts.push_back(n);
        if (n == power && n > 2) counts.push_back(n - 1);
    }
    return counts;
}

}  // namespace glsort
