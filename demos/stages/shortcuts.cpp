#include "shortcuts.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace glsort::demo {

const std::vector<Shortcut>& shortcuts() {
    static const std::vector<Shortcut> all = {
        {"SPACE", "play, pause"},
        {"RIGHT, LEFT", "one op forward, back; ten with SHIFT"},
        {"HOME, END", "to the input, to the result"},
        {"UP, DOWN", "play faster, slower"},
        {"V", "another view"},
        {"M", "another stream in the middle"},
        {"A", "another algorithm; with SHIFT the one before"},
        {"B, L", "another backend, another layout"},
        {"D, S", "another distribution, another seed"},
        {"+, -", "twice, half as many elements"},
        {"C", "compare two algorithms, or show one"},
        {"T", "two sorts advance by op, or by time"},
        {"TAB", "the other of two sorts, for keys and panels"},
        {"P", "show or hide program, GLSL and cost"},
        {"H, F1", "show or hide this list"},
        {"F12", "write the window's picture to stages-1.png, stages-2.png, ..."},
        {"ESC", "quit"},
    };
    return all;
}

bool repeats(Command command) {
    switch (command) {
        case Command::forward:
        case Command::back:
        case Command::forward_ten:
        case Command::back_ten:
        case Command::faster:
        case Command::slower:
            return true;
        default:
            return false;
    }
}

std::optional<Command> command_of(int key, int modifiers) {
    const bool shift = (modifiers & GLFW_MOD_SHIFT) != 0;
    switch (key) {
        case GLFW_KEY_SPACE:
            return Command::play;
        case GLFW_KEY_RIGHT:
            return shift ? Command::forward_ten : Command::forward;
        case GLFW_KEY_LEFT:
            return shift ? Command::back_ten : Command::back;
        case GLFW_KEY_HOME:
            return Command::begin;
        case GLFW_KEY_END:
            return Command::end;
        case GLFW_KEY_UP:
            return Command::faster;
        case GLFW_KEY_DOWN:
            return Command::slower;
        case GLFW_KEY_V:
            return Command::next_view;
        case GLFW_KEY_M:
            return Command::next_stream;
        case GLFW_KEY_A:
            return shift ? Command::last_algorithm : Command::next_algorithm;
        case GLFW_KEY_B:
            return Command::next_backend;
        case GLFW_KEY_L:
            return Command::next_layout;
        case GLFW_KEY_D:
            return Command::next_distribution;
        case GLFW_KEY_EQUAL:
        case GLFW_KEY_KP_ADD:
            return Command::double_n;
        case GLFW_KEY_MINUS:
        case GLFW_KEY_KP_SUBTRACT:
            return Command::halve_n;
        case GLFW_KEY_S:
            return Command::next_seed;
        case GLFW_KEY_C:
            return Command::compare;
        case GLFW_KEY_T:
            return Command::pace;
        case GLFW_KEY_TAB:
            return Command::other_sort;
        case GLFW_KEY_P:
            return Command::panels;
        case GLFW_KEY_H:
        case GLFW_KEY_F1:
            return Command::help;
        case GLFW_KEY_F12:
            return Command::picture;
        case GLFW_KEY_ESCAPE:
            return Command::quit;
        default:
            return std::nullopt;
    }
}

}  // namespace glsort::demo
