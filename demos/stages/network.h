#pragma once

#include <glsort/stream/program.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace glsort::demo {

/// Compares the keys of two wires. Puts the smaller key on the first wire and the larger key on the second.
struct Comparator {
    std::uint32_t smaller = 0;
    std::uint32_t larger = 0;
    friend bool operator==(const Comparator&, const Comparator&) = default;
};

/// Columns `begin` up to but not including `end`.
struct Columns {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool contains(std::size_t column) const { return begin <= column && column < end; }
    friend bool operator==(const Columns&, const Columns&) = default;
};

/// The sorting network that a program runs: a wire for each element, and a column of comparators for each step. Nothing
/// is computed in advance. A network of a million wires costs only the queried parts.
///
/// The comparators come from the descriptions of kernels (NetworkShape).
class Network {
  public:
    /// Whether the program's ops are steps of a network. An op may be one step or several.
    static bool is_run_by(const StreamProgram& program);

    /// `program` must outlive this object.
    explicit Network(const StreamProgram& program);

    std::uint32_t wires() const { return wires_; }
    std::size_t columns() const { return columns_.size(); }
    /// The stage and step of the network that a column belongs to.
    const Labels& labels(std::size_t column) const { return columns_[column].labels; }
    /// The columns of op number `op`. None if the op only moves keys.
    Columns columns_of(std::size_t op) const { return columns_of_[op]; }
    /// The number of columns that have run after `done` ops.
    std::size_t columns_done(std::size_t done) const;

    /// The comparator of wire `wire` in a column, if any.
    std::optional<Comparator> comparator(std::size_t column, std::uint32_t wire) const;

  private:
    /// One step of an op.
    struct Column {
        const Op* op;
        std::uint32_t step;
        Labels labels;
    };

    std::uint32_t wires_ = 0;
    std::vector<Column> columns_;
    std::vector<Columns> columns_of_;  ///< By op number.
};

/// A part of a network that no comparator leaves: some neighbouring columns and some of the wires.
struct NetworkPart {
    struct Column {
        std::size_t number = 0;
        std::vector<Comparator> comparators;
        std::vector<std::uint32_t> lanes;  ///< The lane of each comparator, so that comparators do not overlap.
        std::uint32_t width = 0;           ///< The number of lanes.
    };
    std::vector<std::uint32_t> wires;  ///< Ascending.
    std::vector<Column> columns;
    Columns shown;  ///< The part of `columns` that fits the view.

    std::size_t row_of(std::uint32_t wire) const;
};

/// The part around column `centre`. A network of up to `max_wires` wires is shown with all wires. Of a larger network,
/// the part has the wires that a key can reach in some columns. `max_lanes`: how many lanes there is room for.
NetworkPart part_of(const Network& network, std::size_t centre, std::uint32_t max_wires, std::uint32_t max_lanes);

/// Applies the comparators of a column to keys. `places[i]`: the place of the key on wire `part.wires[i]`.
void compare(const NetworkPart& part, const NetworkPart::Column& column,
             std::span<std::optional<std::uint32_t>> places);

}  // namespace glsort::demo
