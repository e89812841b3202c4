#include <fmt/format.h>

#include <glsort/plan/networks/sorting_network.h>

namespace glsort {

std::vector<std::pair<std::uint32_t, std::uint32_t>> odd_even_merge_sort(std::uint32_t count) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> comparators;
    // Merges pairs of runs of `sorted` elements. Partners are `distance` apart.
    for (std::uint32_t sorted = 1; sorted < count; sorted *= 2)
        for (std::uint32_t distance = sorted; distance > 0; distance /= 2)
            for (std::uint32_t begin = distance % sorted; begin + distance < count; begin += 2 * distance)
                for (std::uint32_t i = begin; i < begin + distance && i + distance < count; ++i)
                    if (i / (2 * sorted) == (i + distance) / (2 * sorted)) comparators.emplace_back(i, i + distance);
    return comparators;
}

std::string odd_even_merge_sort_text(std::uint32_t count) {
    std::string text;
    for (const auto& [a, b] : odd_even_merge_sort(count))
        text += fmt::format("GLSORT_COMPARE({},{}) ", a, b);
    return text;
}

}  // namespace glsort
