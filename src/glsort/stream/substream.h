#pragma once

#include <glsort/stream/counted.h>

#include <cstdint>
#include <vector>

namespace glsort {

/// The number of records that hold `elements` elements, `per_record` in each. Does not overflow.
constexpr std::uint32_t records_for(std::uint32_t elements, std::uint32_t per_record) {
    return elements / per_record + (elements % per_record != 0 ? 1 : 0);
}

/// A contiguous range of records: `begin` up to but not including `end`.
struct Block {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    friend bool operator==(const Block&, const Block&) = default;
};

/// One or more blocks of a stream: not empty, ascending, disjoint (GPU-ABiSort, section 3.1). An op on a substream is
/// one draw or one dispatch, whatever the number of blocks.
class Substream {
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
    /// The end. It follows the count if the substream does.
    Counted counted_end() const { return follows_ ? end_ : Counted(end()); }
    /// Whether the substream changes with the count.
    bool follows_count() const { return follows_; }
    /// Changes the count. Allocates nothing unless the substream was empty.
    void set_count(std::uint32_t count);
    /// This substream for another count.
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

}  // namespace glsort
