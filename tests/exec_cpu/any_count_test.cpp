#include <fmt/format.h>
#include <glsort/error.h>
#include <glsort/exec/corner_table.h>
#include <glsort/exec/storage_pool.h>
#include <glsort/plan/algorithm.h>
#include <glsort/planner.h>
#include <glsort/stream/schedule.h>
#include <glsort/stream/validate.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "support/random.h"

/// Storage is allocated for the largest count. No other count, and no lists, may need more storage, or storage of
/// another form. Without OpenGL, all algorithms and all counts can be tested.

using namespace glsort;
using namespace glsort::test;

namespace {

/// The memory of a storage in an executor.
struct Need {
    std::uint32_t width = 0, height = 0, texel_words = 0, layers = 0;  ///< For a texture.
    std::uint64_t bytes = 0;                                           ///< For a buffer.
};

/// Storage needs by the key under which executors keep storage from program to program (StoragePool).
std::map<std::string, Need> needs_of(const StreamProgram& program) {
    std::map<std::string, Need> needs;
    for (const Storage& storage : make_schedule(program).storages) {
        const Stream stream = largest_stream(program, storage.stream);
        if (stream.role != StreamRole::scratch || stream.records == 0) continue;
        const StorageShape shape = StorageShape::of(stream);
        Need& need = needs[fmt::format("stream {}, copy {}: zero {}, {} words, {} layers, {} {}", storage.stream,
                                       storage.copy, shape.begins_zero, shape.texel_words, shape.layers,
                                       to_string(shape.layout.kind), shape.layout.width)];
        if (stream.medium == Medium::buffer) {
            need.bytes = stream.buffer_bytes();
        } else {
            const Rectangle box = bounding_box(stream.layout, stream.records);
            need = {box.x1, box.y1, stream.texel_words(), stream.layers(), 0};
        }
    }
    return needs;
}

/// The corners with which the fragment backend draws a program.
CornerTable corners_of(const StreamProgram& program) {
    CornerTable corners;
    std::vector<CornerTable::Place> places(program.ops.size());
    for (std::size_t number = 0; number < program.ops.size(); ++number) {
        const Op& op = program.ops[number];
        const Stream& target = program.streams[op.writes.front().stream];
        if (op.kernel->transfer || target.medium == Medium::buffer) continue;
        if (target.role == StreamRole::scratch) {
            corners.cover(program, op);
            continue;
        }
        // In all layouts, one after the other.
        for (const StreamLayout& layout : {program.layout, StreamLayout{Layout::row_wise, program.layout.width + 1},
                                           StreamLayout{Layout::z_order, 1}})
            corners.cover_anew(places[number], program, op, layout);
    }
    return corners;
}

/// The first need of `program` that exceeds `largest`. Empty if there is none.
std::string excess(const StreamProgram& program, const std::map<std::string, Need>& largest) {
    for (const auto& [name, need] : needs_of(program)) {
        const auto found = largest.find(name);
        if (found == largest.end()) return "storage " + name;
        const Need& most = found->second;
        if (need.texel_words != most.texel_words || need.layers != most.layers) return "the form of " + name;
        if (need.width > most.width || need.height > most.height || need.bytes > most.bytes)
            return "the size of " + name;
    }
    return "";
}

/// The storage that a sorter has after its construction.
struct Held {
    std::map<std::string, Need> needs;
    std::size_t corners = 0;

    void add(const StreamProgram& program) {
        for (const auto& [name, need] : needs_of(program)) {
            Need& most = needs.try_emplace(name, need).first->second;
            most.width = std::max(most.width, need.width);
            most.height = std::max(most.height, need.height);
            most.bytes = std::max(most.bytes, need.bytes);
        }
        corners = std::max(corners, corners_of(program).room());
    }
};

/// The storage of the programs that construction prepares. Programs of few elements may have storage that other
/// programs lack.
Held held_for(PlanRequest request) {
    Held held;
    for (const std::uint32_t count : kernel_counts(request)) {
        request.n = count;
        held.add(plan(request));
    }
    return held;
}

/// Like `held_for`, for up to `most` lists. The most even lists are included.
Held held_for_lists(PlanRequest request, std::uint32_t most) {
    Held held;
    request.n = request.spec.capacity;
    request.lists = {request.spec.capacity};
    std::vector<std::uint32_t> even(most, request.n / most);
    for (std::uint32_t i = 0; i < request.n % most; ++i)
        ++even[i];
    std::vector<std::vector<std::uint32_t>> prepared = kernel_lists(request, most);
    prepared.push_back(even);
    for (const std::vector<std::uint32_t>& lists : prepared) {
        request.lists = lists;
        held.add(plan(request));
    }
    return held;
}

bool takes_lists(const PlanRequest& request) {
    return choose_variant(request).variant->takes.lists;
}

/// The first need of a request that the storage does not satisfy. Empty if there is none.
std::string shortage(const Held& held, const PlanRequest& request) {
    const StreamProgram program = plan(request);
    if (const std::string text = excess(program, held.needs); !text.empty())
        return fmt::format("n {}: {}", program.n, text);
    const CornerTable corners = corners_of(program);
    // A range of counts has corners of its own, which construction makes for the last count.
    std::size_t room = held.corners;
    if (program.counts && request.lists.empty()) {
        PlanRequest prepared = request;
        prepared.n = program.counts->last;
        room = corners_of(plan(prepared)).room();
    }
    if (corners.room() > room)
        return fmt::format("n {}: {} floats of corners, room for {}", program.n, corners.room(), room);
    if (corners.floats().size() > corners.room())
        return fmt::format("n {}: {} floats of corners in a room of {}", program.n, corners.floats().size(),
                           corners.room());
    return "";
}

std::string shortage(PlanRequest request, const std::vector<std::uint32_t>& counts) {
    const Held held = held_for(request);
    for (const std::uint32_t n : counts) {
        request.n = n;
        if (std::string text = shortage(held, request); !text.empty()) return text;
    }
    return "";
}

/// Requests for every algorithm and variant, with the limits of every device that leads to another program.
std::vector<PlanRequest> all_requests() {
    std::vector<PlanRequest> requests;
    for (const Algorithm& algorithm : algorithms())
        for (const Algorithm::Variant& variant : algorithm.variants) {
            PlanRequest request;
            request.spec.algorithm = algorithm.name + ":" + variant.name;
            request.limits.subgroup_size = 32;
            request.limits.look_back = 1;
            for (const Payload& payload : {Payload::none(), Payload::bytes(4)}) {
                request.spec.payload = payload;
                request.spec.backend = Backend::compute;
                request.spec.layout = Layout::row_wise;
                requests.push_back(request);
                request.spec.backend = Backend::fragment;
                for (const Layout layout : {Layout::row_wise, Layout::z_order})
                    for (const std::uint32_t attachments : {8u, 1u})
                        for (const std::uint32_t barrier : {0u, 1u}) {
                            PlanRequest drawn = request;
                            drawn.spec.layout = layout;
                            drawn.limits.attachments = attachments;
                            drawn.limits.texture_barrier = barrier;
                            requests.push_back(drawn);
                            drawn.spec.input = drawn.spec.output = Medium::texture;
                            if (barrier == 0) requests.push_back(drawn);
                        }
            }
        }
    // Drops requests that the backend cannot run.
    std::erase_if(requests, [](PlanRequest request) {
        request.n = request.spec.capacity = 2;
        try {
            validate(plan(request), request.limits);
            return false;
        } catch (const Error&) {
            return true;
        }
    });
    return requests;
}

std::string describe(const PlanRequest& request) {
    return fmt::format("{} {} {}, {} attachments, barrier {}, {} to {}, payload {}, capacity {}",
                       request.spec.algorithm, to_string(request.spec.backend), to_string(*request.spec.layout),
                       request.limits.attachments, request.limits.texture_barrier, to_string(request.spec.input),
                       to_string(request.spec.output), to_string(request.spec.payload), request.spec.capacity);
}

}  // namespace

TEST_CASE("the storage of a capacity is enough for every count", "[plan][slow]") {
    for (PlanRequest& request : all_requests())
        for (const std::uint32_t capacity : {1u, 2u, 33u, 64u, 300u}) {
            request.spec.capacity = capacity;
            std::vector<std::uint32_t> counts(capacity);
            for (std::uint32_t i = 0; i < capacity; ++i)
                counts[i] = i + 1;
            INFO(describe(request));
            CHECK(shortage(request, counts) == "");
        }
}

TEST_CASE("the storage of a large capacity is enough for any count", "[plan][slow]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (PlanRequest& request : all_requests())
        for (const std::uint32_t capacity : {8191u, 100000u, 1u << 20}) {
            request.spec.capacity = capacity;
            std::vector<std::uint32_t> counts{6721, capacity - 1, capacity / 2 + 1};
            // Random numbers of all magnitudes: half of the uniform ones would exceed half of the capacity.
            for (int i = 0; i < 8; ++i)
                counts.push_back(1 + static_cast<std::uint32_t>(random() % (capacity >> (i % 2 == 0 ? 0 : i))));
            INFO(describe(request));
            CHECK(shortage(request, counts) == "");
        }
}

TEST_CASE("the storage of the most even lists is enough for any lists", "[plan]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    const auto below = [&random](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
    for (PlanRequest& request : all_requests()) {
        if (!takes_lists(request)) continue;
        for (const std::uint32_t capacity : {40u, 1000u, 50000u})
            for (const std::uint32_t most : {2u, 8u, 9u, 64u}) {
                request.spec.capacity = capacity;
                const Held held = held_for_lists(request, most);
                for (int turn = 0; turn < 20; ++turn) {
                    // Uneven lists: each list gets a random part of the remaining elements.
                    request.lists.assign(1 + below(most), 0);
                    request.n = 0;
                    for (std::uint32_t& length : request.lists)
                        request.n += length = below(capacity - request.n + 1) / (turn % 2 == 0 ? 1 : most);
                    INFO(describe(request) << ", " << most << " lists");
                    if (request.n > 0) CHECK(shortage(held, request) == "");
                }
            }
    }
}
