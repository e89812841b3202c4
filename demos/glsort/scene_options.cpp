#include "scene_options.h"

#include <fmt/format.h>

#include <stdexcept>
#include <vector>

#include "cli/contradictions.h"
#include "options.h"
#include "support/console.h"
#include "support/key_scene.h"

namespace glsort::demo {

bool SceneOptions::draws(std::uint64_t seed, std::size_t element) const {
    return is_shown(visible.value_or(1), seed, element);
}

std::string SceneOptions::text() const {
    std::vector<std::string> parts;
    if (sources > 0) parts.push_back(fmt::format("{} source{}", sources, sources == 1 ? "" : "s"));
    if (computed_keys) parts.emplace_back("computed keys");
    if (visible) parts.push_back(fmt::format("{:.4g}% visible", 100 * *visible));
    if (gpu_count) parts.emplace_back("count on the GPU");
    return fmt::format("{}", fmt::join(parts, ", "));
}

void add_count_on(CLI::App& app, bool& gpu_count) {
    const std::vector<std::string> places = {"cpu", "gpu"};
    add_value(
        app, "--count-on", gpu_count,
        [places](const std::string& text) { return parse_choice("place", text, places) == 1; },
        "Where the sort finds the number of elements: an argument of the call, or a buffer on the GPU")
        ->type_name("cpu|gpu")
        ->default_str("cpu");
}

void add_computed_keys(CLI::App& app, bool& computed_keys) {
    add_switch(app, "computed-keys", computed_keys,
               "Sorts a scene: the sort computes f32 keys, depths, from positions of 16 bytes");
}

void add_scene_options(CLI::App& app, SceneOptions& options) {
    add_count_on(app, options.gpu_count);
    add_value(
        app, "--sources", options.sources,
        [](const std::string& text) { return static_cast<std::uint32_t>(parse_within(text, 1, max_scene_sources)); },
        fmt::format("Sorts a scene: the elements come from K buffers, 1 to {}, and become one order",
                    max_scene_sources))
        ->type_name("K");
    add_computed_keys(app, options.computed_keys);
    add_value(app, "--visible", options.visible, parse_fraction,
              "Sorts a scene: the fraction of elements that are drawn, 0 to 1; the others are left out")
        ->type_name("FRACTION")
        ->default_str("1");
}

std::vector<Contradiction> contradictions_of_scenes(const CLI::App& app, const std::string& backend) {
    const bool list = backend == "--backends";
    const std::vector<std::string> unless =
        list ? std::vector<std::string>{"--backends fragment", "--backends compute"} : std::vector<std::string>{};
    std::vector<Contradiction> contradictions;
    for (const char* option : {"--sources", "--computed-keys", "--visible"}) {
        contradictions.push_back({{backend + " cpu", option}, "scenes need OpenGL", unless});
        for (const char* other : {"--bits", "--digit-bits", "--tile", "--samples", "--layout"})
            contradictions.push_back({{option, other}, "scenes have no such choice", {}});
        contradictions.push_back({{option, "--io texture"}, "scenes are in buffers", {}});
        if (app.get_option_no_throw("--input") != nullptr)
            contradictions.push_back({{option, "--input"}, "scenes have keys of --distribution", {}});
    }
    contradictions.push_back({{backend + " cpu", "--count-on gpu"}, "the cpu backend has no GPU", unless});
    return contradictions;
}

void check_scene_options(const SceneOptions& options, ItemOptions& items, Distribution distribution, bool key_given) {
    if (!options.is_scene()) return;
    if (options.computed_keys && !key_given) items.key = KeyType::f32;
    if (options.computed_keys && items.key != KeyType::f32)
        throw UsageError(fmt::format("--key {}: computed keys are f32", to_string(items.key)));
    if (options.computed_keys && distribution == Distribution::special)
        throw UsageError("--distribution special: positions of computed keys are finite numbers");
    if (items.key == KeyType::i64 || items.key == KeyType::f64)
        throw UsageError(fmt::format("--key {}: keys of scenes are u32, i32, f32 or u64", to_string(items.key)));
    if (items.payload.kind != Payload::Kind::index)
        throw UsageError(fmt::format("--payload {}: scenes give the index", to_string(items.payload)));
}

}  // namespace glsort::demo
