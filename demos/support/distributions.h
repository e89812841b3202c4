#pragma once

#include <glsort/spec.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace glsort::demo {

/// How the keys of a test or benchmark input are distributed. R is the number of bit patterns of
/// the key (2^32 or 2^64), "ordered" means by the order of the key type.
enum class Distribution {
    /// Every key independent, all values equally likely; floats over [-1, 1].
    uniform,
    /// Each key the mean of four uniform ones (Helman, Bader, JaJa).
    gaussian,
    /// 65,521 values spread over the range, the k-th smallest with probability proportional to 1/k.
    zipf,
    /// Uniform keys, ascending.
    sorted,
    /// Uniform keys, descending.
    reversed,
    /// Uniform keys, ascending to the middle and descending from there.
    organ_pipe,
    /// One random value everywhere.
    constant,
    /// The key 0 (+0 for floats) everywhere.
    zero,
    /// 16 random values, equally likely.
    few_distinct,
    /// Sorted, then one key taken out and put in again elsewhere.
    one_out_of_place,
    /// For floats both zeros, both infinities, NaNs of several payloads and both signs, denormals
    /// and the extreme finite numbers; for integers the extreme values and the neighbours of digit
    /// boundaries; half of the keys are such, and from n = 64 on each of them occurs. The others
    /// are uniform keys and, for floats, random bit patterns.
    special,
    /// p = 32 blocks, each in p parts, where part j holds random keys of [j R/p, (j+1) R/p).
    bucket_sorted,
    /// p = 64 blocks; block i of the first half (from 1) holds random keys of
    /// [(2i-1) R/p, 2i R/p), block i of the second half keys of [(2i-p-2) R/p, (2i-p-1) R/p).
    staggered,
    /// "Deterministic duplicates": the first half holds the value log2 n, the next quarter
    /// log2(n/2), the next eighth log2(n/4), and so on.
    duplicates,
};

/// Every distribution, in the order of the enumeration.
///
/// Sources: gaussian, bucket-sorted, staggered and duplicates are the inputs of D. Helman, D. Bader
/// and J. JaJa, "A Randomized Parallel Sorting Algorithm with an Experimental Study" (1998), as
/// used for GPUs by N. Leischner, V. Osipov and P. Sanders, "GPU sample sort" (2010, section 6).
/// There the range of the values is 2^31; here it is the whole range of the key.
std::vector<Distribution> all_distributions();

/// The name used on command lines, such as "organ-pipe".
std::string_view distribution_name(Distribution distribution);

/// The inverse of distribution_name(). Throws std::invalid_argument which lists the names.
Distribution distribution_from_name(std::string_view name);

/// n keys of a 32-bit type, as raw bits. The same arguments give the same bits on every platform:
/// nothing depends on the standard library's distributions or on floating-point functions.
/// Throws std::invalid_argument for a 64-bit key type. O(n log n) time where something is sorted,
/// O(n) otherwise.
std::vector<std::uint32_t> make_keys32(Distribution distribution, KeyType type, std::size_t n, std::uint64_t seed);

/// As make_keys32(), for the 64-bit types.
std::vector<std::uint64_t> make_keys64(Distribution distribution, KeyType type, std::size_t n, std::uint64_t seed);

/// The keys of either as sorters take them: 32-bit words, of 64-bit keys two each, the low one first.
std::vector<std::uint32_t> make_key_words(Distribution distribution, KeyType type, std::size_t n, std::uint64_t seed);

}  // namespace glsort::demo
