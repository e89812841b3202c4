#pragma once

#include <filesystem>
#include <string>

#include "cli/description.h"

namespace glsort::demo {

/// The manual page (section 1, man(7)).
std::string to_manual(const CommandDescription& program, const std::string& version);

/// Completions for the shells.
std::string to_bash(const CommandDescription& program);
std::string to_zsh(const CommandDescription& program);
std::string to_fish(const CommandDescription& program);

/// Writes the manual page and the completions to their places in a folder such as /usr/share.
void write_manual(const CommandDescription& program, const std::string& version, const std::filesystem::path& folder);

}  // namespace glsort::demo
