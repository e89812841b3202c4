#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "gl_io.h"
#include "support/timing.h"

/// On what a bench ran, for its JSON.
namespace glsort::demo {

/// The commit of the sources, with `-dirty` behind it if files differ from the commit. `unknown` outside of a
/// repository.
std::string commit_name();

/// The processor, its cores, the memory and the system. `null` for what the system does not tell.
nlohmann::ordered_json machine_facts();

/// What OpenGL says about the device, and what nvidia-smi says, if that program is there: the driver, and clocks in
/// MHz. An idle GPU has low clocks. This function therefore repeats `work` for 400 ms, and then until nvidia-smi has
/// ended.
nlohmann::ordered_json gpu_facts(const GlContext& context, Timed& work);

}  // namespace glsort::demo
