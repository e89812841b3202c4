#include "support/distributions.h"

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <functional>
#include <limits>
#include <random>
#include <stdexcept>
#include <utility>

namespace glsort::demo {

namespace {

using Random = std::mt19937_64;

struct Name {
    Distribution distribution;
    std::string_view text;
};

constexpr std::array<Name, 14> names = {{
    {Distribution::uniform, "uniform"},
    {Distribution::gaussian, "gaussian"},
    {Distribution::zipf, "zipf"},
    {Distribution::sorted, "sorted"},
    {Distribution::reversed, "reversed"},
    {Distribution::organ_pipe, "organ-pipe"},
    {Distribution::constant, "constant"},
    {Distribution::zero, "zero"},
    {Distribution::few_distinct, "few-distinct"},
    {Distribution::one_out_of_place, "one-out-of-place"},
    {Distribution::special, "special"},
    {Distribution::bucket_sorted, "bucket-sorted"},
    {Distribution::staggered, "staggered"},
    {Distribution::duplicates, "duplicates"},
}};

enum class Kind { unsigned_integer, signed_integer, floating };

// A random integer below `bound`, which is at most 2^32. The bias of at most bound / 2^32 does not matter here.
std::size_t below(Random& random, std::size_t bound) {
    return static_cast<std::size_t>(((random() >> 32) * static_cast<std::uint64_t>(bound)) >> 32);
}

// Distributions are first made as *positions*: unsigned integers over the whole range of the word, in the order of the
// keys. One monotone map at the end turns positions into keys.
template <std::unsigned_integral Word>
Word position(Random& random) {
    constexpr int unused_bits = 64 - std::numeric_limits<Word>::digits;
    return static_cast<Word>(random() >> unused_bits);
}

template <std::unsigned_integral Word>
Word key_from_position(Word position, Kind kind) {
    constexpr Word sign = Word{1} << (std::numeric_limits<Word>::digits - 1);
    switch (kind) {
        case Kind::unsigned_integer:
            return position;
        case Kind::signed_integer:
            return position ^ sign;
        case Kind::floating:
            break;
    }
    // Over [-1, 1]. The conversion rounds to nearest, which is monotone. The scaling is exact.
    if constexpr (std::same_as<Word, std::uint32_t>) {
        const float value = static_cast<float>(static_cast<std::int32_t>(position ^ sign));
        return std::bit_cast<Word>(value * 0x1p-31f);
    } else {
        const double value = static_cast<double>(static_cast<std::int64_t>(position ^ sign));
        return std::bit_cast<Word>(value * 0x1p-63);
    }
}

template <std::unsigned_integral Word>
Word key_from_small_integer(unsigned int value, Kind kind) {
    if (kind != Kind::floating) return static_cast<Word>(value);
    if constexpr (std::same_as<Word, std::uint32_t>)
        return std::bit_cast<Word>(static_cast<float>(value));
    else
        return std::bit_cast<Word>(static_cast<double>(value));
}

template <std::unsigned_integral Word>
std::vector<Word> special_keys(Kind kind) {
    constexpr int bits = std::numeric_limits<Word>::digits;
    constexpr Word sign = Word{1} << (bits - 1);
    constexpr Word all = static_cast<Word>(~Word{0});
    if (kind != Kind::floating) {
        std::vector<Word> keys = {0, 1, 2, all, static_cast<Word>(all - 1), sign, sign - 1, sign + 1, 0x80, 0x7F};
        for (int digit = 8; digit < bits; digit += 8) {
            keys.push_back((Word{1} << digit) - 1);
            keys.push_back(Word{1} << digit);
        }
        return keys;
    }
    constexpr int mantissa_bits = bits == 32 ? 23 : 52;
    constexpr Word infinity = static_cast<Word>((sign - 1) >> mantissa_bits << mantissa_bits);
    constexpr Word quiet = infinity | Word{1} << (mantissa_bits - 1);
    constexpr Word smallest_normal = Word{1} << mantissa_bits;
    constexpr Word one = infinity >> 1 & ~(smallest_normal - 1);
    const std::array<Word, 14> positive = {
        0,                                       // zero
        1,                                       // smallest denormal
        static_cast<Word>(smallest_normal / 3),  // a denormal
        smallest_normal - 1,                     // largest denormal
        smallest_normal,
        one,
        one + 1,
        infinity - 1,  // largest finite number
        infinity,
        infinity + 1,  // a signalling NaN
        static_cast<Word>(infinity + smallest_normal / 3),
        quiet,
        static_cast<Word>(quiet + smallest_normal / 5),
        sign - 1,  // the NaN with all bits set
    };
    std::vector<Word> keys;
    for (const Word key : positive) {
        keys.push_back(key);
        keys.push_back(key | sign);
    }
    return keys;
}

template <std::unsigned_integral Word>
std::vector<Word> make_special(Kind kind, std::size_t n, Random& random) {
    const std::vector<Word> special = special_keys<Word>(kind);
    std::vector<Word> keys(n);
    for (std::size_t i = 0; i < n; ++i) {
        // First each special key once, in at most half of the keys. Random choices follow.
        if (i < special.size() && 2 * i < n)
            keys[i] = special[i];
        else if (const std::size_t lot = below(random, 4); lot < 2)
            keys[i] = special[below(random, special.size())];
        else if (lot == 2)
            keys[i] = key_from_position<Word>(position<Word>(random), kind);
        else
            keys[i] = position<Word>(random);
    }
    for (std::size_t i = n; i > 1; --i)
        std::swap(keys[i - 1], keys[below(random, i)]);
    return keys;
}

template <std::unsigned_integral Word>
std::vector<Word> make_duplicates(Kind kind, std::size_t n) {
    std::vector<Word> keys;
    keys.reserve(n);
    for (std::size_t rest = n; rest > 0; rest -= (rest + 1) / 2) {
        const auto logarithm = static_cast<unsigned int>(std::bit_width(rest)) - 1;
        keys.insert(keys.end(), (rest + 1) / 2, key_from_small_integer<Word>(logarithm, kind));
    }
    return keys;
}

template <std::unsigned_integral Word>
std::vector<Word> zipf_positions(std::size_t n, Random& random) {
    // Sums of 1/k, from left to right. Additions and divisions alone give equal results on every platform.
    constexpr std::size_t values = 65521;
    std::vector<double> sums(values);
    double sum = 0.0;
    for (std::size_t k = 0; k < values; ++k) {
        sum += 1.0 / static_cast<double>(k + 1);
        sums[k] = sum;
    }
    // Lots are below the last sum, so the search always ends at a value.
    constexpr Word step = std::numeric_limits<Word>::max() / values;
    std::vector<Word> positions(n);
    for (Word& word : positions) {
        const double lot = static_cast<double>(random() >> 11) * 0x1p-53 * sum;
        const auto found = std::upper_bound(sums.begin(), sums.end() - 1, lot);
        word = static_cast<Word>(step * static_cast<Word>(found - sums.begin()));
    }
    return positions;
}

// A random position in part `part` of `parts` equal parts of the range. `parts` is a power of two.
template <std::unsigned_integral Word>
Word position_in_part(Random& random, std::size_t part, std::size_t parts) {
    const int part_bits = static_cast<int>(std::bit_width(parts)) - 1;
    const Word start = static_cast<Word>(static_cast<Word>(part) << (std::numeric_limits<Word>::digits - part_bits));
    return start | static_cast<Word>(position<Word>(random) >> part_bits);
}

template <std::unsigned_integral Word>
std::vector<Word> bucket_sorted_positions(std::size_t n, Random& random) {
    constexpr std::size_t p = 32;
    std::vector<Word> positions(n);
    for (std::size_t block = 0; block < p; ++block) {
        const std::size_t first = n * block / p;
        const std::size_t size = n * (block + 1) / p - first;
        for (std::size_t i = 0; i < size; ++i)
            positions[first + i] = position_in_part<Word>(random, i * p / size, p);
    }
    return positions;
}

template <std::unsigned_integral Word>
std::vector<Word> staggered_positions(std::size_t n, Random& random) {
    constexpr std::size_t p = 64;
    std::vector<Word> positions(n);
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t block = i * p / n + 1;
        const std::size_t part = block <= p / 2 ? 2 * block - 1 : 2 * block - p - 2;
        positions[i] = position_in_part<Word>(random, part, p);
    }
    return positions;
}

template <std::unsigned_integral Word>
std::vector<Word> make_positions(Distribution distribution, std::size_t n, Random& random) {
    std::vector<Word> positions(n);
    const auto fill = [&] {
        for (Word& word : positions)
            word = position<Word>(random);
    };
    switch (distribution) {
        case Distribution::gaussian:
            for (Word& word : positions) {
                for (int i = 0; i < 4; ++i)
                    word = static_cast<Word>(word + position<Word>(random) / 4);
            }
            return positions;
        case Distribution::zipf:
            return zipf_positions<Word>(n, random);
        case Distribution::sorted:
            fill();
            std::sort(positions.begin(), positions.end());
            return positions;
        case Distribution::reversed:
            fill();
            std::sort(positions.begin(), positions.end(), std::greater<>());
            return positions;
        case Distribution::organ_pipe: {
            fill();
            std::sort(positions.begin(), positions.end());
            std::vector<Word> pipe(n);
            for (std::size_t i = 0; i < n; ++i)
                pipe[i % 2 == 0 ? i / 2 : n - 1 - i / 2] = positions[i];
            return pipe;
        }
        case Distribution::constant:
            std::fill(positions.begin(), positions.end(), position<Word>(random));
            return positions;
        case Distribution::few_distinct: {
            std::array<Word, 16> values;
            for (Word& value : values)
                value = position<Word>(random);
            for (Word& word : positions)
                word = values[below(random, values.size())];
            return positions;
        }
        case Distribution::one_out_of_place: {
            fill();
            std::sort(positions.begin(), positions.end());
            if (n < 2) return positions;
            const auto from = static_cast<std::ptrdiff_t>(below(random, n));
            auto to = static_cast<std::ptrdiff_t>(below(random, n - 1));
            if (to >= from) ++to;
            const auto first = positions.begin();
            if (from < to)
                std::rotate(first + from, first + from + 1, first + to + 1);
            else
                std::rotate(first + to, first + from, first + from + 1);
            return positions;
        }
        case Distribution::bucket_sorted:
            return bucket_sorted_positions<Word>(n, random);
        case Distribution::staggered:
            return staggered_positions<Word>(n, random);
        default:
            fill();
            return positions;
    }
}

template <std::unsigned_integral Word>
std::vector<Word> make_keys(Distribution distribution, Kind kind, std::size_t n, std::uint64_t seed) {
    Random random(seed);
    switch (distribution) {
        case Distribution::zero:
            return std::vector<Word>(n, Word{0});
        case Distribution::special:
            return make_special<Word>(kind, n, random);
        case Distribution::duplicates:
            return make_duplicates<Word>(kind, n);
        default:
            break;
    }
    std::vector<Word> keys = make_positions<Word>(distribution, n, random);
    for (Word& key : keys)
        key = key_from_position<Word>(key, kind);
    return keys;
}

}  // namespace

std::vector<Distribution> all_distributions() {
    std::vector<Distribution> all;
    for (const Name& name : names)
        all.push_back(name.distribution);
    return all;
}

std::string_view distribution_name(Distribution distribution) {
    for (const Name& name : names)
        if (name.distribution == distribution) return name.text;
    throw std::invalid_argument("distribution_name: " + std::to_string(static_cast<int>(distribution)) +
                                " is no distribution");
}

Distribution distribution_from_name(std::string_view text) {
    std::string known;
    for (const Name& name : names) {
        if (name.text == text) return name.distribution;
        known += (known.empty() ? "" : ", ") + std::string(name.text);
    }
    throw std::invalid_argument("unknown distribution \"" + std::string(text) + "\"; known are " + known);
}

std::vector<std::uint32_t> make_keys32(Distribution distribution, KeyType type, std::size_t n, std::uint64_t seed) {
    switch (type) {
        case KeyType::u32:
            return make_keys<std::uint32_t>(distribution, Kind::unsigned_integer, n, seed);
        case KeyType::i32:
            return make_keys<std::uint32_t>(distribution, Kind::signed_integer, n, seed);
        case KeyType::f32:
            return make_keys<std::uint32_t>(distribution, Kind::floating, n, seed);
        default:
            throw std::invalid_argument("make_keys32: the key type has 64 bits");
    }
}

std::vector<std::uint64_t> make_keys64(Distribution distribution, KeyType type, std::size_t n, std::uint64_t seed) {
    switch (type) {
        case KeyType::u64:
            return make_keys<std::uint64_t>(distribution, Kind::unsigned_integer, n, seed);
        case KeyType::i64:
            return make_keys<std::uint64_t>(distribution, Kind::signed_integer, n, seed);
        case KeyType::f64:
            return make_keys<std::uint64_t>(distribution, Kind::floating, n, seed);
        default:
            throw std::invalid_argument("make_keys64: the key type has 32 bits");
    }
}

std::vector<std::uint32_t> make_key_words(Distribution distribution, KeyType type, std::size_t n, std::uint64_t seed) {
    if (key_bytes(type) == 4) return make_keys32(distribution, type, n, seed);
    std::vector<std::uint32_t> words;
    words.reserve(2 * n);
    for (const std::uint64_t key : make_keys64(distribution, type, n, seed)) {
        words.push_back(static_cast<std::uint32_t>(key));
        words.push_back(static_cast<std::uint32_t>(key >> 32));
    }
    return words;
}

}  // namespace glsort::demo
