#include <glsort/plan/element_source.h>
#include <glsort/plan/radix/enumeration.h>
#include <glsort/plan/radix/radix_kernels.h>
#include <glsort/plan/radix/splitter_sort.h>
#include <glsort/plan/radix/tuning.h>
#include <glsort/stream/cpu_invocation.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace glsort::splitters {
namespace {

using radix::Policy;
using radix::tuning_of;

// Parameters of all kernels. The masks select the compared bits of the low and the high word of a code.
enum : std::size_t { count_parameter, mask_parameter, high_mask_parameter };

/// Max elements of a cell whose elements are compared with each other.
constexpr std::uint32_t max_in_cell = 32;

/// Bits of a digit in buckets with a larger cell. The second number is for groups that have no room for the counts of
/// the first.
constexpr std::uint32_t crowded_digit_bits[] = {7, 6};

using Shape = SplitterSort::Shape;

/// Words that a bucket's group needs beyond those of its sort: the first place and the source of each tile's piece, and
/// what all invocations must know.
std::uint32_t piece_words(const Shape& shape) {
    return 2 * shape.tiles + 3;
}

/// Words for a sort by cells: all elements, the bounds of their codes, and whether a cell is crowded
/// (shaders/radix/cells.glsl).
std::uint32_t cell_sort_words(const Shape& shape) {
    return shape.element_type().words() * shape.bucket.tile() + 3;
}

/// What the bodies of the kernels ask about their elements.
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

/// The specification of shaders/radix/splitter_choose.glsl.
void choose(CpuInvocation& k, const Shape& shape) {
    const Elements elements(k, shape);
    const std::uint32_t samples = elements.samples();
    const std::uint32_t buckets = elements.buckets();
    const std::uint32_t first = k.instance * shape.targets;
    const std::uint32_t end = std::min(first + shape.targets, samples);
    if (first >= end) return;
    // A sample's bits and number.
    using Sample = std::pair<std::uint64_t, std::uint32_t>;
    std::vector<Sample> sorted;
    for (std::uint32_t i = 0; i < samples; ++i)
        sorted.emplace_back(elements.compared(k.read(0, elements.place_of_sample(i))), i);
    std::sort(sorted.begin(), sorted.end());
    for (std::uint32_t splitter = 1; splitter < buckets; ++splitter) {
        const auto& [code, number] = sorted[splitter * samples / buckets];
        if (number >= first && number < end) k.scatter(0, splitter - 1, elements.words_of(code));
    }
}

/// The splitters, in order.
std::vector<std::uint64_t> splitters_of(CpuInvocation& k, const Shape& shape) {
    constexpr std::size_t splitters_port = 1;
    std::vector<std::uint64_t> splitters;
    for (std::uint32_t i = 0; i + 1 < shape.buckets_of(k.parameter(count_parameter)); ++i)
        splitters.push_back(shape.element_type().code_of(k.read(splitters_port, i)));
    return splitters;
}

/// The bucket of a code in tile `tile`.
std::uint32_t bucket_of(const std::vector<std::uint64_t>& splitters, std::uint64_t code, std::uint32_t tile,
                        std::uint32_t tiles) {
    const auto [first, behind] = std::equal_range(splitters.begin(), splitters.end(), code);
    const auto before = static_cast<std::uint32_t>(first - splitters.begin());
    const auto equal = static_cast<std::uint32_t>(behind - first);
    return equal < 2 ? before : before + 1 + tile * (equal - 1) / tiles;
}

/// The specification of shaders/radix/splitter_tile.glsl.
void divide_tile(CpuInvocation& k, const Shape& shape) {
    constexpr std::size_t starts_port = 1;
    const Elements elements(k, shape);
    const std::vector<std::uint64_t> splitters = splitters_of(k, shape);
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
                k.scatter(0, begin + place++, element);
        }
    }
}

/// The specification of shaders/radix/splitter_bucket.glsl.
void sort_bucket(CpuInvocation& k, const Shape& shape) {
    constexpr std::size_t starts_port = 2;
    const Elements elements(k, shape);
    if (elements.count() == 0 || k.instance >= elements.buckets()) return;
    std::uint32_t first = 0;
    std::vector<Element> records;
    for (std::uint32_t tile = 0; tile < elements.tiles(); ++tile) {
        const std::uint32_t start = tile * elements.buckets() + k.instance;
        const std::uint32_t begin = k.read(starts_port, start)[0];
        const bool last = k.instance + 1 == elements.buckets();
        const std::uint32_t end = last ? elements.size_of(tile) : k.read(starts_port, start + 1)[0];
        for (std::uint32_t i = begin; i < end; ++i)
            records.push_back(k.read(0, elements.begin_of(tile) + i));
        first += begin;
    }
    std::stable_sort(records.begin(), records.end(),
                     [&](const Element& a, const Element& b) { return elements.compared(a) < elements.compared(b); });
    for (std::uint32_t i = 0; i < records.size(); ++i)
        k.scatter(0, first + i, records[i]);
}

Port splitters_port(const Shape& shape, Access access) {
    return {.name = "splitters",
            .access = access,
            .words = shape.element_type().code_words(),
            .elements = shape.buckets() - 1,
            .role = PortRole::samples};
}

Port starts_port(const Shape& shape, Access access, std::uint32_t tiles) {
    return {.name = "starts", .access = access, .elements = tiles * shape.buckets(), .role = PortRole::starts};
}

/// Gives `kernel` the declarations that all three kernels share.
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

/// Gives `kernel` the declarations that the kernels of tiles and of buckets share.
void declare_tiles(Kernel& kernel, const Shape& shape, const Policy& sort) {
    radix::declare_digit_sort(kernel, sort);
    declare_buckets(kernel, shape);
}

/// Words with which a tile's group finds buckets: a search tree of splitters, and whether two splitters are equal.
std::uint32_t search_words(const Shape& shape) {
    return shape.buckets() * shape.element_type().code_words() + 1;
}

KernelPtr choose_kernel(const Shape& shape, const Limits& limits) {
    Kernel kernel;
    kernel.name = "splitter_choose";
    kernel.group_size = shape.choosing;
    kernel.inputs = {shape.element_type().port("source", Access::gather, any_elements)};
    kernel.outputs = {splitters_port(shape, Access::scatter)};
    kernel.defines = {{"GLSORT_CLUSTER", literal(Shape::cluster)}};
    enumeration::declare_ranks(kernel, shape.element_type(), shape.targets, limits);
    kernel.cpu = [shape](CpuInvocation& k) { choose(k, shape); };
    declare_buckets(kernel, shape);
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr tile_kernel(const Shape& shape) {
    Kernel kernel = radix::group_of("splitter_tile", shape.tile);
    const std::uint32_t tiles = shape.tiles_of_group();
    kernel.inputs = {shape.element_type().port("source", Access::gather, tiles * shape.tile.tile()),
                     splitters_port(shape, Access::gather)};
    kernel.outputs = {shape.element_type().port("target", Access::scatter, tiles * shape.tile.tile()),
                      starts_port(shape, Access::scatter, tiles)};
    kernel.defines.emplace_back("GLSORT_TREE", literal(shape.buckets()));
    if (shape.follows_count()) kernel.defines.emplace_back("GLSORT_TILE_GROUPS", literal(shape.tile_groups));
    declare_tiles(kernel, shape, shape.tile);
    kernel.shared_words += search_words(shape);
    kernel.shape.tile = tiles * shape.tile.tile();
    kernel.cpu = [shape](CpuInvocation& k) { divide_tile(k, shape); };
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr bucket_kernel(const Shape& shape) {
    Kernel kernel = radix::group_of("splitter_bucket", shape.bucket);
    kernel.inputs = {shape.element_type().port("source", Access::gather, shape.bucket.tile()),
                     splitters_port(shape, Access::gather), starts_port(shape, Access::gather, shape.tiles)};
    Port spare = shape.element_type().port("spare", Access::shared, any_elements);
    spare.specified = false;
    spare.writes_first = true;
    spare.role = PortRole::other;
    kernel.outputs = {shape.element_type().port("target", Access::scatter, shape.bucket.tile()), std::move(spare)};
    kernel.defines.emplace_back("GLSORT_MAX_TILES", literal(shape.tiles));
    // The first step of a binary search among the tiles.
    kernel.defines.emplace_back("GLSORT_FIRST_STEP", literal(std::bit_floor(shape.tiles - 1)));
    kernel.defines.emplace_back("GLSORT_PIECE_LANES", literal(shape.piece_lanes));
    kernel.defines.emplace_back("GLSORT_PARTLY", "1");
    declare_tiles(kernel, shape, shape.bucket);
    kernel.defines.emplace_back("GLSORT_CELLS", literal(shape.cells()));
    kernel.defines.emplace_back("GLSORT_CELL_BITS", literal(shape.cell_bits));
    kernel.defines.emplace_back("GLSORT_MAX_IN_CELL", literal(max_in_cell));
    if (shape.one_word) kernel.defines.emplace_back("GLSORT_ONE_WORD", "1");
    kernel.shared_words += piece_words(shape) + cell_sort_words(shape);
    kernel.parameters.push_back({"shift"});
    kernel.cpu = [shape](CpuInvocation& k) { sort_bucket(k, shape); };
    return std::make_shared<Kernel>(std::move(kernel));
}

/// Max elements of an invocation. The compiler unrolls loops over these.
constexpr std::uint32_t max_elements = 16;

std::uint32_t tile_words(const Shape& shape) {
    return shape.tile.sweep_words() + search_words(shape);
}

std::uint32_t bucket_words(const Shape& shape) {
    return shape.bucket.sweep_words() + piece_words(shape) + cell_sort_words(shape);
}

/// Divides tiles of the shape by groups of the device. Returns false if no group can.
bool set_tile(const SortFrame& frame, const radix::SplitterGroups& groups, Shape& shape) {
    const std::uint32_t size = shape.follows_count() ? groups.counted_tile : groups.tile;
    // Whole elements go through shared memory at once where there is room.
    for (const std::uint32_t words : {frame.element_type().words(), 1u}) {
        const auto tile = radix::ranking_tile_of(frame, groups.tile_invocations, size, words, groups.bucket_bits);
        if (!tile || tile->elements > max_elements) continue;
        shape.tile = *tile;
        if (4 * tile_words(shape) <= frame.limits().shared_memory) return true;
    }
    return false;
}

/// Gives the shape buckets with room for `size` elements. Returns false if no group can sort these.
bool set_bucket_size(const SortFrame& frame, const radix::SplitterGroups& groups, std::uint32_t size, Shape& shape) {
    constexpr std::uint32_t halves = 2;  // Numbers are exchanged in two halves (shaders/radix/crowded_cells.glsl).
    for (const std::uint32_t digit_bits : crowded_digit_bits) {
        const auto bucket = radix::ranking_tile_of(frame, groups.bucket_invocations, size, 1, digit_bits, halves);
        if (!bucket || bucket->elements > max_elements) continue;
        shape.bucket = *bucket;
        const std::uint32_t tile = bucket->tile();
        if (shape.one_word) shape.cell_bits = static_cast<std::uint32_t>(std::bit_width(tile - 1));
        shape.bucket.other_words = (shape.one_word ? shape.cells() : tile + shape.cells()) / 2;
        const std::uint32_t counted_tiles = records_for(groups.tiles * groups.tile, shape.tile.tile());
        shape.tiles = std::min(shape.follows_count() ? counted_tiles : groups.tiles, bucket->invocations);
        shape.tile_groups = std::min(groups.tiles, shape.tiles);
        shape.piece_lanes =
            std::min(shape.tiles > groups.tiles ? groups.piece_lanes / 2 : groups.piece_lanes, bucket->subgroup);
        shape.max_count = std::min(shape.tiles * shape.tile.tile(), shape.buckets() * shape.expected());
        if (shape.tiles > 1 && 4 * bucket_words(shape) <= frame.limits().shared_memory) return true;
    }
    return false;
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
    const std::uint32_t bits = frame.bits().end - frame.bits().first;
    if (bits <= tuning_of(frame).max_swept_bits) return false;
    return !of_scene || groups.tiles * groups.tile <= tuning_of(frame).max_split_of_scene;
}

/// Whether the device and the request allow a sort by splitters.
bool can_split(const SortFrame& frame) {
    constexpr std::uint32_t storage_blocks = 6;
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
                    .choosing = std::bit_floor(frame.limits().invocations),
                    .one_word = groups.one_word && frame.element_type().code_words() == 1,
                    .cell_bits = groups.cell_bits};
        if (frame.request.spec.gpu_count) shape.min_buckets = 1u << tuning_of(frame).splitters.front().bucket_bits;
        if (are_fastest(frame, groups, of_scene) && shape.choosing >= shape.targets && set_tile(frame, groups, shape) &&
            set_bucket(frame, groups, shape))
            shapes.push_back(shape);
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
    spare_ = frame.add_stream("spare", type.words(), 1, 2 * room);
}

bool SplitterSort::add(StreamId records) const {
    const auto fits = [this](const Shape& shape) { return frame_.n() <= shape.max_count; };
    const auto found = std::find_if(shapes_.begin(), shapes_.end(), fits);
    if (found == shapes_.end()) return false;
    const Shape& shape = *found;
    const BitRange bits = frame_.bits();
    const std::uint64_t mask = radix::mask_of(bits);
    const StreamUse elements{records, frame_.elements_of(records)};
    const StreamUse splitters{splitters_, Substream::range(0, shape.buckets() - 1)};
    const StreamUse divided{tiles_, Substream::first(frame_.count())};
    const StreamUse starts{starts_, Substream::first(parts_of(frame_.count(), shape.tile.tile()) * shape.buckets())};
    const StreamUse spare{spare_, Substream::first(frame_.count() * 2u)};
    int stage = 0;
    const auto add_op = [&](KernelPtr kernel, std::vector<StreamUse> reads, std::vector<StreamUse> writes,
                            const Substream& groups, const std::vector<Counted>& more = {}) {
        Op op;
        op.kernel = std::move(kernel);
        op.reads = std::move(reads);
        op.writes = std::move(writes);
        op.domain = groups;
        op.parameters = {frame_.count(), static_cast<std::uint32_t>(mask), static_cast<std::uint32_t>(mask >> 32)};
        op.parameters.insert(op.parameters.end(), more.begin(), more.end());
        op.labels = {.stage = stage++};
        frame_.add(std::move(op));
    };
    add_op(choose_kernel(shape, frame_.limits()), {elements}, {splitters},
           Substream::range(0, records_for(shape.samples(), shape.targets)));
    add_op(tile_kernel(shape), {elements, splitters}, {divided, starts},
           shape.follows_count() ? Substream::range(0, shape.tile_groups) : frame_.records_of(shape.tile.tile()));
    add_op(bucket_kernel(shape), {divided, splitters, starts}, {elements, spare}, Substream::range(0, shape.buckets()),
           {bits.first});
    return true;
}

std::uint32_t SplitterSort::max_enumerated() const {
    return can_split(frame_) ? tuning_of(frame_).min_split - 1 : 0xffffffffu;
}

std::vector<std::uint32_t> SplitterSort::counts(const SortFrame& frame, bool of_scene) {
    if (!can_split(frame)) return {};
    std::vector<std::uint32_t> counts{tuning_of(frame).min_split - 1};
    for (const Shape& shape : shapes_of(frame, of_scene))
        counts.push_back(shape.max_count);
    return counts;
}

}  // namespace glsort::splitters
