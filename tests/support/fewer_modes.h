#pragma once

namespace glsort::test {

/// Whether tests that go through products of modes (keys, payloads, layouts, ways in and out) take fewer of these:
/// under sanitizers, where everything takes several times longer. Without sanitizers they take all that they name.
#ifdef GLSORT_TESTS_FEWER_MODES
inline constexpr bool fewer_modes = true;
#else
inline constexpr bool fewer_modes = false;
#endif

}  // namespace glsort::test
