#include "check_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <stdexcept>
#include <utility>

#include "check_between.h"
#include "check_lockstep.h"
#include "check_objects.h"
#include "check_report.h"
#include "check_slot.h"
#include "support/state_names.h"

namespace glsort::check {
namespace {

/// A failure of the round. Ends the round.
class Wrong : public std::runtime_error {
  public:
    explicit Wrong(const std::string& what) : std::runtime_error(what) {}
};

void require(const std::string& what, const std::string& wrong) {
    if (!wrong.empty()) throw Wrong(what + ": " + wrong);
}

std::string joined(const std::vector<std::string>& lines) {
    constexpr std::size_t most = 6;
    std::string text;
    for (std::size_t i = 0; i < lines.size() && i < most; ++i)
        text += (text.empty() ? "" : "; ") + lines[i];
    if (lines.size() > most) text += fmt::format("; and {} more", lines.size() - most);
    return text;
}

// Resets the state to that of a new context, except viewports, which are all equal. The viewport of a new context has
// the size of the first surface.
void as_new(const GladGLContext& gl) {
    trial::reset_state(gl);
    gl.Viewport(0, 0, 16, 16);
}

// The kinds of readers that follow a call.
Readers readers_of(const Call& call, const SortSpec& spec) {
    if (call.all_readers) return Readers::all;
    // The next command may be another upload.
    Readers readers = Readers::transfer;
    if (call.reading == Reading::storage) readers = readers | Readers::storage;
    if (call.reading == Reading::vertex) readers = readers | Readers::vertex;
    if (spec.output == Medium::texture) readers = readers | Readers::texture;
    return readers;
}

}  // namespace

trial::DirtyOptions options_of(const State& state) {
    trial::DirtyOptions options;
    options.active_transform_feedback = state.feedback;
    options.active_query = state.query;
    options.compiled_in = state.compiled_in;
    options.share = state.share;
    return options;
}

/// A sorter of a round, with the caller's objects.
class Runner::Live {
  public:
    Live(Runner& runner, const SorterPlan& plan)
        : runner_(runner),
          plan_(plan),
          context_(runner.contexts_.use(plan.context())),
          copies_(runner.copies_of(plan.context())),
          totals_(runner.totals_) {
        configuration_ = std::hash<std::string>()(fmt::format("{} {}", name_of(plan.context()), to_source(plan)));
        if (plan.born_with_error) construct_with_error(plan, runner.contexts_, context_);
        if (plan.least_limits) limit_to_least(context_);
        const auto make = [this] {
            SorterOptions options = plan_.options;
            if (plan_.shared_scratch) options.shared_scratch = runner_.scratch_of(plan_.context());
            sorter_ = std::make_unique<Sorter>(plan_.spec, runner_.contexts_.loader(), options);
        };
        if (plan.born)
            in_state(*plan.born, true, "construction", false, make);
        else
            make();
        context_.unlimit();
        scratch_bytes_ = sorter_->scratch_bytes();
        for (const SlotPlan& slot : plan.slots)
            slots_.push_back(std::make_unique<Slot>(context_.gl(), copies_, plan, slot, *sorter_));
        if (plan.options.caller_scratch) give_scratch();
        require("construction", joined(context_.problems()));
    }

    ~Live() {
        use();
        context_.gl().DeleteBuffers(1, &scratch_);
        context_.unlimit();
    }
    Live(const Live&) = delete;
    Live& operator=(const Live&) = delete;

    void visit(const Visit& visit, std::size_t& call_number) {
        use();
        totals_.configurations.insert(configuration_ ^ (visit.state ? visit.state->seed : 0));
        const auto calls = [&] {
            for (; call_number < visit.calls.size(); ++call_number)
                make_call(visit.calls[call_number]);
        };
        if (visit.state)
            in_state(*visit.state, visit.compare, "sort", true, calls);
        else
            compared(visit.compare, "sort", true, calls);
        if (resets()) as_new(context_.gl());
        call_number = visit.calls.size() - 1;
        if (!visit.leave) read_all();
        require("after the calls", joined(context_.problems()));
        context_.clear();
    }

    /// Reads the remaining results, and destroys the sorter. Returns whether the sorter's objects are left behind.
    bool end() {
        use();
        read_all();
        if (sorter_->scratch_bytes() != scratch_bytes_)
            throw Wrong(fmt::format("scratch_bytes grew: it is {} after all sorts, and was {} after construction",
                                    sorter_->scratch_bytes(), scratch_bytes_));
        const bool leaves = destroy(sorter_, plan_.spec, plan_.farewell, runner_.contexts_, plan_.context());
        slots_.clear();
        require("destruction", joined(context_.problems()));
        return leaves;
    }

  private:
    /// Makes one scratch buffer for all places, which take turns.
    void give_scratch() {
        const GladGLContext& gl = context_.gl();
        GLint alignment = 0;
        gl.GetIntegerv(GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT, &alignment);
        const auto offset = static_cast<std::uint64_t>(alignment) * (plan_.slots.size() - 1);
        gl.GenBuffers(1, &scratch_);
        gl.BindBuffer(GL_COPY_WRITE_BUFFER, scratch_);
        const std::uint64_t bytes = offset + sorter_->caller_scratch_bytes();
        gl.BufferData(GL_COPY_WRITE_BUFFER, static_cast<GLsizeiptr>(std::max<std::uint64_t>(bytes, 4)), nullptr,
                      GL_DYNAMIC_COPY);
        gl.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
        for (std::size_t i = 0; i < slots_.size(); ++i)
            slots_[i]->give_scratch({scratch_, static_cast<std::uint64_t>(alignment) * i});
    }

    void use() { runner_.contexts_.use(plan_.context()); }
    bool resets() const { return plan_.options.state == StatePolicy::caller_resets; }

    template <class Action>
    void in_state(const State& state, bool compare, const char* what, bool may_clobber, const Action& action) {
        const trial::DirtyState dirty(context_.gl(), state.seed, options_of(state));
        hostile_ = true;
        compared(compare, what, may_clobber, action);
        hostile_ = false;
    }

    /// Performs the action. If requested, compares the state before and after.
    template <class Action>
    void compared(bool compare, const char* what, bool may_clobber, const Action& action) {
        if (!compare) return action();
        const GladGLContext& gl = context_.gl();
        const trial::StateSnapshot before = trial::take_snapshot(gl);
        compares_ = true;
        action();
        compares_ = false;
        const trial::StateSnapshot after = trial::take_snapshot(gl);
        totals_.state_values += before.size();
        std::vector<std::string> lines = trial::diff(before, after);
        GLint framebuffer = 0;
        gl.GetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &framebuffer);
        // Without a surface, Mesa has one default framebuffer for all contexts of OpenGL and OpenGL ES. Each context
        // that queries this framebuffer sets its own draw buffer there.
        if (framebuffer == 0)
            std::erase_if(lines, [](const std::string& line) { return line.starts_with("GL_DRAW_BUFFER["); });
        if (may_clobber && resets())
            std::erase_if(
                lines, [this](const std::string& line) { return trial::is_clobbered(sorter_->spec().backend, line); });
        require(fmt::format("state changed by {}", what), joined(lines));
    }

    const Sample& sample(std::size_t number) {
        // Samples are made on demand. A round that was made smaller then takes less time.
        std::unique_ptr<Sample>& made = samples_[number];
        if (made == nullptr)
            made = std::make_unique<Sample>(make_sample(plan_.spec, plan_.known(), plan_.samples[number]));
        return *made;
    }

    void barrier() const {
        if (context_.gl().MemoryBarrier != nullptr) context_.gl().MemoryBarrier(GL_ALL_BARRIER_BITS);
    }
    /// Shaders of the caller have used the input of the next sort. Without `barrier_before`, the caller adds the
    /// barrier.
    void barrier_for_sorter() const {
        if (!plan_.options.barrier_before) barrier();
    }

    void load(const Call& call) {
        Slot& slot = *slots_[call.slot];
        // In an unusual state only quiet ways work.
        if (slot.pending() && hostile_ && !is_quiet(slot.reading())) slot.read_by(Reading::copy);
        if (slot.pending()) read(slot);
        const bool plain = is_quiet(call.upload);
        // A sorter may leave state behind that other ways do not expect.
        if (!plain && resets()) as_new(context_.gl());
        if (!plain) barrier();
        slot.load(sample(call.sample), call);
        if (call.upload == Upload::compute || call.upload == Upload::image_store) barrier_for_sorter();
    }

    void make_call(const Call& call) {
        Slot& slot = *slots_[call.slot];
        const Sample& of_call = sample(call.sample);
        load(call);
        TextureView own;
        bool specified = of_call.specified;
        const Readers readers = readers_of(call, plan_.spec);
        ++totals_.sorts;
        if (of_call.count > 1u << 12) ++totals_.large_sorts;
        if (is_refused(call.between)) {
            make_refused_call(call.between, call.number,
                              {runner_.contexts_, plan_, *sorter_, slot.arguments(), of_call.lists});
            ++totals_.refused_calls;
        }
        call_amid(call.between, context_, [&] { act(call, slot, of_call, readers, own, specified); });
        if (compares_) require("texture changed by sort", slot.changed_parameters());
        slot.expect_result(of_call, specified, own);
        slot.read_by(call.reading);
        switch (call.keep) {
            case Keep::now:
                read(slot);
                if (plan_.spec.gpu_count && call.action != Action::abandon)
                    require("status", wrong_status(of_call.count, slot.is_clamped()));
                break;
            case Keep::copied:
                copied_.push_back(slot.copied(hostile_ || resets()));
                break;
            case Keep::dropped:
                slot.forget();
                break;
            case Keep::later:
                break;
        }
    }

    /// What is wrong with the status of the last sort, whose count was on the GPU. Works in any state.
    std::string wrong_status(std::uint32_t count, bool clamped) const {
        const BufferSlice status = sorter_->status();
        const auto begin = static_cast<std::size_t>(status.offset / 4);
        Words words = read_mapped(context_.gl(), status.name, begin + 4);
        words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(begin));
        const Words expected{count, clamped ? 1u : 0u, 0, 0};
        return words == expected ? ""
                                 : fmt::format("{} instead of {}", fmt::join(words, " "), fmt::join(expected, " "));
    }

    /// Makes the sorter's calls. Sets `own` to the sorter's own output, and `specified` to whether the result is
    /// specified.
    void act(const Call& call, Slot& slot, const Sample& of_call, Readers readers, TextureView& own, bool& specified) {
        switch (call.action) {
            case Action::sort:
                if (plan_.spec.own_output)
                    own = of_call.lists.empty() ? sorter_->sort_to_texture(slot.arguments(), readers)
                                                : sorter_->merge_to_texture(slot.arguments(), of_call.lists, readers);
                else if (of_call.lists.empty())
                    sorter_->sort(slot.arguments(), readers);
                else
                    sorter_->merge(slot.arguments(), of_call.lists, readers);
                break;
            case Action::steps:
                step(slot, of_call, ~std::uint32_t{0}, true);
                break;
            case Action::abandon:
                specified = step(slot, of_call, call.steps, false) && specified;
                break;
            case Action::lockstep: {
                Stepper stepper(*sorter_);
                stepper.begin(slot.arguments(), of_call.lists);
                if (of_call.specified) {
                    std::uint64_t steps = 0;
                    const std::string wrong =
                        step_in_lockstep(*sorter_, stepper, of_call, runner_.limits_of(plan_), steps);
                    totals_.steps += steps;
                    require("lockstep", wrong);
                } else {
                    while (stepper.step())
                        ++totals_.steps;
                }
                break;
            }
        }
    }

    /// Steps up to `most` ops. Returns whether all ops are done.
    bool step(Slot& slot, const Sample& of_call, std::uint32_t most, bool reads) {
        Stepper stepper(*sorter_);
        stepper.begin(slot.arguments(), of_call.lists);
        const StreamProgram program = program_of(*sorter_, of_call.count, of_call.lists);
        std::uint32_t done = 0;
        while (done < most && stepper.step()) {
            ++done;
            ++totals_.steps;
            if (compares_ && done % 4 == 1) require("texture changed by step", slot.changed_parameters());
            if (reads && done % 3 == 1 && !program.streams.empty())
                stepper.read(static_cast<StreamId>((done + of_call.count) % program.streams.size()));
        }
        if (stepper.steps_done() != done)
            throw Wrong(fmt::format("steps_done is {} after {} steps", stepper.steps_done(), done));
        return done == program.ops.size();
    }

    void read(Slot& slot) {
        const bool quiet = is_quiet(slot.reading());
        if (!quiet && resets()) as_new(context_.gl());
        require("result", slot.wrong());
        if (!quiet) barrier_for_sorter();
    }

    void read_all() {
        for (const std::unique_ptr<Slot>& slot : slots_)
            if (slot->pending()) read(*slot);
        for (const std::unique_ptr<Slot::Copied>& kept : copied_)
            require("copied result", kept->wrong());
        copied_.clear();
    }

    Runner& runner_;
    const SorterPlan& plan_;
    TestContext& context_;
    Copies& copies_;
    Totals& totals_;
    std::size_t configuration_ = 0;
    std::unique_ptr<Sorter> sorter_;
    std::uint64_t scratch_bytes_ = 0;
    GLuint scratch_ = 0;  ///< If the caller gives scratch memory.
    std::vector<std::unique_ptr<Slot>> slots_;
    std::vector<std::unique_ptr<Slot::Copied>> copied_;  // Destroyed before the slots.
    std::map<std::size_t, std::unique_ptr<Sample>> samples_;
    bool compares_ = false;  ///< Whether the state is compared before and after.
    bool hostile_ = false;   ///< Whether the state differs from a new context.
};

Copies& Runner::copies_of(ContextId id) {
    std::unique_ptr<Copies>& copies = copies_[id];
    if (copies == nullptr)
        copies = std::make_unique<Copies>(contexts_.use(id).gl(), [this, id](const auto& action) {
            action(contexts_.use_sharing(id).gl());
            contexts_.use(id);
        });
    return *copies;
}

const std::shared_ptr<Scratch>& Runner::scratch_of(ContextId id) {
    std::shared_ptr<Scratch>& scratch = scratches_[id];
    if (scratch == nullptr) scratch = std::make_shared<Scratch>(contexts_.loader());
    return scratch;
}

const Limits& Runner::limits_of(const SorterPlan& plan) const {
    const Offer& offer = contexts_.offer(plan.context());
    return plan.least_limits ? offer.least : offer.limits;
}

std::optional<Failure> Runner::run(const Round& round, const std::function<bool()>& stop) {
    const auto stopped = [&stop] { return stop && stop(); };
    Failure failure;
    std::set<ContextId> ids;
    std::set<ContextId>
        littered;  // Contexts with objects of sorters that were destroyed while their contexts were not current.
    for (const SorterPlan& plan : round.sorters)
        ids.insert(plan.context());
    for (const ContextId id : ids) {
        TestContext& context = contexts_.use(id);
        context.unlimit();
        as_new(context.gl());
        context.clear();
        forget_objects(&context);
    }
    bool failed = true;
    {
        std::vector<std::unique_ptr<Live>> sorters;
        try {
            failure.visit = round.visits.size();
            for (const SorterPlan& plan : round.sorters) {
                if (stopped()) break;
                failure.sorter = sorters.size();
                sorters.push_back(std::make_unique<Live>(*this, plan));
            }
            for (std::size_t i = 0; i < round.visits.size(); ++i) {
                if (stopped() || sorters.size() < round.sorters.size()) break;
                failure.visit = i;
                failure.sorter = round.visits[i].sorter;
                failure.call = 0;
                sorters[failure.sorter]->visit(round.visits[i], failure.call);
            }
            // Failures at the end count as failures of the last call.
            for (std::size_t i = 0; i < sorters.size(); ++i) {
                failure.sorter = i;
                if (sorters[i]->end()) littered.insert(round.sorters[i].context());
            }
            failed = false;
        } catch (const std::bad_alloc&) {
            throw;
        } catch (const std::exception& error) {
            failure.what = error.what();
        }
        // The destructor makes the sorter's context current.
        while (!sorters.empty())
            sorters.pop_back();
    }
    while (!scratches_.empty()) {
        contexts_.use(scratches_.begin()->first);
        scratches_.erase(scratches_.begin());
    }
    ++totals_.rounds;
    for (const ContextId id : ids) {
        TestContext& context = contexts_.use(id);
        if (failed || littered.contains(id)) delete_objects(&context);
        const std::string alive = objects_alive(&context);
        if (!failed && !alive.empty()) {
            failed = true;
            failure.what = fmt::format("objects left behind in {}: {}", name_of(id), alive);
        }
        context.clear();
    }
    if (!failed) return std::nullopt;
    return failure;
}

}  // namespace glsort::check
