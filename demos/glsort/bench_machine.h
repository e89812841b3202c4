#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "gl_io.h"

/// On what a bench ran, for its JSON.
namespace glsort::demo {

/// The commit of the sources, with `-dirty` behind it if files differ from the commit. `unknown` outside of a
/// repository.
std::string commit_name();

/// The processor, its cores, the memory and the system. `null` for what the system does not tell.
nlohmann::ordered_json machine_facts();

/// What OpenGL says about the device, and what nvidia-smi says, if that program is there: the driver, and clocks in
/// MHz. An idle GPU has low clocks. This function therefore calls `work` until nvidia-smi has ended. `work` queues some
/// milliseconds of work, and waits for the end of the work.
nlohmann::ordered_json gpu_facts(const GlContext& context, const std::function<void()>& work);

}  // namespace glsort::demo
