#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

/// Descriptions of a program's options, for help, manuals and completions.
namespace glsort::demo {

struct OptionDescription {
    std::vector<std::string> names;  ///< `-n`, `--count`. For a flag, also its opposite.
    std::string value;               ///< `N`; empty for a flag.
    std::string text;
    std::string fallback;            ///< The default value. May be empty.
    std::vector<std::string> words;  ///< The words that the option accepts.
    bool takes_file = false;
    bool takes_folder = false;
    bool takes_list = false;  ///< Whether the option accepts several values, separated by commas.
};

struct CommandDescription {
    std::string name;
    std::string text;
    std::string footer;
    std::vector<OptionDescription> options;
    std::vector<CommandDescription> commands;
};

/// Omits hidden options.
CommandDescription describe(CLI::App& app);
OptionDescription describe(CLI::Option& option);

/// `-n,--count N`
std::string heading_of(const OptionDescription& option);

/// The name of the validator that stores the words of an option, and the text that it stores.
inline constexpr const char* offered_words = "offered words";
std::string joined_words(const std::vector<std::string>& words);

}  // namespace glsort::demo
