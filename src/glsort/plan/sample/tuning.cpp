#include <glsort/plan/sample/tuning.h>

#include <vector>

namespace glsort::sample {
namespace {

std::vector<TuningReport::Value> values_of(TuningRow row) {
    const Tuning& t = tuning_table[row];
    constexpr const char* one_level = "From two levels to one";
    constexpr const char* guaranteed = "Guaranteed levels";
    return {{"min_tile", {t.min_tile}, "min elements of a tile", one_level},
            {"max_tile", {t.max_tile}, "max elements of a tile on an expected level", one_level},
            {"largest_tile", {t.largest_tile}, "max elements of a tile", guaranteed},
            {"tiles", {t.tiles}, "tiles; with fewer, they are smaller", one_level},
            {"merged_elements", {t.merged_elements}, "elements per invocation that merges", one_level},
            {"ranked_elements", {t.ranked_elements}, "elements per invocation that ranks", one_level},
            {"max_ranked_elements", {t.max_ranked_elements}, "max elements per invocation that ranks", one_level},
            {"ranked_invocations", {t.ranked_invocations}, "min invocations that rank", one_level},
            {"paper_samples", {t.paper_samples}, "samples per tile, sample:paper", guaranteed},
            {"expected_samples", {t.expected_samples}, "samples per tile", one_level},
            {"sample_spacing", {t.sample_spacing}, "min elements per sample", one_level},
            {"level_work", {t.level_work}, "work of a level per element, in eighths", guaranteed},
            {"sample_work", {t.sample_work}, "work per sample of the first level, in eighths", guaranteed},
            {"last_sort_work", {t.last_sort_work}, "work of the last sort per element, in eighths", guaranteed},
            {"prefix_columns", {t.prefix_columns}, "max columns of a group", one_level},
            {"min_prefix_parts", {t.min_prefix_parts}, "min invocations per column", one_level},
            {"max_prefix_parts", {t.max_prefix_parts}, "max invocations per column", one_level},
            {"relocated_elements", {t.relocated_elements}, "elements per invocation that moves", one_level}};
}

constexpr bool samples(const Takes& takes) {
    return takes.samples;
}

constexpr AskedValue asked[] = {
    {"tuning.sample.tile", [](const glsort::Tuning& tuning) { return tuning.sample.tile; }, samples},
    {"tuning.sample.samples", [](const glsort::Tuning& tuning) { return tuning.sample.samples; }, samples}};

}  // namespace

constinit const TuningTable<Tuning> tuning_table{};
constinit const TuningFamily tuning_family{"sample", in_browser ? nullptr : values_of, asked};

}  // namespace glsort::sample
