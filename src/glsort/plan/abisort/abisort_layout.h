#pragma once

#include <glsort/stream/program.h>
#include <glsort/stream/stream.h>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace glsort {

/// The places to which the phases of one recursion level of GPU-ABiSort write: Table 1 of the paper, for any n. The
/// unit is a node pair, which is one record.
///
/// Level j merges trees of 2^j nodes. Stage k works on their subtrees of 2^(j-k) nodes, one instance each. If n is not
/// a power of two, trees are pruned. An instance whose whole subtree lies past the end is omitted. An instance whose
/// subtree has its second half past the end stops after phase 1, because no exchange is possible. These instances are
/// the last ones of each block. Blocks become shorter, but begin where the blocks of a power of two begin.
///
/// In place, no op may read records that it overwrites. With Table 1 alone, phases 0 and 1 would. Phase 0 of a stage
/// would overwrite the spare nodes that it reads, and phase 1 the nodes that it reads. So each of these phases
/// alternates between two places, by the parity of the stage. Only phase 0 of the next stage reads from these places.
/// Of each pair of places, that phase reads the newer one. If the last four stages are omitted, the blocks of Table 1's
/// largest phases have room for these places. One place lies behind these blocks.
class MergeLayout {
  public:
    /// `last_stage`: the last stage that runs. Used only if `in_place`, and then at most level - 5.
    MergeLayout(std::uint32_t n, int level, bool in_place = false, int last_stage = 0)
        : n_(n),
          level_(level),
          in_place_(in_place),
          trees_(std::bit_ceil(static_cast<std::uint32_t>(((std::uint64_t{n} - 1) >> level) + 1))),
          largest_(trees_ << last_stage) {}

    int level() const { return level_; }
    /// The number of trees of the level, rounded up to a power of two.
    std::uint32_t trees() const { return trees_; }
    /// Instances of a phase: the subtrees that have an element. After phase 1: the subtrees whose second half has an
    /// element.
    std::uint32_t length(int stage, int phase) const {
        const std::uint64_t subtree = std::uint64_t{1} << (level_ - stage);
        const std::uint64_t missing = phase > 1 ? subtree / 2 : 0;
        return static_cast<std::uint32_t>((n_ - std::min<std::uint64_t>(n_, missing) + subtree - 1) / subtree);
    }
    /// The first record that `phase` of `stage` writes.
    std::uint32_t start(int stage, int phase) const {
        const bool odd = stage % 2 != 0;
        if (phase == 0) return in_place_ && odd ? 6 * largest_ : 0;
        if (phase == 1) return !in_place_ ? trees_ << stage : odd ? 10 * largest_ : 7 * largest_;
        return ((1u << (stage + phase - 1)) + (1u << stage)) * trees_;
    }
    Block block(int stage, int phase) const {
        const std::uint32_t begin = start(stage, phase);
        return {begin, begin + length(stage, phase)};
    }

  private:
    std::uint32_t n_;
    int level_;
    bool in_place_;
    std::uint32_t trees_;
    std::uint32_t largest_;  ///< Records that a phase of the last stage writes.
};

}  // namespace glsort
