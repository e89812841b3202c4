#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace glsort::demo {

/// Options that cannot be used together.
///
/// An item of the lists is an option as people write it: `--split`, `--no-sort`, `--backend cpu`. An option without a
/// value means any value of the option. `--gl-version <4.3` means all lower versions. Of a list, one value suffices.
struct Contradiction {
    std::vector<std::string> uses;    ///< All of these are used.
    std::string reason;               ///< Why the program refuses them.
    std::vector<std::string> unless;  ///< If one of these is used, there is no contradiction.
};

/// Refuses contradictions after the arguments of `app` are parsed, with one line that names the options. Call this
/// function once for an app: a second call replaces the first.
void refuse_contradictions(CLI::App& app, std::vector<Contradiction> contradictions);

/// What every program with --api, --gl-version and a backend refuses: a version without compute shaders for compute.
/// `backend` is the name of the option, such as `--backends`. A program without --api has OpenGL only.
std::vector<Contradiction> contradictions_of_compute(const CLI::App& app, const std::string& backend);

}  // namespace glsort::demo
