#include "run.h"

#include <glsort/stream/program.h>

#include <algorithm>
#include <chrono>
#include <limits>

#include "cpu_run.h"

namespace glsort::demo {

namespace {

// Costs of the first 0, 1, ... ops. The cost of an op is the cost of a program with this op alone.
std::vector<Cost> costs_of(const StreamProgram& program) {
    StreamProgram single = program;
    Cost sum;
    sum.scratch_bytes = cost(program).scratch_bytes;
    std::vector<Cost> costs{sum};
    for (const Op& op : program.ops) {
        single.ops = {op};
        const Cost share = cost(single);
        sum.ops += share.ops;
        sum.elements_read += share.elements_read;
        sum.elements_written += share.elements_written;
        sum.bytes_read += share.bytes_read;
        sum.bytes_written += share.bytes_written;
        costs.push_back(sum);
    }
    return costs;
}

std::uint64_t next_number() {
    static std::uint64_t last = 0;
    return ++last;
}

}  // namespace

Run::Run(const Input& input, const Method& method, const Device* device, std::size_t memory)
    : number_(next_number()),
      input_(input),
      method_(method),
      limits_(limits_for(method, device)),
      keys_(make_keys(input)),
      sort_(make_stepped_sort(input, method, keys_, device)),
      history_(program(), memory),
      places_(program(), keys_, shown_elements(input)),
      times_(ops()),
      costs_(costs_of(program())),
      comparisons_(input, method, limits_, keys_, ops()) {
    if (input.n <= max_traced) trace();
    history_.restart(reader());
    look();
}

void Run::aim(std::size_t target) {
    target_ = std::min(target, ops());
}

bool Run::work(double seconds) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    if (done() == target_) return true;
    do {
        if (done() < target_)
            step_forward();
        else
            step_back();
    } while (done() != target_ && std::chrono::duration<double>(Clock::now() - start).count() < seconds);
    look();
    return done() == target_;
}

void Run::go_to(std::size_t target) {
    aim(target);
    work(std::numeric_limits<double>::infinity());
}

void Run::step_forward() {
    if (history_.can_redo()) {
        history_.redo();
        return;
    }
    const std::size_t op = done();
    times_[op] = sort_->step();
    history_.append(reader());
    for (const StreamUse& use : program().ops[op].writes)
        if (!places_.holds_keys(use.stream)) places_.see(use.stream, history_.written_words(use.stream));
}

void Run::step_back() {
    if (history_.can_undo()) {
        history_.undo();
        return;
    }
    // Earlier ops are forgotten, so the sort restarts.
    sort_->begin();
    history_.restart(reader());
}

void Run::look() {
    before_ = history_.before();
    moment_.program = &program();
    moment_.done = done();
    moment_.streams = &history_.streams();
    moment_.written = &history_.written();
    moment_.before = &before_;
    moment_.places = &places_;
    moment_.last_trace = traces_.empty() || done() == 0 ? nullptr : &traces_[done() - 1];
    moment_.next_trace = traces_.empty() || done() == ops() ? nullptr : &traces_[done()];
    static std::uint64_t versions = 0;  // of all runs
    moment_.version = ++versions;
}

void Run::trace() {
    const std::unique_ptr<CpuRun> run = make_cpu_run(input_, method_, limits_, keys_);
    // Traces of another program would be wrong.
    if (to_text(run->program()) != to_text(program())) return;
    for (OpTrace op; run->step(&op);)
        traces_.push_back(std::move(op));
}

}  // namespace glsort::demo
