#pragma once

#include <cstdint>
#include <string>

#include "support/headless_context.h"

/// Counts what the library makes and does not delete.

namespace glsort::check {

/// A loader that gives the functions of `below`, and counts the OpenGL objects that are made and deleted through
/// what it gives. One `below` at a time.
demo::GetProcAddress counting_loader(demo::GetProcAddress below);

/// From now on objects belong to `context`, of which only the address counts.
void count_objects_of(const void* context);

/// Objects of the context that are alive: "2 buffers, 1 program"; empty where there is none.
std::string objects_alive(const void* context);

/// How often objects were made or deleted through what the loader gives, in all contexts.
std::uint64_t object_calls();

/// Deletes the context's objects that are alive. It is current.
void delete_objects(const void* context);

/// Forgets the context's objects.
void forget_objects(const void* context);

}  // namespace glsort::check
