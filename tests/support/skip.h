#pragma once

#include <catch2/catch.hpp>
#include <string>

#include "support/gl_contexts.h"

namespace glsort::test {

/// Reports that a test case does not apply here. The test case then returns. scripts/pack-tests counts skipped test
/// cases by the first word of the message.
inline void skip(const std::string& reason) {
    WARN("skipped: " << reason);
}

/// Reports that a part of a test case does not apply here. The test case goes on with the other parts.
inline void leave_out(const std::string& reason) {
    WARN("left out: " << reason);
}

/// Whether the driver lacks the tier. If so, reports the test case as skipped.
inline bool skipped_without(Tier tier) {
    std::string why;
    if (available(tier, &why)) return false;
    skip(why);
    return true;
}

}  // namespace glsort::test
