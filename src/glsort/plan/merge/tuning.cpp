#include <glsort/plan/merge/tuning.h>

#include <vector>

namespace glsort::merge {
namespace {

constexpr Tuning of_software() {
    Tuning tuning;
    tuning.shared = false;
    tuning.four_windows_from = 1u << 20;
    return tuning;
}

std::vector<TuningReport::Value> values_of(TuningRow row) {
    const Tuning& t = tuning_table[row];
    constexpr const char* shared = "In shared memory";
    constexpr const char* multiway = "Kept";
    constexpr const char* splits = "Splits by blocks, a last gather without a copy";
    constexpr const char* keys = "Keys alone, on hardware";
    return {{"shared", {t.shared}, "1: merge:shared is the default variant on compute", shared},
            {"elements", {t.elements}, "elements per invocation", shared},
            {"min_invocations", {t.min_invocations}, "min invocations of a group", shared},
            {"max_invocations", {t.max_invocations}, "max invocations of a group", shared},
            {"tiles", {t.tiles}, "tiles; with fewer tiles, groups are smaller", shared},
            {"gathered_elements", {t.gathered_elements}, "max elements of a record", multiway},
            {"sorted_run", {t.sorted_run}, "max elements sorted in registers", multiway},
            {"sides", {t.sides}, "sides of windows that keep a GPU busy", multiway},
            {"min_side", {t.min_side}, "min elements of a side", multiway},
            {"min_in_one_draw", {t.min_in_one_draw}, "min elements of the network in one draw", splits},
            {"max_in_one_draw", {t.max_in_one_draw}, "max elements that one draw sorts", splits},
            {"two_windows_from", {t.two_windows_from}, "elements from which a split finds two windows", keys},
            {"four_windows_from", {t.four_windows_from}, "elements from which a split finds four windows", keys}};
}

}  // namespace

constinit const TuningTable<Tuning> tuning_table{of_software(), Tuning{}, Tuning{}};
constinit const TuningFamily tuning_family{"merge", in_browser ? nullptr : values_of};

}  // namespace glsort::merge
