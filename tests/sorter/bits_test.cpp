#include "sorter/sorting.h"
#include "support/random.h"
#include "support/sorted_lists.h"

namespace glsort::test {
namespace {

/// A range of a key's bits, with at least one bit. Short ranges are as likely as long ones.
BitRange some_bits(std::mt19937_64& random, KeyType key) {
    const std::uint32_t bits = 8 * key_bytes(key);
    const auto first = static_cast<std::uint32_t>(random() % (bits - 1));
    const std::uint32_t most = random() % 2 == 0 ? std::min(bits - first, 16u) : bits - first;
    return {first, first + 1 + static_cast<std::uint32_t>(random() % most)};
}

/// The algorithms that take a range of bits on a backend.
std::vector<std::string> algorithms_on(Backend backend) {
    std::vector<std::string> names{"automatic"};
    for (const Algorithm& algorithm : algorithms()) {
        const auto takes = [&](const Algorithm::Variant& variant) {
            return variant.takes.bits && (variant.takes.fragment || backend == Backend::compute);
        };
        if (std::any_of(algorithm.variants.begin(), algorithm.variants.end(), takes)) names.push_back(algorithm.name);
    }
    return names;
}

TEST_CASE("keys are sorted by some of their bits, and keys that agree in these keep their order", "[sorter]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        const std::vector<std::string> names = algorithms_on(place.backend);
        std::size_t turn = random() % names.size();
        for (const KeyType key : every_key_type)
            for (const Payload& payload : {Payload::none(), Payload::index(), Payload::bytes(4), Payload::bytes(12)}) {
                if (random() % 4 != 0) continue;  // Shaders are compiled for each sorter.
                SortSpec spec;
                spec.order.key = key;
                spec.order.direction = random() % 2 == 0 ? Direction::ascending : Direction::descending;
                spec.order.bits = some_bits(random, key);
                spec.payload = payload;
                spec.backend = place.backend;
                spec.algorithm = names[++turn % names.size()];
                spec.capacity = 5000;
                // Programs of few counts read and write textures.
                if (payload.size <= 4 && writes_textures(place) && random() % 2 == 0)
                    spec.input = spec.output = Medium::texture;
                INFO(describe(place) << ": " << describe(spec));
                Sorter sorter(spec, context.get_proc_address());
                Caller caller(context.gl(), sorter);
                for (const std::uint32_t count : {0u, 1u, 2u, 300u, 4999u, 5000u}) {
                    const Sample sample = make_sample(spec, demo::Distribution::uniform, count, random());
                    sorter.sort(caller.load(sample));
                    CHECK(caller.wrong(sample) == "");
                }
            }
        context.require_clean("bits");
    }
}

/// Random keys in lists, each of which is sorted by the bits of the specification.
Sample lists_by_bits(const SortSpec& spec, const Words& lengths, std::uint64_t seed) {
    const std::uint32_t n = std::accumulate(lengths.begin(), lengths.end(), 0u);
    Sample sample = make_sample(spec, demo::Distribution::uniform, n, seed);
    const std::uint32_t words = words_of_key(spec);
    auto begin = sample.keys.begin();
    for (const std::uint32_t length : lengths) {
        const auto end = begin + std::ptrdiff_t{length} * words;
        const Words list(begin, end);
        std::ranges::copy(gathered(list, words, sorted_order_of(spec, list)), begin);
        begin = end;
    }
    sample.expect(spec, sorted_order_of(spec, sample.keys));
    return sample;
}

TEST_CASE("lists that are sorted by some bits of the keys are merged by these bits", "[sorter]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        SortSpec spec;
        spec.order.key = random() % 2 == 0 ? KeyType::f32 : KeyType::u64;
        spec.order.bits = some_bits(random, spec.order.key);
        spec.payload = random() % 2 == 0 ? Payload::none() : Payload::bytes(4);
        spec.backend = place.backend;
        spec.capacity = 3000;
        spec.max_lists = 9;
        Sorter sorter(spec, context.get_proc_address());
        Caller caller(context.gl(), sorter);
        for (const std::uint32_t count : {3000u, 700u, 9u, 0u})
            for (const std::uint32_t lists : {1u, 2u, 9u}) {
                const Words lengths = list_lengths(count, lists, random);
                INFO(describe(place) << ": " << describe(spec) << ", " << count << " keys in " << lists << " lists");
                const Sample sample = lists_by_bits(spec, lengths, random());
                sorter.merge(caller.load(sample), lengths);
                CHECK(caller.wrong(sample) == "");
            }
        context.require_clean("lists by bits");
    }
}

}  // namespace
}  // namespace glsort::test
