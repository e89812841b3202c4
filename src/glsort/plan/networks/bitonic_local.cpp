#include <fmt/format.h>

#include <glsort/error.h>
#include <glsort/plan/networks/bitonic_local.h>
#include <glsort/plan/networks/sorting_network.h>
#include <glsort/plan/networks/tuning.h>
#include <glsort/stream/cpu_invocation.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>
#include <vector>

namespace glsort {
namespace bitonic {
namespace {

/// Values that all kernels of one program share.
struct Policy {
    ElementType element_type;
    std::uint32_t tile_bits = 12;
    std::uint32_t window_bits = 3;  ///< An invocation holds 2^window_bits elements in registers.

    std::uint32_t tile() const { return 1u << tile_bits; }
    std::uint32_t elements() const { return 1u << window_bits; }
    std::uint32_t invocations() const { return tile() / elements(); }
};

constexpr std::uint32_t min_tile_bits = 2;

/// The binary logarithm of a power of two.
std::uint32_t log_of(std::uint32_t power) {
    return static_cast<std::uint32_t>(std::bit_width(power) - 1);
}

Policy policy_with(const SortFrame& frame, std::uint32_t tile_bits) {
    const networks::Tuning& tuning = networks::tuning_of(frame);
    const std::uint32_t limit = frame.element_type().looks_up() ? tuning.looked_up_elements : tuning.max_elements;
    const bool small_group = 1u << tile_bits > tuning.elements * frame.limits().invocations;
    const std::uint32_t elements = std::min(small_group ? tuning.max_elements : tuning.elements, limit);
    // A group has at least two invocations.
    return {.element_type = frame.element_type(),
            .tile_bits = tile_bits,
            .window_bits = std::min(log_of(elements), tile_bits - 1)};
}

/// Whether a group has enough memory and invocations.
bool fits(const Policy& policy, const Limits& limits) {
    return std::uint64_t{4} * policy.element_type.words() * policy.tile() <= limits.shared_memory &&
           policy.invocations() <= limits.invocations;
}

/// Does not depend on n, so all counts up to the capacity share the compiled kernels.
Policy local_policy_of(const SortFrame& frame) {
    const networks::Tuning& tuning = networks::tuning_of(frame);
    std::uint32_t fitting = log_of(tuning.max_tile);
    while (fitting > min_tile_bits && !fits(policy_with(frame, fitting), frame.limits()))
        --fitting;
    if (const std::uint32_t tile = frame.tuning().networks.tile; tile != 0) {
        if (!std::has_single_bit(tile) || tile < 1u << min_tile_bits)
            throw Error(fmt::format("a tile of {} elements; it must be a power of two, at least {}", tile,
                                    1u << min_tile_bits));
        if (tile > 1u << fitting)
            throw Error(
                fmt::format("a tile of {} elements exceeds the limit of {}: a group has {} bytes of shared memory "
                            "and {} invocations",
                            tile, 1u << fitting, frame.limits().shared_memory, frame.limits().invocations));
        return policy_with(frame, log_of(tile));
    }
    const auto all = static_cast<std::uint32_t>(std::bit_width(frame.capacity() - 1));
    return policy_with(frame, std::max(std::min({log_of(tuning.tile), fitting, all}), min_tile_bits));
}

enum : std::size_t {
    count_parameter,
    // Only bitonic_local_sort.
    stages_parameter,
    // Only bitonic_local_steps.
    steps_parameter = 1,
    block_parameter,
    low_parameter,
    high_parameter
};

/// The elements of a tile and their places in the stream. Elements past the end are missing.
struct Tile {
    std::vector<std::uint32_t> elements;
    std::vector<Element> records;

    template <class ElementOf>
    Tile(CpuInvocation& k, std::uint32_t size, const ElementOf& element_of) : elements(size), records(size) {
        for (std::uint32_t place = 0; place < size; ++place) {
            elements[place] = element_of(place);
            if (elements[place] < k.parameter(count_parameter)) records[place] = k.read(0, elements[place]);
        }
    }

    /// A step that compares on bit `bit` of the places. `block`: the block size of the step's stage.
    void step(CpuInvocation& k, std::uint32_t bit, std::uint32_t block) {
        const std::uint32_t count = k.parameter(count_parameter);
        for (std::uint32_t a = 0; a < elements.size(); ++a) {
            const std::uint32_t b = a ^ 1u << bit;
            if (b < a || elements[b] >= count) continue;
            const bool ascending = ((elements[a] ^ (count - 1)) & block) == 0;
            if (k.precedes(records[b], records[a]) == ascending) std::swap(records[a], records[b]);
        }
    }

    void write(CpuInvocation& k) const {
        for (std::uint32_t place = 0; place < elements.size(); ++place)
            if (elements[place] < k.parameter(count_parameter)) k.scatter(0, elements[place], records[place]);
    }
};

/// The specification of shaders/networks/bitonic_local_sort.glsl.
void sort_tile(CpuInvocation& k, const Policy& policy) {
    const std::uint32_t begin = k.instance * policy.tile();
    Tile tile(k, policy.tile(), [begin](std::uint32_t place) { return begin + place; });
    for (std::uint32_t stage = 1; stage <= k.parameter(stages_parameter); ++stage)
        for (std::uint32_t bit = stage; bit-- > 0;)
            tile.step(k, bit, 1u << stage);
    tile.write(k);
}

/// The specification of shaders/networks/bitonic_local_steps.glsl.
void make_steps(CpuInvocation& k, const Policy& policy) {
    const LocalSteps steps{policy.tile_bits, k.parameter(steps_parameter), k.parameter(block_parameter),
                           k.parameter(low_parameter), k.parameter(high_parameter)};
    Tile tile(k, policy.tile(), [&](std::uint32_t place) { return steps.element_of(k.instance, place); });
    for (std::uint32_t bit = steps.steps; bit-- > 0;)
        tile.step(k, bit, steps.block_of(bit));
    tile.write(k);
}

/// The steps of a bitonic merge of 2^window_bits elements, as text for shaders/networks/bitonic_window.glsl.
std::string window_steps_text(std::uint32_t window_bits) {
    std::string text;
    for (std::uint32_t bit = window_bits; bit-- > 0;) {
        text += fmt::format("GLSORT_STEP({}u) {{ ", bit);
        for (std::uint32_t a = 0; a < 1u << window_bits; ++a)
            if ((a >> bit & 1) == 0) text += fmt::format("GLSORT_COMPARE({},{}) ", a, a | 1u << bit);
        text += "} ";
    }
    return text;
}

/// A step of a bitonic network, which compares on bit `step` of the element numbers.
struct Step {
    std::uint32_t stage = 1;
    std::uint32_t step = 0;

    Step next() const { return step > 0 ? Step{stage, step - 1} : Step{stage + 1, stage}; }
    std::optional<NetworkShape::Comparator> comparator(std::uint32_t element, std::uint32_t count) const {
        const std::uint32_t partner = element ^ 1u << step;
        if (partner >= count) return std::nullopt;
        const bool ascending = (std::uint64_t{element ^ (count - 1)} >> stage & 1) == 0;
        return NetworkShape::Comparator{partner, (element < partner) == ascending};
    }
};

/// The steps of an op, beginning with the step in its labels. An op without a step label has the first steps.
class TileSteps final : public NetworkShape {
  public:
    std::uint32_t steps(const Op& op) const override {
        const std::uint32_t stages = op.parameters[stages_parameter];
        return op.labels.step >= 0 ? op.parameters[steps_parameter].value() : stages * (stages + 1) / 2;
    }
    Labels labels(const Op& op, std::uint32_t number) const override {
        const Step step = step_of(op, number);
        return {.stage = static_cast<int>(step.stage), .step = static_cast<int>(step.step)};
    }
    std::optional<Comparator> comparator(const Op& op, std::uint32_t number, std::uint32_t element) const override {
        return step_of(op, number).comparator(element, op.parameters[count_parameter]);
    }

  private:
    static Step step_of(const Op& op, std::uint32_t number) {
        Step step;
        if (op.labels.step >= 0)
            step = {static_cast<std::uint32_t>(op.labels.stage), static_cast<std::uint32_t>(op.labels.step)};
        for (; number > 0; --number)
            step = step.next();
        return step;
    }
};

/// The common part of both kernels: a group reads a tile of elements and writes them back to their places.
Kernel tile_kernel(const char* name, const Policy& policy) {
    Kernel kernel;
    kernel.name = name;
    kernel.inputs = {policy.element_type.port("source", Access::gather, policy.tile())};
    kernel.outputs = {policy.element_type.port("target", Access::scatter, policy.tile())};
    kernel.defines = {{"GLSORT_WINDOWS", "1"},
                      {"GLSORT_TILE", literal(policy.tile())},
                      {"GLSORT_ELEMENTS", literal(policy.elements())},
                      {"GLSORT_WINDOW_BITS", literal(policy.window_bits)},
                      {"GLSORT_WINDOW_STEPS", window_steps_text(policy.window_bits)}};
    kernel.group_size = policy.invocations();
    kernel.shared_words = policy.element_type.words() * policy.tile();
    kernel.shape.count = KernelNumber::parameter(count_parameter);
    kernel.shape.tile = policy.tile();
    kernel.shape.network = std::make_shared<TileSteps>();
    return kernel;
}

KernelPtr sort_kernel(const Policy& policy) {
    Kernel kernel = tile_kernel("bitonic_local_sort", policy);
    kernel.parameters = {{"count"}, {"stages"}};
    kernel.defines.emplace_back("GLSORT_SORTING_NETWORK", odd_even_merge_sort_text(policy.elements()));
    kernel.reads_first = ReadsFirst::one_group;
    kernel.cpu = [policy](CpuInvocation& k) { sort_tile(k, policy); };
    policy.element_type.declare_in(kernel);
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr steps_kernel(const Policy& policy) {
    Kernel kernel = tile_kernel("bitonic_local_steps", policy);
    kernel.defines.emplace_back("GLSORT_TILE_BITS", literal(policy.tile_bits));
    kernel.parameters = {{"count"}, {"steps"}, {"block"}, {"low"}, {"high"}};
    kernel.cpu = [policy](CpuInvocation& k) { make_steps(k, policy); };
    policy.element_type.declare_in(kernel);
    return std::make_shared<Kernel>(std::move(kernel));
}

/// The groups of an op. Groups come in blocks, and each block covers a range of elements. Includes all blocks that have
/// an element. In the last block some groups may have no elements.
Substream groups_of(const LocalSteps& steps, const Counted& count) {
    const std::uint32_t groups = 1u << (steps.high - steps.low);
    const std::uint32_t block_bits = steps.tile_bits + steps.high - steps.low;
    return Substream::first(block_bits < 32 ? parts_of(count, 1u << block_bits) * groups : Counted(groups));
}

}  // namespace

std::uint32_t LocalSteps::element_of(std::uint32_t group, std::uint32_t place) const {
    const std::uint32_t high_bits = tile_bits - low;
    const std::uint32_t above = place >> high_bits;  // The lowest bits of the number are the highest bits of the place.
    const std::uint32_t below = place ^ above << high_bits;
    const std::uint32_t between = group & ((1u << (high - low)) - 1);
    return (group ^ between) << tile_bits | below << high | between << low | above;
}

std::uint32_t LocalSteps::block_of(std::uint32_t bit) const {
    return low > 0 && bit < tile_bits - low ? block << 1 : block;
}

std::vector<LabelledSteps> local_steps(std::uint32_t stages, std::uint32_t tile_bits) {
    std::vector<LabelledSteps> ops;
    std::uint32_t stage = tile_bits + 1;
    std::uint32_t left = stage;  // Remaining steps of the stage. The next one compares on bit left - 1.
    while (stage <= stages) {
        LocalSteps steps{.tile_bits = tile_bits, .steps = tile_bits, .block = stage < 32 ? 1u << stage : 0u};
        const Labels labels{.stage = static_cast<int>(stage), .step = static_cast<int>(left - 1)};
        if (left > tile_bits) {
            steps.high = left - tile_bits;
            left -= tile_bits;
        } else if (left == tile_bits || stage == stages) {
            steps.steps = left;
            steps.low = steps.high = tile_bits;
            left = ++stage;
        } else {
            steps.low = left;
            left += ++stage - tile_bits;
            steps.high = left;
        }
        ops.push_back({steps, labels});
    }
    return ops;
}

}  // namespace bitonic

std::vector<std::uint32_t> counts_of_bitonic_local(const SortFrame& largest) {
    return {bitonic::local_policy_of(largest).tile()};
}

void plan_bitonic_local(SortFrame& frame) {
    using namespace bitonic;
    const std::uint32_t n = frame.n();
    if (n == 0) return;
    const Policy policy = local_policy_of(frame);
    const StreamId records = frame.add_stream("records", policy.element_type.words());
    frame.set_result(records);
    const Substream all = frame.elements_of(records);
    const auto add = [&](const KernelPtr& kernel, const Substream& groups, std::vector<Counted> parameters,
                         const Labels& labels) {
        Op op;
        op.kernel = kernel;
        op.reads = {{records, all}};
        op.writes = {{records, all}};
        op.domain = groups;
        op.parameters = std::move(parameters);
        op.labels = labels;
        frame.add(std::move(op));
    };

    const auto stages = static_cast<std::uint32_t>(std::bit_width(n - 1));
    const std::uint32_t sorted = std::min(stages, policy.tile_bits);
    add(sort_kernel(policy), frame.records_of(policy.tile()), {frame.count(), sorted},
        {.stage = static_cast<int>(sorted)});
    const auto kernel = steps_kernel(policy);
    for (const auto& [steps, labels] : local_steps(stages, policy.tile_bits))
        add(kernel, groups_of(steps, frame.count()), {frame.count(), steps.steps, steps.block, steps.low, steps.high},
            labels);
    frame.set_counts(between_powers(n));
}

}  // namespace glsort
