#include <algorithm>
#include <bit>
#include <glsort/plan/abisort.h>
#include <glsort/plan/abisort_kernels.h>
#include <glsort/plan/abisort_layout.h>
#include <utility>

namespace glsort {
namespace {

using namespace abisort;

/// A phase of a stage.
struct StagePhase {
    int stage = 0;
    int phase = 0;
};

/// Adaptive merging, level by level, over the streams of sections 5.3 and 6.1: the trees, in two
/// halves that are taken in turns as the sequences that a level merges and as the nodes that it
/// writes; the output stream; and two of paths, the pointers p and q of every instance, taken in turns
/// as input and output.
class AdaptiveMerge {
  public:
    /// `stages_cut`: the last stages of each level that are left to others.
    AdaptiveMerge(SortFrame& frame, int stages_cut)
        : frame_(frame), stages_cut_(stages_cut), levels_(std::bit_width(frame.n() - 1)) {
        const std::uint32_t n = frame.n();
        setting_.pruned = !std::has_single_bit(n);
        if (frame.backend() == Backend::fragment)
            setting_.pointers = TreePointers::texels(frame.layout());
        phase_ = phase_kernel(setting_);
        copy_back_ = copy_back_kernel();

        std::uint32_t nodes = 1;
        for (int level = 1; level <= levels_; ++level)
            for (int stage = 0; stage < stages(level); ++stage)
                for (int phase = 0; phase < level - stage; ++phase)
                    nodes = std::max(nodes, MergeLayout(n, level).block(stage, phase).end);
        const std::uint32_t pairs = n / 2 + n % 2;
        if (stages_cut == 0) nodes = std::max(nodes, pairs);
        half_ = std::bit_ceil(std::max(nodes, pairs));
        trees_ = frame.add_stream("trees", 4, 2, half_ + nodes);
        nodes_out_ = frame.add_stream("nodes_out", 4, 2, nodes);
        paths_[0] = frame.add_stream("paths_0", 1, 2, nodes);
        paths_[1] = frame.add_stream("paths_1", 1, 2, nodes);
    }

    int levels() const { return levels_; }
    const KernelSetting& setting() const { return setting_; }
    /// Stages of a level.
    int stages(int level) const { return std::max(0, level - stages_cut_); }
    /// The stream of the sequences, from record 0 on before the first level.
    StreamId trees() const { return trees_; }
    /// What the last op has written its nodes to.
    StreamId nodes_out() const { return nodes_out_; }

    void begin_level(int level) {
        layout_ = MergeLayout(frame_.n(), level);
        readable_ = shifted(Substream::range(0, (frame_.n() + 1) / 2), sequences_);
    }

    /// One op: a phase of each of these stages.
    void add_phases(std::vector<StagePhase> phases, const Labels& labels) {
        const auto start = [this](const StagePhase& p) { return layout_.start(p.stage, p.phase); };
        std::sort(phases.begin(), phases.end(), [&](const StagePhase& a, const StagePhase& b) {
            return start(a) < start(b);
        });
        Op op;
        std::vector<Block> blocks;
        std::vector<Block> before;
        for (const StagePhase& p : phases) {
            blocks.push_back(layout_.block(p.stage, p.phase));
            if (p.phase > 0) before.push_back(layout_.block(p.stage, p.phase - 1));
            op.blocks.push_back(detail(p));
        }
        op.kernel = phase_;
        op.domain = Substream(std::move(blocks));
        op.reads = {{paths_[path_], Substream(std::move(before))}, {trees_, readable_}};
        path_ = 1 - path_;
        op.writes = {{paths_[path_], op.domain}, {nodes_out_, op.domain}};
        op.parameters = {(frame_.n() - 1) >> layout_.level() & 1,
                         static_cast<std::uint32_t>(layout_.level()), frame_.n(), nodes(),
                         sequences_};
        op.labels = labels;
        written_ = op.domain;
        frame_.add(std::move(op));
    }

    /// What the last op has written, back to the stream that is read (section 6.1).
    void add_copy_back(const Labels& labels) {
        Op op;
        op.kernel = copy_back_;
        op.domain = shifted(written_, nodes());
        op.reads = {{nodes_out_, written_}};
        op.writes = {{trees_, op.domain}};
        op.parameters = {nodes()};
        op.labels = labels;
        readable_ = readable_.united(op.domain);
        frame_.add(std::move(op));
    }

    /// After all stages: its nodes lie in order, and are the sequences of the next level.
    void end_level() { sequences_ = nodes(); }

    /// All steps of a level, stages partially overlapped (section 5.4). `copy_last`: its last nodes
    /// too are copied back.
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

    /// The subtrees that the last stage has left, in order, as runs of 8 (section 7.2).
    void add_traversal(StreamId runs) {
        const int level = layout_.level();
        Op op;
        op.kernel = traverse_kernel(setting_);
        op.domain = frame_.elements_of(runs);
        op.reads = {{trees_, readable_}};
        op.writes = {{runs, op.domain}};
        op.parameters = {frame_.n(), nodes(), sequences_,
                         layout_.start(stages(level) - 1, 1)};
        op.labels = {.level = level};
        frame_.add(std::move(op));
    }

    /// Runs as the sequences of the next level (section 7.1).
    void add_conversion(StreamId runs, int level) {
        Op op;
        op.kernel = convert_kernel(setting_);
        op.domain = shifted(frame_.elements_of(trees_), sequences_);
        op.reads = {{runs, frame_.elements_of(runs)}};
        op.writes = {{trees_, op.domain}};
        op.labels = {.level = level};
        frame_.add(std::move(op));
    }

  private:
    BlockDetail detail(const StagePhase& p) const {
        PhaseBlockParameters block;
        if (p.phase == 0) {
            block.phase = p.stage == 0 ? 0 : 1;
            if (p.stage > 0) block.from = layout_.start(p.stage - 1, 1);
        } else {
            block.phase = 2;
            const std::uint32_t here = layout_.start(p.stage, p.phase);
            block.from = here ^ layout_.start(p.stage, p.phase - 1);
            if (p.phase + 1 < layout_.level() - p.stage)
                block.next = here ^ layout_.start(p.stage, p.phase + 1);
        }
        if (layout_.trees() > 1) block.tree = 1u << p.stage;
        return {{block.phase, block.from, block.next, block.tree},
                {.level = layout_.level(), .stage = p.stage, .phase = p.phase}};
    }

    /// Where the nodes of the level begin: in the half that has no sequences.
    std::uint32_t nodes() const { return half_ - sequences_; }

    static Substream shifted(const Substream& records, std::uint32_t by) {
        std::vector<Block> blocks = records.blocks();
        for (Block& block : blocks) block = {block.begin + by, block.end + by};
        return Substream(std::move(blocks));
    }

    SortFrame& frame_;
    int stages_cut_;
    int levels_;
    KernelSetting setting_;
    KernelPtr phase_;
    KernelPtr copy_back_;
    StreamId trees_ = 0;
    StreamId nodes_out_ = 0;
    StreamId paths_[2] = {};
    std::uint32_t half_ = 0;       ///< Records of a half of `trees`.
    std::uint32_t sequences_ = 0;  ///< The record of `trees` where the sequences begin.
    std::size_t path_ = 0;         ///< Of `paths_`: what the last op has written.
    MergeLayout layout_{1, 1};
    Substream readable_;  ///< The records of `trees` that this level may read.
    Substream written_;   ///< What the last op of phases has written.
};

/// The caller's elements as sequences of length 1.
void add_load(SortFrame& frame, const AdaptiveMerge& merge) {
    Op op;
    op.kernel = load_kernel(merge.setting());
    op.domain = Substream::range(0, (frame.n() + 1) / 2);
    op.reads = {{merge.trees(), op.domain}};  // The caller's keys, once there is a load chunk.
    op.writes = {{merge.trees(), op.domain}};
    op.parameters = {frame.n()};
    frame.add(std::move(op));
}

/// All levels, of all stages; `plan_level` adds the ops of one.
template <class PlanLevel>
void plan_levels(SortFrame& frame, PlanLevel plan_level) {
    if (frame.n() == 0) return;
    AdaptiveMerge merge(frame, 0);
    add_load(frame, merge);
    for (int level = 1; level <= merge.levels(); ++level) {
        merge.begin_level(level);
        plan_level(merge, level);
        merge.end_level();
    }
    // A single element is sorted once it is loaded.
    frame.set_result(merge.levels() > 0 ? merge.nodes_out() : merge.trees(), 2);
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
    plan_levels(frame, [](AdaptiveMerge& merge, int level) {
        merge.add_steps(level < merge.levels());
    });
}

void plan_abisort_paper(SortFrame& frame) {
    if (frame.n() == 0) return;
    const std::uint32_t n = frame.n();
    const StreamId runs = frame.add_stream("runs", 2, 8);
    AdaptiveMerge merge(frame, 4);
    const auto add_run_op = [&](const KernelPtr& kernel, int level,
                                std::vector<std::uint32_t> parameters) {
        Op op;
        op.kernel = kernel;
        op.domain = frame.elements_of(runs);
        op.reads = {{runs, op.domain}};
        op.writes = {{runs, op.domain}};
        op.parameters = std::move(parameters);
        op.labels.level = level;
        frame.add(std::move(op));
    };
    add_run_op(local_sort_kernel(), 3, {(n - 1) >> 3 & 1, n});
    const KernelPtr merge_runs = merge_kernel(merge.setting());
    for (int level = 4; level <= merge.levels(); ++level) {
        if (level > 4) {
            merge.add_conversion(runs, level);
            merge.begin_level(level);
            merge.add_steps(true);
            merge.add_traversal(runs);
        }
        const bool one_tree = level == merge.levels();
        add_run_op(merge_runs, level,
                   {(n - 1) >> level & 1, n, one_tree ? 0 : 1u << (level - 3), 1});
    }
    frame.set_result(runs, 2);
}

}  // namespace glsort
