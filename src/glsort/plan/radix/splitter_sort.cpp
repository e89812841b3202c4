#include <glsort/plan/element_source.h>
#include <glsort/plan/group_scan.h>
#include <glsort/plan/radix/enumeration.h>
#include <glsort/plan/radix/radix_kernels.h>
#include <glsort/plan/radix/splitter_sort.h>
#include <glsort/plan/radix/tuning.h>
#include <glsort/stream/cpu_invocation.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>
#include <vector>

namespace glsort::splitters {
namespace {

using radix::tuning_of;

// Parameters of all kernels. The masks select the compared bits of the low and the high word of a code.
enum : std::size_t { count_parameter, mask_parameter, high_mask_parameter };

/// Max elements of a cell whose elements are compared with each other. If a cell has more, the group sorts by merging.
constexpr std::uint32_t max_in_cell = 32;

using Shape = SplitterSort::Shape;

/// Outputs of `splitter_divide`.
enum : std::size_t { divided_port, starts_port, splitters_port, marks_port };

/// Outputs of `splitter_bucket`.
enum : std::size_t { sorted_port, spare_port, cleared_port };

/// Words that a bucket's group needs besides the sort by cells. Each tile's piece has a first place and a source. All
/// invocations read three more words.
std::uint32_t piece_words(const Shape& shape) {
    return 2 * shape.max_tiles() + 3;
}

/// Words for counts of cells and for numbers of elements, two in a word (shaders/radix/cells.glsl).
std::uint32_t cell_memory_words(const Shape& shape) {
    return (shape.one_word ? shape.cells() : shape.bucket_size() + shape.cells()) / 2;
}

/// Words for a sort by cells: all elements, the cells, the bounds of the codes, and whether a cell is crowded.
std::uint32_t cell_sort_words(const Shape& shape) {
    return shape.element_type().words() * shape.bucket_size() + cell_memory_words(shape) + 3;
}

/// What the bodies of the kernels ask about the elements.
class Elements {
  public:
    Elements(CpuInvocation& k, const Shape& shape) : k_(k), shape_(shape) {}

    std::uint32_t count() const { return k_.parameter(count_parameter); }
    std::uint32_t buckets() const { return shape_.buckets_of(count()); }
    std::uint32_t samples() const { return std::min(count(), shape_.samples_of(count())); }
    std::uint32_t tile_length() const { return shape_.tile.tile(); }
    std::uint32_t tiles() const { return records_for(count(), tile_length()); }
    std::uint32_t begin_of(std::uint32_t tile) const { return tile * tile_length(); }
    std::uint32_t size_of(std::uint32_t tile) const { return std::min(tile_length(), count() - begin_of(tile)); }
    std::uint64_t mask() const {
        return std::uint64_t{k_.parameter(high_mask_parameter)} << 32 | k_.parameter(mask_parameter);
    }
    std::uint64_t compared(const Element& element) const { return shape_.element_type().code_of(element) & mask(); }
    /// The words of a code, the high word first.
    Element words_of(std::uint64_t code) const {
        const auto low = static_cast<std::uint32_t>(code);
        if (shape_.element_type().code_words() == 1) return {low};
        return {static_cast<std::uint32_t>(code >> 32), low};
    }

    /// The place of a sample among the elements (shaders/radix/splitter_choose.glsl).
    std::uint32_t place_of_sample(std::uint32_t number) const {
        if (count() == samples()) return number;
        constexpr std::uint32_t golden = 0x9e3779b9u;
        const std::uint32_t cluster = number / Shape::cluster;
        const std::uint32_t clusters = samples() / Shape::cluster;
        const std::uint32_t length = count() / clusters;
        const std::uint32_t begin = cluster * length + std::min(cluster, count() % clusters);
        const std::uint32_t random = cluster * golden >> 16;
        return begin + (random * (length - Shape::cluster) >> 16) + number % Shape::cluster;
    }

  private:
    CpuInvocation& k_;
    const Shape& shape_;
};

/// A sample's compared bits and number.
using Sample = std::pair<std::uint64_t, std::uint32_t>;

/// The samples that are splitters, in order (shaders/radix/splitter_choose.glsl).
std::vector<Sample> splitters_of(CpuInvocation& k, const Elements& elements) {
    std::vector<Sample> sorted;
    for (std::uint32_t i = 0; i < elements.samples(); ++i)
        sorted.emplace_back(elements.compared(k.read(0, elements.place_of_sample(i))), i);
    std::sort(sorted.begin(), sorted.end());
    std::vector<Sample> splitters;
    for (std::uint32_t splitter = 1; splitter < elements.buckets(); ++splitter)
        splitters.push_back(sorted[splitter * elements.samples() / elements.buckets()]);
    return splitters;
}

/// Words of `marks` for a splitter.
std::uint32_t marks_of(const ElementType& type) {
    return 2 * type.code_words();
}

/// Stores a splitter, and its halves with marks (shaders/radix/splitter_marks.glsl).
void store_splitter(CpuInvocation& k, std::uint32_t splitter, const Element& words, std::uint32_t marks) {
    constexpr std::uint32_t mark = 0x10000;
    k.scatter(splitters_port, splitter, words);
    for (std::uint32_t half = 0; half < marks; ++half)
        k.scatter(marks_port, marks * splitter + half, {(words[half / 2] >> 16 * (half % 2) & 0xffffu) | mark});
}

/// The bucket of a code in tile `tile`.
std::uint32_t bucket_of(const std::vector<Sample>& splitters, std::uint64_t code, std::uint32_t tile,
                        std::uint32_t tiles) {
    const auto first = std::lower_bound(splitters.begin(), splitters.end(), Sample{code, 0});
    const auto behind = std::upper_bound(first, splitters.end(), Sample{code, 0xffffffffu});
    const auto before = static_cast<std::uint32_t>(first - splitters.begin());
    const auto equal = static_cast<std::uint32_t>(behind - first);
    return equal < 2 ? before : before + 1 + tile * (equal - 1) / tiles;
}

/// The specification of shaders/radix/splitter_divide.glsl.
void divide(CpuInvocation& k, const Shape& shape) {
    const Elements elements(k, shape);
    if (elements.count() == 0) return;
    const std::vector<Sample> splitters = splitters_of(k, elements);
    for (std::uint32_t i = 0; i < splitters.size(); ++i) {
        const auto& [code, number] = splitters[i];
        const bool chosen = number / shape.targets % shape.choosing == k.instance;
        if (chosen) store_splitter(k, i, elements.words_of(code), marks_of(shape.element_type()));
    }
    for (std::uint32_t tile = k.instance; tile < elements.tiles(); tile += shape.tile_groups) {
        const std::uint32_t begin = elements.begin_of(tile);
        std::vector<std::vector<Element>> buckets(elements.buckets());
        for (std::uint32_t i = 0; i < elements.size_of(tile); ++i) {
            const Element element = k.read(0, begin + i);
            buckets[bucket_of(splitters, elements.compared(element), tile, elements.tiles())].push_back(element);
        }
        std::uint32_t place = 0;
        for (std::uint32_t bucket = 0; bucket < elements.buckets(); ++bucket) {
            k.scatter(starts_port, tile * elements.buckets() + bucket, {place});
            for (const Element& element : buckets[bucket])
                k.scatter(divided_port, begin + place++, element);
        }
    }
}

/// The specification of shaders/radix/splitter_bucket.glsl.
void sort_bucket(CpuInvocation& k, const Shape& shape) {
    constexpr std::size_t read_starts_port = 2;
    const Elements elements(k, shape);
    if (elements.count() == 0 || k.instance >= elements.buckets()) return;
    std::uint32_t first = 0;
    std::vector<Element> records;
    for (std::uint32_t tile = 0; tile < elements.tiles(); ++tile) {
        const std::uint32_t start = tile * elements.buckets() + k.instance;
        const std::uint32_t begin = k.read(read_starts_port, start)[0];
        const bool last = k.instance + 1 == elements.buckets();
        const std::uint32_t end = last ? elements.size_of(tile) : k.read(read_starts_port, start + 1)[0];
        for (std::uint32_t i = begin; i < end; ++i)
            records.push_back(k.read(0, elements.begin_of(tile) + i));
        first += begin;
    }
    std::stable_sort(records.begin(), records.end(),
                     [&](const Element& a, const Element& b) { return elements.compared(a) < elements.compared(b); });
    for (std::uint32_t i = 0; i < records.size(); ++i)
        k.scatter(sorted_port, first + i, records[i]);
    const std::uint32_t marks = marks_of(shape.element_type());
    for (std::uint32_t i = 0; i < marks && k.instance + 1 < elements.buckets(); ++i)
        k.scatter(cleared_port, k.instance * marks + i, {0});
}

Port splitters_port_of(const Shape& shape, Access access) {
    return {.name = "splitters",
            .access = access,
            .words = shape.element_type().code_words(),
            .elements = shape.buckets() - 1,
            .role = PortRole::samples};
}

Port starts_port_of(const Shape& shape, Access access, std::uint32_t tiles) {
    return {.name = "starts", .access = access, .elements = tiles * shape.buckets(), .role = PortRole::starts};
}

/// The words by which splitters come to all groups (shaders/radix/splitter_marks.glsl).
std::uint32_t mark_words(const Shape& shape) {
    return marks_of(shape.element_type()) * (shape.buckets() - 1);
}

Port marks_port_of(const Shape& shape) {
    return {.name = "marks", .access = Access::shared, .elements = mark_words(shape), .role = PortRole::status};
}

/// Gives `kernel` the declarations that both kernels share.
void declare_buckets(Kernel& kernel, const Shape& shape) {
    kernel.parameters = {{"count"}, {"mask"}, {"high_mask"}};
    kernel.defines.emplace_back("GLSORT_BUCKETS", literal(shape.buckets()));
    kernel.defines.emplace_back("GLSORT_ALL_SAMPLES", literal(shape.samples()));
    kernel.defines.emplace_back("GLSORT_SAMPLED_TILE", literal(shape.tile.tile()));
    if (shape.follows_count()) {
        kernel.defines.emplace_back("GLSORT_FOLLOWS_COUNT", "1");
        kernel.defines.emplace_back("GLSORT_EXPECTED", literal(shape.expected()));
        kernel.defines.emplace_back("GLSORT_MIN_BUCKETS", literal(shape.min_buckets));
    }
    kernel.shape.count = KernelNumber::parameter(count_parameter);
    shape.element_type().declare_in(kernel, false);
}

/// Words with which a group chooses splitters and finds buckets: a search tree, two single words, and the targets of a
/// part. A target has a place and a count.
std::uint32_t search_words(const Shape& shape) {
    const std::uint32_t code_words = shape.element_type().code_words();
    return std::max(shape.buckets(), shape.targets) * code_words +
           enumeration::rank_words(shape.element_type(), shape.targets) + 2;
}

KernelPtr divide_kernel(const Shape& shape, std::uint32_t longest_wait) {
    Kernel kernel = radix::kernel_of_groups("splitter_divide", shape.tile);
    const std::uint32_t tiles = shape.tiles_of_group();
    kernel.inputs = {shape.element_type().port("source", Access::gather, any_elements)};
    kernel.outputs = {shape.element_type().port("target", Access::scatter, tiles * shape.tile.tile()),
                      starts_port_of(shape, Access::scatter, tiles), splitters_port_of(shape, Access::scatter),
                      marks_port_of(shape)};
    kernel.defines.emplace_back("GLSORT_TREE", literal(std::max(shape.buckets(), shape.targets)));
    enumeration::declare_enumeration(kernel, shape.targets, shape.samples_at_once());
    kernel.defines.emplace_back("GLSORT_CLUSTER", literal(Shape::cluster));
    kernel.defines.emplace_back("GLSORT_CHOOSING", literal(shape.choosing));
    kernel.defines.emplace_back("GLSORT_LONGEST_WAIT", literal(longest_wait));
    if (shape.follows_count()) kernel.defines.emplace_back("GLSORT_TILE_GROUPS", literal(shape.tile_groups));
    radix::declare_digit_sort(kernel, shape.tile);
    declare_buckets(kernel, shape);
    kernel.shared_words += search_words(shape);
    kernel.shape.tile = tiles * shape.tile.tile();
    kernel.cpu = [shape](CpuInvocation& k) { divide(k, shape); };
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr bucket_kernel(const Shape& shape, const Limits& limits) {
    Kernel kernel;
    kernel.name = "splitter_bucket";
    kernel.group_size = shape.bucket_invocations;
    kernel.inputs = {shape.element_type().port("source", Access::gather, any_elements),
                     splitters_port_of(shape, Access::gather), starts_port_of(shape, Access::gather, shape.tiles)};
    Port spare = shape.element_type().port("spare", Access::shared, any_elements);
    spare.specified = false;
    spare.writes_first = true;
    spare.role = PortRole::other;
    kernel.outputs = {shape.element_type().port("target", Access::scatter, any_elements), std::move(spare),
                      marks_port_of(shape)};
    kernel.defines = {{"GLSORT_ELEMENTS", literal(shape.bucket_elements)},
                      {"GLSORT_TILE", literal(shape.bucket_size())},
                      {"GLSORT_MAX_TILES", literal(shape.max_tiles())},
                      // The first step of a binary search among the tiles.
                      {"GLSORT_FIRST_STEP", literal(std::bit_floor(shape.tiles - 1))},
                      {"GLSORT_PIECE_LANES", literal(shape.piece_lanes)},
                      {"GLSORT_MEMORY", literal(cell_memory_words(shape))},
                      {"GLSORT_CELLS", literal(shape.cells())},
                      {"GLSORT_CELL_BITS", literal(shape.cell_bits)},
                      {"GLSORT_MAX_IN_CELL", literal(max_in_cell)}};
    if (shape.one_word) kernel.defines.emplace_back("GLSORT_ONE_WORD", "1");
    kernel.shared_words = piece_words(shape) + cell_sort_words(shape);
    declare_group_scan(kernel, limits);
    declare_buckets(kernel, shape);
    kernel.cpu = [shape](CpuInvocation& k) { sort_bucket(k, shape); };
    return std::make_shared<Kernel>(std::move(kernel));
}

/// Max elements of an invocation. The compiler unrolls loops over these.
constexpr std::uint32_t max_elements = 16;

std::uint32_t tile_words(const Shape& shape) {
    return shape.tile.sweep_words() + search_words(shape);
}

std::uint32_t bucket_words(const Shape& shape, const Limits& limits) {
    return piece_words(shape) + cell_sort_words(shape) + scan_words(shape.bucket_invocations, limits);
}

/// Sets how groups of the device divide tiles. Returns false if no group can.
bool set_tile(const SortFrame& frame, const radix::SplitterGroups& groups, Shape& shape) {
    const std::uint32_t size = shape.follows_count() ? groups.counted_tile : groups.tile;
    std::uint32_t invocations = groups.tile_invocations;
    while (size % invocations != 0)
        invocations /= 2;
    // Whole elements go through shared memory at once where there is room.
    for (const std::uint32_t words : {frame.element_type().words(), 1u}) {
        const auto tile = radix::ranking_tile_of(frame, invocations, size, words, groups.bucket_bits, true);
        if (!tile || tile->elements > max_elements) continue;
        shape.tile = *tile;
        if (4 * tile_words(shape) <= frame.limits().shared_memory) return true;
    }
    return false;
}

/// Gives the shape buckets with room for `size` elements. Returns false if no group can sort these.
bool set_bucket_size(const SortFrame& frame, const radix::SplitterGroups& groups, std::uint32_t size, Shape& shape) {
    const Limits& limits = frame.limits();
    shape.bucket_invocations = std::min(groups.bucket_invocations, std::bit_floor(limits.invocations));
    while (size % shape.bucket_invocations != 0)
        shape.bucket_invocations /= 2;
    shape.bucket_elements = size / shape.bucket_invocations;
    if (shape.bucket_invocations < groups.tiles || shape.bucket_elements > max_elements) return false;
    if (shape.one_word) shape.cell_bits = static_cast<std::uint32_t>(std::bit_width(size - 1));
    const std::uint32_t counted_tiles = records_for(groups.tiles * groups.tile, shape.tile.tile());
    shape.tiles = std::min(shape.follows_count() ? counted_tiles : groups.tiles, shape.bucket_invocations);
    shape.tile_groups = std::min(groups.tiles, shape.tiles);
    shape.piece_lanes =
        std::min(shape.tiles > groups.tiles ? groups.piece_lanes / 2 : groups.piece_lanes, limits.subgroup_size);
    // No more pieces at once than there are tiles.
    shape.piece_lanes = std::max(shape.piece_lanes, shape.bucket_invocations / shape.max_tiles());
    shape.max_count = std::min(shape.tiles * shape.tile.tile(), shape.buckets() * shape.expected());
    return shape.tiles > 1 && 4 * bucket_words(shape, limits) <= limits.shared_memory;
}

/// Gives the shape the largest buckets that a group can sort. Returns false if there are none.
bool set_bucket(const SortFrame& frame, const radix::SplitterGroups& groups, Shape& shape) {
    // If elements are wide, only smaller buckets fit.
    for (const std::uint32_t quarters : {4u, 3u, 2u})
        if (set_bucket_size(frame, groups, groups.bucket / 4 * quarters, shape)) return true;
    return false;
}

/// Whether the groups sort the frame's elements faster than sweeps do. `of_scene`: the elements of a scene, which take
/// a search each time they are loaded, and whose digits may be counted already.
bool are_fastest(const SortFrame& frame, const radix::SplitterGroups& groups, bool of_scene) {
    const radix::Tuning& tuning = tuning_of(frame);
    const bool few_bits = frame.bits().end - frame.bits().first <= tuning.max_swept_bits;
    const std::uint32_t most = groups.tiles * groups.tile;
    if (of_scene) return !few_bits && most <= tuning.max_split_of_scene;
    return !few_bits || most <= tuning.max_split_by_few_bits;
}

/// Whether the device and the request allow a sort by splitters.
bool can_split(const SortFrame& frame) {
    constexpr std::uint32_t storage_blocks = 8;
    const Limits& limits = frame.limits();
    return limits.storage_blocks >= storage_blocks && limits.multiprocessors != 0 && limits.has_subgroups() &&
           frame.tuning().radix.digit_bits == 0 && !frame.element_type().comparison() &&
           !(frame.request.source && frame.request.source->digits);
}

/// The shapes that the device can run, from small tiles to large ones.
std::vector<Shape> shapes_of(const SortFrame& frame, bool of_scene) {
    std::vector<Shape> shapes;
    if (!can_split(frame)) return shapes;
    for (const radix::SplitterGroups& groups : tuning_of(frame).splitters) {
        Shape shape{.clusters = groups.samples / Shape::cluster,
                    .targets = groups.targets,
                    .choosing = std::min(groups.samples / groups.targets, frame.limits().multiprocessors),
                    .one_word = groups.one_word && frame.element_type().code_words() == 1,
                    .cell_bits = groups.cell_bits};
        if (frame.request.spec.gpu_count) shape.min_buckets = 1u << tuning_of(frame).splitters.front().bucket_bits;
        if (!are_fastest(frame, groups, of_scene) || !set_tile(frame, groups, shape)) continue;
        // Small subgroups have few digit values, and so few buckets.
        shape.min_buckets = std::min(shape.min_buckets, shape.buckets());
        if (set_bucket(frame, groups, shape)) shapes.push_back(shape);
    }
    return shapes;
}

}  // namespace

std::uint32_t Shape::buckets_of(std::uint32_t count) const {
    if (!follows_count()) return buckets();
    return std::max(std::bit_ceil(records_for(count, expected())), min_buckets);
}

std::uint32_t Shape::samples_of(std::uint32_t count) const {
    return samples() / buckets() * buckets_of(count);
}

SplitterSort::SplitterSort(SortFrame& frame)
    : frame_(frame), shapes_(shapes_of(frame, frame.request.source != nullptr)) {
    const std::uint32_t capacity = frame.capacity();
    // Enumeration sorts every count up to the capacity.
    if (capacity <= std::min(max_enumerated(), enumeration::max_elements(frame))) shapes_.clear();
    if (shapes_.empty()) return;
    std::uint32_t room = 0;
    std::uint32_t splitters = 0;
    std::uint32_t starts = 0;
    for (const Shape& shape : shapes_) {
        room = std::min(capacity, shape.max_count);
        splitters = std::max(splitters, shape.buckets() - 1);
        starts = std::max(starts, records_for(room, shape.tile.tile()) * shape.buckets());
        if (room == capacity) break;
    }
    const ElementType& type = frame.element_type();
    splitters_ = frame.add_stream("splitters", type.code_words(), 1, splitters);
    tiles_ = frame.add_stream("tiles", type.words(), 1, room);
    starts_ = frame.add_stream("starts", 1, 1, starts);
    marks_ = frame.add_stream("marks", 1, 1, marks_of(type) * splitters);
    frame.begin_zero(marks_);
    spare_ = frame.add_stream("spare", type.words(), 1, 2 * room);
}

bool SplitterSort::add(StreamId records) const {
    // If the CPU knows the count, kernels rely on more elements than samples.
    const auto fits = [this](const Shape& shape) {
        return frame_.n() <= shape.max_count && (shape.follows_count() || frame_.n() > shape.samples());
    };
    const auto found = std::find_if(shapes_.begin(), shapes_.end(), fits);
    if (found == shapes_.end()) return false;
    const Shape& shape = *found;
    const BitRange bits = frame_.bits();
    const std::uint64_t mask = mask_of(bits);
    const StreamUse elements{records, frame_.elements_of(records)};
    const StreamUse splitters{splitters_, Substream::range(0, shape.buckets() - 1)};
    const StreamUse divided{tiles_, Substream::first(frame_.count())};
    const StreamUse starts{starts_, Substream::first(parts_of(frame_.count(), shape.tile.tile()) * shape.buckets())};
    const StreamUse marks{marks_, Substream::range(0, mark_words(shape))};
    const StreamUse spare{spare_, Substream::first(frame_.count() * 2u)};
    int stage = 0;
    const auto add_op = [&](KernelPtr kernel, std::vector<StreamUse> reads, std::vector<StreamUse> writes,
                            const Substream& groups) {
        Op op;
        op.kernel = std::move(kernel);
        op.reads = std::move(reads);
        op.writes = std::move(writes);
        op.domain = groups;
        op.parameters = {frame_.count(), static_cast<std::uint32_t>(mask), static_cast<std::uint32_t>(mask >> 32)};
        op.labels = {.stage = stage++};
        frame_.add(std::move(op));
    };
    // Groups choose splitters, divide tiles, or do both.
    const std::uint32_t choosing = records_for(shape.samples(), shape.targets);
    add_op(divide_kernel(shape, tuning_of(frame_).longest_wait_for_splitters), {elements},
           {divided, starts, splitters, marks}, Substream::range(0, std::max(choosing, shape.tile_groups)));
    add_op(bucket_kernel(shape, frame_.limits()), {divided, splitters, starts}, {elements, spare, marks},
           Substream::range(0, shape.buckets()));
    return true;
}

std::uint32_t SplitterSort::max_enumerated() const {
    return can_split(frame_) ? tuning_of(frame_).min_split - 1 : 0xffffffffu;
}

std::vector<std::uint32_t> SplitterSort::counts(const SortFrame& frame, bool of_scene) {
    if (!can_split(frame)) return {};
    std::vector<std::uint32_t> counts{tuning_of(frame).min_split - 1};
    for (const Shape& shape : shapes_of(frame, of_scene)) {
        // Up to this count, sweeps sort what is not enumerated.
        if (!shape.follows_count() && shape.samples() > enumeration::max_elements(frame))
            counts.push_back(shape.samples());
        counts.push_back(shape.max_count);
    }
    return counts;
}

}  // namespace glsort::splitters
