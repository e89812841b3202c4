#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace glsort::fuzz {

/// Ends the process with a message, which libFuzzer takes for a finding.
inline void require(bool holds, const std::string& what) {
    if (holds) return;
    std::fprintf(stderr, "does not hold: %s\n", what.c_str());
    std::abort();
}

}  // namespace glsort::fuzz
