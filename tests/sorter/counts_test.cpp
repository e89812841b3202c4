#include <glsort/error.h>
#include <glsort/planner.h>
#include <glsort/stream/validate.h>

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "sorter/sorting.h"
#include "support/random.h"

/// A sorter whose count changes with every call. If possible, its programs follow the count. Otherwise
/// there is a new program.

namespace glsort::test {
namespace {

SortSpec some_spec(const Place& place, const std::string& algorithm, std::mt19937_64& random) {
    SortSpec spec;
    spec.algorithm = algorithm;
    spec.backend = place.backend;
    spec.capacity = 700;
    spec.layout = random() % 2 == 0 ? Layout::row_wise : Layout::z_order;
    spec.payload = std::array{Payload::none(), Payload::index(), Payload::bytes(4)}[random() % 3];
    if (writes_textures(place) && random() % 2 == 0) spec.output = Medium::texture;
    if (spec.output == Medium::texture && random() % 2 == 0) spec.input = Medium::texture;
    return spec;
}

/// Whether the device has the features that the algorithm needs, such as subgroups.
bool has_device_for(TestContext& context, const SortSpec& spec) {
    PlanRequest request;
    request.spec.algorithm = spec.algorithm;
    request.spec.backend = spec.backend;
    request.n = spec.capacity;
    request.limits = describe_context(context.get_proc_address()).limits;
    try {
        validate(plan(request), request.limits);
        return true;
    } catch (const Error&) {
        return false;
    }
}

}  // namespace

TEST_CASE("sorts of one count after the other are right", "[sorter]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn())
        for (const Algorithm& algorithm : algorithms())
            for (const Algorithm::Variant& variant : algorithm.variants) {
                if (place.backend == Backend::fragment && !variant.takes.fragment) continue;
                // llvmpipe compiles the kernels of these variants for long.
                const bool is_slow = !variant.takes.gpu_count && algorithm.variants.size() > 1;
                if (is_slow && place.tier != Tier::gl45) continue;
                // These variants are made for fragments, and llvmpipe compiles them longest on compute.
                if (place.backend == Backend::compute && variant.takes.lists) continue;
                const SortSpec spec = some_spec(place, algorithm.name + ":" + variant.name, random);
                TestContext& context = clean_context(place.tier);
                if (!has_device_for(context, spec)) continue;
                SorterOptions options;
                options.state = random() % 2 == 0 ? StatePolicy::restore : StatePolicy::caller_resets;
                Sorter sorter(spec, context.get_proc_address(), options);
                Caller caller(context.gl(), sorter);
                // Counts within a range, at its ends, and in different ranges.
                for (const std::uint32_t count :
                     {700u, 513u, 600u, 699u, 512u, 257u, 300u, 293u, 73u, 17u, 31u, 32u, 9u, 16u, 700u}) {
                    INFO(describe(place) << ", " << spec.algorithm << ", " << describe(spec) << ", count " << count);
                    const Sample sample = make_sample(spec, demo::Distribution::uniform, count, random());
                    sorter.sort(caller.load(sample));
                    CHECK(caller.wrong(sample) == "");
                }
                if (options.state == StatePolicy::restore) context.require_clean("counts");
            }
}

}  // namespace glsort::test
