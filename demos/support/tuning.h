#pragma once

#include <glsort/spec.h>

#include <cstdint>
#include <string_view>

namespace glsort::demo {

/// Tuning from the options of a program. An option `tile` serves every algorithm: the value goes to the family of
/// `algorithm` (`NAME` or `NAME:VARIANT`). 0: the algorithm's choice.
inline Tuning tuning_for(std::string_view algorithm, std::uint32_t digit_bits, std::uint32_t tile,
                         std::uint32_t samples) {
    const bool sample = algorithm.starts_with("sample");
    return {.radix = {.digit_bits = digit_bits},
            .sample = {.tile = sample ? tile : 0, .samples = samples},
            .networks = {.tile = sample ? 0 : tile}};
}

}  // namespace glsort::demo
