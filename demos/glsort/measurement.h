#pragma once

#include <glsort/planner.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "options.h"
#include "paper_figures.h"
#include "scene_options.h"

/// What bench measures, before anything runs.
namespace glsort::demo {

/// Whose sort a measurement times.
enum class Contender {
    library,
    host,  ///< A sort of another library, in host memory.
    cuda,  ///< A sort of another library, in a program of its own (cuda_peers.h).
};

/// One sort of one input. Gives one row.
struct Measurement {
    Contender by = Contender::library;
    std::string name;  ///< An algorithm as asked for, or a sort of another library.
    Backend backend = Backend::cpu;
    Medium io = Medium::buffer;  ///< On the cpu: host memory.
    std::uint32_t n = 0;
    Distribution distribution = Distribution::uniform;
    ItemOptions items;
    std::vector<PaperFigure> theirs;  ///< What papers report for this sort.
};

/// `cpu`, `fragment`, `compute` or `cuda`.
std::string_view backend_name(const Measurement& measurement);

/// The name with the layout, if one was asked for: `abisort:paper z-order`.
std::string asked_name(const Measurement& measurement);

/// `radix on compute, n = 1024, uniform`
std::string text_of(const Measurement& measurement);

/// Whether two measurements have equal inputs.
bool same_input(const Measurement& a, const Measurement& b);

/// The sort of the library that a measurement times, for two elements.
PlanRequest request_of(const Measurement& measurement, const SceneOptions& scene);

/// The lists of `bench --suite`, of what these backends can run. The most important measurements come first.
enum class Suite { none, papers, all };
std::vector<std::string> suite_names();
std::vector<Measurement> suite_of(Suite suite, const std::vector<Backend>& backends);

}  // namespace glsort::demo
