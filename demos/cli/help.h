#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace glsort::demo {

/// How --help looks: names and what they take, then the description and the default, in lines that
/// fit a terminal.
class HelpFormatter : public CLI::Formatter {
  public:
    std::string make_option(const CLI::Option* option, bool positional) const override;
    std::string make_subcommand(const CLI::App* command) const override;
    std::string make_footer(const CLI::App* app) const override;
};

}  // namespace glsort::demo
