#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

/// What kernels say about themselves to code that explains, draws or checks a program. Backends ignore this
/// description.

namespace glsort {

struct Labels;
struct Op;

/// What the elements of a port mean.
enum class PortRole {
    /// Elements of the sort: codes of keys, with an index or a value. A load or store chunk may replace the first input
    /// or output of this role.
    elements,
    keys,     ///< The caller's keys; in a texture perhaps with their values.
    values,   ///< The caller's values.
    other,    ///< None of the other roles.
    splits,   ///< Of a merge: how many elements of each run come before each window.
    sources,  ///< Of a merge: for each place of the result, the run that its element comes from.
    counts,   ///< How often each value of a digit occurs, in each tile.
    totals,   ///< How often each value of each digit occurs, in all elements.
    sums,     ///< The sums that groups accumulate into `totals`.
    offsets,  ///< Where the elements of each value of a digit go, from each tile.
    status,   ///< What groups publish for later groups that run at the same time (look-back).
    samples,  ///< Some of the elements.
    places,   ///< Where each bucket begins in each sorted tile.
    moves,    ///< As `places`, and where the elements of each tile's bucket go.
    starts,   ///< Where each bucket begins.
    nodes,    ///< Of trees: elements with pointers to children.
    paths,    ///< Of trees: pointers to the next nodes.
};

/// A number that a kernel depends on: a constant of the kernel, or a parameter of each op.
class KernelNumber {
  public:
    constexpr KernelNumber(std::uint32_t number) : number_(number) {}
    /// The parameter at index `place` of `Kernel::parameters`.
    static constexpr KernelNumber parameter(std::size_t place) {
        KernelNumber number(0);
        number.parameter_ = place;
        return number;
    }

    /// The value of the number for `op`.
    std::uint32_t of(const Op& op) const;

  private:
    std::uint32_t number_;
    std::optional<std::size_t> parameter_;
};

/// Sorted runs, one after the other. Each begins at a multiple of `length`. The last run may be shorter.
struct SortedRuns {
    KernelNumber length;
    std::uint32_t merged = 1;  ///< How many neighbouring runs become one.
    bool in_turns = false;     ///< Runs ascend and descend alternately.
};

/// The bits of a key's code by which elements are counted or moved.
struct DigitShape {
    KernelNumber first_bit;
    KernelNumber bits;
    /// Bits that one round handles, in an op that sorts by all its bits. 0: all bits.
    std::uint32_t round_bits = 0;
};

/// How segments of the elements are divided into buckets, by samples of their tiles.
struct Division {
    std::uint32_t tile = 0;        ///< Elements of a tile.
    std::uint32_t samples = 0;     ///< Samples per tile.
    bool random = false;           ///< Whether samples are drawn at random; else they are equidistant.
    std::uint32_t of_buckets = 0;  ///< Buckets of the previous level per segment; 0: one segment holds all elements.
    std::uint32_t buckets = 0;     ///< Buckets per segment.
    KernelNumber segments = 1;
    KernelNumber tiles = 1;  ///< Max tiles per segment.
};

/// The steps of a sorting network that an op performs. They do not depend on the elements.
class NetworkShape {
  public:
    /// The partner of an element in one step.
    struct Comparator {
        std::uint32_t partner = 0;  ///< The number of the partner element.
        bool smaller = true;        ///< Whether this element becomes the smaller of the two.
    };

    virtual ~NetworkShape() = default;

    virtual std::uint32_t steps(const Op& op) const = 0;
    /// The labels of a step: where in the network it belongs.
    virtual Labels labels(const Op& op, std::uint32_t step) const = 0;
    /// The comparator of an element in a step. Nothing if the step leaves the element alone.
    virtual std::optional<Comparator> comparator(const Op& op, std::uint32_t step, std::uint32_t element) const = 0;
};

/// The full description of a kernel. Members that make no sense for a kernel are empty.
struct KernelShape {
    std::optional<KernelNumber> count;  ///< Elements of the sort.
    std::optional<KernelNumber> tile;   ///< Neighbouring elements that one group handles.
    std::optional<SortedRuns> reads;
    std::optional<SortedRuns> makes;
    /// Places of the result that are computed together.
    std::optional<KernelNumber> window;
    std::optional<DigitShape> digit;
    std::optional<Division> division;
    std::shared_ptr<const NetworkShape> network;
    bool copies = false;  ///< Whether the kernel only copies elements, in their order.
};

}  // namespace glsort
