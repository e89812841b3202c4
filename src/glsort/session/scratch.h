#pragma once

#include <glsort/exec/scratch_memory.h>
#include <glsort/sorter.h>

#include <memory>

namespace glsort {

/// The memory of `scratch` for a sorter in the context of `api`. Null if `scratch` is null. Throws `Error` if the
/// memory belongs to another context.
std::shared_ptr<ScratchMemory> shared_memory(const Scratch* scratch, const gl::Api& api);

}  // namespace glsort
