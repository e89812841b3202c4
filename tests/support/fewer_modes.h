#pragma once

namespace glsort::test {

/// Whether tests take only some of all combinations of modes, such as keys, payloads, layouts and tiers. True
/// under sanitizers, which make tests several times slower.
#ifdef GLSORT_TESTS_FEWER_MODES
inline constexpr bool fewer_modes = true;
#else
inline constexpr bool fewer_modes = false;
#endif

}  // namespace glsort::test
