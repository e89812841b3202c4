#include <glsort/plan/sample/tuning.h>

#include <vector>

namespace glsort::sample {
namespace {

std::vector<TuningReport::Value> values_of(TuningRow row) {
    const Tuning& t = tuning_table[row];
    constexpr const char* one_level = "From two levels to one";
    constexpr const char* guaranteed = "Guaranteed levels";
    return {{"least_tile", {t.least_tile}, "elements of a tile at least", one_level},
            {"most_tile", {t.most_tile}, "elements of a tile, where a level is expected to do", one_level},
            {"largest_tile", {t.largest_tile}, "elements of a tile at the most", guaranteed},
            {"tiles", {t.tiles}, "tiles, of fewer of which they are smaller", one_level},
            {"merged_elements", {t.merged_elements}, "elements of an invocation that merges", one_level},
            {"ranked_elements", {t.ranked_elements}, "elements of an invocation that ranks", one_level},
            {"most_ranked_elements", {t.most_ranked_elements}, "the same at the most", one_level},
            {"ranked_invocations", {t.ranked_invocations}, "invocations that rank, at least", one_level},
            {"paper_samples", {t.paper_samples}, "samples of a tile, sample:paper", guaranteed},
            {"expected_samples", {t.expected_samples}, "samples of a tile", one_level},
            {"sample_spacing", {t.sample_spacing}, "elements for each sample at least", one_level},
            {"level_work", {t.level_work}, "work of a level with a record, in eighths", guaranteed},
            {"sample_work", {t.sample_work}, "work with a sample of the first level, in eighths", guaranteed},
            {"last_sort_work", {t.last_sort_work}, "work of the last sort with a record, in eighths", guaranteed},
            {"prefix_columns", {t.prefix_columns}, "columns of a group at the most", one_level},
            {"least_prefix_parts", {t.least_prefix_parts}, "invocations for a column at least", one_level},
            {"most_prefix_parts", {t.most_prefix_parts}, "invocations for a column at the most", one_level},
            {"relocated_elements", {t.relocated_elements}, "elements of an invocation that moves", one_level}};
}

}  // namespace

constinit const TuningTable<Tuning> tuning_table{};
constinit const TuningFamily tuning_family{"sample", values_of};

}  // namespace glsort::sample
