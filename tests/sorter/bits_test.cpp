#include <glsort/plan/radix/radix_kernels.h>

#include "plan/reference_sort.h"
#include "sorter/sorting.h"
#include "support/random.h"

namespace glsort::test {
namespace {

/// Random unsigned keys and values, with the result of a stable sort by the bits of the specification.
Sample sample_by_bits(const SortSpec& spec, std::uint32_t count, std::uint64_t seed) {
    Sample sample = make_sample(spec, demo::Distribution::uniform, count, seed);
    const std::uint32_t words = words_of_key(spec);
    const std::uint64_t mask = radix::mask_of(spec.order.bits);
    Words compared = sample.keys;
    for (std::size_t i = 0; i < compared.size(); ++i)
        compared[i] &= static_cast<std::uint32_t>(mask >> 32 * (i % words));
    sample.expect(spec, sorted_order(spec.order.key, spec.order.direction, compared));
    return sample;
}

TEST_CASE("keys are sorted by some of their bits, and keys that agree in these keep their order", "[sorter]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        if (place.backend != Backend::compute) continue;
        TestContext& context = clean_context(place.tier);
        for (const KeyType key : {KeyType::u32, KeyType::u64})
            for (const Payload& payload : {Payload::none(), Payload::index(), Payload::bytes(4), Payload::bytes(12)}) {
                SortSpec spec;
                spec.order.key = key;
                spec.order.direction = random() % 2 == 0 ? Direction::ascending : Direction::descending;
                const auto first = static_cast<std::uint32_t>(random() % 31);
                const std::uint32_t most = 8 * key_bytes(key) - first;
                spec.order.bits = BitRange{first, first + 1 + static_cast<std::uint32_t>(random() % most)};
                spec.payload = payload;
                spec.backend = place.backend;
                spec.capacity = 5000;
                INFO(describe(place) << ": " << describe(spec) << ", bits " << spec.order.bits.first << " to "
                                     << spec.order.bits.end);
                Sorter sorter(spec, context.get_proc_address());
                Caller caller(context.gl(), sorter);
                for (const std::uint32_t count : {0u, 1u, 2u, 300u, 4999u, 5000u}) {
                    const Sample sample = sample_by_bits(spec, count, random());
                    sorter.sort(caller.load(sample));
                    CHECK(caller.wrong(sample) == "");
                }
            }
        context.require_clean("bits");
    }
}

}  // namespace
}  // namespace glsort::test
