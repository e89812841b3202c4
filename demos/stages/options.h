#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

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
    bool window = false;  ///< Whether pictures show the whole window; else the sort alone.
    std::uint32_t frames = 1;
    std::filesystem::path out;
};

/// The requested method on a context. Without a requested backend, the first of fragment, compute and cpu that can run
/// the method.
Method method_for(const Options& options, const Device& device);

/// Writes the requested pictures, without a window. Throws std::runtime_error and Error.
void run_headless(const Options& options);

/// Runs in a window. Throws std::runtime_error and Error.
void run_interactive(const Options& options);

}  // namespace glsort::demo
