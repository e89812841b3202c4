#pragma once

#include <string_view>

namespace glsort {

/// Throws `Error` if `value` is outside an enumeration whose last value is `last`. `name`: the name of that value.
void check_enumerator(std::string_view argument, int value, int last, std::string_view name);

template <class Enum>
void check_enumerator(std::string_view argument, Enum value, Enum last, std::string_view name) {
    check_enumerator(argument, static_cast<int>(value), static_cast<int>(last), name);
}

/// For an enumeration whose values have names for users.
template <class Enum>
void check_enumerator(std::string_view argument, Enum value, Enum last) {
    check_enumerator(argument, value, last, to_string(last));
}

}  // namespace glsort
