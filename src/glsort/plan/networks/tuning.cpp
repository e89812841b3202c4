#include <glsort/plan/networks/tuning.h>

#include <vector>

namespace glsort::networks {
namespace {

/// Few invocations with much work each.
constexpr Tuning of_software() {
    Tuning tuning;
    tuning.elements = 16;
    return tuning;
}

std::vector<TuningReport::Value> values_of(TuningRow row) {
    const Tuning& t = tuning_table[row];
    constexpr const char* local = "In shared memory (`bitonic:local`)";
    return {
        {"tile", {t.tile}, "elements of a tile", local},
        {"max_tile", {t.max_tile}, "max elements of a requested tile", local},
        {"elements", {t.elements}, "elements per invocation", local},
        {"max_elements",
         {t.max_elements},
         "elements per invocation, if a tile needs more invocations than a group may have",
         local},
        {"looked_up_elements", {t.looked_up_elements}, "max elements per invocation, if keys are looked up", local}};
}

constexpr AskedValue asked[] = {{"tuning.networks.tile",
                                 [](const glsort::Tuning& tuning) { return tuning.networks.tile; },
                                 [](const Takes& takes) { return takes.tile && !takes.samples; }}};

}  // namespace

constinit const TuningTable<Tuning> tuning_table{of_software(), Tuning{}, Tuning{}};
constinit const TuningFamily tuning_family{"networks", in_browser ? nullptr : values_of, asked};

}  // namespace glsort::networks
