#pragma once

#include <glsort/spec.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "support/distributions.h"

namespace glsort::demo {

struct ItemOptions;
struct Contradiction;

/// Options of sort and bench that make the sort one of a renderer: counts that only the GPU knows, keys computed from
/// positions, several sources, elements that are not drawn.
struct SceneOptions {
    bool gpu_count = false;
    std::uint32_t sources = 0;  ///< 0: no sources were asked for.
    bool computed_keys = false;
    std::optional<double> visible;  ///< The fraction of elements that are drawn. Empty: not asked for, so all.

    /// Whether a SceneSorter sorts, and not a Sorter. All elements may be visible in a scene, too.
    bool is_scene() const { return sources > 0 || computed_keys || visible.has_value(); }
    std::uint32_t sources_or_one() const { return sources > 0 ? sources : 1; }
    /// Whether an element is drawn. Equal seeds draw equal elements.
    bool draws(std::uint64_t seed, std::size_t element) const;
    /// `16 sources, computed keys, 30% visible, count on the GPU`. Empty for a plain sort.
    std::string text() const;
};

/// Adds --count-on.
void add_count_on(CLI::App& app, bool& gpu_count);
/// Adds --computed-keys.
void add_computed_keys(CLI::App& app, bool& computed_keys);
void add_scene_options(CLI::App& app, SceneOptions& options);
/// What excludes each other, for `refuse_contradictions`. `backend` is the option that names the backend.
std::vector<Contradiction> contradictions_of_scenes(const CLI::App& app, const std::string& backend);

/// Throws UsageError for items that a scene does not sort. Keys of a scene with computed keys are f32 unless
/// `key_given`.
void check_scene_options(const SceneOptions& options, ItemOptions& items, Distribution distribution, bool key_given);

}  // namespace glsort::demo
