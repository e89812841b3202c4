#include <fmt/format.h>

#include <glsort/plan/sample/sample_kernels.h>
#include <glsort/stream/cpu_invocation.h>
#include <glsort/stream/search.h>

#include <algorithm>
#include <bit>
#include <vector>

namespace glsort::sample {
namespace {

enum : std::size_t { count_parameter, tiles_parameter, segments_parameter, seed_parameter };
enum : std::size_t { buckets_parameter = 1, window_parameter, windows_parameter, tiles_of_windows_parameter };

/// Whether an op also copies the elements of a segment that has outgrown its room.
enum class Rest { left, copied };

/// The segments of an op (shaders/sample/sample_segment.glsl).
class Segments {
  public:
    /// `starts`: the input with the starts of buckets, if any. `tiles`: the parameter with the tiles of a segment.
    Segments(CpuInvocation& k, const Policy& policy, std::uint32_t of_buckets, std::size_t starts,
             std::size_t tiles = tiles_parameter, Rest rest = Rest::left)
        : k_(&k),
          tile_(policy.tile),
          of_buckets_(of_buckets),
          starts_(starts),
          room_(k.parameter(tiles) * policy.tile),
          rest_(rest) {}

    std::uint32_t begin(std::uint32_t segment) const {
        if (of_buckets_ == 0) return segment * k_->parameter(count_parameter);
        return start(segment * of_buckets_);
    }
    std::uint32_t size(std::uint32_t segment) const {
        if (of_buckets_ > 1 && !divides_again(segment)) return 0;
        const std::uint32_t all = begin(segment + 1) - begin(segment);
        return rest_ == Rest::left && all > room_ ? 0 : all;
    }
    /// The elements for which a segment has tiles.
    std::uint32_t room() const { return room_; }
    /// Whether a group has all tiles of a segment.
    bool group_each() const { return of_buckets_ > 1; }

  private:
    std::uint32_t start(std::uint32_t bucket) const { return k_->read(starts_, bucket)[0]; }
    bool divides_again(std::uint32_t segment) const {
        bool outgrown = false;
        for (std::uint32_t bucket = segment * of_buckets_; bucket < (segment + 1) * of_buckets_; ++bucket)
            outgrown = outgrown || start(bucket + 1) - start(bucket) > tile_;
        return outgrown;
    }

    CpuInvocation* k_;
    std::uint32_t tile_;
    std::uint32_t of_buckets_;
    std::size_t starts_;
    std::uint32_t room_;
    Rest rest_;
};

/// A tile of a segment.
struct Tile {
    std::uint32_t segment;
    std::uint32_t number;  ///< Counted over all segments, which have equal numbers of tiles.
    std::uint32_t begin;
    std::uint32_t size;
};

/// Calls `visit` with the tiles of a group: `together` neighbouring tiles of a segment, or all tiles of a segment
/// (shaders/sample/sample_tiles.glsl).
template <class Visit>
void for_each_tile(const CpuInvocation& k, const Policy& policy, const Segments& segments, std::uint32_t together,
                   Visit visit) {
    const std::uint32_t tiles = k.parameter(tiles_parameter);
    const std::uint32_t groups = segments.group_each() ? 1 : records_for(tiles, together);
    const std::uint32_t segment = k.instance / groups;
    const std::uint32_t size = segments.size(segment);
    const std::uint32_t first = k.instance % groups * together;
    const std::uint32_t end = groups == 1 ? tiles : first + together;
    for (std::uint32_t i = first; i < end && i * policy.tile < size; ++i)
        visit(Tile{segment, segment * tiles + i, segments.begin(segment) + i * policy.tile,
                   std::min(size - i * policy.tile, policy.tile)});
}

/// The samples of a segment (shaders/sample/sample_draw.glsl).
class Samples {
  public:
    Samples(const CpuInvocation& k, const Policy& policy, const Cut& cut, const Segments& segments,
            std::uint32_t segment)
        : k_(&k), policy_(&policy), cut_(cut), segment_(segment), size_(segments.size(segment)) {}

    std::uint32_t count() const { return size_ / spacing(); }
    /// The place of sample `number` in the segment.
    std::uint32_t place(std::uint32_t number) const {
        const std::uint32_t tile = number / cut_.samples * policy_->tile;
        if (!policy_->random) {
            const bool whole = size_ - tile >= policy_->tile;
            return number * spacing() + (cut_.parts > 1 && whole ? phase(number / cut_.samples) : spacing() - 1);
        }
        const std::uint32_t drawn = hash(number ^ hash(segment_ ^ hash(k_->parameter(seed_parameter))));
        return tile + drawn % std::min(size_ - tile, policy_->tile);
    }
    /// How many of the sorted samples lie before `bucket`, including the sample that ends the previous bucket.
    std::uint32_t before(std::uint32_t bucket) const {
        return static_cast<std::uint32_t>(std::uint64_t{count()} * bucket / (cut_.segments * cut_.parts));
    }

  private:
    static std::uint32_t hash(std::uint32_t x) {
        x = (x ^ x >> 16) * 0x7feb352du;
        x = (x ^ x >> 15) * 0x846ca68bu;
        return x ^ x >> 16;
    }
    std::uint32_t spacing() const { return policy_->tile / cut_.samples; }
    std::uint32_t phase(std::uint32_t tile) const {
        constexpr std::uint32_t golden = 0x9e3779b9u;
        return (tile * golden >> 16) * spacing() >> 16;
    }

    const CpuInvocation* k_;
    const Policy* policy_;
    Cut cut_;
    std::uint32_t segment_;
    std::uint32_t size_;
};

/// The element at a place, as a sample (shaders/sample/sample_record.glsl).
Element sample_at(CpuInvocation& k, const Policy& policy, std::uint32_t place) {
    Element element = k.read(0, place);
    if (policy.placed()) element[policy.element_type.code_words()] = place;
    return element;
}

/// Sorts a tile by digits. `first`: the index of the first element, for the trace.
void sort_by_digits(CpuInvocation& k, const Policy& policy, std::vector<Element>& records, std::uint32_t first) {
    radix::sort_by_digits(k, *policy.digits, {0, 32 * policy.element_type.code_words()}, records, first);
}

/// Sorts elements begin ... end-1.
void sort_range(CpuInvocation& k, const Policy& policy, std::uint32_t begin, std::uint32_t end) {
    std::vector<Element> records;
    for (std::uint32_t i = begin; i < end; ++i)
        records.push_back(k.read(0, i));
    if (policy.digits)
        sort_by_digits(k, policy, records, begin);
    else
        policy.element_type.sort(k, records);
    for (std::uint32_t i = begin; i < end; ++i)
        k.scatter(0, i, records[i - begin]);
}

/// The specification of shaders/sample/sample_tile.glsl.
void sort_tiles(CpuInvocation& k, const Policy& policy, const Segments& segments) {
    for_each_tile(k, policy, segments, 1, [&](const Tile& tile) {
        sort_range(k, policy, tile.begin, tile.begin + tile.size);
        const std::uint32_t behind = segments.begin(tile.segment) + segments.room();
        if (tile.begin + policy.tile != behind) return;
        for (std::uint32_t i = behind; i < segments.begin(tile.segment) + segments.size(tile.segment); ++i)
            k.scatter(0, i, k.read(0, i));
    });
}

/// The specification of shaders/sample/sample_take.glsl.
void take(CpuInvocation& k, const Policy& policy, const Level& level, const Segments& segments) {
    k.write(0, 0, sample_at(k, policy, Samples(k, policy, level.cut, segments, 0).place(k.instance)));
}

/// The specification of shaders/sample/sample_sort.glsl.
void sort_samples(CpuInvocation& k, const Policy& policy, const Level& level, const Segments& segments) {
    if (segments.size(k.instance) == 0) return;
    const Samples samples(k, policy, level.cut, segments, k.instance);
    std::vector<Element> records;
    for (std::uint32_t i = 0; i < samples.count(); ++i)
        records.push_back(sample_at(k, policy, segments.begin(k.instance) + samples.place(i)));
    if (policy.digits_sort_samples())
        sort_by_digits(k, policy, records, 0);
    else
        policy.sample.sort(k, records);
    const std::uint32_t first = k.instance * k.parameter(tiles_parameter) * level.cut.samples;
    for (std::uint32_t i = 0; i < records.size(); ++i)
        k.scatter(0, first + i, records[i]);
}

/// The specification of shaders/sample/sample_place.glsl.
void place(CpuInvocation& k, const Policy& policy, const Level& level, const Segments& segments) {
    constexpr std::size_t samples_port = 1;
    for_each_tile(k, policy, segments, 1, [&](const Tile& tile) {
        const Samples samples(k, policy, level.cut, segments, tile.segment);
        const std::uint32_t first = tile.segment * k.parameter(tiles_parameter) * level.cut.samples;
        std::uint32_t found = 0;
        for (std::uint32_t bucket = 0; bucket < level.buckets_each(); ++bucket) {
            if (const std::uint32_t before = samples.before(bucket); before > 0) {
                const Element last = k.read(samples_port, first + before - 1);
                while (found < tile.size && !k.precedes(last, sample_at(k, policy, tile.begin + found)))
                    ++found;
            }
            k.scatter(0, tile.number * level.buckets_each() + bucket, {found});
        }
    });
}

/// The specification of shaders/sample/sample_prefix.glsl.
void prefix(CpuInvocation& k, const Policy& policy, const Level& level, const Segments& segments) {
    constexpr std::size_t moves_port = 0;
    constexpr std::size_t buckets_port = 1;
    const std::uint32_t buckets = level.buckets_each();
    const std::uint32_t segment = k.instance / column_groups_of(policy, level);
    const std::uint32_t first = k.instance % column_groups_of(policy, level) * columns_of(policy, level);
    const std::uint32_t first_tile = segment * k.parameter(tiles_parameter);
    const std::uint32_t size = segments.size(segment);
    const std::uint32_t tiles = records_for(size, policy.tile);
    const auto place_of = [&](std::uint32_t tile, std::uint32_t bucket) {
        if (bucket == buckets) return std::min(size - tile * policy.tile, policy.tile);
        return k.read(0, (first_tile + tile) * buckets + bucket)[0];
    };
    for (std::uint32_t bucket = first; bucket < std::min(first + columns_of(policy, level), buckets); ++bucket) {
        std::uint32_t start = segments.begin(segment);
        for (std::uint32_t tile = 0; tile < tiles; ++tile)
            start += place_of(tile, bucket);
        std::uint32_t goal = start;
        for (std::uint32_t tile = 0; tile < tiles; ++tile) {
            const std::uint32_t found = place_of(tile, bucket);
            k.scatter(moves_port, (first_tile + tile) * buckets + bucket, {found, goal - found});
            goal += place_of(tile, bucket + 1) - found;
        }
        k.scatter(buckets_port, segment * buckets + bucket, {start});
    }
    if (k.instance == k.parameter(segments_parameter) * column_groups_of(policy, level) - 1)
        k.scatter(buckets_port, k.parameter(segments_parameter) * buckets, {k.parameter(count_parameter)});
}

/// The specification of shaders/sample/sample_relocate.glsl.
void relocate(CpuInvocation& k, const Policy& policy, const Level& level, const Segments& segments) {
    constexpr std::size_t moves_port = 1;
    const std::uint32_t together = tiles_together(policy.tile, level.buckets_each());
    for_each_tile(k, policy, segments, together, [&](const Tile& tile) {
        const std::uint32_t row = tile.number * level.buckets_each();
        for (std::uint32_t bucket = 0; bucket < level.buckets_each(); ++bucket) {
            const bool last = bucket + 1 == level.buckets_each();
            const Element move = k.read(moves_port, row + bucket);
            const std::uint32_t end = last ? tile.size : k.read(moves_port, row + bucket + 1)[0];
            for (std::uint32_t i = move[0]; i < end; ++i)
                k.scatter(0, move[1] + i, k.read(0, tile.begin + i));
        }
    });
}

/// The start of the first bucket from `low` to `high`-1 that begins at `place` or later. If no bucket does, the start
/// of bucket `high` (shaders/sample/sample_window.glsl).
std::uint32_t first_start(CpuInvocation& k, std::size_t starts, std::uint32_t low, std::uint32_t high,
                          std::uint32_t place) {
    const auto is_before = [&](std::uint32_t i) { return k.read(starts, low + i)[0] < place; };
    return k.read(starts, low + first_without(high - low, is_before))[0];
}

std::uint32_t window_begin(CpuInvocation& k, std::size_t starts, std::uint32_t window) {
    return first_start(k, starts, 0, k.parameter(buckets_parameter), window * k.parameter(window_parameter));
}

/// The specification of shaders/sample/sample_buckets.glsl.
void sort_buckets(CpuInvocation& k, const Policy& policy) {
    const std::uint32_t begin = window_begin(k, 1, k.instance);
    const std::uint32_t end = window_begin(k, 1, k.instance + 1);
    if (end - begin <= policy.tile) return sort_range(k, policy, begin, end);
    for (std::uint32_t i = begin; i < end; ++i)
        k.scatter(0, i, k.read(0, i));
}

/// The specification of shaders/sample/sample_buckets.glsl after a level that divides again.
void sort_buckets(CpuInvocation& k, const Policy& policy, const Level& level, const Segments& segments) {
    constexpr std::size_t starts_port = 1;
    constexpr std::size_t divided_port = 2;
    const std::uint32_t buckets = k.parameter(buckets_parameter);
    if (k.instance < buckets) {
        if (segments.size(k.instance / level.of_buckets) > 0) return;
        return sort_range(k, policy, k.read(starts_port, k.instance)[0], k.read(starts_port, k.instance + 1)[0]);
    }
    const std::uint32_t segment = k.instance - buckets;
    if (segments.size(segment) == 0) return;
    const std::uint32_t first = segment * level.buckets_each();
    const auto begin_of = [&](std::uint32_t window) {
        return first_start(k, divided_port, first, first + level.buckets_each(),
                           segments.begin(segment) + window * k.parameter(window_parameter));
    };
    for (std::uint32_t window = 0; window < k.parameter(windows_parameter); ++window)
        sort_range(k, policy, begin_of(window), begin_of(window + 1));
}

/// The specification of shaders/sample/sample_outgrown.glsl.
void sort_outgrown(CpuInvocation& k, const Policy& policy) {
    const std::uint32_t begin = window_begin(k, 0, k.instance);
    const std::uint32_t end = window_begin(k, 0, k.instance + 1);
    if (end - begin <= policy.tile) return;
    std::vector<Element> records;
    for (std::uint32_t i = begin; i < end; ++i)
        records.push_back(k.shared(0, i));
    policy.element_type.sort(k, records);
    for (std::uint32_t i = begin; i < end; ++i)
        k.scatter(0, i, records[i - begin]);
}

/// The specification of shaders/sample/sample_step.glsl.
void network_step(CpuInvocation& k) {
    constexpr std::size_t mask_parameter = 1;
    std::uint32_t low = 0;
    std::uint32_t high = k.parameter(0);
    while (high - low > 1) {
        const std::uint32_t middle = (low + high) / 2;
        (k.read(1, middle)[0] <= k.instance ? low : high) = middle;
    }
    const std::uint32_t begin = k.read(1, low)[0];
    const std::uint32_t partner = begin + ((k.instance - begin) ^ k.parameter(mask_parameter));
    Element mine = k.read(0, k.instance);
    if (partner < k.read(1, low + 1)[0]) {
        const Element other = k.read(0, partner);
        if (k.precedes(other, mine) == (k.instance < partner)) mine = other;
    }
    k.write(0, 0, mine);
}

Port starts_port(std::uint32_t elements) {
    return {.name = "starts", .access = Access::gather, .elements = elements, .role = PortRole::starts};
}

/// A kernel whose groups sort up to `merges.tile()` elements by merges.
Kernel merging_kernel(const char* name, const Policy& policy) {
    Kernel kernel;
    kernel.name = name;
    merge::declare_tile_sort(kernel, policy.merges);
    return kernel;
}

/// The fill of a kernel's tiles. By digits, `partly` sorts few elements faster, but a full tile more slowly.
enum class Tiles { full, partly };

/// A kernel whose groups sort tiles. Equal keys in a tile must lie in input order.
Kernel sorting_kernel(const char* name, const Policy& policy, Tiles tiles) {
    if (!policy.digits) return merging_kernel(name, policy);
    Kernel kernel = radix::kernel_of_groups(name, *policy.digits);
    radix::declare_digit_sort(kernel, *policy.digits);
    if (tiles == Tiles::partly) kernel.defines.emplace_back("GLSORT_PARTLY", "1");
    return kernel;
}

/// The description of a kernel's division of elements, which the functions below fill in.
Division& division_of(Kernel& kernel) {
    if (!kernel.shape.division) kernel.shape.division.emplace();
    return *kernel.shape.division;
}

/// Gives a kernel the number of elements per sampled tile, even if the kernel sorts fewer. Also whether samples are
/// random.
void define_tile(Kernel& kernel, const Policy& policy) {
    division_of(kernel).tile = policy.tile;
    division_of(kernel).random = policy.random;
    kernel.defines.emplace_back("GLSORT_SAMPLED_TILE", literal(policy.tile));
    if (policy.random) kernel.defines.emplace_back("GLSORT_RANDOM", "1");
}

/// Adds an input with the starts of segments, unless all elements are one segment. Returns the number of the input.
std::size_t declare_starts(Kernel& kernel, std::uint32_t of_buckets) {
    if (of_buckets == 0) return 0;
    division_of(kernel).of_buckets = of_buckets;
    kernel.inputs.push_back(starts_port(of_buckets + 1));
    kernel.defines.emplace_back("GLSORT_OF_BUCKETS", literal(of_buckets));
    if (of_buckets > 1) kernel.defines.emplace_back("GLSORT_AGAIN", "1");
    return kernel.inputs.size() - 1;
}

/// Adds the parameters of segments to a kernel. `body`: the kernel's specification, which gets the segments.
template <class Body>
void declare_segments(Kernel& kernel, const Policy& policy, std::uint32_t of_buckets, Body body,
                      Rest rest = Rest::left) {
    kernel.parameters = {{"count"}, {"tiles"}, {"segments"}};
    if (policy.random) kernel.parameters.push_back({"seed"});
    define_tile(kernel, policy);
    kernel.shape.count = KernelNumber::parameter(count_parameter);
    division_of(kernel).tiles = KernelNumber::parameter(tiles_parameter);
    division_of(kernel).segments = KernelNumber::parameter(segments_parameter);
    const std::size_t starts = declare_starts(kernel, of_buckets);
    if (rest == Rest::copied) kernel.defines.emplace_back("GLSORT_REST", "1");
    kernel.cpu = [=](CpuInvocation& k) { body(k, Segments(k, policy, of_buckets, starts, tiles_parameter, rest)); };
}

/// Declares that a kernel takes samples, or compares elements with samples.
void declare_samples(Kernel& kernel, const Policy& policy, const Level& level) {
    if (policy.placed()) kernel.defines.emplace_back("GLSORT_PLACED", "1");
    if (policy.element_type.words() == policy.element_type.code_words())
        kernel.defines.emplace_back("GLSORT_CODES_ALONE", "1");
    division_of(kernel).samples = level.cut.samples;
    kernel.defines.emplace_back("GLSORT_SAMPLES", literal(level.cut.samples));
    if (level.cut.parts > 1) kernel.defines.emplace_back("GLSORT_DITHERED", "1");
}

/// A kernel whose groups share only a few words.
Kernel plain_kernel(const char* name, const Policy& policy, const Level& level, std::uint32_t invocations) {
    Kernel kernel;
    kernel.name = name;
    kernel.group_size = std::clamp(invocations, 2u, policy.invocations);
    kernel.defines = {{"GLSORT_BUCKETS", literal(level.buckets_each())}};
    division_of(kernel).samples = level.cut.samples;
    division_of(kernel).buckets = level.buckets_each();
    return kernel;
}

KernelPtr finished(const ElementType& type, Kernel kernel, bool compares) {
    type.declare_in(kernel, compares);
    return std::make_shared<Kernel>(std::move(kernel));
}

/// Declares that a kernel sorts windows of buckets.
void declare_windows(Kernel& kernel, const Policy& policy) {
    define_tile(kernel, policy);
    kernel.parameters = {{"count"}, {"buckets"}, {"window"}};
    kernel.shape.count = KernelNumber::parameter(count_parameter);
    kernel.shape.window = KernelNumber::parameter(window_parameter);
}

KernelPtr make_tile_kernel(const Policy& policy, std::uint32_t of_buckets, Rest rest) {
    Kernel kernel = sorting_kernel("sample_tile", policy, Tiles::full);
    kernel.inputs = {policy.element_type.port("source", Access::gather, policy.tile)};
    kernel.outputs = {policy.element_type.port("target", Access::scatter, policy.tile)};
    kernel.shape.tile = policy.tile;
    declare_segments(
        kernel, policy, of_buckets,
        [policy](CpuInvocation& k, const Segments& segments) { sort_tiles(k, policy, segments); }, rest);
    // The only group reads its only tile into shared memory before the group writes.
    if (of_buckets == 0) kernel.reads_first = ReadsFirst::one_group;
    return finished(policy.element_type, std::move(kernel), true);
}

}  // namespace

KernelPtr tile_kernel(const Policy& policy, std::uint32_t of_buckets) {
    return make_tile_kernel(policy, of_buckets, Rest::left);
}

KernelPtr bucket_tile_kernel(const Policy& policy) {
    return make_tile_kernel(policy, 1, Rest::copied);
}

KernelPtr take_kernel(const Policy& policy, const Level& level) {
    Kernel kernel = plain_kernel("sample_take", policy, level, 1);
    kernel.group_size = 1;
    kernel.inputs = {policy.element_type.port("source", Access::gather, 1)};
    kernel.outputs = {policy.sample.port("samples", Access::linear, 1, PortRole::samples)};
    declare_segments(kernel, policy, 0,
                     [policy, level](CpuInvocation& k, const Segments& segments) { take(k, policy, level, segments); });
    declare_samples(kernel, policy, level);
    return finished(policy.sample, std::move(kernel), false);
}

KernelPtr sort_kernel(const Policy& policy, const Level& level) {
    // Segments seldom have the max number of samples.
    Kernel kernel = policy.digits_sort_samples() ? sorting_kernel("sample_sort", policy, Tiles::partly)
                                                 : merging_kernel("sample_sort", policy);
    kernel.inputs = {policy.element_type.port("source", Access::gather, level.samples_each())};
    kernel.outputs = {policy.sample.port("samples", Access::scatter, level.samples_each(), PortRole::samples)};
    declare_segments(kernel, policy, level.of_buckets, [policy, level](CpuInvocation& k, const Segments& segments) {
        sort_samples(k, policy, level, segments);
    });
    declare_samples(kernel, policy, level);
    return finished(policy.sample, std::move(kernel), true);
}

KernelPtr place_kernel(const Policy& policy, const Level& level) {
    const std::uint32_t buckets = level.buckets_each();
    Kernel kernel =
        plain_kernel("sample_place", policy, level, std::min(std::bit_ceil(std::max(buckets, 256u)), policy.tile));
    kernel.shared_words = kernel.group_size;
    if (policy.tile + kernel.shared_words <= policy.shared_words) {
        kernel.shared_words += policy.tile;
        kernel.defines.emplace_back("GLSORT_KEEPS_WORDS", "1");
    }
    // If elements are equal in their first words, whole elements are read.
    kernel.inputs = {policy.element_type.port("source", Access::gather, 2 * policy.tile),
                     policy.sample.port("samples", Access::gather, buckets, PortRole::samples)};
    kernel.outputs = {{.name = "places", .access = Access::scatter, .elements = buckets, .role = PortRole::places}};
    declare_segments(kernel, policy, level.of_buckets, [policy, level](CpuInvocation& k, const Segments& segments) {
        place(k, policy, level, segments);
    });
    declare_samples(kernel, policy, level);
    return finished(policy.sample, std::move(kernel), true);
}

std::uint32_t columns_of(const Policy& policy, const Level& level) {
    return std::min(level.buckets_each(), policy.prefix_columns);
}

std::uint32_t column_groups_of(const Policy& policy, const Level& level) {
    return records_for(level.buckets_each(), columns_of(policy, level));
}

KernelPtr prefix_kernel(const Policy& policy, const Level& level) {
    const std::uint32_t columns = columns_of(policy, level);
    const std::uint32_t fitting = std::bit_floor(std::max(policy.shared_words / (2 * columns), 1u));
    const std::uint32_t parts =
        std::min(std::clamp(std::bit_ceil(level.tiles) / 2, policy.min_prefix_parts, policy.max_prefix_parts), fitting);
    Kernel kernel = plain_kernel("sample_prefix", policy, level, columns * parts);
    kernel.defines.emplace_back("GLSORT_COLUMNS", literal(columns));
    kernel.shared_words = 2 * kernel.group_size;
    const std::uint32_t words = columns * level.tiles;
    kernel.inputs = {{.name = "places", .access = Access::gather, .elements = 4 * words, .role = PortRole::places}};
    kernel.outputs = {
        {.name = "moves", .access = Access::scatter, .words = 2, .elements = words, .role = PortRole::moves},
        {.name = "buckets", .access = Access::scatter, .elements = columns, .role = PortRole::starts}};
    declare_segments(kernel, policy, level.of_buckets, [policy, level](CpuInvocation& k, const Segments& segments) {
        prefix(k, policy, level, segments);
    });
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr relocate_kernel(const Policy& policy, const Level& level) {
    const std::uint32_t together = tiles_together(policy.tile, level.buckets_each());
    const std::uint32_t records = together * policy.tile;
    Kernel kernel = plain_kernel("sample_relocate", policy, level, records / policy.relocated_elements);
    kernel.defines.emplace_back("GLSORT_TOGETHER", fmt::format("{}", together));
    kernel.shared_words = relocated_words(policy.tile, level.buckets_each());
    kernel.inputs = {policy.element_type.port("source", Access::gather, records),
                     {.name = "moves",
                      .access = Access::gather,
                      .words = 2,
                      .elements = together * level.buckets_each(),
                      .role = PortRole::moves}};
    kernel.outputs = {policy.element_type.port("target", Access::scatter, records)};
    declare_segments(kernel, policy, level.of_buckets, [policy, level](CpuInvocation& k, const Segments& segments) {
        relocate(k, policy, level, segments);
    });
    return finished(policy.element_type, std::move(kernel), false);
}

KernelPtr buckets_kernel(const Policy& policy) {
    Kernel kernel = sorting_kernel("sample_buckets", policy, Tiles::partly);
    kernel.inputs = {policy.element_type.port("source", Access::gather, policy.tile), starts_port(any_elements)};
    kernel.outputs = {policy.element_type.port("target", Access::scatter, policy.tile)};
    declare_windows(kernel, policy);
    kernel.cpu = [policy](CpuInvocation& k) { sort_buckets(k, policy); };
    return finished(policy.element_type, std::move(kernel), true);
}

KernelPtr buckets_kernel(const Policy& policy, const Level& level) {
    Kernel kernel = sorting_kernel("sample_buckets", policy, Tiles::partly);
    kernel.inputs = {policy.element_type.port("source", Access::gather, policy.tile)};
    const std::size_t starts = declare_starts(kernel, level.of_buckets);
    kernel.inputs.push_back(
        {.name = "divided", .access = Access::gather, .elements = any_elements, .role = PortRole::starts});
    kernel.outputs = {policy.element_type.port("target", Access::scatter, policy.tile)};
    kernel.defines.emplace_back("GLSORT_BUCKETS", literal(level.buckets_each()));
    declare_windows(kernel, policy);
    kernel.parameters.push_back({"windows"});
    kernel.parameters.push_back({"tiles"});
    kernel.cpu = [=](CpuInvocation& k) {
        sort_buckets(k, policy, level, Segments(k, policy, level.of_buckets, starts, tiles_of_windows_parameter));
    };
    return finished(policy.element_type, std::move(kernel), true);
}

KernelPtr outgrown_kernel(const Policy& policy) {
    Kernel kernel;
    kernel.name = "sample_outgrown";
    kernel.group_size = policy.invocations;
    kernel.inputs = {starts_port(any_elements)};
    kernel.outputs = {policy.element_type.port("records", Access::shared, any_elements)};
    declare_windows(kernel, policy);
    kernel.cpu = [policy](CpuInvocation& k) { sort_outgrown(k, policy); };
    return finished(policy.element_type, std::move(kernel), true);
}

KernelPtr step_kernel(const Policy& policy) {
    Kernel kernel;
    kernel.name = "sample_step";
    kernel.inputs = {policy.element_type.port("source", Access::gather, 2), starts_port(any_elements)};
    kernel.outputs = {policy.element_type.port("target", Access::linear, 1)};
    kernel.parameters = {{"buckets"}, {"mask"}};
    division_of(kernel).tile = policy.tile;
    kernel.cpu = [](CpuInvocation& k) { network_step(k); };
    return finished(policy.element_type, std::move(kernel), true);
}

}  // namespace glsort::sample
