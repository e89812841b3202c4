#pragma once

#include <glad/gl.h>

#include <glsort/sorter.h>
#include <glsort/stream/program.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "settings.h"
#include "support/headless_context.h"

namespace glsort::demo {

/// What sorts need to know about the current context. Must outlive the sorts.
struct Device {
    GladGLContext gl{};
    GetProcAddress get_proc_address = nullptr;
    ContextReport report;
};

/// Loads the current context's functions and queries its capabilities. Throws std::runtime_error and Error.
Device make_device(GetProcAddress get_proc_address);

/// The limits for a method's programs: the limits of the device if the method sorts on the GPU. `device`: as for
/// make_stepped_sort().
Limits limits_for(const Method& method, const Device* device);

/// A sort that runs op by op and can restart: a Sorter with its input, or a CpuRun.
class SteppedSort {
  public:
    virtual ~SteppedSort() = default;
    virtual const StreamProgram& program() const = 0;
    /// Restores the input and begins with op 0.
    virtual void begin() = 0;
    /// Runs the next op, which must exist. Returns the time of the op in milliseconds. The time is GPU time if timer
    /// queries are available. Otherwise the clock measures from one idle GPU state to the next.
    virtual double step() = 0;
    virtual std::vector<std::uint32_t> read(StreamId stream) = 0;
    /// The GLSL of an op as compiled. Empty if there is none.
    virtual std::string source(std::size_t op) const = 0;
};

/// `keys`: the keys of the input. `device` is null if there is no context; the backend must then be cpu. Throws Error
/// if the method cannot sort the input.
std::unique_ptr<SteppedSort> make_stepped_sort(const Input& input, const Method& method,
                                               std::span<const std::uint32_t> keys, const Device* device);

}  // namespace glsort::demo
