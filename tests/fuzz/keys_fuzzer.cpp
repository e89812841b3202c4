#include <fuzzer/FuzzedDataProvider.h>
#include <glsort/error.h>
#include <glsort/planner.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "fuzz/input_file.h"
#include "glsort/files.h"
#include "glsort/job.h"

/// Files of raw keys, as `glsort sort --input` takes them: read, sorted by the cpu, and compared with std::stable_sort.

namespace {

using namespace glsort;
using namespace glsort::demo;
using glsort::fuzz::InputFile;
using glsort::fuzz::require;

ItemType consume_type(FuzzedDataProvider& data) {
    ItemType type;
    type.key =
        data.PickValueInArray({KeyType::u32, KeyType::i32, KeyType::f32, KeyType::u64, KeyType::i64, KeyType::f64});
    type.payload = data.PickValueInArray({Payload::none(), Payload::index(), Payload::bytes(4), Payload::bytes(12)});
    type.order = data.PickValueInArray({Direction::ascending, Direction::descending});
    if (data.ConsumeBool()) type.bits = {data.ConsumeIntegralInRange(0u, 65u), data.ConsumeIntegralInRange(0u, 65u)};
    return type;
}

/// A variant of an algorithm, by name.
std::string consume_algorithm(FuzzedDataProvider& data) {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all{"automatic"};
        for (const Algorithm& algorithm : algorithms())
            for (const Algorithm::Variant& variant : algorithm.variants)
                all.push_back(algorithm.name + ":" + variant.name);
        return all;
    }();
    return names[data.ConsumeIntegralInRange<std::size_t>(0, names.size() - 1)];
}

SortSpec consume_spec(FuzzedDataProvider& data, const ItemType& type) {
    SortSpec spec;
    spec.order = {.key = type.key, .bits = type.bits, .direction = type.order};
    spec.payload = type.payload;
    spec.algorithm = consume_algorithm(data);
    spec.backend = data.PickValueInArray({Backend::cpu, Backend::fragment, Backend::compute});
    if (data.ConsumeBool()) spec.tuning.radix.digit_bits = data.ConsumeIntegralInRange(0u, 12u);
    if (data.ConsumeBool()) spec.layout = data.PickValueInArray({Layout::row_wise, Layout::z_order});
    return spec;
}

/// Reads the keys of a file. False: the file holds a part of a key, or too many keys.
bool read_items(const InputFile& file, std::size_t bytes, const ItemType& type, Items& items) {
    constexpr std::uint64_t most_keys = 500;
    const bool readable = bytes % key_bytes(type.key) == 0 && bytes / key_bytes(type.key) <= most_keys;
    try {
        items.keys = read_keys(file.path(), key_bytes(type.key), most_keys);
    } catch (const std::runtime_error& error) {
        require(!readable, std::string("whole keys are read: ") + error.what());
        return false;
    }
    require(readable, "a part of a key and too many keys are refused");
    items.count = bytes / key_bytes(type.key);
    items.values = make_values(type.payload, items.count);
    return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    FuzzedDataProvider data(bytes, size);
    const ItemType type = consume_type(data);
    const SortSpec spec = consume_spec(data, type);
    const std::vector<std::uint8_t> content = data.ConsumeRemainingBytes<std::uint8_t>();
    static const InputFile file;
    file.hold(content.data(), content.size());
    Items items;
    if (!read_items(file, content.size(), type, items)) return 0;

    std::unique_ptr<SortJob> job;
    try {
        job = make_cpu_job(spec, items);
    } catch (const Error&) {
        return 0;  // The algorithm does not take such keys, bits or digits.
    }
    job->restore();
    job->sort();
    const auto difference = first_difference(job->result(), sorted_reference(items, type), type);
    require(!difference, difference.value_or(""));
    return 0;
}
