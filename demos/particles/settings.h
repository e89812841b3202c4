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

/// The number of particles, and how to sort them.
struct Method {
    std::uint32_t count = 0;  ///< Particles.
    Backend backend = Backend::automatic;
    std::string algorithm = "automatic";
    friend bool operator==(const Method&, const Method&) = default;
};

/// The sort key of particles. The nearest particle comes last.
enum class SortKey {
    depth,     ///< Along the axis of view. Right for flat sprites, which are parallel to the picture.
    distance,  ///< From the eye. A turn of the camera in place does not change the order.
};

/// Where the keys are computed.
enum class KeyMaker {
    gpu,  ///< In a vertex shader, which writes to the buffer of keys.
    cpu,  ///< In C++, with a copy to the buffer of keys.
};

/// Choices for a frame. They may change from frame to frame.
struct FrameOptions {
    bool sort = true;
    bool split = false;     ///< Draws sorted on the left, in array order on the right.
    float split_at = 0.5f;  ///< The split, from 0 to 1 across the free part of the picture.
    SortKey key = SortKey::depth;
    KeyMaker key_maker = KeyMaker::gpu;

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

    Backend backend = Backend::automatic;
    std::string algorithm = "automatic";
    FrameOptions frame;
    bool verify = false;

    Api api = Api::gl;
    /// The lowest version to accept, 10 * major + minor. 0: the newest version that the program can use, or an older
    /// sufficient version.
    int version = 0;

    bool headless = false;
    std::optional<std::uint64_t> frames;  ///< None: 3 headless, unlimited in a window.
    int width = 1280;                     ///< Width of the picture, in pixels.
    int height = 720;
    /// Of the frames: a folder or a GIF file for all, a PNG file for the last one. Empty: none. In a window: a PNG
    /// file.
    std::filesystem::path output;
    bool panels = false;  ///< Whether pictures show the panel.
    bool progress = false;
    float scale = 1.0f;  ///< Of the panel, headless; in a window the display's.
};

/// The versions to try, 10 * major + minor, the best first. Without a given `version`: a version with compute shaders,
/// then a version without, unless the backend needs compute shaders.
std::vector<int> versions_to_try(const Settings& settings);

/// Without a window. Throws std::runtime_error and glsort::Error.
void run_headless(const Settings& settings);

/// In a window. Throws std::runtime_error and glsort::Error.
void run_interactive(const Settings& settings);

}  // namespace glsort::demo
