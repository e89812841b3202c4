#pragma once

#include <glsort/stream/counted.h>

#include <cstdint>
#include <vector>

namespace glsort {

/// Records of `per_record` elements each that `elements` take. Without a sum that 32 bits may not hold.
constexpr std::uint32_t records_for(std::uint32_t elements, std::uint32_t per_record) {
    return elements / per_record + (elements % per_record != 0 ? 1 : 0);
}

/// A contiguous range of records: `begin` up to but not including `end`.
struct Block {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    friend bool operator==(const Block&, const Block&) = default;
};

/// One or more blocks of a stream, none empty, ascending, disjoint (GPU-ABiSort, section 3.1).
/// One operation on a substream is one draw or one dispatch, however many blocks it has.
class Substream {
  public:
    Substream() = default;

    /// Records begin ... end-1 as one block; no block at all where that is empty.
    static Substream range(std::uint32_t begin, std::uint32_t end);
    /// Records 0 ... end-1, of which there are others for another count where `end` follows the count.
    static Substream first(const Counted& end);

    /// Throws `Error` where a block is empty, or begins before the one before it ends.
    explicit Substream(std::vector<Block> blocks);

    const std::vector<Block>& blocks() const { return blocks_; }
    bool empty() const { return blocks_.empty(); }
    /// The end as a number that may follow the count.
    Counted counted_end() const { return follows_ ? end_ : Counted(end()); }
    /// Whether it is another one for another count.
    bool follows_count() const { return follows_; }
    /// Makes it the substream of another count. Allocates nothing where it was not empty before.
    void set_count(std::uint32_t count);
    /// The substream of another count.
    Substream at(std::uint32_t count) const {
        Substream other = *this;
        other.set_count(count);
        return other;
    }

    /// The number of records.
    std::uint32_t size() const;
    /// One past the last record; 0 where empty.
    std::uint32_t end() const { return blocks_.empty() ? 0 : blocks_.back().end; }

    bool overlaps(const Substream& other) const;
    /// Whether every record of `other` is in this substream.
    bool covers(const Substream& other) const;
    bool contains(std::uint32_t record) const;
    /// The records of this substream that are not in `other`.
    Substream without(const Substream& other) const;
    /// The records that are in either.
    Substream united(const Substream& other) const;

    /// Whether they have the same blocks for every count.
    friend bool same_rule(const Substream& a, const Substream& b) {
        return a.blocks_ == b.blocks_ && a.follows_ == b.follows_ && (!a.follows_ || same_rule(a.end_, b.end_));
    }
    /// Whether they have the same blocks now.
    friend bool operator==(const Substream& a, const Substream& b) { return a.blocks_ == b.blocks_; }

  private:
    std::vector<Block> blocks_;
    Counted end_;
    bool follows_ = false;  ///< Whether `end_` says what the blocks are.
};

}  // namespace glsort
