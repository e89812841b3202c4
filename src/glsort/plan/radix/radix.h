#pragma once

#include <glsort/plan/sort_frame.h>

namespace glsort {

/// The longest digit of a radix sort.
inline constexpr std::uint32_t most_digit_bits = 11;

/// Radix sort, digit by digit from the lowest: Merrill and Grimshaw, "Revisiting Sorting for GPGPU Stream
/// Architectures" (2010), sections 4.1 to 4.3. Compute and cpu.
///
/// Three kernels a digit. The elements are cut into as many stretches as there are groups of invocations, each of
/// whole tiles. `radix_count` counts the digits of each stretch; `radix_scan` adds the counts up, digit by digit
/// and stretch by stretch, to where each stretch's first element of each digit goes; `radix_scatter` sorts tile
/// after tile of its stretch by the digit, in shared memory, and moves it there. In shared memory, four bits a
/// round are scanned at once by composite counters, two to a word (section 4.3); where there are subgroups, and
/// digits are short enough, they rank the elements by ballots, as in a sweep.
///
/// Nothing is assumed of the progress of groups, nor of subgroups but what they say of themselves. What fits one tile
/// is sorted by all its bits in one op, `radix_group`; few elements, where a GPU has many multiprocessors, by
/// enumeration (plan/radix/enumeration.h).
///
/// Streams: `records`, two copies; `counts` and `offsets`, a word for each digit of each stretch; that of enumeration.
void plan_radix_reduce_then_scan(SortFrame& frame);

/// Radix sort that reads and writes all elements once a digit: Adinets and Merrill, "Onesweep: A Faster Least
/// Significant Digit Radix Sort for GPUs" (2022). Compute with subgroup operations, and cpu.
///
/// `radix_histogram` counts all digits of all elements at once. Then one op a digit, `radix_sweep`, whose first group
/// scans the totals: a group takes the next tile, ranks its elements by the digit, publishes how many it has of each,
/// and adds up what the tiles before it have published until it meets one that knows all before it (decoupled
/// look-back). Groups that wait do so for groups that have begun; where one of these is not run, a wait ends after a
/// while, and the waiting group counts the other's tile itself.
///
/// Streams: `records`, two copies; `totals`; `sums`, which add up to them; `status`, a word for each digit of each
/// tile, twice; that of enumeration, as above.
void plan_radix_one_sweep(SortFrame& frame);

}  // namespace glsort
