#pragma once

#include <glsort/error.h>

#include <string>
#include <string_view>

namespace glsort {

/// Calls `call` for a public function. The name of that function then begins the message of an error: inner functions
/// do not know what the application called.
template <class Call>
decltype(auto) in_function(std::string_view name, const Call& call) {
    try {
        return call();
    } catch (const Error& error) {
        throw Error(std::string(name) + ": " + error.what());
    }
}

}  // namespace glsort
