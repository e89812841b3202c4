#include "network.h"

#include <algorithm>
#include <set>
#include <utility>

namespace glsort::demo {
namespace {

/// `wires`, and the wires that `from` can reach in some columns. Nothing if that is more than `limit` wires.
std::optional<std::set<std::uint32_t>> reached_wires(const Network& network, Columns columns,
                                                     std::set<std::uint32_t> wires, std::vector<std::uint32_t> from,
                                                     std::size_t limit) {
    wires.insert(from.begin(), from.end());
    while (!from.empty()) {
        if (wires.size() > limit) return std::nullopt;
        const std::uint32_t wire = from.back();
        from.pop_back();
        for (std::size_t column = columns.begin; column < columns.end; ++column)
            if (const auto comparator = network.comparator(column, wire))
                for (const std::uint32_t end : {comparator->smaller, comparator->larger})
                    if (wires.insert(end).second) from.push_back(end);
    }
    return wires;
}

/// The comparators of a column between these wires. No comparator may leave the wires.
NetworkPart::Column network_column(const Network& network, std::size_t number,
                                   const std::vector<std::uint32_t>& wires) {
    NetworkPart::Column column;
    column.number = number;
    for (const std::uint32_t wire : wires)
        if (const auto comparator = network.comparator(number, wire))
            if (wire == std::min(comparator->smaller, comparator->larger)) column.comparators.push_back(*comparator);
    // In the order of their upper ends. Each goes to the first lane in which the previous comparator has ended.
    std::vector<std::uint32_t> ends;
    for (const Comparator& comparator : column.comparators) {
        const std::uint32_t begin = std::min(comparator.smaller, comparator.larger);
        const auto lane = std::ranges::find_if(ends, [begin](std::uint32_t end) { return end < begin; });
        column.lanes.push_back(static_cast<std::uint32_t>(lane - ends.begin()));
        if (lane == ends.end()) ends.push_back(0);
        ends[column.lanes.back()] = std::max(comparator.smaller, comparator.larger);
    }
    column.width = static_cast<std::uint32_t>(ends.size());
    return column;
}

/// Up to `limit` wires, and the columns around `centre` whose comparators do not leave these wires.
std::pair<std::set<std::uint32_t>, Columns> closed_network_part(const Network& network, std::size_t centre,
                                                                std::uint32_t limit) {
    Columns columns{centre, centre + 1};
    std::uint32_t seed = 0;
    while (seed + 1 < network.wires() && !network.comparator(centre, seed))
        ++seed;
    std::set<std::uint32_t> wires = reached_wires(network, columns, {}, {seed}, limit).value_or(std::set{seed});
    const auto grow = [&](Columns wider) {
        auto more = reached_wires(network, wider, {}, {wires.begin(), wires.end()}, limit);
        if (!more) return false;
        wires = std::move(*more);
        columns = wider;
        return true;
    };
    // Follows a key onward, and back to its origin.
    bool ahead = true;
    bool back = true;
    while (ahead || back) {
        ahead = ahead && columns.end < network.columns() && grow({columns.begin, columns.end + 1});
        back = back && columns.begin > 0 && grow({columns.begin - 1, columns.end});
    }
    // If there is room, adds further groups of wires.
    for (std::uint32_t wire = seed + 1; wires.size() < limit && wire < network.wires() && wire - seed < limit; ++wire)
        if (!wires.contains(wire))
            if (auto more = reached_wires(network, columns, wires, {wire}, limit)) wires = std::move(*more);
    return {std::move(wires), columns};
}

}  // namespace

bool Network::is_run_by(const StreamProgram& program) {
    return std::ranges::any_of(program.ops, [](const Op& op) { return op.kernel->shape.network != nullptr; });
}

Network::Network(const StreamProgram& program) : wires_(program.n) {
    for (const Op& op : program.ops) {
        const std::size_t begin = columns_.size();
        const NetworkShape* network = op.kernel->shape.network.get();
        for (std::uint32_t step = 0; network != nullptr && step < network->steps(op); ++step)
            columns_.push_back({&op, step, network->labels(op, step)});
        columns_of_.push_back({begin, columns_.size()});
    }
}

std::size_t Network::columns_done(std::size_t done) const {
    std::size_t columns = 0;
    for (std::size_t op = 0; op < done; ++op)
        if (columns_of_[op].begin < columns_of_[op].end) columns = columns_of_[op].end;
    return columns;
}

std::optional<Comparator> Network::comparator(std::size_t column, std::uint32_t wire) const {
    const Column& of = columns_[column];
    const auto found = of.op->kernel->shape.network->comparator(*of.op, of.step, wire);
    if (!found) return std::nullopt;
    return found->smaller ? Comparator{wire, found->partner} : Comparator{found->partner, wire};
}

std::size_t NetworkPart::row_of(std::uint32_t wire) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(wires, wire) - wires.begin());
}

NetworkPart part_of(const Network& network, std::size_t centre, std::uint32_t max_wires, std::uint32_t max_lanes) {
    NetworkPart part;
    Columns columns{0, network.columns()};
    if (network.wires() <= max_wires || network.columns() == 0) {
        for (std::uint32_t wire = 0; wire < std::min(network.wires(), max_wires); ++wire)
            part.wires.push_back(wire);
    } else {
        std::set<std::uint32_t> wires;
        std::tie(wires, columns) = closed_network_part(network, centre, max_wires);
        part.wires.assign(wires.begin(), wires.end());
    }
    for (std::size_t number = columns.begin; number < columns.end; ++number)
        part.columns.push_back(network_column(network, number, part.wires));

    // Leaves out the columns farthest from the centre first.
    part.shown = {0, part.columns.size()};
    std::uint32_t lanes = 0;
    for (const NetworkPart::Column& column : part.columns)
        lanes += column.width + 1;
    while (lanes > max_lanes && part.shown.end - part.shown.begin > 1) {
        const bool first =
            centre - part.columns[part.shown.begin].number > part.columns[part.shown.end - 1].number - centre;
        lanes -= part.columns[first ? part.shown.begin++ : --part.shown.end].width + 1;
    }
    return part;
}

void compare(const NetworkPart& part, const NetworkPart::Column& column,
             std::span<std::optional<std::uint32_t>> places) {
    for (const Comparator& comparator : column.comparators) {
        auto& smaller = places[part.row_of(comparator.smaller)];
        auto& larger = places[part.row_of(comparator.larger)];
        if (smaller && larger && *smaller > *larger) std::swap(smaller, larger);
    }
}

}  // namespace glsort::demo
