#pragma once

#include <glsort/error.h>

#include <string>
#include <string_view>

namespace glsort {

/// Calls `call` for the public function `name`. The name begins the message of an error: inner functions do not know
/// which function the application called.
template <class Call>
decltype(auto) in_function(std::string_view name, const Call& call) {
    try {
        return call();
    } catch (const Error& error) {
        throw Error(std::string(name) + ": " + error.what());
    }
}

}  // namespace glsort
