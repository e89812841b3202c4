#pragma once

#include <glsort/stream/kernel.h>

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
#include "stepped_sort.h"

namespace glsort::demo {

/// A sort that can be viewed between any two ops, forward and back. To go back, and forward again, exchanges words in
/// memory. Only ops that have not run, or that were forgotten, run.
class Run {
  public:
    /// Default limit for the bytes of replaced words.
    static constexpr std::size_t usual_memory = std::size_t{256} << 20;
    /// Max elements of a traced sort.
    static constexpr std::uint32_t max_traced = 1024;

    /// Begins before op 0. `device`: as for make_stepped_sort(). Throws Error like make_stepped_sort().
    Run(const Input& input, const Method& method, const Device* device, std::size_t memory = usual_memory);
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    /// A unique number for each run, from 1. Addresses of programs may be reused.
    std::uint64_t number() const { return number_; }
    const Input& input() const { return input_; }
    const Method& method() const { return method_; }
    const StreamProgram& program() const { return sort_->program(); }
    std::size_t ops() const { return program().ops.size(); }

    /// The number of ops done at the current position.
    std::size_t done() const { return history_.done(); }
    /// Sets the target, from 0 to all ops. work() goes there.
    void aim(std::size_t target);
    std::size_t target() const { return target_; }
    /// Goes towards the target, for at most `seconds`, but at least one op. Returns whether the target is reached.
    bool work(double seconds);
    /// Goes to `target`, however long that takes.
    void go_to(std::size_t target);

    /// Valid until the position changes.
    const Moment& moment() const { return moment_; }

    /// The planned cost of the first `ops` ops. The scratch memory is that of all ops.
    const Cost& cost_of_first(std::size_t ops) const { return costs_[ops]; }
    /// How often the first `ops` ops compare keys. Nothing until the number is counted.
    std::optional<std::uint64_t> comparisons_of_first(std::size_t ops) const { return comparisons_.of_first(ops); }

    /// The time of an op in its last run, in milliseconds. Nothing if the op has not run.
    std::optional<double> milliseconds(std::size_t op) const { return times_[op]; }
    /// The GLSL of an op as compiled. Empty if there is none.
    std::string source(std::size_t op) const { return sort_->source(op); }

  private:
    void step_forward();
    void step_back();
    void look();
    void trace();
    History::Read reader() {
        return [this](StreamId stream) { return sort_->read(stream); };
    }

    std::uint64_t number_;
    Input input_;
    Method method_;
    Limits limits_;
    std::vector<std::uint32_t> keys_;
    std::unique_ptr<SteppedSort> sort_;
    History history_;
    Places places_;
    std::size_t target_ = 0;
    std::vector<std::optional<double>> times_;
    std::vector<Cost> costs_;  // of the first 0, 1, ... ops
    ComparisonCount comparisons_;
    std::vector<OpTrace> traces_;  // empty if the sort is not traced
    History::Streams before_;
    Moment moment_;
};

}  // namespace glsort::demo
