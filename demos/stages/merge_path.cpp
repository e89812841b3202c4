#include "merge_path.h"

#include <algorithm>

#include "op_records.h"

namespace glsort::demo {

Block Merge::group(std::uint32_t group) const {
    const std::uint32_t begin = group * length * runs;
    return {begin, std::min(begin + length * runs, count)};
}

Block Merge::run(std::uint32_t group, std::uint32_t run) const {
    const std::uint32_t begin = (group * runs + run) * length;
    return {std::min(begin, count), std::min(begin + length, count)};
}

std::uint32_t Merge::windows(std::uint32_t group) const {
    const Block elements = this->group(group);
    return records_for(elements.end - elements.begin, window);
}

std::uint32_t Merge::window_begin(std::uint32_t group, std::uint32_t number) const {
    const Block elements = this->group(group);
    return std::min(elements.begin + number * window, elements.end);
}

std::optional<Merge> merge_of(const Op& op) {
    const KernelShape& shape = op.kernel->shape;
    const auto records = stream_read(op, PortRole::elements);
    if (!shape.reads || !shape.window || !shape.count || !records) return std::nullopt;
    return Merge{shape.count->of(op), shape.reads->length.of(op), shape.reads->merged, shape.window->of(op), *records};
}

std::optional<std::uint32_t> sorted_run_of(const Op& op) {
    const KernelShape& shape = op.kernel->shape;
    if (!shape.makes || shape.makes->in_turns || shape.reads) return std::nullopt;
    return shape.makes->length.of(op);
}

std::vector<std::uint32_t> split_at(const Merge& merge, std::uint32_t group, std::uint32_t place,
                                    std::span<const std::uint32_t> splits, std::uint32_t words_per_window) {
    const Block elements = merge.group(group);
    std::vector<std::uint32_t> before(merge.runs);
    for (std::uint32_t i = 0; i < merge.runs; ++i) {
        const Block run = merge.run(group, i);
        const std::size_t word = std::size_t{place / merge.window} * words_per_window + i;
        if (place == elements.end)
            before[i] = run.end - run.begin;
        else if (place != elements.begin && word < splits.size())
            before[i] = std::min(splits[word], run.end - run.begin);
    }
    return before;
}

std::uint32_t source_run(const Merge& merge, std::uint32_t place, std::span<const std::uint32_t> sources,
                         std::uint32_t words_per_side) {
    // Runs of 16 places, four bits each, are two words. Two words of sums follow.
    constexpr std::uint32_t places_per_part = 16;
    constexpr std::uint32_t places_per_word = 8;
    constexpr std::uint32_t words_per_part = 4;
    const std::uint32_t side = merge.window / 2;
    const std::uint32_t number = place / side;
    const bool down = number % 2 != 0;
    const std::uint32_t step = down ? side - 1 - place % side : place % side;
    const std::size_t word = std::size_t{number} * words_per_side + step / places_per_part * words_per_part +
                             step % places_per_part / places_per_word;
    return word < sources.size() ? sources[word] >> (step % places_per_word * 4) & 15 : merge.runs;
}

PathPoint path_at(std::uint32_t diagonal, std::uint32_t size_a, std::uint32_t size_b,
                  const std::function<std::uint32_t(std::uint32_t)>& place_a,
                  const std::function<std::uint32_t(std::uint32_t)>& place_b) {
    std::uint32_t low = diagonal - std::min(diagonal, size_b);
    std::uint32_t high = std::min(diagonal, size_a);
    while (low < high) {
        const std::uint32_t middle = (low + high) / 2;
        if (place_a(middle) <= place_b(diagonal - 1 - middle))
            low = middle + 1;
        else
            high = middle;
    }
    return {low, diagonal - low};
}

}  // namespace glsort::demo
