#include <glsort/gl/state_guard.h>
#include <algorithm>

namespace glsort::gl {
namespace {

/// Whether `scope` saves a row of the table.
bool concerns(const Api& api, const StateScope& scope, const StateRow& row) {
    return row.cells > 0 && (row.part == nullptr || scope.*row.part) && has_state(api, row);
}

/// Calls `work` with the row, reduced to the number of units or bindings that `scope` uses.
template <class Work>
void with_used(const StateScope& scope, const StateRow& row, const Work& work) {
    if (row.used == nullptr) return work(row);
    StateRow used = row;
    used.indices = std::min(row.indices, scope.*row.used);
    work(used);
}

}  // namespace

StateGuard::StateGuard(const Api& api, const StateScope& scope, bool active)
    : api_(api), scope_(scope), active_(active) {
    if (!active_) return;
    StateRow::Cell* cells = cells_.data();
    for (const StateRow& row : state_table()) {
        if (concerns(api_, scope_, row))
            with_used(scope_, row, [&](const StateRow& used) { used.save(api_, used, cells); });
        cells += row.cells;
    }
}

StateGuard::~StateGuard() {
    if (!active_) return;
    const auto rows = state_table();
    const StateRow::Cell* cells = cells_.data();
    for (const StateRow& row : rows)
        cells += row.cells;
    for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
        cells -= row->cells;
        if (concerns(api_, scope_, *row))
            with_used(scope_, *row, [&](const StateRow& used) { used.restore(api_, used, cells); });
    }
}

void set_state(const Api& api, const StateScope& scope) {
    for (const StateRow& row : state_table())
        if (row.set != nullptr && scope.*row.part && has_state(api, row)) row.set(api, row);
}

}  // namespace glsort::gl
