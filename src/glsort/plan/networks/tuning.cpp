#include <glsort/plan/networks/tuning.h>

#include <vector>

namespace glsort::networks {
namespace {

/// Few invocations that do much.
constexpr Tuning of_software() {
    Tuning tuning;
    tuning.elements = 16;
    return tuning;
}

std::vector<TuningReport::Value> values_of(TuningRow row) {
    const Tuning& t = tuning_table[row];
    constexpr const char* local = "In shared memory (`bitonic:local`)";
    return {{"tile", {t.tile}, "elements of a tile", local},
            {"most_tile", {t.most_tile}, "elements of a tile that is asked for, at the most", local},
            {"elements", {t.elements}, "records of an invocation", local},
            {"most_elements", {t.most_elements}, "records of an invocation of a group that is too small", local},
            {"looked_up_elements", {t.looked_up_elements}, "records of an invocation that looks keys up", local}};
}

}  // namespace

constinit const TuningTable<Tuning> tuning_table{of_software(), Tuning{}, Tuning{}};
constinit const TuningFamily tuning_family{"networks", values_of};

}  // namespace glsort::networks
