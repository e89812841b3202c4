#include <glsort/plan/scene/tuning.h>

#include <string>
#include <vector>

namespace glsort::scene {
namespace {

/// Few invocations: a software rasteriser hides no latency, and pays for each barrier of an invocation.
constexpr Tuning of_software() {
    Tuning tuning;
    tuning.scan_invocations = 64;
    tuning.scanned_tiles = 8;
    tuning.counting_invocations = 256;
    tuning.most_fronts = 8;
    return tuning;
}

std::vector<TuningReport::Value> values_of(TuningRow row) {
    const Tuning& t = tuning_table[row];
    constexpr const char* changes = "What changed, in turn";
    return {{"tile_invocations", {t.tile_invocations}, "max invocations for a tile or a portion", changes},
            {"scan_invocations", {t.scan_invocations}, "max invocations of a group that sums up tiles", changes},
            {"scanned_tiles", {t.scanned_tiles}, "tiles per invocation that sums up", changes},
            {"portion", {t.portion}, "items of a portion, or a divisor of these", changes},
            {"most_fronts", {t.most_fronts}, "max fronts of a sort that counts no digits", changes},
            {"counting_invocations", {t.counting_invocations}, "max invocations that also count digits", changes},
            {"counting_groups", {t.counting_groups}, "max groups for each multiprocessor that count digits", changes},
            {"keys_at_once", {t.keys_at_once}, "keys that an invocation computes side by side", changes},
            {"assumed_multiprocessors", {t.assumed_multiprocessors}, "if their number is not known", changes},
            {"neighbours", {t.neighbours}, "places of the result that share a descent", changes}};
}

}  // namespace

constinit const TuningTable<Tuning> tuning_table{of_software(), Tuning{}, Tuning{}};
constinit const TuningFamily tuning_family{"scene", in_browser ? nullptr : values_of};

}  // namespace glsort::scene

namespace glsort {

TuningReport::Family scene_tuning(const Limits& limits) {
    return {std::string(scene::tuning_family.name), scene::tuning_family.values(tuning_row(limits))};
}

}  // namespace glsort
