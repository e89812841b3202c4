#pragma once

namespace glsort {

/// The version of the library as "major.minor.patch"; a string with static lifetime.
const char* version() noexcept;

}  // namespace glsort
