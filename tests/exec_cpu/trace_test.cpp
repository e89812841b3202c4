#include <glsort/planner.h>
#include <glsort/sorter.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "support/distributions.h"

using namespace glsort;

namespace {

struct TracedOp {
    Op op;
    OpTrace trace;
};

// The traced ops of a sort of pairs, on a GPU with subgroups of `subgroup` invocations.
std::vector<TracedOp> traced(const std::string& algorithm, std::uint32_t n, std::uint32_t subgroup) {
    PlanRequest request;
    request.spec.algorithm = algorithm;
    request.limits.subgroup_size = subgroup;
    request.limits.look_back = 1;
    request.spec.backend = Backend::compute;
    CpuSorter sorter(request.spec, request.limits);
    std::vector<std::uint32_t> keys = demo::make_keys32(demo::Distribution::few_distinct, KeyType::u32, n, 3);
    std::vector<std::uint32_t> values(n);
    sorter.begin(keys, values);
    std::vector<TracedOp> ops;
    for (OpTrace trace; sorter.step(trace);)
        ops.push_back({sorter.program().ops[ops.size()], trace});
    CHECK(std::is_sorted(keys.begin(), keys.end()));
    return ops;
}

bool has_role(const std::vector<Port>& ports, PortRole role) {
    return std::any_of(ports.begin(), ports.end(), [role](const Port& port) { return port.role == role; });
}

bool is_sweep(const Op& op) {
    return has_role(op.kernel->outputs, PortRole::status) && has_role(op.kernel->outputs, PortRole::elements);
}

// The places to which an op has written elements, in order of time.
std::vector<OpTrace::Touch> writes_of_use(const OpTrace& trace, std::size_t use) {
    std::vector<OpTrace::Touch> writes;
    std::copy_if(trace.touches.begin(), trace.touches.end(), std::back_inserter(writes),
                 [use](const OpTrace::Touch& touch) { return touch.write && touch.use == use; });
    return writes;
}

}  // namespace

TEST_CASE("elements of a sweep go where look-back and their ranks say", "[exec_cpu]") {
    std::size_t checked = 0;
    for (const TracedOp& traced : traced("radix:one-sweep", 20000, 32)) {
        // With a store chunk, the elements are the caller's keys, which follow `status`.
        if (!is_sweep(traced.op)) continue;
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> goals;
        for (const OpTrace::LookBack& look : traced.trace.look_backs) {
            CHECK(look.before + 1 == look.instance);
            goals[{look.instance, look.value}] = look.goal;
        }
        const auto writes = writes_of_use(traced.trace, traced.op.store ? 1 : 0);
        REQUIRE(writes.size() == 20000);
        REQUIRE(traced.trace.ranks.size() == writes.size());
        for (std::size_t i = 0; i < writes.size(); ++i) {
            const OpTrace::Rank& rank = traced.trace.ranks[i];
            REQUIRE(rank.element == i);
            REQUIRE(rank.instance == i / traced.op.kernel->shape.tile->of(traced.op));
            if (rank.instance == 0) continue;  // No group precedes the first group.
            REQUIRE(writes[i].element == goals.at({rank.instance, rank.value}) + rank.rank);
            ++checked;
        }
    }
    CHECK(checked > 4 * 10000);
}

TEST_CASE("ballots have the digits that elements are ranked by", "[exec_cpu]") {
    for (const std::uint32_t subgroup : {8u, 32u, 64u}) {
        const std::uint32_t most_bits = subgroup == 8 ? 7 : 8;
        for (const auto& [algorithm, n] : {std::pair{"radix:one-sweep", 20000u},
                                           {"radix:reduce-then-scan", 20000u},
                                           {"radix:one-sweep", 500u},
                                           {"sample:multi-level", 20000u},
                                           {"sample:multi-level", 500u}}) {
            std::size_t ranked_ops = 0;
            for (const TracedOp& traced : traced(algorithm, n, subgroup)) {
                CAPTURE(algorithm, n, subgroup, traced.op.kernel->name);
                // By instance, element and bit.
                std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, bool> votes;
                for (const OpTrace::Ballot& ballot : traced.trace.ballots)
                    for (std::uint32_t lane = 0; lane < subgroup; ++lane)
                        votes[{ballot.instance, ballot.element + lane, ballot.bit}] = (ballot.votes >> lane & 1) != 0;
                CHECK(votes.empty() == traced.trace.ranks.empty());
                if (!votes.empty()) ++ranked_ops;
                for (const OpTrace::Rank& rank : traced.trace.ranks) {
                    const std::uint32_t bits = std::min(most_bits, 32 - rank.shift);
                    std::uint32_t value = 0;
                    for (std::uint32_t bit = 0; bit < bits; ++bit)
                        value |= (votes.at({rank.instance, rank.element, rank.shift + bit}) ? 1u : 0u) << bit;
                    REQUIRE(value == rank.value);
                }
            }
            CHECK(ranked_ops > 0);
        }
    }
}

TEST_CASE("without subgroups ranks are traced, and nobody votes", "[exec_cpu]") {
    const std::vector<TracedOp> ops = traced("radix:reduce-then-scan", 300, 0);
    REQUIRE(ops.size() == 1);
    const OpTrace& trace = ops.front().trace;
    CHECK(trace.ballots.empty());
    const std::uint32_t rounds = 32 / ops.front().op.kernel->shape.digit->round_bits;
    REQUIRE(trace.ranks.size() == rounds * 300);
    // In each round, elements with equal values have the ranks 0, 1, 2, ...
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> next;
    for (const OpTrace::Rank& rank : trace.ranks)
        CHECK(rank.rank == next[{rank.shift, rank.value}]++);
}

TEST_CASE("loads of what an op shares are traced", "[exec_cpu]") {
    PlanRequest request;
    request.spec.algorithm = "radix:one-sweep";
    request.spec.backend = Backend::compute;
    request.limits.subgroup_size = 32;
    request.limits.look_back = 1;
    request.limits.multiprocessors = 8;
    CpuSorter sorter(request.spec, request.limits);
    std::vector<std::uint32_t> keys = demo::make_keys32(demo::Distribution::uniform, KeyType::u32, 100, 3);
    std::vector<std::uint32_t> values(100);
    sorter.begin(keys, values);
    OpTrace trace;
    REQUIRE(sorter.step(trace));
    // An enumeration in place gathers all elements from the stream that groups share.
    const Op& op = sorter.program().ops.front();
    std::size_t loads = 0;
    for (const OpTrace::Touch& touch : trace.touches) {
        CHECK((touch.of_output || !touch.write));
        if (touch.write || !touch.of_output) continue;
        CHECK(output_ports(op).at(touch.use).access == Access::shared);
        ++loads;
    }
    CHECK(loads == 2 * 100);
}
