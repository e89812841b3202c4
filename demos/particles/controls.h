#pragma once

#include <string>

#include "settings.h"

namespace glsort::demo {

/// The choices of the user while the program runs: by keys, by the mouse, in the panel.
struct Controls {
    Method method;  ///< The wanted method. Demo::method() is the current method.
    FrameOptions frame;
    bool paused = false;
    bool panel = true;  ///< Whether the panel is shown, if there is room.
    bool help = false;  ///< Whether the list of shortcuts in the panel is open.

    // Wishes: true until granted once.
    bool first_view = false;
    bool picture = false;
    bool quit = false;

    std::string problem = {};  ///< The reason why the last wish failed. Empty: no failure.
};

}  // namespace glsort::demo
