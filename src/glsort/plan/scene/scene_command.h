#pragma once

#include <glsort/spec.h>
#include <glsort/stream/kernel.h>

#include <cstdint>
#include <vector>

/// The words of commands for indirect draws. Either a separate op writes the words of a command, or the op that first
/// knows the number of visible items.

namespace glsort::scene {

/// The kernel that writes a command, one word per instance. Parameters: which element of the input is the number of
/// visible items, and then the result of `parameters_of`. `of_sums`: the number is the sum of the element's four words.
KernelPtr command_kernel(bool of_sums);

/// The parameters of a command: which word is multiplied by the number of visible items, and then all words.
std::vector<std::uint32_t> parameters_of(const SceneCommand& command);

/// Appends an output for each command to those of `kernel`, and the parameters of the commands. Groups of the kernel
/// have at least as many invocations as a command has words. The definitions tell the number of commands, the first
/// parameter and the parameters of each. In GLSL `glsort_put_command(uint command, uint place, uint word)` writes a
/// word, and ignores places behind the command.
void declare_commands(Kernel& kernel, const std::vector<SceneCommand>& commands);
/// The specification of what shaders do with such ports. `first_output`, `first_parameter`: of the first command.
void write_commands(CpuInvocation& k, const std::vector<SceneCommand>& commands, std::uint32_t visible,
                    std::size_t first_output, std::size_t first_parameter);

}  // namespace glsort::scene
