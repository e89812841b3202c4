#include <fmt/format.h>

#include <glsort/plan/radix/tuning.h>

#include <array>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace glsort::radix {
namespace {

constexpr Tuning of_software() {
    Tuning tuning;
    tuning.min_automatic = 1u << 14;
    tuning.invocations = 32;
    tuning.elements = 64;
    tuning.scan_invocations = 32;
    tuning.scan_elements = 64;
    tuning.alone_invocations = 8;
    tuning.longest_wait = 1u << 8;
    tuning.longest_wait_for_splitters = 1u << 8;
    tuning.packed_capacity = 1;
    return tuning;
}

/// Without the number of multiprocessors, the best number of groups for enumeration is unknown.
constexpr Tuning of_unknown_gpu() {
    Tuning tuning;
    tuning.enumerated = 0;
    return tuning;
}

using Value = TuningReport::Value;
using Values = std::vector<Value>;

/// The types of elements, in the order of `MoveShapes`.
constexpr std::array<const char*, 4> elements{"key", "key_value", "wide", "wide_value"};

Value shape_value(std::string name, const MoveShape& shape, const char* measured) {
    return {std::move(name),
            {shape.invocations, shape.elements, shape.parts, shape.spread ? 1u : 0u},
            "invocations, elements of each, parts, whether sorted elements are spread",
            measured};
}

constexpr const char* scatter_section = "Reduce, scan, scatter";
constexpr const char* sweep_section = "What changed in turn, and what it brought";
constexpr const char* splitters_section = "Splitters";
constexpr const char* cells_section = "Buckets by cells";

void add_scatter(Values& values, const Tuning& t) {
    constexpr const char* alone = "Each invocation alone";
    const Value rows[] = {
        {"min_automatic", {t.min_automatic}, "min capacity for automatic on compute", "Against CUB"},
        {"digit_bits", {t.digit_bits}, "bits, without subgroups", scatter_section},
        {"invocations", {t.invocations}, "invocations of a group, without subgroups", scatter_section},
        {"elements", {t.elements}, "elements per invocation, without subgroups", scatter_section},
        {"scan_invocations", {t.scan_invocations}, "invocations of the scan", scatter_section},
        {"scan_elements", {t.scan_elements}, "words per invocation of the scan", scatter_section},
        {"partitions", {t.partitions}, "max partitions", scatter_section},
        {"alone_invocations", {t.alone_invocations}, "invocations of a group; 0: none is alone", alone},
        {"alone_elements", {t.alone_elements}, "an invocation has a multiple of these elements", alone},
        {"alone_partitions", {t.alone_partitions}, "max partitions, if parts are short enough", alone},
        {"longest_alone", {t.longest_alone}, "max elements of an invocation", alone},
        {"alone_digit_bits", {t.alone_digit_bits}, "max bits of a long digit", alone},
        {"min_long_digits", {t.min_long_digits}, "min elements for long digits", alone}};
    values.insert(values.end(), std::begin(rows), std::end(rows));
    for (std::size_t i = 0; i < t.scatter.size(); ++i)
        values.push_back(shape_value(fmt::format("scatter_{}", elements[i]), t.scatter[i], scatter_section));
}

void add_groups(Values& values, const Tuning& t) {
    for (std::size_t i = 0; i < t.groups.size(); ++i)
        values.push_back({"group_" + std::to_string(i + 1),
                          {t.groups[i].invocations, t.groups[i].elements},
                          "invocations, elements of each; sorts all in one op",
                          "One group"});
}

void add_sweep(Values& values, const Tuning& t) {
    constexpr const char* sizes = "Tiles that fill whole rounds";
    constexpr const char* waits = "What llvmpipe does";
    values.push_back(
        {"max_with_counts", {t.max_with_counts}, "max elements beside counts in registers", splitters_section});
    values.push_back({"histogram_partitions", {t.histogram_partitions}, "max partitions", sweep_section});
    for (std::size_t i = 0; i < t.sizes.size(); ++i) {
        int number = 0;
        for (const MoveSize& size : in_use(t.sizes[i])) {
            const std::string name = fmt::format("{}_{}", elements[i], ++number);
            values.push_back({name + "_tiles", {size.tiles}, "max tiles for each multiprocessor; 0: any", sizes});
            values.push_back(shape_value(name + "_shape", size.shape, sizes));
        }
    }
    const Value rows[] = {
        {"assumed_multiprocessors", {t.assumed_multiprocessors}, "if their number is not known", sizes},
        {"packed_capacity",
         {t.packed_capacity},
         "min capacity with packed elements",
         "Packed elements in front of the last sweep"},
        {"look_back", {t.look_back}, "words fetched at once", sweep_section},
        {"longest_wait", {t.longest_wait}, "max reads of a word", waits},
        {"longest_wait_for_splitters", {t.longest_wait_for_splitters}, "max reads of a splitter", waits},
        {"padded_bytes", {t.padded_bytes}, "min bytes of elements that get padding", "Pages"},
        {"padding_run", {t.padding_run}, "elements between padding", "Pages"},
        {"padding_length", {t.padding_length}, "elements of padding", "Pages"}};
    values.insert(values.end(), std::begin(rows), std::end(rows));
}

void add_enumeration(Values& values, const Tuning& t) {
    constexpr const char* enumeration = "Enumeration";
    const Value rows[] = {
        {"enumerated", {t.enumerated}, "max elements that are enumerated", enumeration},
        {"min_targets", {t.min_targets}, "min elements that a group ranks", enumeration},
        {"max_targets", {t.max_targets}, "max elements that a group ranks", enumeration},
        {"enumerated_in_place", {t.enumerated_in_place}, "max elements that the last group moves", enumeration}};
    values.insert(values.end(), std::begin(rows), std::end(rows));
}

void add_splitters(Values& values, const Tuning& t) {
    const Value rows[] = {
        {"min_split", {t.min_split}, "min elements that splitters sort", splitters_section},
        {"max_swept_bits",
         {t.max_swept_bits},
         "max bits that count as few, with which sweeps may be faster",
         cells_section},
        {"max_split_by_few_bits",
         {t.max_split_by_few_bits},
         "max elements that splitters sort by few bits",
         "Two ops instead of three"},
        {"max_split_of_scene", {t.max_split_of_scene}, "max elements of a scene that splitters sort", cells_section}};
    values.insert(values.end(), std::begin(rows), std::end(rows));
    for (std::size_t i = 0; i < t.splitters.size(); ++i) {
        const SplitterGroups& g = t.splitters[i];
        values.push_back({"splitters_" + std::to_string(i + 1),
                          {g.tile_invocations, g.tile, g.tiles, g.bucket_bits, g.samples, g.targets,
                           g.bucket_invocations, g.bucket, g.cell_bits, g.piece_lanes, g.counted_tile, g.one_word},
                          "invocations and elements of a tile, max tiles, bits of a bucket's number, samples, samples "
                          "that a group ranks, invocations and max elements of a bucket, bits of a cell's number, "
                          "invocations for a piece, elements of a tile if the count is on the GPU, whether number and "
                          "code share a word",
                          cells_section});
    }
}

Values values_of(TuningRow row) {
    const Tuning& t = tuning_table[row];
    Values values;
    add_scatter(values, t);
    add_groups(values, t);
    add_sweep(values, t);
    add_enumeration(values, t);
    add_splitters(values, t);
    return values;
}

constexpr AskedValue asked[] = {
    {"tuning.radix.digit_bits", [](const glsort::Tuning& tuning) { return tuning.radix.digit_bits; },
     [](const Takes& takes) { return takes.digit_bits != 0; }, [](const Takes& takes) { return takes.digit_bits; }}};

}  // namespace

constinit const TuningTable<Tuning> tuning_table{of_software(), Tuning{}, of_unknown_gpu()};
constinit const TuningFamily tuning_family{"radix", in_browser ? nullptr : values_of, asked};

}  // namespace glsort::radix
