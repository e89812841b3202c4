#include "shown_network.h"

#include <algorithm>
#include <utility>

#include "elements.h"
#include "op_records.h"
#include "places.h"

namespace glsort::demo {
namespace {

/// The stream that has the elements after `done` ops.
StreamId stream_of_wires(Moment moment, std::size_t done) {
    moment.done = done;
    moment.chosen.reset();
    return key_stream(moment);
}

WirePlaces wire_places_in(const Moment& moment, StreamId id, const std::vector<std::uint32_t>& held,
                          const std::vector<std::uint32_t>& wires) {
    WirePlaces places;
    for (const std::uint32_t wire : wires)
        places.push_back(place_of(moment, id, held, wire));
    return places;
}

/// The keys after the first `columns` columns. Unknown for large networks, because the computation would take long.
WirePlaces wire_places_behind(const Moment& moment, const Network& network, std::size_t columns,
                              const std::vector<std::uint32_t>& wires) {
    constexpr std::uint32_t max_wires_followed = 256;
    WirePlaces places(wires.size());
    if (columns > 0 && network.wires() > max_wires_followed) return places;
    const auto input = [&](std::uint32_t wire) { return moment.places->of_sorted(wire); };
    if (columns == 0) {
        std::ranges::transform(wires, places.begin(), input);
        return places;
    }
    std::vector<std::uint32_t> all(network.wires());
    for (std::uint32_t wire = 0; wire < network.wires(); ++wire)
        all[wire] = input(wire);
    for (std::size_t column = 0; column < columns; ++column)
        for (std::uint32_t wire = 0; wire < network.wires(); ++wire)
            if (const auto comparator = network.comparator(column, wire))
                if (all[comparator->smaller] > all[comparator->larger])
                    std::swap(all[comparator->smaller], all[comparator->larger]);
    std::ranges::transform(wires, places.begin(), [&](std::uint32_t wire) { return all[wire]; });
    return places;
}

/// The places in a stream. Keys without an index have the place of the first equal key. Where the comparators give an
/// equal key, its place tells which of these keys the wire has.
WirePlaces told_apart(const Places& places, WirePlaces held, const WirePlaces& computed) {
    for (std::size_t row = 0; row < held.size(); ++row)
        if (held[row] && computed[row] && places.equal_keys(*held[row], *computed[row])) held[row] = computed[row];
    return held;
}

}  // namespace

std::optional<bool> ShownNetwork::has_exchanged(std::size_t column, const Comparator& comparator) const {
    const std::size_t row = part.row_of(comparator.smaller);
    const std::optional<std::uint32_t>& before = places[column][row];
    const std::optional<std::uint32_t>& after = places[column + 1][row];
    if (part.columns[column].number >= ran || !before || !after) return std::nullopt;
    return *before != *after;
}

ShownNetwork shown_network(const Network& network, const Moment& moment, std::uint32_t max_wires,
                           std::uint32_t max_lanes) {
    ShownNetwork shown;
    shown.ran = network.columns_done(moment.done);
    if (moment.done > 0) shown.lit = network.columns_of(moment.done - 1);
    shown.part = part_of(network, std::max<std::size_t>(shown.ran, 1) - 1, max_wires, max_lanes);
    const NetworkPart& part = shown.part;
    if (part.columns.empty()) return shown;

    const StreamId held = stream_of_wires(moment, moment.done);
    const StreamId before = stream_of_wires(moment, std::max<std::size_t>(moment.done, 1) - 1);

    // The streams' current contents are on the wires after the columns that have run. Their contents before the last op
    // are on the wires before its columns. In between, and from the input on, the comparators give the keys.
    WirePlaces now = wire_places_behind(moment, network, std::min(part.columns.front().number, shown.ran), part.wires);
    for (const NetworkPart::Column& column : part.columns) {
        if (column.number > 0 && column.number == shown.lit.begin && shown.lit.begin < shown.lit.end)
            now = wire_places_in(moment, before, words_before(moment, before), part.wires);
        if (column.number >= shown.ran) break;
        shown.places.push_back(now);
        compare(part, column, now);
    }
    // Before the first column, the streams of a scene have keys of other elements: those of a source, or of all.
    if (shown.ran > 0)
        now = told_apart(*moment.places, wire_places_in(moment, held, (*moment.streams)[held], part.wires), now);
    shown.places.resize(part.columns.size() + 1, now);
    return shown;
}

}  // namespace glsort::demo
