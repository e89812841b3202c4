#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

/// What kernels say of themselves, for those who explain, draw or check a program. No backend goes
/// by it.

namespace glsort {

struct Labels;
struct Op;

/// What the elements of a port are.
enum class PortRole {
    /// What is sorted: codes of keys, with an index or a value. A load or a store chunk may stand for the first input,
    /// or
    /// output, of this role.
    elements,
    keys,     ///< The caller's keys; in a texture perhaps with their values.
    values,   ///< The caller's values.
    other,    ///< None of these here.
    splits,   ///< Of a merge: how many elements of each run come before each window.
    sources,  ///< Of a merge: the run that each place of the result takes its element from.
    counts,   ///< How often each value of a digit occurs, in each tile.
    totals,   ///< How often each value of each digit occurs, in all elements.
    sums,     ///< What groups add up to `totals`.
    offsets,  ///< Where the elements of each value of a digit go, from each tile.
    status,   ///< What groups tell those behind them while these run (look-back).
    samples,  ///< Some of the elements.
    places,   ///< Where each bucket begins in each sorted tile.
    moves,    ///< The same, and where the elements of the tile's bucket go.
    starts,   ///< Where each bucket begins.
    nodes,    ///< Of trees: elements with pointers to children.
    paths,    ///< Of trees: pointers to the nodes that come next.
};

/// A number that a kernel goes by: one of its own, or a parameter that each op gives it.
class KernelNumber {
  public:
    constexpr KernelNumber(std::uint32_t number) : number_(number) {}
    /// The parameter at a place of `Kernel::parameters`.
    static constexpr KernelNumber parameter(std::size_t place) {
        KernelNumber number(0);
        number.parameter_ = place;
        return number;
    }

    /// The number for an op of the kernel.
    std::uint32_t of(const Op& op) const;

  private:
    std::uint32_t number_;
    std::optional<std::size_t> parameter_;
};

/// Sorted runs that lie one after the other, each from a multiple of its length on. The last may be
/// shorter.
struct SortedRuns {
    KernelNumber length;
    std::uint32_t merged = 1;  ///< Neighbours that become one run.
    bool in_turns = false;     ///< Every second one descends.
};

/// Bits of a key's code by which elements are counted or moved.
struct DigitShape {
    KernelNumber first_bit;
    KernelNumber bits;
    /// Where an op sorts by all of them: those that it goes by at once. 0: by all.
    std::uint32_t round_bits = 0;
};

/// Segments of the elements that are divided into buckets by samples of their tiles.
struct Division {
    std::uint32_t tile = 0;        ///< Elements of a tile.
    std::uint32_t samples = 0;     ///< Of a tile.
    bool random = false;           ///< Samples are drawn at random, else equidistant ones.
    std::uint32_t of_buckets = 0;  ///< Buckets of the level before that make up a segment; 0: all elements are one.
    std::uint32_t buckets = 0;     ///< That a segment is divided into.
    KernelNumber segments = 1;
    KernelNumber tiles = 1;  ///< Of a segment, at the most.
};

/// The steps of a sorting network that an op makes: the same whatever the elements are.
class NetworkShape {
  public:
    /// What an element is compared with.
    struct Comparator {
        std::uint32_t partner = 0;  ///< An element's number.
        bool smaller = true;        ///< Whether the element becomes the smaller of the two.
    };

    virtual ~NetworkShape() = default;

    virtual std::uint32_t steps(const Op& op) const = 0;
    /// Where a step belongs in the network.
    virtual Labels labels(const Op& op, std::uint32_t step) const = 0;
    /// What the step compares an element with; nothing where it leaves the element alone.
    virtual std::optional<Comparator> comparator(const Op& op, std::uint32_t step, std::uint32_t element) const = 0;
};

/// All of it, as far as it makes sense for a kernel.
struct KernelShape {
    std::optional<KernelNumber> count;  ///< Elements of the sort.
    std::optional<KernelNumber> tile;   ///< Neighbouring elements that a group of invocations has.
    std::optional<SortedRuns> reads;
    std::optional<SortedRuns> makes;
    /// Places of the result that are worked on together.
    std::optional<KernelNumber> window;
    std::optional<DigitShape> digit;
    std::optional<Division> division;
    std::shared_ptr<const NetworkShape> network;
    bool copies = false;  ///< Elements stay as they are, and in their order.
};

}  // namespace glsort
