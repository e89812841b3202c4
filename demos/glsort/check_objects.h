#pragma once

#include <cstdint>
#include <string>

#include "support/headless_context.h"

/// Counts the OpenGL objects that the library makes and does not delete.

namespace glsort::check {

/// Returns a loader for the functions of `below`. The functions count the OpenGL objects that they make and delete.
/// Only one `below` at a time.
demo::GetProcAddress counting_loader(demo::GetProcAddress below);

/// From now on, new objects belong to `context`. Only the address of `context` matters.
void count_objects_of(const void* context);

/// The objects of the context that are alive, such as "2 buffers, 1 program". Empty if there are none.
std::string objects_alive(const void* context);

/// The number of objects that the loader's functions made or deleted, in all contexts.
std::uint64_t object_calls();

/// Deletes the objects of the context that are alive. The context must be current.
void delete_objects(const void* context);

/// Removes the objects of the context from the count.
void forget_objects(const void* context);

}  // namespace glsort::check
