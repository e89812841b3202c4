#pragma once

#include <glsort/sorter.h>

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "measurement.h"
#include "options.h"
#include "scene_options.h"
#include "support/timing.h"

namespace glsort::demo {

struct BenchOptions {
    Suite suite = Suite::none;
    std::vector<std::string> algorithms = {"automatic"};
    std::vector<Backend> backends;  ///< Empty: those that the context has.
    std::vector<std::uint32_t> sizes = {1u << 16, 1u << 18, 1u << 20};
    std::vector<Distribution> distributions = {Distribution::uniform};
    std::optional<Medium> io;
    ItemOptions items;
    SceneOptions scene;
    ContextOptions context;
    TimingOptions timing;
    std::optional<double> warm_up_ms;
    StatePolicy state = StatePolicy::restore;
    std::uint32_t max_elements_per_draw = 0;  ///< 0: no limit.
    bool peers = false;
    std::filesystem::path peers_program;  ///< Empty: glsort-peers in the folder of this program.
    bool verify = true;
    bool list = false;
    std::optional<double> minutes;
    bool progress = false;
    bool resume = false;
    std::filesystem::path output = "-";
    Format format = Format::table;
};

/// The values of --state.
std::vector<std::string> state_names();

/// The options that decide what is measured and how. A run that is resumed must have equal ones.
nlohmann::ordered_json to_json(const BenchOptions& options);

/// Measures all that the options ask for. Throws std::runtime_error and UsageError.
void run_bench(const BenchOptions& options);

/// Prints what run_bench() would measure, a line for each measurement. Needs a context only if no backends are given.
/// With `peers`, asks the program of CUDA's sorts.
void list_measurements(const BenchOptions& options);

}  // namespace glsort::demo
