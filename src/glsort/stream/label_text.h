#pragma once

#include <glsort/stream/program.h>

#include <string>

namespace glsort {

/// The labels of an op that are set: `level 3, stage 1`.
std::string text_of(const Labels& labels);

}  // namespace glsort
