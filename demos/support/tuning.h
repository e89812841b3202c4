#pragma once

#include <glsort/spec.h>

#include <cstddef>
#include <cstdint>
#include <string>
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

/// Messages of the library name members of a specification. Replaces the members by options, and puts the option in
/// front of messages that name no member.
inline std::string in_words_of_options(std::string message) {
    const auto replace = [&message](std::string_view member, std::string_view option) {
        const std::size_t place = message.find(member);
        if (place != std::string::npos) message.replace(place, member.size(), option);
    };
    replace("tuning.radix.digit_bits", "--digit-bits");
    replace("tuning.sample.tile", "--tile");
    replace("tuning.networks.tile", "--tile");
    replace("tuning.sample.samples", "--samples");
    const auto begins = [&message](std::string_view words) { return message.compare(0, words.size(), words) == 0; };
    if (begins("a payload of")) return "--payload: " + message;
    if (begins("a tile of")) return "--tile: " + message;
    if (begins("bits ")) return "--bits: " + message;
    if (message.find(" samples per tile") != std::string::npos) return "--samples: " + message;
    return message;
}

}  // namespace glsort::demo
