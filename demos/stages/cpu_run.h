#pragma once

#include <glsort/planner.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "settings.h"

namespace glsort::demo {

/// A sort in C++ that runs op by op, of keys in order or of a scene.
class CpuRun {
  public:
    virtual ~CpuRun() = default;
    virtual const StreamProgram& program() const = 0;
    /// Restores the input and begins with op 0.
    virtual void begin() = 0;
    /// Runs the next op. Returns false if there was none. `trace`: gets what the op did, unless null.
    virtual bool step(OpTrace* trace) = 0;
    virtual std::vector<std::uint32_t> read(StreamId stream) = 0;
    /// Comparisons of keys since the begin.
    virtual std::uint64_t comparisons() const = 0;
};

/// `keys`: the keys of the input. Throws Error if the method cannot sort the input.
std::unique_ptr<CpuRun> make_cpu_run(const Input& input, const Method& method, const Limits& limits,
                                     std::span<const std::uint32_t> keys);

}  // namespace glsort::demo
