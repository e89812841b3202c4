#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>

namespace glsort::test {

/// The seed of this run: the number in GLSORT_TEST_SEED (decimal, or hexadecimal after 0x). Without the variable, each
/// run of the program has a new seed. The first call prints the seed to standard error.
inline std::uint64_t run_seed() {
    static const std::uint64_t seed = [] {
        std::uint64_t value = 0;
        if (const char* text = std::getenv("GLSORT_TEST_SEED"); text != nullptr && *text != '\0') {
            std::size_t end = 0;
            try {
                value = std::stoull(text, &end, 0);
            } catch (const std::exception&) {
                end = 0;
            }
            if (end == 0 || text[end] != '\0')
                throw std::invalid_argument(std::string("GLSORT_TEST_SEED is no number: ") + text);
        } else {
            std::random_device device;
            value = static_cast<std::uint64_t>(device()) << 32 | device();
        }
        std::cerr << "seed " << value << " (GLSORT_TEST_SEED=" << value << " repeats this run)\n";
        return value;
    }();
    return seed;
}

/// The run's seed for one test. Failures in the scope of the object print the seed, as Catch's INFO does.
///
///     const glsort::test::Seed seed;
///     std::mt19937_64 random(seed.value());
class Seed {
  public:
    Seed()
        : message_(Catch::MessageBuilder("seed", CATCH_INTERNAL_LINEINFO, Catch::ResultWas::Info)
                   << "GLSORT_TEST_SEED=" << run_seed()) {}
    std::uint64_t value() const { return run_seed(); }

  private:
    Catch::ScopedMessage message_;
};

}  // namespace glsort::test
