#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "sorter/sorting.h"
#include "support/errors.h"

/// Common parts of the tests of an application's actions between the calls of a sorter.

namespace glsort::test {

/// A sorter of one place, with buffers of the caller.
struct Bench {
    explicit Bench(TestContext& context, const SortSpec& spec,
                   const GetProcAddress& load = TestContext::get_proc_address(), const SorterOptions& options = {})
        : sorter(spec, load, options), stepper(sorter), caller(context.gl(), sorter) {}
    Bench(TestContext& context, const SortSpec& spec, const SorterOptions& options)
        : Bench(context, spec, TestContext::get_proc_address(), options) {}

    Sample sample(std::uint64_t seed) const {
        return make_sample(sorter.spec(), demo::Distribution::uniform, sorter.spec().capacity, seed);
    }
    /// Sorts, and describes the first error in the result.
    std::string wrong(std::uint64_t seed) {
        const Sample given = sample(seed);
        sorter.sort(caller.load(given));
        return caller.wrong(given);
    }

    Sorter sorter;
    Stepper stepper;
    Caller caller;
};

inline SortSpec small_spec(Backend backend, std::uint32_t capacity = 50) {
    SortSpec spec;
    spec.payload = Payload::bytes(4);
    spec.backend = backend;
    spec.capacity = capacity;
    return spec;
}

/// Like small_spec(), but with several ops on every device, so that there are steps to stop between.
inline SortSpec stepped_spec(Backend backend) {
    SortSpec spec = small_spec(backend);
    spec.algorithm = "merge:multiway";
    return spec;
}

/// The text by which an Error names an argument.
inline std::string name_text(const char* argument, GLuint name) {
    return fmt::format("{}.name {}", argument, name);
}

/// The media of the caller's objects.
struct Way {
    Medium input, output;
};

inline std::vector<Way> ways_of(const Place& place) {
    std::vector<Way> ways{{Medium::buffer, Medium::buffer}};
    if (writes_textures(place))
        ways.insert(ways.end(), {{Medium::buffer, Medium::texture}, {Medium::texture, Medium::texture}});
    return ways;
}

/// Options with this policy.
inline SorterOptions options_with(StatePolicy policy) {
    SorterOptions options;
    options.state = policy;
    return options;
}

inline SortSpec spec_for(const Place& place, const Way& way) {
    SortSpec spec = stepped_spec(place.backend);
    spec.input = way.input;
    spec.output = way.output;
    return spec;
}

}  // namespace glsort::test
