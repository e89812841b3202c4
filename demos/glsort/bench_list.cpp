#include "bench_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "support/console.h"

namespace glsort::demo {
namespace {

constexpr HostSort host_sorts[] = {HostSort::std_sort, HostSort::std_stable_sort, HostSort::tbb_parallel_sort};

Measurement host_measurement(HostSort sort, const Measurement& like) {
    Measurement measurement;
    measurement.by = Contender::host;
    measurement.name = host_sort_name(sort);
    measurement.n = like.n;
    measurement.distribution = like.distribution;
    measurement.items = like.items;
    measurement.items.layout.reset();
    return measurement;
}

// The sorts of other libraries on the input of `like`: std::sort alone, or all.
std::vector<Measurement> peers_for(const Measurement& like, bool all, const std::vector<std::string>& cuda_peers) {
    std::vector<Measurement> list;
    for (const HostSort sort : host_sorts)
        if ((all || sort == HostSort::std_sort) && !host_sort_version(sort).empty())
            list.push_back(host_measurement(sort, like));
    for (const std::string& peer : cuda_peers) {
        Measurement measurement = host_measurement(HostSort::std_sort, like);
        measurement.by = Contender::cuda;
        measurement.name = peer;
        list.push_back(measurement);
    }
    return list;
}

// Every algorithm on every backend that can run the algorithm, for each input.
std::vector<Measurement> asked_measurements(const BenchOptions& options, const std::vector<Backend>& backends) {
    std::vector<Measurement> contestants;
    for (const std::string& algorithm : options.algorithms) {
        const std::size_t before = contestants.size();
        std::vector<std::string> refusals;
        for (const Backend backend : backends) {
            Measurement contestant;
            contestant.name = algorithm;
            contestant.backend = backend;
            contestant.items = options.items;
            if (backend != Backend::cpu)
                contestant.io = options.scene.is_scene()
                                    ? Medium::buffer
                                    : options.io.value_or(default_io(backend, options.items.payload));
            try {
                plan_or_refuse(request_of(contestant, options.scene));
                contestants.push_back(contestant);
            } catch (const UsageError& refusal) {
                refusals.emplace_back(refusal.what());
            }
        }
        if (contestants.size() == before) throw UsageError(refusals.front());
        for (const std::string& refusal : refusals)
            complain("glsort bench: left out: " + refusal);
    }
    std::vector<Measurement> list;
    for (const std::uint32_t n : options.sizes)
        for (const Distribution distribution : options.distributions)
            for (Measurement contestant : contestants) {
                contestant.n = n;
                contestant.distribution = distribution;
                list.push_back(contestant);
            }
    return list;
}

// With the sorts of other libraries in front of the first measurement of each input.
std::vector<Measurement> with_peers(const std::vector<Measurement>& list, const BenchOptions& options,
                                    const std::vector<std::string>& cuda_peers) {
    std::vector<Measurement> all;
    for (const Measurement& measurement : list) {
        const auto has_input = [&measurement](const Measurement& other) { return same_input(other, measurement); };
        if (std::none_of(all.begin(), all.end(), has_input))
            for (const Measurement& peer : peers_for(measurement, options.peers, cuda_peers)) {
                // Papers may have asked for it already.
                const auto is_peer = [&](const Measurement& other) {
                    return other.by == peer.by && other.name == peer.name && has_input(other);
                };
                if (std::none_of(list.begin(), list.end(), is_peer)) all.push_back(peer);
            }
        all.push_back(measurement);
    }
    return all;
}

}  // namespace

std::vector<Measurement> measurements_of(const BenchOptions& options, const std::vector<Backend>& backends,
                                         const std::vector<std::string>& cuda_peers) {
    if (options.peers && host_sort_version(HostSort::tbb_parallel_sort).empty())
        complain("glsort bench: left out: tbb_parallel_sort: this build has no oneTBB (Debian: libtbb-dev)");
    std::vector<Measurement> list =
        options.suite == Suite::none ? asked_measurements(options, backends) : suite_of(options.suite, backends);
    // Suites do not know the seed.
    for (Measurement& measurement : list)
        measurement.items.seed = options.items.seed;
    return with_peers(list, options, cuda_peers);
}

HostSort host_sort_of(const Measurement& measurement) {
    for (const HostSort sort : host_sorts)
        if (host_sort_name(sort) == measurement.name) return sort;
    throw std::logic_error("no sort in host memory has the name " + measurement.name);
}

nlohmann::ordered_json to_json(const BenchOptions& options) {
    const auto names = [](const auto& values, auto name) {
        nlohmann::ordered_json json = nlohmann::ordered_json::array();
        for (const auto& value : values)
            json.push_back(name(value));
        return json;
    };
    nlohmann::ordered_json json;
    json["suite"] = nullptr;
    if (options.suite != Suite::none) json["suite"] = suite_names()[options.suite == Suite::papers ? 0 : 1];
    json["peers"] = options.peers;
    if (options.suite == Suite::none) {
        json["algorithms"] = options.algorithms;
        json["sizes"] = options.sizes;
        json["distributions"] = names(options.distributions, distribution_name);
        json["io"] = options.io ? nlohmann::ordered_json(to_string(*options.io)) : nullptr;
        json["key"] = to_string(options.items.key);
        json["bits"] = {options.items.bits.first, options.items.bits.of(options.items.key).end};
        json["digit_bits"] = options.items.digit_bits;
        json["payload"] = to_string(options.items.payload);
        json["order"] = to_string(options.items.order);
        json["layout"] = options.items.layout ? nlohmann::ordered_json(to_string(*options.items.layout)) : nullptr;
        json["tile"] = options.items.tile;
        json["samples"] = options.items.samples;
        json["scene"] = options.scene.text();
    }
    json["backends"] = names(options.backends, [](Backend backend) { return to_string(backend); });
    json["seed"] = options.items.seed;
    json["api"] = nullptr;
    if (options.context.api) json["api"] = *options.context.api == Api::gl ? "gl" : "gles";
    json["gl_version"] = nullptr;
    if (const std::optional<int> version = options.context.version)
        json["gl_version"] = fmt::format("{}.{}", *version / 10, *version % 10);
    json["max_elements_per_draw"] = options.max_elements_per_draw;
    json["state"] = state_names()[options.state == StatePolicy::restore ? 0 : 1];
    json["verify"] = options.verify;
    json["warm_up_ms"] = options.warm_up_ms ? nlohmann::ordered_json(*options.warm_up_ms) : nullptr;
    json["min_ms"] = options.timing.min_ms;
    json["repetitions"] = options.timing.repetitions;
    return json;
}

}  // namespace glsort::demo
