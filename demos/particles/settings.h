#pragma once

#include <glsort/spec.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "support/headless_context.h"

namespace glsort::demo {

/// What the command line asks for.
struct Settings {
    std::optional<std::uint32_t> count;  ///< Particles; above 0. None: as many as the scene has.
    std::string scene = "knot";          ///< A name of scene_names(), or a file.
    std::uint64_t seed = 1;

    Backend backend = Backend::automatic;
    std::string algorithm = "automatic";
    bool sort = true;
    bool verify = false;

    Api api = Api::gl;
    /// The lowest version to accept, 10 * major + minor. 0: the newest that the program has a use
    /// for, or an older one that will do.
    int version = 0;

    bool headless = false;
    std::optional<std::uint64_t> frames;  ///< None: 3 headless, without end in a window.
    int width = 1280;                     ///< Of the picture, in pixels.
    int height = 720;
    std::filesystem::path screenshot;  ///< Of the last frame. Empty: none.
};

/// The versions to try, 10 * major + minor, the best first: where `version` is not given, one with
/// compute shaders, and then, unless the backend needs those, one without.
std::vector<int> versions_to_try(const Settings& settings);

/// Without a window. The exit code. Throws std::runtime_error and glsort::Error.
int run_headless(const Settings& settings);

/// In a window. The exit code. Throws std::runtime_error and glsort::Error.
int run_interactive(const Settings& settings);

}  // namespace glsort::demo
