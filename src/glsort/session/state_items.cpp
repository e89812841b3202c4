#include <fmt/format.h>

#include <glsort/exec/executors.h>
#include <glsort/gl/state_table.h>
#include <glsort/sorter.h>

namespace glsort {

std::vector<StateItem> state_items() {
    std::vector<StateItem> items;
    for (const gl::StateRow& row : gl::state_table()) {
        const bool precondition = row.cells == 0;
        const auto changed_in = [&](const gl::StateScope& scope) {
            return !precondition && (row.part == nullptr || scope.*row.part);
        };
        items.push_back({.names = row.names,
                         .words = row.used == nullptr
                                      ? std::string(row.words)
                                      : fmt::format("{}: 0 to {} at the most", row.words, row.indices - 1),
                         .set_to = row.set_to,
                         .origin = gl::origin(row),
                         .indices = row.indices,
                         .precondition = precondition,
                         .fragment = changed_in(widest_scope(Backend::fragment)),
                         .compute = changed_in(widest_scope(Backend::compute))});
    }
    return items;
}

std::vector<std::string> clobbered_state(Backend backend) {
    std::vector<std::string> words;
    for (const StateItem& item : state_items())
        if ((backend == Backend::fragment && item.fragment) || (backend == Backend::compute && item.compute))
            words.push_back(fmt::format("{} ({})", item.words, item.set_to));
    return words;
}

}  // namespace glsort
