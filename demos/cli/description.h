#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

/// What a program's options are, for help, manuals and completions.
namespace glsort::demo {

struct OptionDescription {
    std::vector<std::string> names;  ///< `-n`, `--count`; of a flag its opposite, too.
    std::string value;               ///< `N`; empty for a flag.
    std::string text;
    std::string fallback;            ///< What the option is where it is not given; may be empty.
    std::vector<std::string> words;  ///< That it takes.
    bool takes_file = false;
    bool takes_folder = false;
    bool takes_list = false;  ///< Separated by commas.
};

struct CommandDescription {
    std::string name;
    std::string text;
    std::string footer;
    std::vector<OptionDescription> options;
    std::vector<CommandDescription> commands;
};

/// Without hidden options.
CommandDescription describe(CLI::App& app);
OptionDescription describe(CLI::Option& option);

/// `-n,--count N`
std::string heading_of(const OptionDescription& option);

/// The name of the validator that keeps an option's words, and how it keeps them.
inline constexpr const char* offered_words = "offered words";
std::string joined_words(const std::vector<std::string>& words);

}  // namespace glsort::demo
