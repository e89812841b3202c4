#pragma once

#include <glsort/plan/sort_frame.h>

namespace glsort {

/// Max bits of a radix sort's digit.
inline constexpr std::uint32_t max_digit_bits = 11;

/// Radix sort, digit by digit from the lowest: Merrill and Grimshaw, "Revisiting Sorting for GPGPU Stream
/// Architectures" (2010), sections 4.1 to 4.3. Compute and cpu.
///
/// There are three kernels per digit. The elements are cut into partitions of whole tiles, one for each group of
/// invocations. `radix_count` counts the digit values of each partition. `radix_scan` adds up the counts, digit by
/// digit and partition by partition. Each sum is the place of a partition's first element with a digit value.
/// `radix_scatter` sorts the tiles of its partition by the digit in shared memory, tile after tile, and moves the
/// elements to these places.
/// In shared memory, composite counters rank by four bits per round, with two counters in a word (section 4.3). If
/// there are subgroups, and digits are short enough, subgroups rank the elements by ballots, as in a sweep.
///
/// On software rasterisers, barriers are expensive. There each invocation of a group counts and moves a part of the
/// partition by itself (`radix_count_alone`, `radix_scatter_alone`).
///
/// Makes no assumption about the progress of groups. Uses only subgroup operations that a probe of the device has
/// tested. One op, `radix_group`, sorts up to one tile by all bits. If a GPU has many multiprocessors, enumeration
/// sorts few elements (plan/radix/enumeration.h).
///
/// Streams: `records`, two copies; `counts` and `offsets`, a word for each digit of each part that is counted apart;
/// the stream of enumeration.
void plan_radix_reduce_then_scan(SortFrame& frame);

/// Radix sort that reads and writes all elements once per digit: Adinets and Merrill, "Onesweep: A Faster Least
/// Significant Digit Radix Sort for GPUs" (2022). Runs on compute with subgroup operations, and on cpu.
///
/// `radix_histogram` counts all digits of all elements at once. Then there is one op per digit, `radix_sweep`. The
/// first group of the op scans the totals. Each group ranks the elements of its tile by the digit, and publishes the
/// tile's count of each digit. Then the group adds up the counts of earlier tiles, and of earlier blocks of tiles. The
/// group stops at a tile that has published the sum of all tiles up to itself (decoupled look-back, Merrill and
/// Garland 2016). If another group does not run, the wait ends after a limit, and the waiting group counts the other
/// group's tile.
///
/// Keys alone, sorted by all bits, need no ballots in the first sweep: elements with an equal first digit may come in
/// any order.
///
/// If a GPU has many multiprocessors, enumeration sorts few elements, and splitters sort middle-sized inputs
/// (plan/radix/splitter_sort.h).
///
/// Streams: `records`, two copies; `sums` and `totals`, a word for each value of each digit; `status`; the streams of
/// enumeration and of splitters. `status` has two words for each digit of each tile, and of each block of 16 tiles.
void plan_radix_one_sweep(SortFrame& frame);

}  // namespace glsort
