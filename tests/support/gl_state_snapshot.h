#pragma once

#include "support/hostile_state.h"

namespace glsort::test {

using namespace trial;

}  // namespace glsort::test
