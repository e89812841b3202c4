#pragma once

#include <glsort/stream/program.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace glsort::demo {

/// Compares the keys of two wires, and leaves the smaller one on the first, the larger one on the second.
struct Comparator {
    std::uint32_t smaller = 0;
    std::uint32_t larger = 0;
    friend auto operator<=>(const Comparator&, const Comparator&) = default;
};

/// Columns `begin` up to but not including `end`.
struct Columns {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool contains(std::size_t column) const { return begin <= column && column < end; }
    friend bool operator==(const Columns&, const Columns&) = default;
};

/// The sorting network that a program runs: a wire for each element, and a column of comparators for each of its
/// steps. Nothing is computed in advance: a network of a million wires costs what is asked of it.
///
/// The comparators are those that kernels say they have (NetworkShape).
class Network {
  public:
    /// Whether the program's ops are steps of a network, each one of them or several.
    static bool is_run_by(const StreamProgram& program);

    /// `program` must outlive it.
    explicit Network(const StreamProgram& program);

    std::uint32_t wires() const { return wires_; }
    std::size_t columns() const { return columns_.size(); }
    /// Which stage and step of the network a column is.
    const Labels& labels(std::size_t column) const { return columns_[column].labels; }
    /// The columns of op number `op`: none where it only moves keys.
    Columns columns_of(std::size_t op) const { return columns_of_[op]; }
    /// The columns that have run when `done` ops have.
    std::size_t columns_done(std::size_t done) const;

    /// The comparator that wire `wire` has in a column, if any.
    std::optional<Comparator> comparator(std::size_t column, std::uint32_t wire) const;

  private:
    /// A step of an op.
    struct Column {
        const Op* op;
        std::uint32_t step;
        Labels labels;
    };

    std::uint32_t wires_ = 0;
    std::vector<Column> columns_;
    std::vector<Columns> columns_of_;  ///< By the program's ops.
};

/// A part of a network that no comparator leaves: some neighbouring columns, and some of the wires.
struct NetworkPart {
    struct Column {
        std::size_t number = 0;
        std::vector<Comparator> comparators;
        std::vector<std::uint32_t> lanes;  ///< Of each comparator: side by side, so that no two are drawn over another.
        std::uint32_t width = 0;           ///< Lanes; 0 without comparators.
    };
    std::vector<std::uint32_t> wires;  ///< Ascending.
    std::vector<Column> columns;
    Columns shown;  ///< Of `columns`, counted from 0, those that there is room for.

    std::size_t row_of(std::uint32_t wire) const;
};

/// The part around column `centre`: of a network of up to `most_wires` all wires, of a larger one those that a key
/// can reach in some columns. Of these, `most_lanes` say how many there is room for.
NetworkPart part_of(const Network& network, std::size_t centre, std::uint32_t most_wires, std::uint32_t most_lanes);

/// What the comparators of a column make of keys, `places[i]` being that of wire `part.wires[i]`.
void compare(const NetworkPart& part, const NetworkPart::Column& column,
             std::span<std::optional<std::uint32_t>> places);

}  // namespace glsort::demo
