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

namespace glsort::demo {

/// The current context, as far as sorts need to know it. Must outlive them.
struct Device {
    GladGLContext gl{};
    glsort::GetProcAddress get_proc_address = nullptr;
    ContextReport report;
};

/// Loads the current context's functions and asks what it offers. Throws std::runtime_error and Error.
Device make_device(glsort::GetProcAddress get_proc_address);

/// What a method's programs are made for: the device's limits where it sorts on the GPU. `device` as for
/// make_stepper().
Limits limits_for(const Method& method, const Device* device);

/// A sort that runs op by op, from the beginning as often as one likes: a Sorter or a CpuSorter with its input.
class Stepper {
  public:
    virtual ~Stepper() = default;
    virtual const StreamProgram& program() const = 0;
    /// Brings the input back, and begins with op 0.
    virtual void begin() = 0;
    /// Runs the next op, which there is. The result is how long it took, in milliseconds: of the GPU where that can be
    /// asked (timer queries), else by the clock, from an idle GPU until it is idle again.
    virtual double step() = 0;
    virtual std::vector<std::uint32_t> read(StreamId stream) = 0;
    /// The GLSL of an op as compiled; empty where there is none.
    virtual std::string source(std::size_t op) const = 0;
};

/// `keys` are the input's. `device` is null where there is no context: then the method's backend is cpu. Throws Error
/// for what cannot be sorted that way.
std::unique_ptr<Stepper> make_stepper(const Input& input, const Method& method, std::span<const std::uint32_t> keys,
                                      const Device* device);

}  // namespace glsort::demo
