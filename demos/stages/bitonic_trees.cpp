#include "bitonic_trees.h"

#include <algorithm>
#include <bit>
#include <string_view>

#include "elements.h"
#include "op_records.h"
#include "places.h"

namespace glsort::demo {
namespace {

bool is_tree_phase(const Op& op) {
    return writes(op, PortRole::paths);
}
bool is_tree_copy(const Op& op) {
    return op.kernel->shape.copies && writes(op, PortRole::nodes);
}

template <class Value>
std::uint32_t named(const std::vector<Parameter>& names, const std::vector<Value>& values, std::string_view name) {
    const auto found = std::ranges::find(names, name, &Parameter::name);
    if (found == names.end()) return 0;
    return values[static_cast<std::size_t>(found - names.begin())];
}

}  // namespace

int BitonicTree::depth(std::size_t node) const {
    return height - 1 - std::countr_one(node);
}

Block BitonicTrees::Phase::instances(int stage, std::uint32_t tree) const {
    const int below = labels().stage - stage;  // 2^below instances work on one tree, or one instance on several.
    const std::uint64_t first = records().begin + (below >= 0 ? std::uint64_t{tree} << below : tree >> -below);
    const std::uint64_t last = first + (below >= 0 ? std::uint64_t{1} << below : 1);
    const std::uint64_t end = records().end;
    return {static_cast<std::uint32_t>(std::min(first, end)), static_cast<std::uint32_t>(std::min(last, end))};
}

std::uint32_t BitonicTrees::Phase::parameter(const char* name) const {
    return named(op->kernel->block_parameters, op->blocks[block].parameters, name);
}

bool BitonicTrees::are_in(const StreamProgram& program) {
    return std::ranges::any_of(program.ops, is_tree_phase);
}

BitonicTrees::BitonicTrees(const Moment& moment) : moment_(moment) {
    const StreamProgram& program = *moment.program;
    if (program.backend == Backend::fragment) pointers_ = TreePointers::texels(program.layout);
    std::size_t last = moment.done;
    while (last > 0 && is_tree_copy(program.ops[last - 1]))
        --last;
    if (last == 0 || !is_tree_phase(program.ops[last - 1])) {
        find_sequences();
        return;
    }

    last_ = &program.ops[last - 1];
    find_phases(last);
}

/// Finds the phases of the level that have run, given that `last` ops have run.
void BitonicTrees::find_phases(std::size_t last) {
    level_ = last_->labels.level;
    nodes_ = named(last_->kernel->parameters, last_->parameters, "nodes");
    for (std::size_t i = last; i-- > 0;) {
        const Op& op = moment_.program->ops[i];
        if (is_tree_copy(op)) continue;
        if (!is_tree_phase(op) || op.labels.level != level_) break;
        for (std::size_t block = 0; block < op.blocks.size(); ++block) {
            const Labels& labels = op.blocks[block].labels;
            phases_[{labels.stage, labels.phase}] = {&op, block};
            stage_ = std::max(stage_, labels.stage);
        }
    }
    for (std::size_t block = 0; block < last_->blocks.size(); ++block)
        last_blocks_.push_back({last_, block});
    std::ranges::sort(last_blocks_, {}, [](const Phase& phase) { return phase.labels().stage; });
    for (const Phase& phase : last_blocks_)
        last_phases_.push_back(phase.labels());
}

/// Cuts the elements, in stream order, into sequences of the last finished level, or of the first level.
void BitonicTrees::find_sequences() {
    const std::vector<Op>& ops = moment_.program->ops;
    Moment moment = moment_;
    moment.chosen.reset();
    sequences_ = key_stream(moment);
    for (std::size_t i = moment.done; i-- > 0;) {
        const auto use = std::ranges::find(ops[i].writes, sequences_, &StreamUse::stream);
        if (use == ops[i].writes.end()) continue;
        begin_ = use->records.blocks().front().begin * moment_.program->streams[sequences_].elements_per_record;
        break;
    }
    const auto labelled = [](const Op& op) { return op.labels.level >= 0; };
    const auto done = ops.begin() + static_cast<std::ptrdiff_t>(moment.done);
    const auto before = std::find_if(std::make_reverse_iterator(done), ops.rend(), labelled);
    const auto behind = std::find_if(done, ops.end(), labelled);
    if (before != ops.rend())
        level_ = before->labels.level;
    else if (behind != ops.end())
        level_ = behind->labels.level;
}

/// Finds where p and q of a phase point, and which pointers lead to nodes that exist only after the next phase.
void BitonicTrees::find_pointers(const Phase& phase, const Block& instances) {
    const Labels labels = phase.labels();
    if (labels.stage + labels.phase + 1 >= level_) return;
    const std::vector<std::uint32_t>& paths = (*moment_.streams)[stream_written(*last_, PortRole::paths).value()];
    const std::uint32_t next = phase.parameter("next");
    for (std::uint32_t instance = instances.begin; instance < instances.end; ++instance) {
        // A pruned subtree may have no second half to continue in.
        if (instance == phase.parameter("stop")) continue;
        for (std::uint32_t i = 0; i < 2; ++i) {
            const std::uint32_t pointer = paths[2 * instance + i];
            if (labels.phase > 0) ahead_[2 * (instance ^ next) + i] = pointer;
            if (const auto place = node_at(pointer, false).place) current_[*place] = i == 0 ? 'p' : 'q';
        }
    }
}

/// Finds the keys and subtrees that a phase has exchanged.
void BitonicTrees::find_exchanges(const Phase& phase, const Block& instances) {
    const std::vector<std::uint32_t>& paths = (*moment_.streams)[stream_written(*last_, PortRole::paths).value()];
    const bool leaves = phase.labels().stage + phase.labels().phase + 1 >= level_;
    for (std::uint32_t instance = instances.begin; instance < instances.end; ++instance) {
        const NodePlace a = place_of(instance, 0);
        const NodePlace b = place_of(instance, 1);
        if (key_in(place_before(phase, instance), true) == key_in(a)) continue;
        exchanged_.insert({a, b});
        if (leaves) continue;
        // Phase 0 exchanges both sons of the root. Later phases exchange the left sons of p and q (section 4.2).
        const bool first = phase.labels().phase == 0;
        for (const std::uint32_t pointer :
             {first ? paths[2 * instance] : node_in(a).left, first ? paths[2 * instance + 1] : node_in(b).left})
            if (const auto place = node_at(pointer).place) moved_.insert(*place);
    }
}

/// The place, before the last op, of the first of the two nodes that an instance compared: the root, or p.
std::optional<NodePlace> BitonicTrees::place_before(const Phase& phase, std::uint32_t instance) const {
    enum : std::uint32_t { first_stage, phase_0, later_phase };  // PhaseBlockParameters::phase
    const std::uint32_t from = phase.parameter("from");
    const std::uint32_t kind = phase.parameter("phase");
    const StreamId trees = stream_read(*last_, PortRole::nodes).value();
    if (kind == phase_0) return NodePlace{trees, 2 * (instance / 2 ^ nodes_ ^ from) + instance % 2};
    if (kind == first_stage) {
        const std::uint32_t sequences = named(last_->kernel->parameters, last_->parameters, "sequences");
        const std::uint32_t root = (instance << level_) + (1u << (level_ - 1)) - 1;
        return place_in_order(2 * sequences + root);
    }
    const std::vector<std::uint32_t>& paths = words_before(moment_, stream_read(*last_, PortRole::paths).value());
    const TreePointers::Node node = pointers_.node(paths[2 * (instance ^ from)]);
    return node.in_order ? place_in_order(node.element) : NodePlace{trees, node.element};
}

/// The place of a node in a record that the level has written. Nodes of the last op are in the output stream until an
/// op copies them back (section 6.1).
NodePlace BitonicTrees::place_of(std::uint32_t record, std::uint32_t element) const {
    if (last_->domain.contains(record)) return {stream_written(*last_, PortRole::nodes).value(), 2 * record + element};
    return {stream_read(*last_, PortRole::nodes).value(), 2 * (record ^ nodes_) + element};
}

/// The place of a node of the sequences that the level merges. Nothing past the end.
std::optional<NodePlace> BitonicTrees::place_in_order(std::uint32_t element) const {
    const std::uint32_t begin = 2 * named(last_->kernel->parameters, last_->parameters, "sequences");
    if (element - begin >= moment_.program->n) return std::nullopt;
    // Sequences are nodes unless they are runs.
    const auto runs = stream_read(*last_, PortRole::elements);
    return NodePlace{runs ? *runs : stream_read(*last_, PortRole::nodes).value(), element};
}

/// A node with its pointers. In a faulty sort the streams may hold anything.
BitonicTrees::Node BitonicTrees::node_in(const NodePlace& place) const {
    const Stream& stream = moment_.program->streams[place.stream];
    if (place.element >= elements_of(stream)) return {};
    const auto words = element_words(stream, (*moment_.streams)[place.stream], place.element);
    return {place, words[2], words[3]};
}

/// `ahead`: whether to resolve pointers to nodes that the next phase will write, by p and q.
BitonicTrees::Node BitonicTrees::node_at(std::uint32_t pointer, bool ahead) const {
    const TreePointers::Node node = pointers_.node(pointer);
    if (node.in_order) {
        const auto [left, right] = pointers_.children_in_order(node.element);
        return {place_in_order(node.element), left, right};
    }
    const std::uint32_t element = node.element ^ 2 * nodes_;
    const auto next = ahead_.find(element);
    if (ahead && next != ahead_.end()) return node_at(next->second, false);
    return node_in(place_of(element / 2, element % 2));
}

std::optional<std::uint32_t> BitonicTrees::key_in(const std::optional<NodePlace>& place, bool before) const {
    if (!place) return std::nullopt;
    const Stream& stream = moment_.program->streams[place->stream];
    if (place->element >= elements_of(stream)) return std::nullopt;
    const auto& words = before ? words_before(moment_, place->stream) : (*moment_.streams)[place->stream];
    return moment_.places->of(place->stream, element_words(stream, words, place->element));
}

std::uint32_t BitonicTrees::trees(int stage) const {
    return moment_.program->n == 0 ? 0 : ((moment_.program->n - 1) >> (level_ - stage)) + 1;
}

BitonicTree BitonicTrees::tree(int stage, std::uint32_t number, int levels) {
    BitonicTree tree;
    tree.height = level_ - stage;
    tree.ascending = ((number >> stage) & 1) == (((moment_.program->n - 1) >> level_) & 1);
    tree.nodes.resize(std::size_t{1} << tree.height);
    if (!merging()) {
        for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
            const std::uint64_t element = (std::uint64_t{number} << tree.height) + i;
            if (tree.depth(i) >= levels || element >= moment_.program->n) continue;
            const NodePlace place{sequences_, begin_ + static_cast<std::uint32_t>(element)};
            tree.nodes[i] = TreeNode{.place = place, .key = key_in(place)};
        }
        return tree;
    }
    forget_pointers();
    for (const Phase& phase : last_blocks_)
        find_pointers(phase, phase.instances(stage, number));
    for (const Phase& phase : last_blocks_)
        find_exchanges(phase, phase.instances(stage, number));
    // Phase 0 of the last stage has written the upper nodes in order. Each instance wrote a root of that stage and an
    // upper node or the spare node.
    const Phase upper = phases_.at({stage_, 0});
    const auto lower = phases_.find({stage_, 1});
    const int shared = stage_ - stage;  // levels that the tree has above the roots of the last stage
    const std::size_t size = tree.nodes.size() >> shared;
    const std::vector<std::uint32_t>& paths = (*moment_.streams)[stream_written(*upper.op, PortRole::paths).value()];
    for (std::uint32_t i = 0; i < 1u << shared; ++i) {
        const std::uint32_t instance = (number << shared) + i;
        const std::uint32_t record = upper.records().begin + instance;
        if (record >= upper.records().end) break;
        const std::size_t root = size * i + size / 2 - 1;
        add(tree, root, 0, node_in(place_of(record, 0)), levels);
        add(tree, size * (i + 1) - 1, 0, node_in(place_of(record, 1)), levels);
        if (size < 4) continue;
        const auto son = [&](std::uint32_t which) {
            return lower == phases_.end() ? node_at(paths[2 * record + which])
                                          : node_in(place_of(lower->second.records().begin + instance, which));
        };
        add(tree, root - size / 4, size / 8, son(0), levels);
        add(tree, root + size / 4, size / 8, son(1), levels);
    }
    return tree;
}

BitonicTree BitonicTrees::subtree(std::size_t phase, std::uint32_t instance, bool second, int levels) {
    const Phase& written = last_blocks_[phase];
    const std::uint32_t record = written.records().begin + instance;
    forget_pointers();
    find_pointers(written, {record, record + 1});
    find_exchanges(written, {record, record + 1});
    const int stage = written.labels().stage;
    BitonicTree tree;
    tree.height = level_ - stage - written.labels().phase;
    tree.ascending = ((instance >> stage) & 1) == (((moment_.program->n - 1) >> level_) & 1);
    tree.nodes.resize(std::size_t{1} << tree.height);
    add(tree, tree.nodes.size() / 2 - 1, tree.nodes.size() / 4, node_in(place_of(record, second ? 1 : 0)), levels);
    return tree;
}

void BitonicTrees::forget_pointers() {
    ahead_.clear();
    current_.clear();
    exchanged_.clear();
    moved_.clear();
}

/// Adds a node and its subtree. The sons are `distance` nodes away; 0: the node has no sons.
void BitonicTrees::add(BitonicTree& tree, std::size_t at, std::size_t distance, const Node& node, int levels) const {
    if (tree.depth(at) >= levels) return;
    TreeNode added{.place = node.place, .key = key_in(node.place)};
    if (node.place) {
        if (const auto current = current_.find(*node.place); current != current_.end()) added.pointer = current->second;
        added.exchanged = exchanged_.contains(*node.place);
        added.moved = moved_.contains(*node.place);
        const StreamId written = stream_written(*last_, PortRole::nodes).value();
        added.written = node.place->stream == written && last_->domain.contains(node.place->element / 2);
    }
    tree.nodes[at] = added;
    if (distance == 0 || tree.depth(at) + 1 >= levels) return;
    add(tree, at - distance, distance / 2, node_at(node.left), levels);
    add(tree, at + distance, distance / 2, node_at(node.right), levels);
}

}  // namespace glsort::demo
