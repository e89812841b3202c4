#pragma once

#include <glsort/error.h>
#include <glsort/spec.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

/// What streams are made of: numbers that may follow the count, substreams, and layouts.
///
/// A layout maps the 1D index of a record to a texel, and back (Greß and Zachmann 2006, section 6.2). Z-order permutes
/// the bits of the index. Row-wise does, too, if the width is a power of two. An exclusive or of two indices is
/// therefore an exclusive or of two texels. A test for one bit of an index is a test for one bit of x or y. Kernels use
/// both facts to compute with texels alone, without indices.

namespace glsort {

/// The counts from `first` to `last`, both included.
struct GLSORT_API CountRange {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    bool contains(std::uint32_t count) const { return first <= count && count <= last; }
    /// Cuts this range in two after `end`, and returns the part that contains `count`. For a planner that treats counts
    /// above `end` in another way.
    CountRange cut_behind(std::uint32_t end, std::uint32_t count) const;
};

/// The range of counts whose ceil(log2) equals that of `count`. `count` must be above 0.
GLSORT_API CountRange between_powers(std::uint32_t count);

/// A number in a program: a constant, or a number that follows the count of elements. The rule of the latter is
/// scale * ceil((count - less) / per) + offset, modulo 2^32. For counts up to `less` the quotient is 0. `value()` is
/// the number for the current count of the program.
class GLSORT_API Counted {
  public:
    /// A constant.
    constexpr Counted(std::uint32_t constant = 0) : value_(constant), offset_(constant) {}
    /// The count of elements. Its current value is `count`.
    static constexpr Counted count(std::uint32_t count) {
        Counted number(count);
        number.scale_ = 1;
        number.offset_ = 0;
        return number;
    }

    constexpr operator std::uint32_t() const { return value_; }
    constexpr std::uint32_t value() const { return value_; }
    constexpr bool is_constant() const { return scale_ == 0; }

    /// This number, evaluated for another count.
    constexpr Counted at(std::uint32_t count) const {
        Counted number = *this;
        number.value_ = static_cast<std::uint32_t>(scale_ * parts(count) + offset_);
        return number;
    }

    /// ceil(number / size): how many parts of `size` elements hold `number` elements. The result follows the count if
    /// `number` is `count(...)`, or parts of such a number. Otherwise the result is a constant.
    friend constexpr Counted parts_of(const Counted& number, std::uint32_t size) {
        Counted parts = number;
        parts.value_ = number.value_ / size + (number.value_ % size != 0 ? 1 : 0);
        const std::uint64_t per = std::uint64_t{number.per_} * size;
        if (number.scale_ != 1 || number.offset_ != 0 || per > 0xffffffffu) return parts.value_;
        parts.per_ = static_cast<std::uint32_t>(per);
        return parts;
    }
    /// floor(number / size): how many parts of `size` elements `number` elements fill. The result follows the count if
    /// `number` is `count(...)`. Otherwise the result is a constant.
    friend constexpr Counted full_parts_of(const Counted& number, std::uint32_t size) {
        Counted parts = number;
        parts.value_ = number.value_ / size;
        if (number.scale_ != 1 || number.per_ != 1 || number.less_ != 0 || number.offset_ != 0) return parts.value_;
        parts.per_ = size;
        parts.less_ = size - 1;
        return parts;
    }
    friend constexpr Counted operator*(const Counted& number, std::uint32_t factor) {
        Counted product = number;
        product.value_ *= factor;
        product.scale_ *= factor;
        product.offset_ *= factor;
        return product;
    }
    friend constexpr Counted operator+(const Counted& number, std::uint32_t addend) {
        Counted sum = number;
        sum.value_ += addend;
        sum.offset_ += addend;
        return sum;
    }

    /// The rule as text: `4096`, `count`, `ceil(count / 4096)`, `256 ceil(count / 4096) + 4`, `ceil(count / 8) - 1`,
    /// `ceil((count - 7) / 8)`.
    std::string rule() const;
    /// The rule as numbers: scale, per, offset and less. Two rules are equal if and only if their terms are equal.
    constexpr std::array<std::uint32_t, 4> terms() const {
        if (is_constant()) return {0, 1, offset_, 0};
        return {scale_, per_, offset_, less_};
    }

    /// Whether both numbers follow the same rule.
    friend constexpr bool same_rule(const Counted& a, const Counted& b) { return a.terms() == b.terms(); }

    /// Whether the number exceeds 2^32-1 for some count of the range, and so wraps round.
    GLSORT_API friend bool wraps_round(const Counted& number, const CountRange& counts);

    /// Whether a <= b for every count of the range. An answer of true is always right. An answer of false may be wrong
    /// in two cases. First, the rules of a and b differ, and one of the numbers wraps round. Second, neither number is
    /// a constant, and either `less` differs, or no `per` divides the other: all counts at which a grows are then
    /// tested, but if there are more than about 2^16 of these counts, the answer is false.
    GLSORT_API friend bool never_exceeds(const Counted& a, const Counted& b, const CountRange& counts);

  private:
    /// ceil((count - less) / per)
    constexpr std::uint64_t parts(std::uint32_t count) const {
        const std::uint32_t rest = count > less_ ? count - less_ : 0;
        return rest / per_ + (rest % per_ != 0 ? 1 : 0);
    }

    std::uint32_t value_ = 0;
    std::uint32_t scale_ = 0;
    std::uint32_t per_ = 1;
    std::uint32_t less_ = 0;
    std::uint32_t offset_ = 0;
};

/// The number of records that hold `elements` elements, `per_record` in each record. Does not overflow.
constexpr std::uint32_t records_for(std::uint32_t elements, std::uint32_t per_record) {
    return elements / per_record + (elements % per_record != 0 ? 1 : 0);
}

/// A contiguous range of records: `begin` up to but not including `end`.
struct Block {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    friend bool operator==(const Block&, const Block&) = default;
};

/// One or more blocks of a stream: not empty, ascending, disjoint (Greß and Zachmann 2006, section 3.1). An op on a
/// substream is one draw or one dispatch, whatever the number of blocks, unless `SorterOptions::max_elements_per_draw`
/// divides the op.
class GLSORT_API Substream {
  public:
    Substream() = default;

    /// Records begin ... end-1 as one block. An empty range gives an empty substream.
    static Substream range(std::uint32_t begin, std::uint32_t end);
    /// Records 0 ... end-1. If `end` follows the count, so does the substream.
    static Substream first(const Counted& end);

    /// Throws `Error` if a block is empty or begins before the end of the previous block.
    explicit Substream(std::vector<Block> blocks);

    const std::vector<Block>& blocks() const { return blocks_; }
    bool empty() const { return blocks_.empty(); }
    /// The end, as a number that follows the count if the substream does.
    Counted counted_end() const { return follows_ ? end_ : Counted(end()); }
    /// The number of records, which follows the count if the substream does. Such a substream begins at 0.
    Counted counted_size() const { return follows_ ? end_ : Counted(size()); }
    /// Whether the substream changes with the count.
    bool follows_count() const { return follows_; }
    /// Sets the end of a substream that begins at 0 and has one block, or none. Allocates nothing unless the substream
    /// was made empty.
    void set_end(std::uint32_t end);
    /// Sets the end to the value for `count`, if the substream follows the count. Allocates nothing unless the
    /// substream was empty.
    void set_count(std::uint32_t count);
    /// This substream for another count.
    Substream at(std::uint32_t count) const {
        Substream other = *this;
        other.set_count(count);
        return other;
    }

    /// The number of records.
    std::uint32_t size() const;
    /// One past the last record; 0 if there are no records.
    std::uint32_t end() const { return blocks_.empty() ? 0 : blocks_.back().end; }

    bool overlaps(const Substream& other) const;
    /// Whether this substream contains every record of `other`.
    bool covers(const Substream& other) const;
    bool contains(std::uint32_t record) const;
    /// The records of this substream that are not in `other`.
    Substream without(const Substream& other) const;
    /// The records that are in this substream or in `other`.
    Substream united(const Substream& other) const;

    /// Whether both have the same blocks for every count.
    friend bool same_rule(const Substream& a, const Substream& b) {
        return a.blocks_ == b.blocks_ && a.follows_ == b.follows_ && (!a.follows_ || same_rule(a.end_, b.end_));
    }
    /// Whether both have the same blocks for the current count.
    friend bool operator==(const Substream& a, const Substream& b) { return a.blocks_ == b.blocks_; }

  private:
    std::vector<Block> blocks_;
    Counted end_;
    bool follows_ = false;  ///< Whether `end_` determines the blocks.
};

/// A place in a 2D texture, in texels from its lower left corner.
struct Texel {
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    friend bool operator==(const Texel&, const Texel&) = default;
};

/// A rectangle of texels: x from `x0` up to but not including `x1`, y from `y0` up to but not including `y1`.
struct Rectangle {
    std::uint32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    friend bool operator==(const Rectangle&, const Rectangle&) = default;
};

/// A layout and its parameter, the width.
struct StreamLayout {
    Layout kind = Layout::row_wise;
    std::uint32_t width = 1;  ///< Records per row, above 0. Z-order ignores the width.
    /// The number of the planner's rule for the width. Layouts by different rules are different, even if the widths
    /// happen to be equal: at other capacities the widths may differ, and one shader serves all capacities.
    std::uint32_t rule = 0;
    friend bool operator==(const StreamLayout&, const StreamLayout&) = default;
};

/// Spreads the lower 16 bits of `x` to the even bit positions:
///   x = ---- ---- ---- ---- fedc ba98 7654 3210
///     = ---- ---- fedc ba98 ---- ---- 7654 3210
///     = ---- fedc ---- ba98 ---- 7654 ---- 3210
///     = --fe --dc --ba --98 --76 --54 --32 --10
///     = -f-e -d-c -b-a -9-8 -7-6 -5-4 -3-2 -1-0
constexpr std::uint32_t spread_bits(std::uint32_t x) {
    x &= 0x0000ffffu;
    x = (x | x << 8) & 0x00ff00ffu;
    x = (x | x << 4) & 0x0f0f0f0fu;
    x = (x | x << 2) & 0x33333333u;
    x = (x | x << 1) & 0x55555555u;
    return x;
}

/// Gathers the even bits of `x` in the lower half: the inverse of `spread_bits`.
constexpr std::uint32_t gather_bits(std::uint32_t x) {
    x &= 0x55555555u;
    x = (x | x >> 1) & 0x33333333u;
    x = (x | x >> 2) & 0x0f0f0f0fu;
    x = (x | x >> 4) & 0x00ff00ffu;
    x = (x | x >> 8) & 0x0000ffffu;
    return x;
}

/// The texel of record `index`. In Z-order, the even bits of the index are x and the odd bits are y.
constexpr Texel texel_of(const StreamLayout& layout, std::uint32_t index) {
    if (layout.kind == Layout::z_order) return {gather_bits(index), gather_bits(index >> 1)};
    return {index % layout.width, index / layout.width};
}

/// The record at `texel`: the inverse of `texel_of`.
constexpr std::uint32_t index_of(const StreamLayout& layout, Texel texel) {
    if (layout.kind == Layout::z_order) return spread_bits(texel.x) | spread_bits(texel.y) << 1;
    return texel.y * layout.width + texel.x;
}

/// The bounding box of records 0 ... count-1, from texel (0, 0) on. A texture for these records has the size of the
/// box. Without records the box is empty. In Z-order the box has at most 1.5 `count` texels.
GLSORT_API Rectangle bounding_box(const StreamLayout& layout, std::uint32_t count);

/// The layout for a program whose largest stream has `count` records. The width of a row is a power of two close to the
/// square root of `count`. Textures are then about square.
GLSORT_API StreamLayout stream_layout(Layout kind, std::uint32_t count);

/// Disjoint rectangles that cover exactly the texels of records begin ... end-1.
///
/// Row-wise: at most 3. Z-order: the aligned power-of-two blocks of the range, at most 2 for each bit of `end`.
/// Successive rectangles never share a full side.
GLSORT_API std::vector<Rectangle> rectangles(const StreamLayout& layout, std::uint32_t begin, std::uint32_t end);
/// Appends the rectangles to `out`.
GLSORT_API void append_rectangles(std::vector<Rectangle>& out, const StreamLayout& layout, std::uint32_t begin,
                                  std::uint32_t end);

/// An upper bound on the number of `rectangles`, for this range and for shorter ranges. A shorter range may need more
/// rectangles than a longer one.
///
/// A range is aligned if its start is a multiple of a power of two that is at least its length. If this range is
/// aligned, the bound holds for every aligned range of at most this length. Such ranges may begin anywhere. If this
/// range is not aligned, the bound holds for every range that ends no later.
GLSORT_API std::uint32_t max_rectangles(const StreamLayout& layout, std::uint32_t begin, std::uint32_t end);

}  // namespace glsort
