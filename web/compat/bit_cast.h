#pragma once

// The standard library of Debian 12's Emscripten lacks std::bit_cast, whose builtin its compiler has. Included by
// force.

#ifdef __cplusplus
#include <version>
#ifndef __cpp_lib_bit_cast
namespace std {
template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
    static_assert(sizeof(To) == sizeof(From));
    return __builtin_bit_cast(To, from);
}
}  // namespace std
#endif
#endif
