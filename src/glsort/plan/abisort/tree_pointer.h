#pragma once

#include <glsort/stream/stream.h>

#include <cstdint>
#include <utility>

namespace glsort {

/// Pointers to nodes of bitonic trees, as the kernels of GPU-ABiSort store pointers in streams.
/// shaders/abisort/tree.glsl is the GLSL version. Each record has two nodes.
///
/// On the fragment backend a pointer is a texel (section 6.2.2): 15 bits each for x and y, and bit 15 for the element
/// of the record. On the compute backend a pointer is the number of the element. Bit 31 marks a node of the sequences
/// with which the merge begins.
class TreePointers {
  public:
    struct Node {
        bool in_order = false;      ///< Bit 31: a node of the sequences with which the merge begins.
        std::uint32_t element = 0;  ///< Index of the node in the stream, two per record. Below 2^31.
    };

    /// Pointers as texels of `layout`, whose sides are at most 2^15; or pointers as numbers.
    static TreePointers texels(const StreamLayout& layout) { return {true, layout}; }
    static TreePointers numbers() { return {false, {}}; }

    /// The pointer to a node.
    std::uint32_t to(const Node& node) const {
        const std::uint32_t flag = node.in_order ? 0x80000000u : 0u;
        if (!texels_) return flag | node.element;
        const Texel texel = texel_of(layout_, node.element / 2);
        return flag | texel.x | (node.element & 1) << 15 | texel.y << 16;
    }

    /// The node that a pointer points to.
    Node node(std::uint32_t pointer) const {
        const bool in_order = (pointer & 0x80000000u) != 0;
        pointer &= 0x7fffffffu;
        if (!texels_) return {in_order, pointer};
        const std::uint32_t record = index_of(layout_, {pointer & 0x7fffu, pointer >> 16});
        return {in_order, 2 * record + (pointer >> 15 & 1)};
    }

    /// Pointers to the children of a node of a tree in order. A leaf has zeros.
    std::pair<std::uint32_t, std::uint32_t> children_in_order(std::uint32_t element) const {
        const std::uint32_t half = (~element & (element + 1)) / 2;
        if (half == 0) return {0, 0};
        return {to({true, element - half}), to({true, element + half})};
    }

  private:
    TreePointers(bool texels, const StreamLayout& layout) : texels_(texels), layout_(layout) {}

    bool texels_;
    StreamLayout layout_;
};

}  // namespace glsort
