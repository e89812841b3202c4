#include "measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "support/console.h"

namespace glsort::demo {
namespace {

bool can_plan(const Measurement& measurement) {
    try {
        plan_or_refuse(request_of(measurement, {}));
        return true;
    } catch (const UsageError&) {
        return false;
    }
}

// Measurements of one sort and one input become one, with the figures of all.
void add(std::vector<Measurement>& list, const Measurement& measurement) {
    for (Measurement& known : list)
        if (known.n == measurement.n && known.backend == measurement.backend &&
            asked_name(known) == asked_name(measurement) && same_input(known, measurement)) {
            known.theirs.insert(known.theirs.end(), measurement.theirs.begin(), measurement.theirs.end());
            return;
        }
    list.push_back(measurement);
}

std::vector<Measurement> suite_of_papers(const std::vector<Backend>& backends) {
    std::vector<Measurement> list;
    for (const PaperSeries& series : paper_series()) {
        const bool is_host = series.backend == Backend::cpu;
        if (!is_host && std::find(backends.begin(), backends.end(), series.backend) == backends.end()) continue;
        Measurement measurement;
        measurement.by = is_host ? Contender::host : Contender::library;
        measurement.name = series.algorithm;
        measurement.backend = series.backend;
        measurement.items.key = series.key;
        measurement.items.payload = series.payload;
        measurement.items.layout = series.layout;
        measurement.io = is_host ? Medium::buffer : default_io(series.backend, series.payload);
        measurement.distribution = series.distribution;
        for (const PaperTime& time : series.times) {
            measurement.n = time.n;
            measurement.theirs = {{series.source, series.hardware, series.sort, time}};
            add(list, measurement);
        }
    }
    return list;
}

template <class T>
struct Ranked {
    T value;
    int rank;  // 0: the most important.
};

const Ranked<std::uint32_t> sizes[] = {{1u << 20, 0}, {1u << 16, 0}, {1u << 24, 1}, {1u << 12, 1}, {1u << 22, 2},
                                       {1u << 18, 2}, {1u << 26, 3}, {1u << 14, 3}, {1u << 10, 3}};

// The specification of the sorts: it takes seconds where others take milliseconds.
constexpr std::uint32_t most_on_cpu = 1u << 16;

std::vector<Ranked<ItemOptions>> item_types() {
    std::vector<Ranked<ItemOptions>> types;
    const auto add_type = [&types](KeyType key, const Payload& payload, int rank) {
        ItemOptions items;
        items.key = key;
        items.payload = payload;
        types.push_back({items, rank});
    };
    add_type(KeyType::u32, Payload::bytes(4), 0);
    add_type(KeyType::u32, Payload::none(), 0);
    add_type(KeyType::f32, Payload::index(), 2);
    add_type(KeyType::u64, Payload::none(), 3);
    return types;
}

// The algorithms that are chosen automatically come first.
int rank_of(const std::string& algorithm) {
    for (const char* chosen : {"radix:one-sweep", "merge:multiway"})
        if (algorithm == chosen) return 0;
    return 1;
}

std::vector<Measurement> suite_of_all(const std::vector<Backend>& backends) {
    std::vector<Ranked<Measurement>> ranked;
    for (const Algorithm& algorithm : algorithms())
        for (const Algorithm::Variant& variant : algorithm.variants)
            for (const Backend backend : backends)
                for (const Ranked<ItemOptions>& items : item_types()) {
                    Measurement measurement;
                    measurement.name = algorithm.name + ":" + variant.name;
                    measurement.backend = backend;
                    measurement.items = items.value;
                    if (backend != Backend::cpu) measurement.io = default_io(backend, items.value.payload);
                    if (!can_plan(measurement)) continue;
                    const int rank = rank_of(measurement.name) + items.rank + (backend == Backend::cpu ? 4 : 0);
                    for (const Ranked<std::uint32_t>& size : sizes) {
                        if (backend == Backend::cpu && size.value > most_on_cpu) continue;
                        for (const Distribution distribution : all_distributions()) {
                            measurement.n = size.value;
                            measurement.distribution = distribution;
                            ranked.push_back(
                                {measurement, rank + size.rank + (distribution == Distribution::uniform ? 0 : 3)});
                        }
                    }
                }
    // Of equal rank, sorts of one input follow each other, and small inputs come first.
    const auto order = [](const Ranked<Measurement>& one) {
        const Measurement& m = one.value;
        return std::tuple(one.rank, m.n, m.distribution, m.items.key, m.items.payload.kind);
    };
    std::stable_sort(ranked.begin(), ranked.end(),
                     [&order](const auto& a, const auto& b) { return order(a) < order(b); });
    std::vector<Measurement> list;
    list.reserve(ranked.size());
    for (Ranked<Measurement>& one : ranked)
        list.push_back(std::move(one.value));
    return list;
}

}  // namespace

std::string_view backend_name(const Measurement& measurement) {
    return measurement.by == Contender::cuda ? "cuda" : to_string(measurement.backend);
}

std::string asked_name(const Measurement& measurement) {
    if (!measurement.items.layout) return measurement.name;
    return fmt::format("{} {}", measurement.name, to_string(*measurement.items.layout));
}

std::string text_of(const Measurement& measurement) {
    return fmt::format("{} on {}, n = {}, {}", asked_name(measurement), backend_name(measurement), measurement.n,
                       distribution_name(measurement.distribution));
}

bool same_input(const Measurement& a, const Measurement& b) {
    const auto of = [](const Measurement& m) {
        return std::tuple(m.n, m.distribution, m.items.key, m.items.payload.kind, m.items.payload.size);
    };
    return of(a) == of(b);
}

PlanRequest request_of(const Measurement& measurement, const SceneOptions& scene) {
    PlanRequest request{.spec = sort_spec(measurement.items, measurement.name)};
    request.spec.backend = measurement.backend;
    request.spec.input = request.spec.output = measurement.io;
    request.n = request.spec.capacity = 2;
    // Scenes sort by counts on the GPU, too.
    request.spec.gpu_count = measurement.backend != Backend::cpu && (scene.gpu_count || scene.is_scene());
    return request;
}

std::vector<std::string> suite_names() {
    return {"papers", "all"};
}

std::vector<Measurement> suite_of(Suite suite, const std::vector<Backend>& backends) {
    return suite == Suite::papers ? suite_of_papers(backends) : suite_of_all(backends);
}

}  // namespace glsort::demo
