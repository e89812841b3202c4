#include "shortcuts.h"

#include <fmt/format.h>

namespace glsort::demo {

const std::vector<Shortcut>& shortcuts() {
    static const std::vector<Shortcut> all = {
        {"drag", "orbit around the scene"},
        {"wheel", "move nearer, farther"},
        {"right drag", "move the view sideways, up and down"},
        {"R", "return to the first view"},
        {"SPACE", "stop, go on"},
        {"S", "sort, or draw in array order"},
        {"X", "split screen: sorted left, array order right"},
        {"LEFT, RIGHT", "move the line of the split screen; the mouse drags it"},
        {"+, -", "twice, half as many particles"},
        {"E, SHIFT E", "more, fewer emitters, from 1 to 8"},
        {"B", "next backend that can run the algorithm"},
        {"A, SHIFT A", "next, previous algorithm"},
        {"K", "sort by depth, or by distance"},
        {"G", "make the keys on the GPU, or on the CPU"},
        {"F", "leave out what the camera does not see, or draw all"},
        {"TAB", "show or hide the panel"},
        {"P, F12", "write the picture to particles-1.png, particles-2.png, ..."},
        {"H", "print this"},
        {"ESC", "quit"},
    };
    return all;
}

std::string shortcuts_text() {
    std::string text;
    for (const Shortcut& shortcut : shortcuts())
        text += fmt::format("{:<12} {}\n", shortcut.input, shortcut.effect);
    return text;
}

}  // namespace glsort::demo
