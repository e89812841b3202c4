#pragma once

#include <glsort/sorter.h>

#include <string_view>

/// Finds the item of `state_items` for a setting of a StateSnapshot.

namespace glsort::trial {

/// Whether an item stands for a setting. `setting` begins with a name of take_snapshot(), as the lines of diff() do:
/// "GL_BLEND[3]: 1 -> 0".
bool stands_for(const StateItem& item, std::string_view setting);

/// Whether sorts of the backend change the setting.
bool is_clobbered(Backend backend, std::string_view setting);

}  // namespace glsort::trial
