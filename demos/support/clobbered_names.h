#pragma once

#include <glsort/spec.h>

#include <string_view>
#include <vector>

/// What `clobbered_state` (sorter.h) means in the names of a StateSnapshot.

namespace glsort::trial {

/// What an item of `clobbered_state` stands for: the beginnings of names.
struct Clobbered {
    std::string_view words;  ///< Must occur in an item.
    std::vector<std::string_view> names;
};

const std::vector<Clobbered>& clobbered_names();

/// Whether an item of the backend's list covers the setting, whose name `difference` begins with: a
/// line of diff() (hostile_state.h).
bool is_clobbered(Backend backend, std::string_view difference);

}  // namespace glsort::trial
