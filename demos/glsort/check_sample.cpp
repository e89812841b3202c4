#include "check_sample.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "check_dice.h"
#include "support/codes.h"

namespace glsort::check {
namespace {

Words gathered(const Words& from, std::size_t size, const Words& order) {
    Words to(order.size() * size);
    for (std::size_t i = 0; i < order.size(); ++i)
        std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(order[i] * size), size,
                    to.begin() + static_cast<std::ptrdiff_t>(i * size));
    return to;
}

Words order_of_u32(const SortSpec& spec, const Words& keys) {
    const demo::Codes<std::uint32_t> codes(spec.order.key, spec.order.direction, spec.order.bits);
    // A place in the low bits makes the sort stable.
    std::vector<std::uint64_t> pairs(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i)
        pairs[i] = std::uint64_t{codes.compared(keys[i])} << 32 | i;
    std::ranges::sort(pairs);
    Words order(keys.size());
    std::ranges::transform(pairs, order.begin(), [](std::uint64_t pair) { return static_cast<std::uint32_t>(pair); });
    return order;
}

Words order_of_u64(const SortSpec& spec, const Words& keys) {
    const demo::Codes<std::uint64_t> codes(spec.order.key, spec.order.direction, spec.order.bits);
    std::vector<std::pair<std::uint64_t, std::uint32_t>> pairs(keys.size() / 2);
    for (std::size_t i = 0; i < pairs.size(); ++i)
        pairs[i] = {codes.compared(keys[2 * i] | std::uint64_t{keys[2 * i + 1]} << 32), static_cast<std::uint32_t>(i)};
    std::ranges::sort(pairs);
    Words order(pairs.size());
    std::ranges::transform(pairs, order.begin(), [](const auto& pair) { return pair.second; });
    return order;
}

Words order_by(const SortSpec& spec, const Comparison& comparison, const Words& keys) {
    const std::size_t size = comparison.key_bytes / 4;
    std::vector<Comparison::Key> wide(keys.size() / size);
    for (std::size_t i = 0; i < wide.size(); ++i)
        std::copy_n(keys.begin() + static_cast<std::ptrdiff_t>(i * size), size, wide[i].begin());
    Words order(wide.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::stable_sort(order, [&](std::uint32_t i, std::uint32_t j) {
        return spec.order.direction == Direction::ascending ? comparison.host(wide[i], wide[j])
                                                            : comparison.host(wide[j], wide[i]);
    });
    return order;
}

Words order_of(const SortSpec& spec, const KnownComparison* known, const Words& keys) {
    if (known != nullptr) return order_by(spec, known->comparison, keys);
    return key_bytes(spec.order.key) == 4 ? order_of_u32(spec, keys) : order_of_u64(spec, keys);
}

// Random lengths of lists. Some are empty or long.
std::vector<std::uint32_t> some_lengths(Dice& dice, std::uint32_t count, std::uint32_t lists) {
    std::vector<std::uint32_t> ends{0, count};
    for (std::uint32_t i = 1; i < lists; ++i)
        ends.push_back(dice.chance(0.15) ? dice.pick(ends) : dice.from(0, count));
    std::ranges::sort(ends);
    std::vector<std::uint32_t> lengths;
    for (std::size_t i = 1; i < ends.size(); ++i)
        lengths.push_back(ends[i] - ends[i - 1]);
    return lengths;
}

}  // namespace

std::uint32_t words_of_key(const SortSpec& spec) {
    return key_bytes(spec.order) / 4;
}
std::uint32_t words_of_value(const SortSpec& spec) {
    return spec.payload.size / 4;
}

StreamProgram program_of(const Sorter& sorter, std::uint32_t count, const std::vector<std::uint32_t>& lists) {
    const SortSpec& spec = sorter.spec();
    return sorter.program(spec.gpu_count ? spec.capacity : count, lists);
}

Sample make_sample(const SortSpec& spec, const KnownComparison* known, const SamplePlan& plan) {
    Dice dice(plan.seed);
    Sample sample;
    sample.count = plan.count;
    sample.specified = known == nullptr || known->strict_weak;
    sample.keys = known != nullptr ? make_comparison_keys(known->comparison, plan.count, plan.seed)
                                   : demo::make_key_words(plan.distribution, spec.order.key, plan.count, plan.seed);
    const std::size_t of_a_key = words_of_key(spec);
    if (plan.lists > 0) {
        sample.lists = some_lengths(dice, plan.count, plan.lists);
        std::size_t begin = 0;
        for (const std::uint32_t length : sample.lists) {
            const auto first = sample.keys.begin() + static_cast<std::ptrdiff_t>(begin * of_a_key);
            const Words list(first, first + static_cast<std::ptrdiff_t>(length * of_a_key));
            if (sample.specified) std::ranges::copy(gathered(list, of_a_key, order_of(spec, known, list)), first);
            begin += length;
        }
    }
    // Textures have room for a value, even if the sort moves no values.
    const std::size_t of_a_value = std::max(words_of_value(spec), 1u);
    sample.values.resize(plan.count * of_a_value);
    for (std::uint32_t& word : sample.values)
        word = static_cast<std::uint32_t>(dice.number());
    if (!sample.specified) {
        sample.sorted_keys = sample.keys;
        sample.sorted_values = sample.values;
        return sample;
    }
    const Words order = order_of(spec, known, sample.keys);
    sample.sorted_keys = gathered(sample.keys, of_a_key, order);
    sample.sorted_values =
        spec.payload.kind == Payload::Kind::bytes ? gathered(sample.values, of_a_value, order) : order;
    return sample;
}

}  // namespace glsort::check
