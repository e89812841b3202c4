#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace glsort::demo {

/// What a key of the window does.
enum class Command {
    play,
    forward,
    back,
    forward_ten,
    back_ten,
    begin,
    end,
    faster,
    slower,
    next_view,
    next_stream,
    next_algorithm,
    last_algorithm,
    next_backend,
    next_layout,
    next_distribution,
    double_n,
    halve_n,
    next_seed,
    compare,
    pace,
    other_sort,
    panels,
    help,
    picture,
    quit,
};

/// A line of the list of keyboard shortcuts.
struct Shortcut {
    std::string_view keys;
    std::string_view meaning;
};
const std::vector<Shortcut>& shortcuts();

/// Whether a key that is held down gives the command again and again.
bool repeats(Command command);

/// The command of a GLFW key with its modifiers. Nothing if the key has no command.
std::optional<Command> command_of(int key, int modifiers);

}  // namespace glsort::demo
