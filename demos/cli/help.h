#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace glsort::demo {

/// Formats the output of --help. Each option has its names and values, then the description and the default. The lines
/// fit a terminal.
class HelpFormatter : public CLI::Formatter {
  public:
    std::string make_description(const CLI::App* app) const override;
    std::string make_option(const CLI::Option* option, bool positional) const override;
    std::string make_subcommand(const CLI::App* command) const override;
    std::string make_footer(const CLI::App* app) const override;
};

}  // namespace glsort::demo
