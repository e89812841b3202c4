#pragma once

#include <glsort/spec.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// The OpenGL state that a sort changes, as data: to be printed, and to be checked against.

namespace glsort {

/// One piece of OpenGL state that can change what a sort does.
struct StateItem {
    std::string_view names;   ///< What glGet knows it by, separated by ", ": "GL_CLIP_ORIGIN, GL_CLIP_DEPTH_MODE".
    std::string_view words;   ///< What it is: "clip control".
    std::string_view set_to;  ///< What a sort sets it to: "lower left, -1 to 1".
    /// The versions and extensions that have it: "OpenGL 4.5, GL_ARB_clip_control, GL_EXT_clip_control".
    std::string origin;
    /// Of state that there is several times (units, draw buffers, viewports): the number of them that a
    /// sort changes, from 0 on. Else 0.
    std::size_t indices = 0;
    bool precondition = false;  ///< Not changed by a sort: it must be as `set_to` says.
    bool fragment = false;      ///< Sorts of the fragment backend change it.
    bool compute = false;       ///< Sorts of the compute backend change it.
};

/// Every item, of all versions and extensions.
std::vector<StateItem> state_items();

/// The state that a sort changes under `StatePolicy::caller_resets`, in words, an item each: "face culling
/// (disabled)". Empty for the cpu backend.
std::vector<std::string> clobbered_state(Backend backend);

}  // namespace glsort
