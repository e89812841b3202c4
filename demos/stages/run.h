#pragma once

#include <glsort/stream/trace.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <glsort/stream/schedule.h>

#include "comparisons.h"
#include "history.h"
#include "moment.h"
#include "places.h"
#include "settings.h"
#include "stepper.h"

namespace glsort::demo {

/// A sort that can be looked at between any two ops, forward and back. Going back, and forward again, exchanges words
/// in memory; only ops that have not run yet, or that it had to forget, are run.
class Run {
  public:
    /// Bytes of replaced words that are kept by default.
    static constexpr std::size_t usual_memory = std::size_t{256} << 20;
    /// Up to that many elements the sort is traced.
    static constexpr std::uint32_t most_traced = 1024;

    /// Stands before op 0. `device` as for make_stepper(); throws Error as that does.
    Run(const Input& input, const Method& method, const Device* device, std::size_t memory = usual_memory);
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    /// Another one for each run, from 1: addresses of programs come again once a run is gone.
    std::uint64_t number() const { return number_; }
    const Input& input() const { return input_; }
    const Method& method() const { return method_; }
    const StreamProgram& program() const { return stepper_->program(); }
    std::size_t ops() const { return program().ops.size(); }

    /// Where it stands: ops that are done.
    std::size_t done() const { return history_.done(); }
    /// Says where to go, 0 to all ops; work() goes there.
    void aim(std::size_t target);
    std::size_t target() const { return target_; }
    /// Goes towards the target, for some seconds at the most, one op at the least. True where it is reached.
    bool work(double seconds);
    /// Goes there, however long that takes.
    void go_to(std::size_t target);

    /// Valid until it goes on.
    const Moment& moment() const { return moment_; }

    /// What the first `ops` ops cost by plan. Scratch memory is that of all.
    const Cost& cost_of_first(std::size_t ops) const { return costs_[ops]; }
    /// How often they compare keys; nothing until that is counted.
    std::optional<std::uint64_t> comparisons_of_first(std::size_t ops) const { return comparisons_.of_first(ops); }

    /// How long an op took when it ran last, in milliseconds; nothing where it has not run.
    std::optional<double> milliseconds(std::size_t op) const { return times_[op]; }
    /// The GLSL of an op as compiled; empty where there is none.
    std::string source(std::size_t op) const { return stepper_->source(op); }

  private:
    void step_forward();
    void step_back();
    void look();
    PlanRequest request() const;
    void trace();
    History::Read reader() {
        return [this](StreamId stream) { return stepper_->read(stream); };
    }

    std::uint64_t number_;
    Input input_;
    Method method_;
    Limits limits_;
    std::vector<std::uint32_t> keys_;
    std::unique_ptr<Stepper> stepper_;
    History history_;
    Places places_;
    std::size_t target_ = 0;
    std::vector<std::optional<double>> times_;
    std::vector<Cost> costs_;  // of the first 0, 1, ... ops
    ComparisonCount comparisons_;
    std::vector<OpTrace> traces_;  // none where the sort is not traced
    History::Streams before_;
    Moment moment_;
};

}  // namespace glsort::demo
