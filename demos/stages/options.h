#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "settings.h"
#include "stepped_sort.h"
#include "support/window.h"

namespace glsort::demo {

/// The command line options.
struct Options {
    Input input;
    Method method;
    std::optional<std::string> compared;  ///< A second algorithm, side by side with the first.
    std::optional<Backend> backend;       ///< Nothing: chosen by algorithm and context.
    std::string view;                     ///< A name from make_views(). Empty: chosen by size.
    Size size{1280, 720};
    float scale = 1.0f;

    bool headless = false;
    bool panels = false;  ///< Whether pictures show the whole window; else the sort alone.
    std::uint32_t frames = 1;
    std::filesystem::path output;  ///< Of the pictures. In a window: the folder.
    int version = 0;               ///< The lowest version of OpenGL, 10 * major + minor. 0: 4.3, or else 3.3.
    bool progress = false;
};

/// The requested method on a context. Without a requested backend, the first of fragment, compute and cpu that can run
/// the method.
Method method_for(const Options& options, const Device& device);

/// The versions to try, the best first.
std::vector<int> versions_to_try(const Options& options);

/// Writes the requested pictures, without a window. Returns what was written, as PictureWriter tells. Throws
/// std::runtime_error and Error.
std::string run_headless(const Options& options);

/// Runs in a window. Throws std::runtime_error and Error.
void run_interactive(const Options& options);

}  // namespace glsort::demo
