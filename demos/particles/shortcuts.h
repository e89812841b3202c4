#pragma once

#include <string>
#include <vector>

namespace glsort::demo {

/// A key or a move of the mouse, and its effect.
struct Shortcut {
    const char* input;
    const char* effect;
};

/// All shortcuts, in the order of help texts.
const std::vector<Shortcut>& shortcuts();

/// All shortcuts as lines of text.
std::string shortcuts_text();

}  // namespace glsort::demo
