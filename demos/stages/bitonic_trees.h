#pragma once

#include <glsort/plan/abisort/tree_pointer.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "moment.h"

namespace glsort::demo {

/// The place of a node: an element of a stream.
struct NodePlace {
    StreamId stream = 0;
    std::uint32_t element = 0;
    friend auto operator<=>(const NodePlace&, const NodePlace&) = default;
};

/// A node of a bitonic tree.
struct TreeNode {
    std::optional<NodePlace> place;    ///< The element of the node. Nothing past the end of the input.
    std::optional<std::uint32_t> key;  ///< The place of its key in the sorted order.
    char pointer = ' ';                ///< `p` or `q`: the next phase will compare the node.
    bool written = false;              ///< Whether the last phase wrote the node.
    bool exchanged = false;            ///< Whether the last phase exchanged the key of the node.
    bool moved = false;                ///< Whether the last phase exchanged the subtree of the node.
};

/// A tree of 2^height nodes, in order. The last one is the spare node. Nodes below the requested depth are missing.
struct BitonicTree {
    int height = 0;
    bool ascending = true;  ///< Whether the level sorts the tree in the order of the sort, not in reverse.
    std::vector<std::optional<TreeNode>> nodes;

    /// The level of a node in the tree: 0 for the root, -1 for the spare node.
    int depth(std::size_t node) const;
};

/// The bitonic trees of GPU-ABiSort at a moment, as the phases of a recursion level have left them.
///
/// Before the first phase the trees are sequences in stream order. Phase 0 of stage k writes levels 0 ... k of each
/// tree in order. Pointers lead to deeper nodes. A node that a phase has written points to the place where the next
/// phase will write its child. Until then p and q, in the stream of paths, lead to that child (GPU-ABiSort, sections
/// 5.2 and 5.3, appendix A.2).
class BitonicTrees {
  public:
    /// Whether a program has bitonic trees.
    static bool are_in(const StreamProgram& program);

    /// `moment` must outlive this object.
    explicit BitonicTrees(const Moment& moment);

    int level() const { return level_; }
    /// Whether the level's phases are running. Otherwise the trees are sequences.
    bool merging() const { return last_ != nullptr; }
    /// The phases that the last op ran. If the last op is a copy, the phases of the op before the copy.
    const std::vector<Labels>& last_phases() const { return last_phases_; }
    /// The last stage that has begun; 0: none has.
    int stage() const { return stage_; }
    /// The number of trees that a stage works on. The stage must have begun. A tree of the stage has 2^(level - stage)
    /// nodes.
    std::uint32_t trees(int stage) const;
    /// One of the trees of a stage, up to `levels` levels deep.
    BitonicTree tree(int stage, std::uint32_t number, int levels = 31);

    /// The instances of one phase of last_phases().
    std::uint32_t instances(std::size_t phase) const {
        return last_blocks_[phase].records().end - last_blocks_[phase].records().begin;
    }
    /// The subtree at one of the two nodes that an instance of the phase has written: the second node if `second`. A
    /// subtree has no spare node.
    BitonicTree subtree(std::size_t phase, std::uint32_t instance, bool second, int levels = 31);

  private:
    /// A node as kernels read nodes.
    struct Node {
        std::optional<NodePlace> place;
        std::uint32_t left = 0;
        std::uint32_t right = 0;
    };
    /// The instances of a phase, one for each record that the phase writes.
    struct Phase {
        const Op* op = nullptr;
        std::size_t block = 0;

        Block records() const { return op->domain.blocks()[block]; }
        Labels labels() const { return op->blocks[block].labels; }
        /// The instances that work on a tree of a stage.
        Block instances(int stage, std::uint32_t tree) const;
        /// A parameter of the block, by the name in shaders/abisort/abisort_phase.glsl.
        std::uint32_t parameter(const char* name) const;
    };

    void find_phases(std::size_t last);
    void find_sequences();
    void forget_pointers();
    void find_pointers(const Phase& phase, const Block& instances);
    void find_exchanges(const Phase& phase, const Block& instances);
    std::optional<NodePlace> place_before(const Phase& phase, std::uint32_t instance) const;
    NodePlace place_of(std::uint32_t record, std::uint32_t element) const;
    std::optional<NodePlace> place_in_order(std::uint32_t element) const;
    Node node_in(const NodePlace& place) const;
    Node node_at(std::uint32_t pointer, bool ahead = true) const;
    std::optional<std::uint32_t> key_in(const std::optional<NodePlace>& place, bool before = false) const;
    void add(BitonicTree& tree, std::size_t at, std::size_t distance, const Node& node, int levels) const;

    const Moment& moment_;
    TreePointers pointers_ = TreePointers::numbers();
    int level_ = 0;
    // For a merge:
    const Op* last_ = nullptr;  // the last op that has run phases
    std::vector<Labels> last_phases_;
    std::vector<Phase> last_blocks_;
    int stage_ = 0;
    std::map<std::pair<int, int>, Phase> phases_;  // of the level, by stage and phase
    std::uint32_t nodes_ = 0;                      // the record of `trees` where the level writes
    // For the requested tree:
    std::map<std::uint32_t, std::uint32_t> ahead_;  // p and q, by the elements that the next phase will write
    std::map<NodePlace, char> current_;             // p and q, by their targets
    std::set<NodePlace> exchanged_;
    std::set<NodePlace> moved_;
    // For sequences: their stream, and its first element.
    StreamId sequences_ = 0;
    std::uint32_t begin_ = 0;
};

}  // namespace glsort::demo
