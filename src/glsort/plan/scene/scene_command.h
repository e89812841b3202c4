#pragma once

#include <glsort/spec.h>
#include <glsort/stream/kernel.h>
#include <glsort/stream/program.h>

#include <cstdint>
#include <vector>

/// The kernel that writes a command of an indirect draw, one word an instance.

namespace glsort::scene {

KernelPtr command_kernel();

/// The parameters of an op. Word `place` of the kernel's input is the number of visible items.
std::vector<Counted> parameters_of(const SceneCommand& command, std::uint32_t place);

}  // namespace glsort::scene
