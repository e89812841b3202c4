#pragma once

#include <string>
#include <vector>

namespace glsort::demo {

/// A key, or what the mouse does, and what becomes of it.
struct Shortcut {
    const char* input;
    const char* effect;
};

/// All there are, in the order they are listed to people.
const std::vector<Shortcut>& shortcuts();

/// The same as lines of text.
std::string shortcuts_text();

}  // namespace glsort::demo
