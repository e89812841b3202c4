#include <glsort/plan/merge/tuning.h>

#include <vector>

namespace glsort::merge {
namespace {

constexpr Tuning of_software() {
    Tuning tuning;
    tuning.shared = false;
    return tuning;
}

std::vector<TuningReport::Value> values_of(TuningRow row) {
    const Tuning& t = tuning_table[row];
    constexpr const char* shared = "In shared memory";
    constexpr const char* multiway = "Kept";
    constexpr const char* splits = "Splits by blocks, a last gather without a copy";
    constexpr const char* keys = "Keys alone, on hardware";
    return {{"shared", {t.shared}, "1: merge:shared is the choice on compute", shared},
            {"elements", {t.elements}, "elements of an invocation", shared},
            {"least_invocations", {t.least_invocations}, "invocations of a group at least", shared},
            {"most_invocations", {t.most_invocations}, "invocations of a group at the most", shared},
            {"tiles", {t.tiles}, "tiles, of fewer of which groups are smaller", shared},
            {"gathered_elements", {t.gathered_elements}, "elements of a record at the most", multiway},
            {"sorted_run", {t.sorted_run}, "elements sorted in registers at the most", multiway},
            {"sides", {t.sides}, "sides of windows that keep a GPU busy", multiway},
            {"least_side", {t.least_side}, "elements of a side at least", multiway},
            {"least_in_one_draw", {t.least_in_one_draw}, "elements of the network of one draw at least", splits},
            {"most_in_one_draw", {t.most_in_one_draw}, "elements that one draw sorts at the most", splits},
            {"elements_of_split", {t.elements_of_split}, "elements for each window of a split", keys}};
}

}  // namespace

constinit const TuningTable<Tuning> tuning_table{of_software(), Tuning{}, Tuning{}};
constinit const TuningFamily tuning_family{"merge", values_of};

}  // namespace glsort::merge
