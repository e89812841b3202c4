#pragma once

#include <glsort/stream/program.h>

#include <nlohmann/json_fwd.hpp>

namespace glsort::demo {

/// The members of `to_json(program)`, and two more. `streams` has name, owner, medium, records and sizes of each
/// stream. `operations` has kernel, chunks, ranges of records, labels and parameters of each op. Ranges end behind
/// their last record.
nlohmann::ordered_json full_json(const StreamProgram& program);

}  // namespace glsort::demo
