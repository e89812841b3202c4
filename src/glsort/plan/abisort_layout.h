#pragma once

#include <glsort/stream/program.h>
#include <glsort/stream/substream.h>

#include <bit>
#include <cstdint>
#include <string>

namespace glsort {

/// Where the phases of one recursion level of GPU-ABiSort write: Table 1 of the paper, for any n.
/// The unit is the node pair, one record.
///
/// Level j merges trees of 2^j nodes. Stage k works on their subtrees of 2^(j-k) nodes, one instance
/// each. Where n is no power of two, trees are pruned: an instance whose subtree lies past the end as
/// a whole is left out. Those are the last ones of each block, so blocks become shorter, and nothing
/// else changes; they still begin where those of a power of two would.
class MergeLayout {
  public:
    MergeLayout(std::uint32_t n, int level)
        : n_(n),
          level_(level),
          trees_(std::bit_ceil(static_cast<std::uint32_t>(((std::uint64_t{n} - 1) >> level) + 1))) {}

    int level() const { return level_; }
    /// The trees of the level, rounded up to a power of two.
    std::uint32_t trees() const { return trees_; }
    /// Instances of stage `stage`.
    std::uint32_t length(int stage) const {
        return static_cast<std::uint32_t>(((std::uint64_t{n_} - 1) >> (level_ - stage)) + 1);
    }
    /// The first record that `phase` of `stage` writes.
    std::uint32_t start(int stage, int phase) const {
        if (phase == 0) return 0;
        if (phase == 1) return trees_ << stage;
        return ((1u << (stage + phase - 1)) + (1u << stage)) * trees_;
    }
    Block block(int stage, int phase) const {
        const std::uint32_t begin = start(stage, phase);
        return {begin, begin + length(stage)};
    }

  private:
    std::uint32_t n_;
    int level_;
    std::uint32_t trees_;
};

}  // namespace glsort
