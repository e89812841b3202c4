#include <glsort/plan/element_source.h>
#include <glsort/plan/radix/radix_kernels.h>
#include <glsort/plan/radix/splitter_sort.h>
#include <glsort/plan/radix/tuning.h>
#include <glsort/stream/cpu_invocation.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace glsort::splitters {
namespace {

using radix::Policy;
using radix::tuning_of;

// Parameters of both kernels. The masks select the compared bits of the low and the high word of a code.
enum : std::size_t { count_parameter, shift_parameter, bits_parameter, mask_parameter, high_mask_parameter };

using Shape = SplitterSort::Shape;

/// Words of all samples in shared memory. A word of padding follows the samples of each tile.
std::uint32_t sample_words(const Shape& shape) {
    return shape.tiles * (shape.samples + 1) * shape.element_type().code_words();
}

/// Words that a bucket's group needs beyond those of its sort: the bounds of the bucket in each tile, the first place
/// and the source of each tile's piece, and the choice of the splitters.
std::uint32_t piece_words(const Shape& shape) {
    return 4 * shape.tiles + 6;
}

/// The place of sample 0 in a sorted tile (shaders/radix/splitter_samples.glsl).
std::uint32_t phase_of(const Shape& shape, std::uint32_t tile) {
    constexpr std::uint32_t golden = 0x9e3779b9u;
    return (tile * golden >> 16) * shape.spacing() >> 16;
}

/// The samples of a tile with `size` elements.
std::uint32_t samples_of(const Shape& shape, std::uint32_t tile, std::uint32_t size) {
    const std::uint32_t phase = phase_of(shape, tile);
    return size > phase ? (size - phase - 1) / shape.spacing() + 1 : 0;
}

/// What the bodies of both kernels ask about their elements.
class Elements {
  public:
    Elements(CpuInvocation& k, const Shape& shape) : k_(k), shape_(shape) {}

    std::uint32_t count() const { return k_.parameter(count_parameter); }
    std::uint32_t tiles() const { return records_for(count(), shape_.tile.tile()); }
    std::uint32_t begin_of(std::uint32_t tile) const { return tile * shape_.tile.tile(); }
    std::uint32_t size_of(std::uint32_t tile) const { return std::min(shape_.tile.tile(), count() - begin_of(tile)); }
    BitRange bits() const {
        const std::uint32_t first = k_.parameter(shift_parameter);
        return {first, first + k_.parameter(bits_parameter)};
    }
    std::uint64_t compared(const Element& element) const {
        const std::uint64_t mask =
            std::uint64_t{k_.parameter(high_mask_parameter)} << 32 | k_.parameter(mask_parameter);
        return shape_.element_type().code_of(element) & mask;
    }
    /// Compared bits as a sample, the high word first.
    Element sample_of(const Element& element) const {
        const std::uint64_t code = compared(element);
        const auto low = static_cast<std::uint32_t>(code);
        if (shape_.element_type().code_words() == 1) return {low};
        return {static_cast<std::uint32_t>(code >> 32), low};
    }

  private:
    CpuInvocation& k_;
    const Shape& shape_;
};

/// The specification of shaders/radix/splitter_tile.glsl.
void sort_tile(CpuInvocation& k, const Shape& shape) {
    constexpr std::size_t samples_port = 1;
    const Elements elements(k, shape);
    const std::uint32_t begin = elements.begin_of(k.instance);
    std::vector<Element> records;
    for (std::uint32_t i = 0; i < elements.size_of(k.instance); ++i)
        records.push_back(k.read(0, begin + i));
    radix::sort_by_digits(k, shape.tile, elements.bits(), records, begin);
    for (std::uint32_t i = 0; i < records.size(); ++i)
        k.scatter(0, begin + i, records[i]);
    const std::uint32_t phase = phase_of(shape, k.instance);
    for (std::uint32_t i = 0; phase + i * shape.spacing() < records.size(); ++i)
        k.scatter(samples_port, k.instance * shape.samples + i,
                  elements.sample_of(records[phase + i * shape.spacing()]));
}

/// A sample's bits and number. The order of these pairs is that of the elements.
using Sample = std::pair<std::uint64_t, std::uint32_t>;

/// All samples, sorted.
std::vector<Sample> sorted_samples(CpuInvocation& k, const Shape& shape) {
    constexpr std::size_t samples_port = 1;
    const Elements elements(k, shape);
    const std::uint32_t last = elements.tiles() - 1;
    const std::uint32_t samples = last * shape.samples + samples_of(shape, last, elements.size_of(last));
    std::vector<Sample> sorted;
    for (std::uint32_t number = 0; number < samples; ++number) {
        const Element words = k.read(samples_port, number);
        const bool wide = shape.element_type().code_words() == 2;
        sorted.emplace_back(wide ? std::uint64_t{words[0]} << 32 | words[1] : words[0], number);
    }
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

/// For each tile, how many elements come before bucket `bucket`.
std::vector<std::uint32_t> bounds_of(CpuInvocation& k, const Shape& shape, const std::vector<Sample>& samples,
                                     std::uint32_t bucket) {
    const Elements elements(k, shape);
    std::vector<std::uint32_t> bounds(elements.tiles());
    const std::size_t before = samples.size() * bucket / shape.tiles;
    for (std::uint32_t tile = 0; tile < bounds.size(); ++tile) {
        if (bucket == shape.tiles) {
            bounds[tile] = elements.size_of(tile);
            continue;
        }
        if (before == 0) continue;
        const auto [code, number] = samples[before - 1];
        const std::uint32_t home = number / shape.samples;
        if (tile == home) {
            bounds[tile] = phase_of(shape, tile) + number % shape.samples * shape.spacing() + 1;
            continue;
        }
        // The tile is sorted.
        std::uint32_t low = 0;
        for (std::uint32_t high = elements.size_of(tile); low < high;) {
            const std::uint32_t middle = (low + high) / 2;
            const std::uint64_t met = elements.compared(k.read(0, elements.begin_of(tile) + middle));
            if (met < code || (met == code && tile < home))
                low = middle + 1;
            else
                high = middle;
        }
        bounds[tile] = low;
    }
    return bounds;
}

/// The specification of shaders/radix/splitter_bucket.glsl.
void sort_bucket(CpuInvocation& k, const Shape& shape) {
    const Elements elements(k, shape);
    if (elements.count() == 0) return;
    const std::vector<Sample> samples = sorted_samples(k, shape);
    const std::vector<std::uint32_t> begins = bounds_of(k, shape, samples, k.instance);
    const std::vector<std::uint32_t> ends = bounds_of(k, shape, samples, k.instance + 1);
    const std::uint32_t first = std::accumulate(begins.begin(), begins.end(), 0u);
    std::vector<Element> records;
    for (std::uint32_t tile = 0; tile < begins.size(); ++tile)
        for (std::uint32_t i = begins[tile]; i < ends[tile]; ++i)
            records.push_back(k.read(0, elements.begin_of(tile) + i));
    radix::sort_by_digits(k, shape.bucket, elements.bits(), records, first);
    for (std::uint32_t i = 0; i < records.size(); ++i)
        k.scatter(0, first + i, records[i]);
}

Port samples_port(const Shape& shape, Access access, std::uint32_t samples) {
    return {.name = "samples",
            .access = access,
            .words = shape.element_type().code_words(),
            .elements = samples,
            .role = PortRole::samples};
}

/// Gives `kernel` what both kernels have.
void declare_tiles(Kernel& kernel, const Shape& shape, const Policy& sort) {
    kernel.parameters = {{"count"}, {"shift"}, {"bits"}, {"mask"}, {"high_mask"}};
    radix::declare_digit_sort(kernel, sort);
    kernel.defines.emplace_back("GLSORT_SAMPLED_TILE", literal(shape.tile.tile()));
    kernel.defines.emplace_back("GLSORT_SAMPLES", literal(shape.samples));
    kernel.shape.count = KernelNumber::parameter(count_parameter);
    kernel.shape.digit =
        DigitShape{KernelNumber::parameter(shift_parameter), KernelNumber::parameter(bits_parameter), sort.digit_bits};
    kernel.shape.division = Division{.tile = shape.tile.tile(), .samples = shape.samples, .buckets = shape.tiles};
}

KernelPtr tile_kernel(const Shape& shape) {
    Kernel kernel = radix::group_of("splitter_tile", shape.tile);
    kernel.inputs = {shape.element_type().port("source", Access::gather, shape.tile.tile())};
    kernel.outputs = {shape.element_type().port("target", Access::scatter, shape.tile.tile()),
                      samples_port(shape, Access::scatter, shape.samples)};
    declare_tiles(kernel, shape, shape.tile);
    kernel.shape.tile = shape.tile.tile();
    kernel.cpu = [shape](CpuInvocation& k) { sort_tile(k, shape); };
    shape.element_type().declare_in(kernel, false);
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr bucket_kernel(const Shape& shape) {
    Kernel kernel = radix::group_of("splitter_bucket", shape.bucket);
    kernel.inputs = {shape.element_type().port("source", Access::gather, shape.bucket.tile()),
                     samples_port(shape, Access::gather, shape.all_samples())};
    Port spare = shape.element_type().port("spare", Access::shared, any_elements);
    spare.specified = false;
    spare.writes_first = true;
    spare.role = PortRole::other;
    kernel.outputs = {shape.element_type().port("target", Access::scatter, shape.bucket.tile()), std::move(spare)};
    declare_tiles(kernel, shape, shape.bucket);
    kernel.defines.emplace_back("GLSORT_BUCKETS", literal(shape.tiles));
    // The first step of a binary search among the tiles.
    kernel.defines.emplace_back("GLSORT_FIRST_STEP", literal(std::bit_floor(shape.tiles - 1)));
    kernel.defines.emplace_back("GLSORT_PARTLY", "1");
    kernel.shared_words += piece_words(shape);
    kernel.cpu = [shape](CpuInvocation& k) { sort_bucket(k, shape); };
    shape.element_type().declare_in(kernel, false);
    return std::make_shared<Kernel>(std::move(kernel));
}

/// The shape with the given groups, if the device can run them.
std::optional<Shape> shape_of(const SortFrame& frame, const radix::SplitterGroups& groups,
                              std::uint32_t words_at_once) {
    const Limits& limits = frame.limits();
    const auto tile = radix::ranking_tile_of(frame, groups.tile_invocations, groups.tile, words_at_once);
    const auto bucket = radix::ranking_tile_of(frame, groups.bucket_invocations, groups.bucket, words_at_once);
    if (!tile || !bucket) return std::nullopt;
    Shape shape{.tile = *tile, .bucket = *bucket, .samples = groups.samples};
    shape.tiles = std::min({limits.multiprocessors, tuning_of(frame).max_splitter_tiles, shape.bucket.invocations});
    // Two counts of samples share a word.
    constexpr std::uint32_t max_samples = 0xffff;
    shape.bucket.other_words = sample_words(shape) + shape.bucket.digits();
    const std::uint32_t words = shape.bucket.sweep_words() + piece_words(shape);
    if (shape.tiles < 2 || shape.all_samples() > max_samples || 4 * words > limits.shared_memory) return std::nullopt;
    return shape;
}

/// The shapes that the device can run, from small tiles to large ones.
std::vector<Shape> shapes_of(const SortFrame& frame) {
    constexpr std::uint32_t storage_blocks = 5;
    std::vector<Shape> shapes;
    const Limits& limits = frame.limits();
    if (limits.storage_blocks < storage_blocks || limits.multiprocessors == 0 || !limits.has_subgroups() ||
        frame.tuning().radix.digit_bits != 0 || frame.element_type().comparison() ||
        (frame.request.source && frame.request.source->digits))
        return shapes;
    for (const radix::SplitterGroups& groups : tuning_of(frame).splitters) {
        // Whole elements go through shared memory at once where there is room.
        std::optional<Shape> shape = shape_of(frame, groups, frame.element_type().words());
        if (!shape) shape = shape_of(frame, groups, 1);
        if (shape) shapes.push_back(*shape);
    }
    return shapes;
}

}  // namespace

SplitterSort::SplitterSort(SortFrame& frame) : frame_(frame), shapes_(shapes_of(frame)) {
    if (shapes_.empty()) return;
    const std::uint32_t room = std::min(frame.capacity(), shapes_.back().max_count());
    std::uint32_t all_samples = 0;
    for (const Shape& shape : shapes_)
        all_samples = std::max(all_samples, shape.all_samples());
    const ElementType& type = frame.element_type();
    tiles_ = frame.add_stream("tiles", type.words(), 1, room);
    samples_ = frame.add_stream("samples", type.code_words(), 1, all_samples);
    spare_ = frame.add_stream("spare", type.words(), 1, 2 * room);
}

bool SplitterSort::add(StreamId records) const {
    const auto fits = [this](const Shape& shape) { return frame_.n() <= shape.max_count(); };
    const auto found = std::find_if(shapes_.begin(), shapes_.end(), fits);
    if (found == shapes_.end()) return false;
    const Shape& shape = *found;
    const BitRange bits = frame_.bits();
    const std::uint64_t mask = radix::mask_of(bits);
    const std::vector<Counted> parameters{frame_.count(), bits.first, bits.end - bits.first,
                                          static_cast<std::uint32_t>(mask), static_cast<std::uint32_t>(mask >> 32)};
    const StreamUse elements{records, frame_.elements_of(records)};
    const StreamUse sorted{tiles_, Substream::first(frame_.count())};
    const StreamUse sampled{samples_, Substream::range(0, shape.all_samples())};
    Op tiles;
    tiles.kernel = tile_kernel(shape);
    tiles.reads = {elements};
    tiles.writes = {sorted, sampled};
    tiles.domain = frame_.records_of(shape.tile.tile());
    tiles.parameters = parameters;
    tiles.labels = {.stage = 0};
    frame_.add(std::move(tiles));
    Op buckets;
    buckets.kernel = bucket_kernel(shape);
    buckets.reads = {sorted, sampled};
    buckets.writes = {elements, {spare_, Substream::first(frame_.count() * 2u)}};
    buckets.domain = Substream::range(0, shape.tiles);
    buckets.parameters = parameters;
    buckets.labels = {.stage = 1};
    frame_.add(std::move(buckets));
    return true;
}

std::uint32_t SplitterSort::max_enumerated() const {
    return shapes_.empty() ? 0xffffffffu : tuning_of(frame_).min_split - 1;
}

std::vector<std::uint32_t> SplitterSort::counts(const SortFrame& frame) {
    const std::vector<Shape> shapes = shapes_of(frame);
    if (shapes.empty()) return {};
    std::vector<std::uint32_t> counts{tuning_of(frame).min_split - 1};
    for (const Shape& shape : shapes)
        counts.push_back(shape.max_count());
    return counts;
}

}  // namespace glsort::splitters
