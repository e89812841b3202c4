#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "moment.h"
#include "network.h"

namespace glsort::demo {

/// For each wire of the shown part, the place of its key in the sorted order. Nothing if that is unknown.
using WirePlaces = std::vector<std::optional<std::uint32_t>>;

/// The shown part of a network, and the keys on its wires.
struct ShownNetwork {
    NetworkPart part;
    Columns lit;          ///< The columns of the last op.
    std::size_t ran = 0;  ///< The number of columns that have run.
    /// Before each shown column, and after the last one.
    std::vector<WirePlaces> places;

    /// Whether a comparator of column `part.columns[column]` has exchanged the keys of its wires. Nothing if the
    /// comparator has not run, or if the answer is unknown.
    std::optional<bool> has_exchanged(std::size_t column, const Comparator& comparator) const;
};

/// The part around the last column that has run. `max_wires` and `max_lanes`: as for part_of().
ShownNetwork shown_network(const Network& network, const Moment& moment, std::uint32_t max_wires,
                           std::uint32_t max_lanes);

}  // namespace glsort::demo
