#pragma once

#include <catch2/catch.hpp>
#include <string>

#include "support/gl_contexts.h"

namespace glsort::test {

/// What a test case that does not apply here says before it returns. Who counts test cases
/// (scripts/pack-tests) goes by the first word.
inline void skip(const std::string& reason) {
    WARN("skipped: " << reason);
}

/// Whether this driver lacks the tier; then the test case is skipped.
inline bool skipped_without(Tier tier) {
    std::string why;
    if (available(tier, &why)) return false;
    skip(why);
    return true;
}

}  // namespace glsort::test
