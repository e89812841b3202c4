#pragma once

#include "support/tier_context.h"

namespace glsort::test {

using namespace trial;

}  // namespace glsort::test
