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

/// What a sort is made for.
struct Method {
    std::uint32_t count = 0;  ///< Particles.
    Backend backend = Backend::automatic;
    std::string algorithm = "automatic";
    friend bool operator==(const Method&, const Method&) = default;
};

/// By what particles are sorted, nearest last.
enum class SortKey {
    depth,     ///< Along the axis of view: what flat sprites, parallel to the picture, want.
    distance,  ///< From the eye: does not change where the camera turns on its place.
};

/// Where the keys are computed.
enum class KeyMaker {
    gpu,  ///< By a vertex shader, into the buffer that is sorted.
    cpu,  ///< In C++, and copied to that buffer.
};

/// What one frame shows, and how; may change from frame to frame.
struct FrameOptions {
    bool sort = true;
    bool split = false;     ///< Sorted on the left, in array order on the right.
    float split_at = 0.5f;  ///< Where, from the left of the free part of the picture to its right.
    SortKey key = SortKey::depth;
    KeyMaker key_maker = KeyMaker::gpu;

    bool sorts() const { return sort || split; }
    friend bool operator==(const FrameOptions&, const FrameOptions&) = default;
};

std::string_view to_string(SortKey key);
std::string_view to_string(KeyMaker maker);

/// What the command line asks for.
struct Settings {
    std::optional<std::uint32_t> count;  ///< Particles; above 0. None: as many as the scene has.
    std::string scene = "knot";          ///< A name of scene_names(), or a file.
    std::uint64_t seed = 1;

    Backend backend = Backend::automatic;
    std::string algorithm = "automatic";
    FrameOptions frame;
    bool verify = false;

    Api api = Api::gl;
    /// The lowest version to accept, 10 * major + minor. 0: the newest that the program has a use
    /// for, or an older one that will do.
    int version = 0;

    bool headless = false;
    std::optional<std::uint64_t> frames;  ///< None: 3 headless, without end in a window.
    int width = 1280;                     ///< Of the picture, in pixels.
    int height = 720;
    /// Of the frames: a folder or a GIF file for all, a PNG file for the last one. Empty: none. In a window: a PNG
    /// file.
    std::filesystem::path output;
    bool panels = false;  ///< Whether pictures show the panel.
    bool progress = false;
    float scale = 1.0f;  ///< Of the panel, headless; in a window the display's.
};

/// The versions to try, 10 * major + minor, the best first: where `version` is not given, one with
/// compute shaders, and then, unless the backend needs those, one without.
std::vector<int> versions_to_try(const Settings& settings);

/// Without a window. Throws std::runtime_error and glsort::Error.
void run_headless(const Settings& settings);

/// In a window. Throws std::runtime_error and glsort::Error.
void run_interactive(const Settings& settings);

}  // namespace glsort::demo
