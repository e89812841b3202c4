#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "settings.h"
#include "stepper.h"
#include "support/window.h"

namespace glsort::demo {

/// What the command line asks for.
struct Options {
    Input input;
    Method method;
    std::optional<std::string> compared;  ///< A second algorithm, side by side with the first.
    std::optional<Backend> backend;       ///< Nothing: what suits algorithm and context.
    std::string view;                     ///< A name of make_views(). Empty: by size.
    Size size{1280, 720};
    float scale = 1.0f;

    bool headless = false;
    bool window = false;  ///< Pictures of the whole window, not of the sort alone.
    std::uint32_t frames = 1;
    std::filesystem::path out;
};

/// The method that is asked for on a context: without a backend the first of fragment, compute
/// and cpu that runs it.
Method method_for(const Options& options, const Device& device);

/// Without a window: the pictures that are asked for. Throws std::runtime_error and Error.
void run_headless(const Options& options);

/// In a window. Throws std::runtime_error and Error.
void run_interactive(const Options& options);

}  // namespace glsort::demo
