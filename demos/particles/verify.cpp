#include "verify.h"

#include <fmt/format.h>

#include <cstddef>
#include <limits>

namespace glsort::demo {

std::string check_order(const std::vector<CpuKey>& keys, const std::vector<std::uint32_t>& order) {
    constexpr std::uint32_t nowhere = 0xFFFFFFFFu;
    const std::size_t n = keys.size();

    std::vector<std::uint32_t> place(n, nowhere);
    float lowest = std::numeric_limits<float>::infinity();  // What the keys so far may be at the least.
    std::size_t lowest_place = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::uint32_t item = order[i];
        if (item >= n) return fmt::format("position {} holds index {} of {} particles", i, item, n);
        if (place[item] != nowhere) return fmt::format("positions {} and {} both hold index {}", place[item], i, item);
        place[item] = static_cast<std::uint32_t>(i);
        const CpuKey& key = keys[item];
        if (key.inside < -key.error)
            return fmt::format("position {} holds particle {}, which is {} outside of the frustum", i, item,
                               -key.inside);
        if (!(key.key - key.error <= lowest))
            return fmt::format("position {} holds particle {} (key {}) behind position {}, particle {} (key {})", i,
                               item, key.key, lowest_place, order[lowest_place], keys[order[lowest_place]].key);
        if (i > 0 && key.error == 0.0f && key.key == keys[order[i - 1]].key && item < order[i - 1])
            return fmt::format("position {} holds particle {} behind particle {} of an equal key {}", i, item,
                               order[i - 1], key.key);
        if (key.key + key.error < lowest) {
            lowest = key.key + key.error;
            lowest_place = i;
        }
    }
    for (std::size_t item = 0; item < n; ++item)
        if (place[item] == nowhere && keys[item].inside > keys[item].error)
            return fmt::format("particle {} is missing, which is {} inside of the frustum", item, keys[item].inside);
    return {};
}

}  // namespace glsort::demo
