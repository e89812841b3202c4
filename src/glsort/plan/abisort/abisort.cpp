#include <fmt/format.h>
#include <glsort/error.h>
#include <glsort/plan/abisort/abisort.h>
#include <glsort/plan/abisort/abisort_kernels.h>
#include <glsort/plan/abisort/abisort_layout.h>
#include <glsort/plan/algorithm.h>
#include <algorithm>
#include <bit>
#include <utility>

namespace glsort {
namespace {

using namespace abisort;

/// 1 if the number of the last sequence of 2^level elements is odd, else 0.
std::uint32_t last_is_odd(std::uint32_t n, int level) {
    return static_cast<std::uint32_t>(std::uint64_t{n - 1} >> level & 1);
}

/// Attachments of a record of 16 elements, two words each.
constexpr std::uint32_t attachments_of_fused = 8;

/// The number of last stages of each level that other ops perform, in variants paper and fused.
constexpr int stages_of_others = 4;

/// One phase of one stage.
struct StagePhase {
    int stage = 0;
    int phase = 0;
};

/// How a variant merges.
struct MergePolicy {
    int stages_cut = 0;     ///< The number of last stages of each level that other ops perform.
    std::uint32_t run = 0;  ///< Elements per record of the stream `runs`. 0: the sequences are nodes.
    bool in_place = false;  ///< Whether nodes are written to the stream that is read.
};

/// Adaptive merging, level by level, over the streams of sections 5.3 and 6.1. `trees` has two halves. One holds the
/// sequences that a level merges, the other the nodes that the level writes. The halves swap roles after each level.
/// The other streams are the output stream and two streams of paths, which hold the pointers p and q of every instance.
/// The paths are input and output alternately. Sequences that are runs have a stream of their own. In place, there is
/// no output stream, and only one stream of paths.
class AdaptiveMerge {
  public:
    /// Throws `Error` if the capacity has more nodes than pointers can name.
    AdaptiveMerge(SortFrame& frame, const MergePolicy& merge)
        : frame_(frame), merge_(merge), levels_(std::bit_width(frame.n() - 1)) {
        check_capacity();
        policy_.pruned = !std::has_single_bit(frame.n());
        policy_.element_type = frame.element_type();
        policy_.run = merge.run;
        if (frame.backend() == Backend::fragment) policy_.pointers = TreePointers::texels(frame.layout());
        phase_ = phase_kernel(policy_);
        copy_back_ = copy_back_kernel();

        const std::uint32_t pairs = frame.n() / 2 + frame.n() % 2;
        std::uint32_t nodes = merge.stages_cut == 0 ? pairs : 1;
        for (int level = 1; level <= levels_; ++level) {
            const MergeLayout layout = layout_of(level);
            for (int stage = 0; stage < stages(level); ++stage)
                for (int phase = 0; phase < level - stage; ++phase)
                    nodes = std::max(nodes, layout.block(stage, phase).end);
        }
        if (merge.run == 0) nodes_ = std::bit_ceil(std::max(nodes, pairs));
        trees_ = frame.add_stream("trees", 4, 2, nodes_ + nodes);
        nodes_out_ = merge.in_place ? trees_ : frame.add_stream("nodes_out", 4, 2, nodes);
        paths_[0] = paths_[1] = frame.add_stream("paths", 1, 2, nodes);
        if (!merge.in_place) paths_[1] = frame.add_stream("paths_2", 1, 2, nodes);
        if (merge.run != 0) runs_ = frame.add_stream("runs", 2, merge.run);
    }

    int levels() const { return levels_; }
    const KernelPolicy& policy() const { return policy_; }
    /// The number of stages of a level that phases perform.
    int stages(int level) const { return std::max(0, level - merge_.stages_cut); }
    /// The stream of the sequences if these are runs.
    StreamId runs() const { return runs_; }
    /// The stream of the sequences if these are nodes. Before the first level the sequences begin at record 0.
    StreamId trees() const { return trees_; }
    /// The stream to which the last op wrote its nodes.
    StreamId nodes_out() const { return nodes_out_; }

    void begin_level(int level) {
        layout_ = layout_of(level);
        readable_ = {};
        if (merge_.run == 0) readable_ = shifted(frame_.elements_of(trees_), sequences_);
    }

    /// Adds one op that runs a phase of each of these stages.
    void add_phases(std::vector<StagePhase> phases, const Labels& labels) {
        const auto start = [this](const StagePhase& p) { return layout_.start(p.stage, p.phase); };
        std::sort(phases.begin(), phases.end(),
                  [&](const StagePhase& a, const StagePhase& b) { return start(a) < start(b); });
        Op op;
        std::vector<Block> blocks;
        std::vector<Block> before;
        for (const StagePhase& p : phases) {
            if (layout_.length(p.stage, p.phase) == 0) continue;
            blocks.push_back(layout_.block(p.stage, p.phase));
            if (p.phase > 0) before.push_back(layout_.block(p.stage, p.phase - 1));
            op.blocks.push_back(detail(p));
        }
        std::sort(before.begin(), before.end(), [](const Block& a, const Block& b) { return a.begin < b.begin; });
        op.kernel = phase_;
        op.domain = Substream(std::move(blocks));
        op.reads = {{paths_[path_], Substream(std::move(before))}, {trees_, readable_}};
        if (merge_.in_place) op.reads.back().records = readable_.without(op.domain);
        if (merge_.run != 0) op.reads.push_back({runs_, frame_.elements_of(runs_)});
        path_ = 1 - path_;
        op.writes = {{paths_[path_], op.domain}, {nodes_out_, op.domain}};
        op.parameters = {last_is_odd(frame_.n(), layout_.level()), static_cast<std::uint32_t>(layout_.level()),
                         frame_.n(), nodes_, sequences_};
        op.labels = labels;
        written_ = op.domain;
        if (merge_.in_place) readable_ = readable_.united(op.domain);
        frame_.add(std::move(op));
    }

    /// Copies the nodes of the last op back to the stream that is read (section 6.1).
    void add_copy_back(const Labels& labels) {
        if (merge_.in_place) return;
        Op op;
        op.kernel = copy_back_;
        op.domain = shifted(written_, nodes_);
        op.reads = {{nodes_out_, written_}};
        op.writes = {{trees_, op.domain}};
        op.parameters = {nodes_};
        op.labels = labels;
        readable_ = readable_.united(op.domain);
        frame_.add(std::move(op));
    }

    /// Call after all stages. The nodes are then in order and become the sequences of the next level.
    void end_level() { std::swap(sequences_, nodes_); }

    /// Adds all steps of a level, with partially overlapped stages (section 5.4). `copy_last`: whether the nodes of the
    /// last step are copied back, too.
    void add_steps(bool copy_last) {
        const int level = layout_.level();
        const int last = stages(level) - 1;
        // The last step is the last phase of the last stage.
        const int steps = 2 * last + level - last;
        for (int step = 0; step < steps; ++step) {
            // Phase i of stage k runs right after phase i+1 of stage k-1.
            std::vector<StagePhase> phases;
            for (int stage = std::max(0, step - level + 1); stage <= std::min(step / 2, last); ++stage)
                phases.push_back({stage, step - 2 * stage});
            const Labels labels{.level = level, .step = step};
            add_phases(std::move(phases), labels);
            if (step + 1 < steps || copy_last) add_copy_back(labels);
        }
    }

    /// Adds the traversal, in order, of the subtrees that the last stage leaves. The traversal writes runs of 8
    /// (section 7.2).
    void add_traversal(StreamId runs) {
        const int level = layout_.level();
        Op op;
        op.kernel = traverse_kernel(policy_);
        op.domain = frame_.elements_of(runs);
        op.reads = {{trees_, readable_}};
        op.writes = {{runs, op.domain}};
        op.parameters = {frame_.n(), nodes_, sequences_, layout_.start(stages(level) - 1, 1)};
        op.labels = {.level = level};
        frame_.add(std::move(op));
    }

    /// Adds the op that turns the subtrees of the last stage into runs of 16.
    void add_finish() {
        const int level = layout_.level();
        const int last = stages(level) - 1;
        Op op;
        op.kernel = finish_kernel(policy_);
        op.domain = frame_.elements_of(runs_);
        op.reads = {{trees_, readable_}, {runs_, op.domain}};
        op.writes = {{runs_, op.domain}};
        op.parameters = {last_is_odd(frame_.n(), level),
                         frame_.n(),
                         nodes_,
                         sequences_,
                         layout_.start(last, 1),
                         layout_.start(last, 0),
                         level == levels_ ? 0 : 1u << (level - 4)};
        op.labels = {.level = level};
        frame_.add(std::move(op));
    }

    /// Converts elements to the sequences of a level. The elements come from runs (section 7.1), or from the caller if
    /// this is the first op (appendix A.1).
    void add_conversion(StreamId source, int level) {
        Op op;
        op.kernel = convert_kernel(policy_);
        op.domain = shifted(frame_.elements_of(trees_), sequences_);
        op.reads = {{source, frame_.elements_of(source)}};
        op.writes = {{trees_, op.domain}};
        op.parameters = {frame_.n()};
        op.labels.level = level;
        frame_.add(std::move(op));
    }

  private:
    /// Pointers have 31 bits for the number of a node (TreePointers). An element takes two numbers, one in each half of
    /// `trees`. Where sequences are runs, an element takes one.
    void check_capacity() const {
        const std::uint32_t largest = merge_.run == 0 ? 1u << 30 : 1u << 31;
        if (frame_.capacity() > largest)
            throw Error(fmt::format("{} elements exceed the limit of {} of {}:{}", frame_.capacity(), largest,
                                    frame_.program.algorithm, frame_.program.variant));
    }

    BlockDetail detail(const StagePhase& p) const {
        PhaseBlockParameters block;
        if (p.phase == 0) {
            block.phase = p.stage == 0 ? 0 : 1;
            // A node's parent has half the node's number. The parent's block begins at half the place of the node's
            // block.
            const std::uint32_t here = layout_.start(p.stage, 0) / 2;
            if (p.stage > 0) {
                block.from = here ^ layout_.start(p.stage - 1, 1);
                block.spares = here ^ layout_.start(p.stage - 1, 0);
            }
        } else {
            block.phase = 2;
            const std::uint32_t here = layout_.start(p.stage, p.phase);
            block.from = here ^ layout_.start(p.stage, p.phase - 1);
            if (p.phase + 1 < layout_.level() - p.stage) block.next = here ^ layout_.start(p.stage, p.phase + 1);
        }
        if (p.phase == 1 && layout_.length(p.stage, 1) != layout_.length(p.stage, 2))
            block.stop = layout_.block(p.stage, 1).end - 1;
        if (layout_.trees() > 1) block.tree = 1u << p.stage;
        return {{block.phase, block.from, block.next, block.spares, block.tree, block.stop},
                {.level = layout_.level(), .stage = p.stage, .phase = p.phase}};
    }

    MergeLayout layout_of(int level) const {
        return MergeLayout(frame_.n(), level, merge_.in_place, std::max(0, stages(level) - 1));
    }

    static Substream shifted(const Substream& records, std::uint32_t by) {
        std::vector<Block> blocks = records.blocks();
        for (Block& block : blocks)
            block = {block.begin + by, block.end + by};
        return Substream(std::move(blocks));
    }

    SortFrame& frame_;
    MergePolicy merge_;
    int levels_;
    KernelPolicy policy_;
    KernelPtr phase_;
    KernelPtr copy_back_;
    StreamId trees_ = 0;
    StreamId nodes_out_ = 0;
    StreamId paths_[2] = {};
    StreamId runs_ = 0;
    std::uint32_t nodes_ = 0;      ///< The first record of the level's nodes in `trees`.
    std::uint32_t sequences_ = 0;  ///< The first record of the level's sequences in `trees`.
    std::size_t path_ = 0;         ///< Index in `paths_` of the stream that the last op wrote.
    MergeLayout layout_{1, 1};
    Substream readable_;  ///< The records of `trees` that this level may read.
    Substream written_;   ///< The records that the last op of phases wrote.
};

/// Adds an op that sorts runs one by one, or merges them pair by pair.
void add_run_op(SortFrame& frame, StreamId runs, const KernelPtr& kernel, int level, std::vector<Counted> parameters) {
    Op op;
    op.kernel = kernel;
    op.domain = frame.elements_of(runs);
    op.reads = op.writes = {{runs, op.domain}};
    op.parameters = std::move(parameters);
    op.labels.level = level;
    frame.add(std::move(op));
}

/// Plans all levels with all their stages. `plan_level` adds the ops of one level.
template <class PlanLevel>
void plan_levels(SortFrame& frame, PlanLevel plan_level) {
    if (frame.n() == 0) return;
    AdaptiveMerge merge(frame, {});
    merge.add_conversion(merge.trees(), -1);
    for (int level = 1; level <= merge.levels(); ++level) {
        merge.begin_level(level);
        plan_level(merge, level);
        merge.end_level();
    }
    // A single element needs no merge: the loaded element is the result.
    frame.set_result(merge.levels() > 0 ? merge.nodes_out() : merge.trees());
}

}  // namespace

void plan_abisort_appendix_a(SortFrame& frame) {
    plan_levels(frame, [](AdaptiveMerge& merge, int level) {
        for (int stage = 0; stage < level; ++stage) {
            for (int phase = 0; phase < level - stage; ++phase) {
                const Labels labels{.level = level, .stage = stage, .phase = phase};
                merge.add_phases({{stage, phase}}, labels);
                if (stage < level - 1 || level < merge.levels()) merge.add_copy_back(labels);
            }
        }
    });
}

void plan_abisort_overlapped(SortFrame& frame) {
    plan_levels(frame, [](AdaptiveMerge& merge, int level) { merge.add_steps(level < merge.levels()); });
}

void plan_abisort_paper(SortFrame& frame) {
    if (frame.n() == 0) return;
    const std::uint32_t n = frame.n();
    const StreamId runs = frame.add_stream("runs", 2, 8);
    AdaptiveMerge merge(frame, {.stages_cut = stages_of_others});
    add_run_op(frame, runs, local_sort_kernel(frame.element_type(), 8), 3, {last_is_odd(n, 3), n});
    const KernelPtr merge_runs = merge_kernel(merge.policy());
    for (int level = 4; level <= merge.levels(); ++level) {
        if (level > 4) {
            merge.add_conversion(runs, level);
            merge.begin_level(level);
            merge.add_steps(true);
            merge.add_traversal(runs);
        }
        const bool one_tree = level == merge.levels();
        add_run_op(frame, runs, merge_runs, level, {last_is_odd(n, level), n, one_tree ? 0 : 1u << (level - 3), 1});
    }
    frame.set_result(runs);
}

void plan_abisort_fused(SortFrame& frame) {
    const bool fragment = frame.backend() == Backend::fragment;
    if (fragment && frame.limits().attachments < attachments_of_fused)
        throw Error(
            fmt::format("abisort:fused writes runs of 16, which need {} attachments; the limit is {} (attachments)",
                        attachments_of_fused, frame.limits().attachments));
    if (frame.n() == 0) return;
    const std::uint32_t n = frame.n();
    const bool in_place = !fragment || frame.limits().texture_barrier;
    AdaptiveMerge merge(frame, {.stages_cut = stages_of_others, .run = 16, .in_place = in_place});
    add_run_op(frame, merge.runs(), local_sort_kernel(frame.element_type(), 16), 4, {last_is_odd(n, 4), n});
    for (int level = 5; level <= merge.levels(); ++level) {
        merge.begin_level(level);
        merge.add_steps(true);
        merge.add_finish();
    }
    frame.set_result(merge.runs());
}

namespace {

/// Each level has its own kernels, up to the first level whose stages overlap. If a count is not a power of two,
/// kernels also check for elements past the end. `stages_cut`: as in MergePolicy.
Counts counts_of_levels(int stages_cut) {
    // In the third step of a level with three stages, a second stage begins.
    const int overlapped = std::max(stages_cut + 2, 3);
    Counts counts;
    for (int level = 0; level <= overlapped; ++level)
        for (const std::uint32_t less : {0u, 1u})
            counts.push_back((1u << level) - less);
    return counts;
}

constexpr Takes taken_by_abisort{.fragment = true};

enum : std::size_t { fused, paper = 3 };
constexpr VariantDescriptor abisort_variants[] = {
    {.name = "fused",
     .summary = "GPU-ABiSort in place, with runs of 16, traversal and last merge in one op; on fragment 8 attachments",
     .source = "past Greß and Zachmann 2006, section 7",
     .takes = taken_by_abisort,
     .form = ElementType::Form::narrow,
     .layout = Layout::z_order,
     .plan = plan_abisort_fused,
     .counts = [](const SortFrame&) { return counts_of_levels(stages_of_others); }},
    {.name = "appendix-a",
     .summary = "GPU-ABiSort, the stages of a merge one after the other",
     .source = "Greß and Zachmann 2006, appendix A",
     .takes = taken_by_abisort,
     .form = ElementType::Form::narrow,
     .layout = Layout::z_order,
     .plan = plan_abisort_appendix_a,
     .counts = [](const SortFrame&) { return counts_of_levels(0); }},
    {.name = "overlapped",
     .summary = "GPU-ABiSort, stages overlapped over substreams of several blocks",
     .source = "Greß and Zachmann 2006, section 5.4",
     .takes = taken_by_abisort,
     .form = ElementType::Form::narrow,
     .layout = Layout::z_order,
     .plan = plan_abisort_overlapped,
     .counts = [](const SortFrame&) { return counts_of_levels(0); }},
    {.name = "paper",
     .summary = "GPU-ABiSort with local sorts and bitonic merges of short sequences",
     .source = "Greß and Zachmann 2006, section 7",
     .takes = taken_by_abisort,
     .form = ElementType::Form::narrow,
     .layout = Layout::z_order,
     .plan = plan_abisort_paper,
     .counts = [](const SortFrame&) { return counts_of_levels(stages_of_others); }},
};

const VariantDescriptor& fitting_abisort(const PlanRequest& request) {
    const bool fragment = request.spec.backend == Backend::fragment || request.spec.backend == Backend::automatic;
    const bool few = fragment && request.limits.attachments < attachments_of_fused;
    return abisort_variants[few ? paper : fused];
}

}  // namespace

extern constinit const AlgorithmDescriptor abisort_algorithm{
    .name = "abisort",
    .variants = abisort_variants,
    .fitting = fitting_abisort,
};

}  // namespace glsort
