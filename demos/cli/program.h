#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace glsort::demo {

/// The common part of all programs: help, --version, errors and exit codes. Parses the arguments, calls `body`, and
/// returns the exit code: 0 done, 1 failed, 2 wrong arguments. Errors are one line on standard error.
///
/// The hidden option --write-manual DIR writes the manual page and the completions of the shells instead.
int run_program(CLI::App& app, int argc, char** argv, const std::function<void()>& body);

}  // namespace glsort::demo
