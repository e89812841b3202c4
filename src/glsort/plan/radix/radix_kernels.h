#pragma once

#include <glsort/plan/digit_counts.h>
#include <glsort/plan/element_type.h>
#include <glsort/plan/group_scan.h>
#include <glsort/plan/radix/tuning.h>
#include <glsort/plan/sort_frame.h>
#include <glsort/stream/program.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

/// The kernels of the radix sorts (plan/radix/radix.h).

namespace glsort::radix {

/// Bits of an element's code, counted from the lowest.
struct Digit {
    std::uint32_t shift = 0;
    std::uint32_t bits = 8;  ///< 1 to `max_digit_bits`. In `group_kernel`: all compared bits.
};

/// Values that all kernels of one program share.
struct Policy {
    ElementType element_type;
    std::uint32_t invocations = 128;  ///< Per group: a multiple of `scan_row`; without subgroups a power of two.
    std::uint32_t elements = 8;       ///< Per invocation; without subgroups a power of two.
    std::uint32_t digit_bits = 8;     ///< Bits of the longest digit.
    /// Whether each invocation of a group counts and moves a part of the partition by itself, element by element. Only
    /// for `count_kernel` and `scatter_kernel`. No invocation then waits for another. With `alone`, `invocations` and
    /// `elements` may be any numbers.
    bool alone = false;
    /// Max partitions, unless these would have too many tiles. 256 keep a GPU busy, and fewer counts are quicker to
    /// scan.
    std::uint32_t max_partitions = 256;
    std::uint32_t max_tiles = 0xffffffffu;  ///< Of a partition.
    // Only for kernels in which subgroups rank elements:
    Subgroups subgroups = Subgroups::none;
    std::uint32_t subgroup = 32;  ///< Invocations of a subgroup.
    /// Parts of a tile that is moved. The parts go through shared memory one after the other. Divides `elements`.
    std::uint32_t parts = 1;
    /// Words of an element that go through shared memory at once.
    std::uint32_t words_at_once = 1;
    /// An unused slot follows each 2^bank_row slots of a part, so that sorted input reaches all banks of shared memory
    /// (shaders/radix/radix_move.glsl). 0: there are no unused slots.
    std::uint32_t bank_row = 0;
    bool keeps_counts = false;  ///< Whether invocations keep the counts of their digit in registers.
    bool aligned = false;       ///< Whether no digit lies across two words of a code.
    /// How often a group reads a word that another group has not written. After that, the group counts the other
    /// group's tile.
    std::uint32_t longest_wait = 1u << 16;
    std::uint32_t look_back = 4;  ///< Words of earlier tiles and blocks that an invocation fetches at once, at least 2.
    /// Whether a word holds the counts of two subgroups. Only with `Subgroups::khr`.
    bool counts_in_halves = false;

    std::uint32_t tile() const { return invocations * elements; }
    std::uint32_t digits() const { return 1u << digit_bits; }
    /// Parts of a partition that are counted apart.
    std::uint32_t counted_parts() const { return alone ? invocations : 1; }
    /// Words of `counts` for a partition.
    std::uint32_t counters() const { return digits() * counted_parts(); }
    /// Words of shared memory for sorting a tile without subgroups.
    std::uint32_t tile_words() const;
    /// Words of shared memory in which a sweep ranks and exchanges elements, and all words that a sweep takes.
    std::uint32_t memory_words() const;
    std::uint32_t sweep_words() const;
    /// What a histogram counts for `passes` digits. The result leaves `bits` open.
    DigitCounts digit_counts(std::uint32_t passes) const;
    /// All words of shared memory that a scatter without subgroups takes.
    std::uint32_t shared_words() const;
};

/// Begins a kernel whose groups work on tiles. Sets the name, the group size, and the definitions that such bodies
/// expect.
Kernel kernel_of_groups(const char* name, const Policy& policy);

/// Declares that `kernel` sorts a tile by several digits, ranked by ballots (shaders/radix/radix_rounds.glsl).
void declare_digit_sort(Kernel& kernel, const Policy& policy);

/// The specification of shaders/radix/radix_rounds.glsl: sorts elements of a group by bits of their codes. Elements
/// with equal bits keep their order. `first`: the index of the first element, for the trace.
void sort_by_digits(CpuInvocation& k, const Policy& policy, const BitRange& bits, std::vector<Element>& records,
                    std::uint32_t first = 0);

/// Max bits of a digit by which the subgroups of a context can rank elements.
std::uint32_t max_ranked_bits(const Limits& limits);
/// Bits of a digit by which subgroups rank elements: the request's digit length, or else `max_ranked_bits`.
std::uint32_t ranked_bits(const SortFrame& frame);

/// Kernels that rank elements by ballots, with about `invocations` invocations per group and `elements` elements per
/// invocation. Reduces both numbers, and the digits, to fit the limits. Throws `Error` if the request's digits are too
/// long for the subgroups or for shared memory.
Policy ranking_of(const SortFrame& frame, std::uint32_t invocations, std::uint32_t elements);
/// Like `ranking_of`, for tiles of exactly `tile` elements. Empty if no group of the device ranks such a tile.
/// `digit_bits`: max bits of a digit. 0: `ranked_bits`. `halves`: whether half a word may count, if whole words have no
/// room.
std::optional<Policy> ranking_tile_of(const SortFrame& frame, std::uint32_t invocations, std::uint32_t tile,
                                      std::uint32_t words_at_once = 1, std::uint32_t digit_bits = 0,
                                      bool halves = false);
/// Like `ranking_of`, for kernels that move elements of the given type in parts.
Policy moving_of(const SortFrame& frame, const ElementType& element_type, const MoveShape& shape);
/// The place of elements of the given type in `MoveShapes` and in `Tuning::sizes`.
std::size_t shape_of(const ElementType& element_type);

/// The partitions of n elements. All but the last have `length` elements.
struct Partitions {
    Counted number = 0;
    Counted length = 0;  ///< Elements of a partition: whole tiles.
};

Partitions partitions_of(const Policy& policy, const Counted& n);
/// The partitions of a count on the GPU. The capacity gives the number of partitions, and their length follows the
/// count. The last partitions may be empty.
Partitions partitions_by_number(const Policy& policy, const Counted& n);
/// The counts whose partitions have the length of the partitions of n elements.
CountRange counts_with_partitions_of(const Policy& policy, std::uint32_t n);
/// Max partitions of any n up to `count`. A smaller n may have more, shorter partitions.
std::uint32_t partitions_up_to(const Policy& policy, std::uint32_t count);

/// The digits that cover the compared bits.
std::vector<Digit> digits_of(const BitRange& bits, std::uint32_t digit_bits);

/// `radix_count`: counts how often each digit occurs in each partition, or in each part of a partition
/// (`Policy::alone`). Writes element digit * parts + part of `counts`. Parameters: count, shift, bits, parts (of all
/// partitions), length (of a partition). The domain counts partitions.
KernelPtr count_kernel(const Policy& policy);

/// `radix_scan`: writes for each element the sum of all earlier elements. Parameter: elements. The domain is one group.
KernelPtr scan_kernel(const SortFrame& frame);

/// `radix_scatter`: moves the elements of each partition. `offsets` has the place of the first element of each digit.
/// The other elements with this digit follow. Parameters and domain as `radix_count`.
KernelPtr scatter_kernel(const Policy& policy);

// Kernels of one-sweep.

/// The layout of `status`. Each block of tiles has a row, and the rows of its tiles follow. A row has a word for each
/// digit (shaders/radix/look_back.glsl). The stream is double-buffered: passes use two halves alternately.
/// `radix_histogram` clears all of `status`. A pass between two others clears the idle half.
struct Status {
    static constexpr std::uint32_t block_bits = 4;
    static constexpr std::uint32_t block = 1u << block_bits;  ///< Tiles of a block.

    std::uint32_t passes = 0;
    Counted blocks = 0;
    std::uint32_t digits = 0;

    static constexpr std::uint32_t row_of(std::uint32_t tile) { return tile + tile / block + 1; }
    /// The row of the block that has the tile. Only tests use this function.
    static constexpr std::uint32_t block_row_of(std::uint32_t tile) { return tile / block * (block + 1); }
    Counted half() const { return blocks * ((block + 1) * digits); }
    Counted first(std::uint32_t pass) const { return half() * (pass % 2); }
    /// The start of the half that the pass fills with zeros for the next pass. The first and the last pass clear
    /// nothing. They get the start of their own half.
    Counted stale(std::uint32_t pass) const { return first(pass > 0 && pass + 1 < passes ? pass + 1 : pass); }
    Counted size() const { return half() * std::min(passes, 2u); }
};

/// `radix_histogram`: adds how often each digit of each pass occurs to element pass * digits + digit of `sums`, which
/// must be zero. Clears `status`. Parameters: count, first and end (of the bits to sort by), status (its size), length
/// (of a partition). The domain counts partitions.
KernelPtr histogram_kernel(const Policy& policy, std::uint32_t passes);

/// The order of elements with equal digits.
enum class SweepOrder {
    stable,
    /// Any order: a sweep of the first digit (shaders/radix/radix_rank_any_order.glsl). Later sweeps then have
    /// `any_before`.
    any,
    /// Stable, except for elements that agree in all lower bits. The first sweep left the order of such elements open,
    /// so this sweep may, too (shaders/radix/ties.glsl).
    any_before,
};

/// `radix_sweep`: moves all elements by one digit. Parameters: count, shift, bits, pass, first_status (start of the
/// pass's half in `status`), stale (`Status::stale`). The domain counts tiles. `counts`: only for the first sweep after
/// a histogram. This sweep moves the sums to `totals`, and leaves zeros. Other sweeps read `totals`. `loads_runs`: for
/// a load chunk with `glsort_load_run`, which loads all elements of an invocation at once (plan/element_source.h,
/// halves.h). `order`: of elements with equal digits.
KernelPtr sweep_kernel(const Policy& policy, SweepOrder order, const std::optional<DigitCounts>& counts = {},
                       bool loads_runs = false);

/// `radix_group`: sorts at most one tile by all bits. Uses subgroups if `policy` has them. Parameters: count, shift,
/// bits. The domain is one group.
KernelPtr group_kernel(const Policy& policy);

}  // namespace glsort::radix
