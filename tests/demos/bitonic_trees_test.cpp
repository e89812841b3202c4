#include "stages/bitonic_trees.h"

#include <glsort/planner.h>
#include <glsort/sorter.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "stages/elements.h"
#include "stages/places.h"
#include "support/distributions.h"

using namespace glsort;
using namespace glsort::demo;

namespace {

// A sort by the cpu bodies, with access to the state between two ops. Runs the programs of all tree_backends.
class TreeSort {
  public:
    TreeSort(const std::string& algorithm, Backend backend, std::uint32_t n, Distribution distribution)
        : sorter_(request(algorithm, backend).spec),
          keys_(make_keys32(distribution, KeyType::u32, n, 11)),
          values_(n),
          places_((sorter_.begin(keys_, values_), sorter_.program()), keys_) {
        moment.program = &sorter_.program();
        moment.streams = &streams_;
        moment.before = &before_;
        moment.written = &written_;
        moment.places = &places_;
        written_.resize(program().streams.size());
        for (StreamId id = 0; id < program().streams.size(); ++id)
            if (program().streams[id].role != StreamRole::scratch) written_[id] = Substream::range(0, n);
        read();
    }
    TreeSort(const TreeSort&) = delete;
    TreeSort& operator=(const TreeSort&) = delete;

    const StreamProgram& program() const { return sorter_.program(); }

    bool step() {
        before_.assign(streams_.size(), {});
        const Op* op = moment.next_op();
        if (op == nullptr) return false;
        for (const StreamUse& use : op->writes)
            before_[use.stream] = streams_[use.stream];
        sorter_.step(trace);
        read();
        for (const StreamUse& use : op->writes) {
            const Stream& stream = program().streams[use.stream];
            const std::uint32_t words = stream.words * stream.elements_per_record;
            written_[use.stream] = written_[use.stream].united(use.records);
            std::vector<std::uint32_t> written;
            for (const Block& block : use.records.blocks())
                written.insert(written.end(), streams_[use.stream].begin() + block.begin * words,
                               streams_[use.stream].begin() + block.end * words);
            places_.see(use.stream, written);
        }
        ++moment.done;
        return true;
    }

    Moment moment;
    OpTrace trace;  ///< Of the last op.

  private:
    static PlanRequest request(const std::string& algorithm, Backend backend) {
        PlanRequest request;
        request.spec.algorithm = algorithm;
        request.spec.backend = backend;
        return request;
    }
    void read() {
        streams_.clear();
        for (StreamId id = 0; id < program().streams.size(); ++id)
            streams_.push_back(sorter_.read(id));
    }

    CpuSorter sorter_;
    std::vector<std::uint32_t> keys_;
    std::vector<std::uint32_t> values_;
    Places places_;
    std::vector<std::vector<std::uint32_t>> streams_;
    std::vector<std::vector<std::uint32_t>> before_;
    std::vector<Substream> written_;
};

constexpr std::array tree_variants{"abisort:appendix-a", "abisort:overlapped", "abisort:paper", "abisort:fused"};
constexpr std::array tree_backends{Backend::cpu, Backend::fragment, Backend::compute};

std::vector<std::uint32_t> keys_of_tree(const BitonicTree& tree) {
    std::vector<std::uint32_t> keys;
    for (const auto& node : tree.nodes)
        if (node && node->key) keys.push_back(*node->key);
    return keys;
}

// The keys that a tree of 2^height nodes must hold: the keys that the tree had before the first op.
std::vector<std::uint32_t> keys_of_tree_input(const Moment& moment, int height, std::uint32_t tree) {
    std::vector<std::uint32_t> keys;
    const std::uint64_t begin = std::uint64_t{tree} << height;
    for (std::uint64_t i = begin; i < std::min<std::uint64_t>(moment.program->n, begin + (1u << height)); ++i)
        keys.push_back(moment.places->of_index(static_cast<std::uint32_t>(i)));
    return keys;
}

bool is_tree_phase_op(const Op* op) {
    return op != nullptr && op->kernel->name == "abisort_phase";
}

// The keys that later phases than 0 read from trees or runs in an op. Either of the first nodes, or of the second
// nodes.
std::multiset<std::uint32_t> keys_read_by_phase(const Moment& moment, const Op& op, const OpTrace& trace,
                                                std::size_t which) {
    std::multiset<std::uint32_t> keys;
    for (std::size_t block = 0; block < op.blocks.size(); ++block) {
        if (op.blocks[block].labels.phase == 0) continue;
        const Block records = op.domain.blocks()[block];
        for (std::uint32_t instance = records.begin; instance < records.end; ++instance) {
            std::vector<OpTrace::Touch> nodes;
            for (const OpTrace::Touch& touch : trace.touches)
                if (touch.instance == instance && !touch.write && touch.use > 0) nodes.push_back(touch);
            REQUIRE(nodes.size() == 2);
            const StreamId stream = op.reads[nodes[which].use].stream;
            const auto words =
                element_words(moment.program->streams[stream], words_before(moment, stream), nodes[which].element);
            keys.insert(moment.places->of(stream, words).value());
        }
    }
    return keys;
}

std::multiset<std::uint32_t> keys_at_pointer(const std::vector<BitonicTree>& trees, char pointer) {
    std::multiset<std::uint32_t> keys;
    for (const BitonicTree& tree : trees)
        for (const auto& node : tree.nodes)
            if (node && node->pointer == pointer) keys.insert(node->key.value());
    return keys;
}

// The keys of nodes that an op has compared and exchanged, from the op's comparisons and writes.
std::multiset<std::uint32_t> keys_exchanged_by_phase(const Moment& moment, const Op& op, const OpTrace& trace) {
    std::multiset<std::uint32_t> keys;
    std::size_t number = 0;
    const StreamId written = op.writes[1].stream;
    for (const Block& records : op.domain.blocks())
        for (std::uint32_t instance = records.begin; instance < records.end; ++instance, ++number) {
            // A phase asks whether the second node comes before the first.
            const OpTrace::Comparison& comparison = trace.comparisons[number];
            REQUIRE(comparison.instance == instance);
            const auto node = element_words(moment.program->streams[written], (*moment.streams)[written], 2 * instance);
            if (node[0] == comparison.b[0] && node[1] == comparison.b[1]) continue;
            for (const Element& key : {comparison.a, comparison.b})
                if (const auto index = moment.places->index_of_record(key))
                    keys.insert(moment.places->of_index(*index));
        }
    return keys;
}

std::vector<BitonicTree> trees_of(BitonicTrees& state, int stage) {
    std::vector<BitonicTree> trees;
    for (std::uint32_t tree = 0; tree < state.trees(stage); ++tree)
        trees.push_back(state.tree(stage, tree));
    return trees;
}

}  // namespace

TEST_CASE("a node's level follows from its place in order", "[demos]") {
    const BitonicTree tree{.height = 3, .nodes = {}};
    const int depths[] = {2, 1, 2, 0, 2, 1, 2, -1};
    for (std::size_t node = 0; node < 8; ++node)
        CHECK(tree.depth(node) == depths[node]);
}

TEST_CASE("bitonic trees hold the keys that they merge, after every op", "[demos]") {
    for (const std::string algorithm : tree_variants)
        for (const Backend backend : tree_backends)
            for (const std::uint32_t n : {2u, 23u, 64u, 100u}) {
                TreeSort sort(algorithm, backend, n, n == 64 ? Distribution::few_distinct : Distribution::uniform);
                do {
                    CAPTURE(algorithm, to_string(backend), n, sort.moment.done);
                    BitonicTrees state(sort.moment);
                    // Keys without an index are ambiguous if they are equal.
                    if (!state.merging() && n == 64) continue;
                    for (std::uint32_t t = 0; t < state.trees(0); ++t) {
                        std::vector<std::uint32_t> keys = keys_of_tree(state.tree(0, t));
                        std::vector<std::uint32_t> expected = keys_of_tree_input(sort.moment, state.level(), t);
                        std::ranges::sort(keys);
                        std::ranges::sort(expected);
                        REQUIRE(keys == expected);
                    }
                } while (sort.step());
            }
}

TEST_CASE("a stage's trees are parts of the whole trees, and levels that are not asked for are missing", "[demos]") {
    TreeSort sort("abisort:overlapped", Backend::cpu, 100, Distribution::uniform);
    bool deep = false;
    while (sort.step()) {
        BitonicTrees state(sort.moment);
        for (int stage = 0; stage <= state.stage(); ++stage) {
            deep = deep || stage > 2;
            for (std::uint32_t t = 0; t < state.trees(stage); ++t) {
                CAPTURE(sort.moment.done, stage, t);
                const BitonicTree part = state.tree(stage, t);
                const BitonicTree upper = state.tree(stage, t, 2);
                const BitonicTree whole = state.tree(0, t >> stage);
                CHECK(part.ascending == whole.ascending);
                const std::size_t begin = part.nodes.size() * (t & ((1u << stage) - 1));
                for (std::size_t node = 0; node < part.nodes.size(); ++node) {
                    const auto& same = whole.nodes[begin + node];
                    CHECK(part.nodes[node].has_value() == same.has_value());
                    if (part.nodes[node] && same) {
                        CHECK(part.nodes[node]->key == same->key);
                        CHECK(part.nodes[node]->pointer == same->pointer);
                        CHECK(part.nodes[node]->exchanged == same->exchanged);
                        CHECK(part.nodes[node]->moved == same->moved);
                    }
                    CHECK(upper.nodes[node].has_value() == (part.nodes[node] && part.depth(node) < 2));
                }
            }
        }
    }
    CHECK(deep);
}

TEST_CASE("the subtrees that a phase has reached are parts of its tree", "[demos]") {
    TreeSort sort("abisort:appendix-a", Backend::fragment, 64, Distribution::uniform);
    std::size_t subtrees = 0;
    while (sort.step()) {
        BitonicTrees state(sort.moment);
        if (!state.merging()) continue;
        const Labels labels = state.last_phases().at(0);
        REQUIRE(state.last_phases().size() == 1);
        for (std::uint32_t instance = 0; instance < state.instances(0); ++instance)
            for (const bool second : {false, true}) {
                // Phase 0 has written a spare node, which has no subtree.
                if (labels.phase == 0) continue;
                CAPTURE(sort.moment.done, instance, second);
                const BitonicTree part = state.subtree(0, instance, second);
                const std::vector<BitonicTree> trees = trees_of(state, 0);
                const BitonicTree& whole = trees[instance >> labels.stage];
                CHECK(part.ascending == whole.ascending);
                const std::size_t root = part.nodes.size() / 2 - 1;
                const auto same = std::ranges::find_if(
                    whole.nodes, [&](const auto& node) { return node->place == part.nodes[root]->place; });
                REQUIRE(same != whole.nodes.end());
                const auto begin = static_cast<std::size_t>(same - whole.nodes.begin()) - root;
                for (std::size_t node = 0; node + 1 < part.nodes.size(); ++node) {
                    CHECK(part.nodes[node]->key == whole.nodes[begin + node]->key);
                    CHECK(part.nodes[node]->pointer == whole.nodes[begin + node]->pointer);
                    CHECK(part.nodes[node]->moved == whole.nodes[begin + node]->moved);
                }
                CHECK_FALSE(part.nodes.back().has_value());
                ++subtrees;
            }
    }
    CHECK(subtrees > 100);
}

TEST_CASE("p and q point to what the next phase reads", "[demos]") {
    for (const std::string algorithm : tree_variants)
        for (const Backend backend : tree_backends)
            for (const std::uint32_t n : {32u, 64u}) {
                TreeSort sort(algorithm, backend, n, Distribution::few_distinct);
                std::size_t compared = 0;
                while (sort.moment.next_op() != nullptr) {
                    CAPTURE(algorithm, to_string(backend), n, sort.moment.done);
                    BitonicTrees state(sort.moment);
                    const std::vector<BitonicTree> trees = trees_of(state, 0);
                    const Op& op = *sort.moment.next_op();
                    REQUIRE(sort.step());
                    // Before a copy the nodes are in another place. After the copy they are unchanged.
                    if (!is_tree_phase_op(&op)) continue;
                    CHECK(keys_at_pointer(trees, 'p') == keys_read_by_phase(sort.moment, op, sort.trace, 0));
                    CHECK(keys_at_pointer(trees, 'q') == keys_read_by_phase(sort.moment, op, sort.trace, 1));
                    compared += keys_at_pointer(trees, 'p').size();
                }
                CHECK((compared > 0 || n < 32));
            }
}

TEST_CASE("what a phase has exchanged is marked", "[demos]") {
    for (const std::string algorithm : tree_variants)
        for (const Backend backend : tree_backends)
            for (const std::uint32_t n : {32u, 77u}) {
                TreeSort sort(algorithm, backend, n, Distribution::uniform);
                std::size_t exchanges = 0;
                while (sort.step()) {
                    const Op& op = *sort.moment.last_op();
                    if (!is_tree_phase_op(&op)) continue;
                    CAPTURE(algorithm, to_string(backend), n, sort.moment.done);
                    BitonicTrees state(sort.moment);
                    std::multiset<std::uint32_t> marked;
                    std::size_t moved = 0;
                    for (const BitonicTree& tree : trees_of(state, 0))
                        for (const auto& node : tree.nodes) {
                            if (node && node->exchanged && node->key) marked.insert(*node->key);
                            if (node && node->moved) ++moved;
                        }
                    CHECK(marked == keys_exchanged_by_phase(sort.moment, op, sort.trace));
                    CHECK(moved <= 2 * marked.size());
                    exchanges += marked.size();
                }
                CHECK(exchanges > 0);
            }
}

TEST_CASE("the last phase of a level leaves its trees in order", "[demos]") {
    for (const std::string algorithm : {"abisort:appendix-a", "abisort:overlapped"})
        for (const std::uint32_t n : {64u, 50u}) {
            TreeSort sort(algorithm, Backend::fragment, n, Distribution::uniform);
            int levels = 0;
            while (sort.step()) {
                BitonicTrees state(sort.moment);
                if (!state.merging() || state.stage() + 1 < state.level()) continue;
                ++levels;
                for (const BitonicTree& tree : trees_of(state, 0)) {
                    CAPTURE(algorithm, n, sort.moment.done, tree.ascending);
                    const std::vector<std::uint32_t> keys = keys_of_tree(tree);
                    CHECK((tree.ascending ? std::ranges::is_sorted(keys)
                                          : std::ranges::is_sorted(keys, std::greater<>())));
                }
            }
            CHECK(levels >= 6);
        }
}
