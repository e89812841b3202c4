#pragma once

#include <glsort/error.h>

#include <string>

namespace glsort::test {

/// The message of the Error that `call` throws.
template <class Call>
std::string error_of(const Call& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "(nothing thrown)";
}

}  // namespace glsort::test
