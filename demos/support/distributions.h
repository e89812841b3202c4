#pragma once

#include <glsort/spec.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace glsort::demo {

/// How the keys of a test or benchmark input are distributed. R is the number of bit patterns of the key: 2^32 or 2^64.
/// "Ascending" and "sorted" mean the order of the key type.
enum class Distribution {
    /// Independent keys, all values equally likely. Floats lie in [-1, 1].
    uniform,
    /// Each key is the mean of four uniform keys (Helman, Bader, JaJa).
    gaussian,
    /// 65,521 values spread over the range. The k-th smallest has a probability proportional to 1/k.
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
    /// Sorted, except that one random key is moved to another place.
    one_out_of_place,
    /// Special keys, and from n = 64 on each of them. Of floats: both zeros, both infinities, denormals, the extreme
    /// finite numbers, and NaNs with several payloads and both signs. Of integers: the extreme values and the
    /// neighbours of digit boundaries. Half of the keys are special. The others are uniform keys and, for floats,
    /// random bit patterns.
    special,
    /// p = 32 blocks of p parts each. Part j holds random keys of [j R/p, (j+1) R/p).
    bucket_sorted,
    /// p = 64 blocks. With i from 1, block i of the first half holds random keys of [(2i-1) R/p, 2i R/p). Block i of
    /// the second half holds random keys of [(2i-p-2) R/p, (2i-p-1) R/p).
    staggered,
    /// "Deterministic duplicates": the first half holds the value log2 n, the next quarter
    /// log2(n/2), the next eighth log2(n/4), and so on.
    duplicates,
};

/// Every distribution, in the order of the enumeration.
///
/// Sources: gaussian, bucket-sorted, staggered and duplicates are inputs of D. Helman, D. Bader and J. JaJa, "A
/// Randomized Parallel Sorting Algorithm with an Experimental Study" (1998). N. Leischner, V. Osipov and P. Sanders
/// used these inputs for GPUs, "GPU sample sort" (2010, section 6). There the range of the values is 2^31. Here the
/// range is that of the key.
std::vector<Distribution> all_distributions();

/// The name used on command lines, such as "organ-pipe".
std::string_view distribution_name(Distribution distribution);

/// The inverse of distribution_name(). Throws std::invalid_argument that lists the names.
Distribution distribution_from_name(std::string_view name);

/// n keys of a 32-bit type, as raw bits. Equal arguments give equal bits on every platform: nothing depends on the
/// standard library's distributions or floating-point functions. Throws std::invalid_argument for a 64-bit key type.
/// Time: O(n log n) for distributions with sorted parts, O(n) for others.
std::vector<std::uint32_t> make_keys32(Distribution distribution, KeyType type, std::size_t n, std::uint64_t seed);

/// As make_keys32(), for 64-bit types.
std::vector<std::uint64_t> make_keys64(Distribution distribution, KeyType type, std::size_t n, std::uint64_t seed);

/// Keys of a 32-bit or 64-bit type as sorters take them: 32-bit words. A 64-bit key has two words, the low word first.
std::vector<std::uint32_t> make_key_words(Distribution distribution, KeyType type, std::size_t n, std::uint64_t seed);

}  // namespace glsort::demo
