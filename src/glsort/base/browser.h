#pragma once

#if defined(__EMSCRIPTEN__)
#include <emscripten/emscripten.h>
#endif

#include <chrono>

namespace glsort {

/// What differs in browsers. A page must load the library before the page sorts anything, so the build for browsers
/// leaves out code that no browser needs.
#if defined(__EMSCRIPTEN__)

inline constexpr bool in_browser = true;

/// std::chrono::steady_clock would bring tables of error texts, which take a fiftieth of the WebAssembly module.
struct Clock {
    using duration = std::chrono::microseconds;
    using time_point = std::chrono::time_point<Clock, duration>;
    static time_point now() { return time_point(duration(static_cast<duration::rep>(1000.0 * emscripten_get_now()))); }
};

#else

inline constexpr bool in_browser = false;

using Clock = std::chrono::steady_clock;

#endif

}  // namespace glsort
