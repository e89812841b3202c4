#pragma once

#include <string>

#include "settings.h"

namespace glsort::demo {

/// What can be changed while the program runs: by keys, by the mouse, in the panel.
struct Controls {
    Method method;  ///< What is wanted; Demo::method() is what there is.
    FrameOptions frame;
    bool paused = false;
    bool panel = true;  ///< Shown, where there is room for it.
    bool help = false;  ///< The list of shortcuts in the panel, open.

    // Asked for once.
    bool first_view = false;
    bool picture = false;
    bool quit = false;

    std::string problem = {};  ///< Why the last wish could not be had. Empty: it could.
};

}  // namespace glsort::demo
