#include <glsort/plan/scene/pyramid_kernels.h>
#include <glsort/plan/scene/pyramid_streams.h>
#include <glsort/plan/scene/tuning.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace glsort::scene {
namespace {

Stream scratch(std::string name, std::uint32_t words, std::uint32_t records) {
    return {.name = std::move(name),
            .role = StreamRole::scratch,
            .medium = Medium::texture,
            .words = words,
            .records = records,
            .layout = stream_layout(Layout::row_wise, records)};
}

/// The records of all levels with the parity of level `first`. Level l is `levels[l - 1]`.
std::uint32_t records_from(const std::vector<Level>& levels, std::size_t first) {
    std::uint32_t records = 0;
    for (std::size_t level = first; level <= levels.size(); level += 2)
        records += levels[level - 1].size;
    return records;
}

/// If rows of keys are long enough, a row of level 1 covers the items of one row of keys. Fragments one below the other
/// then read texels one below the other, which a GPU fetches together (docs/experiments/scenes.md). A warp of fragments
/// is about eight wide.
void narrow(Stream& levels, std::uint32_t width_of_keys, std::uint32_t texture_size) {
    std::uint32_t& width = levels.layout.width;
    width = std::min(width, std::max(8u, width_of_keys / items_of_record));
    while (records_for(levels.records, width) > texture_size)
        width *= 2;
    // A number of its own marks this rule for widths (StreamLayout::rule).
    levels.layout.rule = items_of_record;
}

}  // namespace

std::array<Stream, 4> pyramid_streams(std::uint32_t items, const KeyForm& form, const Limits& limits) {
    const std::vector<Level> levels = levels_above(items);
    std::array<Stream, 4> streams{scratch("odd_levels", fan, records_from(levels, 1)),
                                  scratch("even_levels", fan, records_from(levels, 2)),
                                  scratch("found", 1, found_records(items, tuning_of(limits).neighbours)),
                                  scratch("keyed", form.words_with_visibility(), items)};
    narrow(streams[odd_levels], streams[keyed_items].layout.width, limits.texture_size);
    return streams;
}

}  // namespace glsort::scene
