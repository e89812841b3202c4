#pragma once

#include <glsort/spec.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/headless_context.h"

namespace glsort::demo {

/// The sort key of particles, which descends. The nearest particle comes last.
enum class SortKey {
    depth,     ///< Along the axis of view. Right for flat sprites, which are parallel to the picture.
    distance,  ///< From the eye. A turn of the camera in place does not change the order.
};

/// Where the keys are computed.
enum class KeyMaker {
    gpu,  ///< By glsort, from the places of the particles.
    cpu,  ///< In C++, with a copy to a buffer that glsort reads.
};

/// The keys that sort, and what is left out. A sorter is made for them.
struct KeyOptions {
    SortKey by = SortKey::depth;
    KeyMaker maker = KeyMaker::gpu;
    bool frustum = true;  ///< Leaves out what the camera does not see.
    friend bool operator==(const KeyOptions&, const KeyOptions&) = default;
};

/// The number of particles, and how to sort them.
struct Method {
    std::uint32_t count = 0;  ///< Particles.
    Backend backend = Backend::automatic;
    std::string algorithm = "automatic";
    std::uint32_t emitters = 1;
    KeyOptions keys = {};
    friend bool operator==(const Method&, const Method&) = default;
};

/// Choices for a frame. They may change from frame to frame.
struct FrameOptions {
    bool sort = true;
    bool split = false;     ///< Draws sorted on the left, in array order on the right.
    float split_at = 0.5f;  ///< The split, from 0 to 1 across the free part of the picture.

    bool sorts() const { return sort || split; }
    friend bool operator==(const FrameOptions&, const FrameOptions&) = default;
};

std::string_view to_string(SortKey key);
std::string_view to_string(KeyMaker maker);

/// The choices of the command line.
struct Settings {
    std::optional<std::uint32_t> count;  ///< Particles, above 0. None: the default of the scene.
    std::string scene = "knot";          ///< A name of scene_names(), or a file.
    std::uint64_t seed = 1;
    std::optional<std::uint32_t> emitters;  ///< 1 to most_emitters. None: the default of the scene.
    float zoom = 1.0f;                      ///< How many times nearer the camera begins.

    Backend backend = Backend::automatic;
    std::string algorithm = "automatic";
    KeyOptions keys;
    FrameOptions frame;
    bool verify = false;

    Api api = Api::gl;
    /// The lowest version to accept, 10 * major + minor. None: the newest version that the program can use, or an older
    /// sufficient version.
    std::optional<int> version;

    bool headless = false;
    std::optional<std::uint64_t> frames;  ///< None: 3 headless, unlimited in a window.
    int width = 1280;                     ///< Width of the pictures in pixels, or of the window in screen coordinates.
    int height = 720;
    /// Of the frames: a folder or a GIF file for all, a PNG file for the last one. Empty: none. In a window: a PNG
    /// file.
    std::filesystem::path output;
    bool panels = false;  ///< Whether pictures show the panel.
    bool progress = false;
    float scale = 1.0f;  ///< Of the panel, headless; in a window the display's.
};

/// The names of the algorithms that can sort particles: those that take a count from the GPU.
std::vector<std::string> scene_algorithms();

/// The versions to try, 10 * major + minor, the best first. Without a given `version`: a version with compute shaders,
/// then a version without, unless the backend needs compute shaders.
std::vector<int> versions_to_try(const Settings& settings);

/// Without a window. Throws std::runtime_error and glsort::Error.
void run_headless(const Settings& settings);

/// In a window. Throws std::runtime_error and glsort::Error.
void run_interactive(const Settings& settings);

}  // namespace glsort::demo
