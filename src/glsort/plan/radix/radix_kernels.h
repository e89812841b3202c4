#pragma once

#include <glsort/plan/group_scan.h>
#include <glsort/plan/radix/tuning.h>
#include <glsort/plan/record_type.h>
#include <glsort/plan/sort_frame.h>
#include <glsort/stream/program.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

/// The kernels of the radix sorts (plan/radix/radix.h).

namespace glsort::radix {

/// Bits of a record's code, the lowest first.
struct Digit {
    std::uint32_t shift = 0;
    std::uint32_t bits = 8;  ///< 1 to `most_digit_bits`; of `group_kernel` all that are compared.
};

/// What the kernels of one program have in common.
struct Setting {
    RecordType record;
    std::uint32_t invocations = 128;  ///< Of a group: a multiple of `scan_row`; without subgroups a power of two.
    std::uint32_t elements = 8;       ///< Of each; without subgroups a power of two.
    std::uint32_t digit_bits = 8;     ///< Of the longest digit.
    bool one_tile = false;            ///< Stretches are tiles.
    /// As many as keep a GPU busy: fewer elements are scanned than sorted.
    std::uint32_t most_stretches = 256;
    // Of a sweep, and of `group_kernel`:
    Subgroups subgroups = Subgroups::none;
    std::uint32_t subgroup = 32;  ///< Invocations of a subgroup.
    /// Of a tile that is moved, which go through shared memory one after the other; divides `elements`.
    std::uint32_t parts = 1;
    /// Words of a record that go through it at once.
    std::uint32_t words_at_once = 1;
    bool aligned = false;  ///< No digit lies across two words of a code.
    /// How often a group looks at a word that another has not written before it counts that one's tile itself.
    std::uint32_t longest_wait = 1u << 16;
    std::uint32_t look_back = 4;  ///< Words of tiles before its own that an invocation asks for at once.

    std::uint32_t tile() const { return invocations * elements; }
    std::uint32_t digits() const { return 1u << digit_bits; }
    /// Words of shared memory that sorting a tile takes.
    std::uint32_t tile_words() const;
    /// Words that a sweep ranks elements in, and exchanges them by; and all that it takes.
    std::uint32_t memory_words() const;
    std::uint32_t sweep_words() const;
    /// What a scatter without subgroups takes in all.
    std::uint32_t shared_words() const;
};

using KernelPtr = std::shared_ptr<const Kernel>;

/// A kernel of groups that have a tile each: its name, and what its body is told of the setting.
Kernel group_of(const char* name, const Setting& setting);

/// Makes `kernel` one that sorts a tile by several digits, ranked by ballots (shaders/radix/radix_rounds.glsl).
void declare_digit_sort(Kernel& kernel, const Setting& setting);

/// The longest digit that subgroups of a context with such limits rank elements by.
std::uint32_t most_ranked_bits(const Limits& limits);

/// Kernels that rank elements by ballots, with groups of about so many invocations, and elements of each, fewer where
/// the limits are less, and shorter digits. Throws `Error` where digits are asked for that are too long for
/// the subgroups, or for shared memory.
Setting ranking_of(const SortFrame& frame, std::uint32_t invocations, std::uint32_t elements);
/// The same for kernels that move records of that type, in parts.
Setting moving_of(const SortFrame& frame, const RecordType& record, const MoveShape& shape);
/// The shape for records of that type.
const MoveShape& shape_in(const MoveShapes& shapes, const RecordType& record);

/// The stretches of n elements: `stretches` of `length` elements each, but the last.
struct Stretches {
    Counted number = 0;
    std::uint32_t length = 0;  ///< Whole tiles.
};

Stretches stretches_of(const Setting& setting, const Counted& n);
/// The counts whose stretches are as long as those of n elements.
CountRange stretches_alike(const Setting& setting, std::uint32_t n);
/// The most stretches of any n up to `count`: a smaller n may have more of them, and shorter ones.
std::uint32_t stretches_up_to(const Setting& setting, std::uint32_t count);

/// The digits of the bits that are compared.
std::vector<Digit> digits_of(const BitRange& bits, std::uint32_t digit_bits);

/// `radix_count`: how often each digit occurs in each stretch, into element digit * stretches + stretch of
/// `counts`. Parameters: count, shift, bits, stretches, length. Its domain counts stretches.
KernelPtr count_kernel(const Setting& setting);

/// `radix_scan`: the sums of all elements before each. Parameter: elements. Its domain is one group.
KernelPtr scan_kernel(const SortFrame& frame);

/// `radix_scatter`: the elements of each stretch, to where `offsets` says that the first of each digit goes, and
/// behind it. Parameters and domain as `radix_count`.
KernelPtr scatter_kernel(const Setting& setting);

// Of one sweep a digit.

/// Where in `status` a pass keeps what: two halves take turns, so that what is used again and again is little; behind
/// them is the number of tiles that each pass has taken. `radix_histogram` makes all of it zero; then a pass that has
/// one before it and one behind it makes the half zero that it does not use itself.
struct Status {
    std::uint32_t passes = 0;
    Counted tiles = 0;
    std::uint32_t digits = 0;

    Counted half() const { return tiles * digits; }
    Counted first(std::uint32_t pass) const { return half() * (pass % 2); }
    /// Where the half begins that the pass makes zero; its own: none.
    Counted stale(std::uint32_t pass) const { return first(pass > 0 && pass + 1 < passes ? pass + 1 : pass); }
    Counted ticket(std::uint32_t pass) const { return half() * std::min(passes, 2u) + pass; }
    Counted size() const { return ticket(passes); }
};

/// `radix_histogram`: how often each digit of each pass occurs, into element pass * digits + digit of `totals`; and
/// `status` becomes zero. `sums` begins zero and is left so: a word for each of `totals`, and one that counts the
/// groups that are done. Parameters: count, first, end (of the bits that are sorted by), status (its size), length (of
/// a stretch). Its domain counts stretches.
KernelPtr histogram_kernel(const Setting& setting, std::uint32_t passes);

/// `radix_sweep`: moves all elements by a digit. Parameters: count, shift, bits, pass, first (of the pass in
/// `status`), stale (a half to make zero, or its own), ticket. Its domain counts tiles.
KernelPtr sweep_kernel(const Setting& setting);

/// `radix_group`: sorts a tile or less, by all bits; with subgroups, where `setting` has them. Parameters: count,
/// shift, bits. Its domain is one group.
KernelPtr group_kernel(const Setting& setting);

}  // namespace glsort::radix
