#include <glsort/plan/group_scan.h>
#include <glsort/plan/radix/enumeration.h>
#include <glsort/plan/radix/radix_kernels.h>
#include <glsort/plan/radix/tuning.h>
#include <glsort/stream/cpu_invocation.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>
#include <vector>

namespace glsort::enumeration {
namespace {

using radix::tuning_of;

/// Codes that an invocation loads at once, and then searches.
constexpr std::uint32_t codes_at_once = 4;

/// Elements per group. There are then about as many groups as multiprocessors.
std::uint32_t targets_of(const SortFrame& frame) {
    const std::uint32_t share = records_for(frame.n(), frame.limits().multiprocessors);
    return std::clamp(std::bit_ceil(share), tuning_of(frame).min_targets, tuning_of(frame).max_targets);
}

// Parameters of enumeration_sort. The masks select the compared bits of the low and the high word of a code.
enum : std::size_t { count_parameter, mask_parameter, high_mask_parameter };

struct Policy {
    ElementType element_type;
    std::uint32_t targets = 32;
    std::uint32_t capacity = 0;  ///< Max elements that `ranked` has room for.
    bool in_place = false;
};

/// The specification of shaders/radix/enumeration_sort.glsl.
void enumerate(CpuInvocation& k, const Policy& policy) {
    constexpr std::size_t ranked_port = 1;
    constexpr std::uint32_t first_ranked = 1;  // After the number of finished groups.
    const std::uint32_t n = k.parameter(count_parameter);
    const std::uint64_t mask = std::uint64_t{k.parameter(high_mask_parameter)} << 32 | k.parameter(mask_parameter);
    // A code, and the number of the element with this code.
    using Place = std::pair<std::uint64_t, std::uint32_t>;
    const auto place_of = [&](std::uint32_t i) { return Place{policy.element_type.code_of(k.read(0, i)) & mask, i}; };
    const std::uint32_t first = k.instance * policy.targets;
    const std::uint32_t end = std::min(first + policy.targets, n);
    std::vector<Place> targets;
    for (std::uint32_t i = first; i < end; ++i)
        targets.push_back(place_of(i));
    std::sort(targets.begin(), targets.end());
    std::vector<std::uint32_t> counts(targets.size() + 1);
    for (std::uint32_t i = 0; i < n; ++i) {
        const auto behind = std::upper_bound(targets.begin(), targets.end(), place_of(i));
        ++counts[static_cast<std::size_t>(behind - targets.begin())];
    }
    std::uint32_t rank = 0;
    for (std::size_t t = 0; t < targets.size(); ++t) {
        rank += counts[t];
        const Element mine = k.read(0, targets[t].second);
        if (k.traced()) k.trace->ranks.push_back({.instance = k.instance, .element = targets[t].second, .rank = rank});
        if (!policy.in_place)
            k.scatter(0, rank, mine);
        else
            for (std::uint32_t word = 0; word < policy.element_type.words(); ++word)
                k.scatter(ranked_port, first_ranked + word * policy.capacity + rank, {mine[word]});
    }
    // Groups run one after the other here, so the last group is the last to finish.
    if (!policy.in_place || end < n) return;
    for (std::uint32_t place = 0; place < n; ++place) {
        Element sorted{};
        for (std::uint32_t word = 0; word < policy.element_type.words(); ++word)
            sorted[word] = k.shared(ranked_port, first_ranked + word * policy.capacity + place)[0];
        k.scatter(0, place, sorted);
    }
}

KernelPtr kernel_of(const Policy& policy, const Limits& limits) {
    Kernel kernel;
    kernel.name = "enumeration_sort";
    kernel.group_size = std::bit_floor(limits.invocations);
    kernel.inputs = {policy.element_type.port("source", Access::gather, any_elements)};
    kernel.outputs = {
        policy.element_type.port("target", Access::scatter, policy.in_place ? any_elements : policy.targets)};
    kernel.parameters = {{"count"}, {"mask"}, {"high_mask"}};
    declare_enumeration(kernel, policy.targets, codes_at_once);
    kernel.defines.emplace_back("GLSORT_TREE", literal(policy.targets));
    kernel.shared_words += policy.targets * policy.element_type.code_words();
    kernel.shared_words += rank_words(policy.element_type, policy.targets);
    declare_group_scan(kernel, limits);
    kernel.shared_words += 1;
    if (policy.in_place) {
        kernel.outputs.push_back({.name = "ranked",
                                  .access = Access::shared,
                                  .elements = 1 + policy.targets * policy.element_type.words(),
                                  .specified = false,
                                  .role = PortRole::other});
        kernel.defines.emplace_back("GLSORT_IN_PLACE", "1");
        kernel.defines.emplace_back("GLSORT_CAPACITY", literal(policy.capacity));
        kernel.reads_first = ReadsFirst::always;
    }
    kernel.shape.count = KernelNumber::parameter(count_parameter);
    kernel.shape.tile = policy.targets;
    kernel.cpu = [policy](CpuInvocation& k) { enumerate(k, policy); };
    policy.element_type.declare_in(kernel, false);
    return std::make_shared<Kernel>(std::move(kernel));
}

}  // namespace

void declare_enumeration(Kernel& kernel, std::uint32_t targets, std::uint32_t at_once) {
    kernel.defines.emplace_back("GLSORT_TARGETS", literal(targets));
    kernel.defines.emplace_back("GLSORT_TARGET_BITS", literal(std::countr_zero(targets)));
    kernel.defines.emplace_back("GLSORT_AT_ONCE", literal(at_once));
}

std::uint32_t max_elements(const SortFrame& frame) {
    const Limits& limits = frame.limits();
    const radix::Tuning& tuning = tuning_of(frame);
    constexpr std::uint32_t storage_blocks = 5;
    if (limits.storage_blocks < storage_blocks || limits.invocations < tuning.max_targets ||
        frame.tuning().radix.digit_bits != 0 || frame.element_type().comparison())
        return 0;
    // Nothing if the number of multiprocessors is unknown.
    return std::bit_floor(std::min(limits.multiprocessors, tuning.enumerated / tuning.max_targets) *
                          tuning.max_targets);
}

std::vector<std::uint32_t> counts(const SortFrame& largest) {
    const std::uint32_t limit = max_elements(largest);
    if (limit == 0) return {};
    const radix::Tuning& tuning = tuning_of(largest);
    std::vector<std::uint32_t> counts{tuning.enumerated_in_place, limit};
    for (std::uint32_t targets = tuning.min_targets; targets <= tuning.max_targets; targets *= 2)
        counts.push_back(std::min(targets * largest.limits().multiprocessors, limit));
    return counts;
}

bool add(SortFrame& frame, StreamId records, std::uint32_t limit) {
    const std::uint32_t most = max_elements(frame);
    if (most == 0) return false;
    const std::uint32_t max_in_place = tuning_of(frame).enumerated_in_place;
    const Policy policy{.element_type = frame.element_type(),
                        .targets = targets_of(frame),
                        .capacity = std::min({most, max_in_place, frame.capacity()}),
                        .in_place = frame.n() <= max_in_place};
    // The number of finished groups, and all words of all elements.
    const std::uint32_t words = 1 + policy.capacity * frame.element_type().words();
    const StreamId ranked = frame.add_stream("ranked", 1, 1, words);
    frame.begin_zero(ranked);
    if (frame.n() > std::min(most, limit)) return false;
    const std::uint64_t mask = mask_of(frame.bits());
    const Substream all = frame.elements_of(records);
    Op op;
    op.kernel = kernel_of(policy, frame.limits());
    op.reads = {{records, all}};
    op.writes = {{records, all}};
    if (policy.in_place) op.writes.push_back({ranked, Substream::range(0, words)});
    op.domain = frame.records_of(policy.targets);
    op.parameters = {frame.count(), static_cast<std::uint32_t>(mask), static_cast<std::uint32_t>(mask >> 32)};
    frame.add(std::move(op));
    return true;
}

}  // namespace glsort::enumeration
