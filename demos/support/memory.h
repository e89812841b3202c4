#pragma once

#include <glad/gl.h>

#include <cstdint>
#include <string>
#include <string_view>

/// How much memory there is, before it is asked for.
namespace glsort::demo {

/// Bytes of the computer's memory that this process can still get: what the system says is available, and what the
/// limits of its control group and of the process leave. 2^64-1 where nobody tells.
std::uint64_t free_memory();

/// Bytes of the GPU's own memory that are free, by the extensions of NVIDIA's and AMD's drivers. 0 where no extension
/// tells: then the GPU, or the software rasteriser, may use the computer's memory.
std::uint64_t free_gpu_memory(const GladGLContext& gl);

/// `1.5 GiB`, for people.
std::string bytes_text(std::uint64_t bytes);

/// A message of the library with units for people: `17179869184 bytes` becomes `16.0 GiB`. The message stays as it is
/// if two different numbers would look alike.
std::string in_units(const std::string& message);

/// Throws UsageError where `needed` exceeds `free`: `--count 2^31: 96.0 GiB of the computer's memory are needed; the
/// limit is the 22.0 GiB that are free`. `argument` is the option with its value; `whose` is "the computer's" or "the
/// GPU's".
void require_memory(std::string_view argument, std::uint64_t needed, std::uint64_t free, std::string_view whose);

}  // namespace glsort::demo
