#pragma once

#include <glsort/base/browser.h>
#include <deque>
#include <functional>
#include <utility>

namespace glsort {

/// How far a step of `Work` has come.
enum class Progress {
    done,     ///< The next step may run.
    more,     ///< The step is to be called again.
    waiting,  ///< The step is to be called again, later: it waits for the driver or the GPU.
};

/// Steps that run one after the other, a few at a time. A step may add steps, which run after all others.
class Work {
  public:
    /// `may_wait`: whether the step may wait for the driver, and then never returns `waiting`.
    using Step = std::function<Progress(bool may_wait)>;

    void add(Step step) { steps_.push_back(std::move(step)); }
    /// Adds a step that runs once.
    void add_once(std::function<void()> step) {
        add([step = std::move(step)](bool) {
            step();
            return Progress::done;
        });
    }

    /// Runs steps until `deadline`, one at least, or until a step waits. Returns whether all are done.
    bool run_until(Clock::time_point deadline) {
        do {
            if (steps_.empty()) return true;
            const Progress progress = steps_.front()(false);
            if (progress == Progress::waiting) return false;
            if (progress == Progress::done) steps_.pop_front();
        } while (Clock::now() < deadline);
        return steps_.empty();
    }
    /// Runs all steps, and waits where they wait.
    void run_all() {
        while (!steps_.empty())
            if (steps_.front()(true) == Progress::done) steps_.pop_front();
    }

  private:
    std::deque<Step> steps_;
};

}  // namespace glsort
