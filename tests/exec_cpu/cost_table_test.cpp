#include <fmt/format.h>
#include <glsort/error.h>
#include <glsort/exec/cpu_executor.h>
#include <glsort/planner.h>
#include <glsort/stream/schedule.h>
#include <glsort/stream/scheduler.h>
#include <glsort/stream/validate.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "support/keys.h"
#include "support/paths.h"

/// The cost of every sort, in a table that is checked in. If a change of design must not change costs, this test proves
/// it. GLSORT_WRITE_TABLES=1 in the environment writes the table anew.

using namespace glsort;
using namespace glsort::test;

namespace {

constexpr const char* file_name = "tests/exec_cpu/cost_table.csv";
constexpr const char* header =
    "algorithm,key,payload,backend,limits,n,ops,bytes_read,bytes_written,scratch_bytes,comparisons";

// Comparisons depend on the data, and only the cpu executor counts them. The executor is slow, so the test counts
// comparisons only for few elements.
constexpr std::uint32_t most_compared = 5000;

std::uint64_t comparisons_of(const StreamProgram& program, const PlanRequest& request) {
    CpuExecutor executor;
    Scheduler scheduler(executor);
    scheduler.prepare(program, request.limits);
    std::vector<std::uint32_t> keys = make_keys(demo::Distribution::uniform, request.spec.order.key, request.n, 1);
    std::vector<std::uint32_t> values(std::size_t{request.n} * value_words(request.spec.payload));
    executor.bind(scheduler.program().stream("keys"), keys);
    if (!values.empty()) executor.bind(scheduler.program().stream("values"), values);
    scheduler.run();
    return executor.comparisons();
}

std::string row(const PlanRequest& request, const char* limits) {
    std::string text = fmt::format("{},{},{},{},{},{},", request.spec.algorithm, to_string(request.spec.order.key),
                                   to_string(request.spec.payload), to_string(request.spec.backend), limits, request.n);
    StreamProgram program;
    try {
        program = plan(request);
        validate(program, request.limits);
    } catch (const Error&) {
        return text + "refused,,,,";
    }
    const Cost of = cost(program);
    text += fmt::format("{},{},{},{},", of.ops, of.bytes_read, of.bytes_written, of.scratch_bytes);
    return request.n <= most_compared ? text + fmt::format("{}", comparisons_of(program, request)) : text;
}

// The limits of a GPU with subgroups. The other context has the default limits.
Limits limits_of_gpu() {
    Limits limits;
    limits.shared_memory = 49152;
    limits.subgroup_size = 32;
    limits.look_back = 1;
    limits.multiprocessors = 132;
    limits.texture_barrier = 1;
    return limits;
}

std::vector<std::string> table() {
    std::vector<std::string> lines{header};
    for (const Algorithm& algorithm : algorithms())
        for (const Algorithm::Variant& variant : algorithm.variants)
            for (const KeyType key :
                 {KeyType::u32, KeyType::i32, KeyType::f32, KeyType::u64, KeyType::i64, KeyType::f64})
                for (const Payload& payload :
                     {Payload::none(), Payload::index(), Payload::bytes(4), Payload::bytes(16)})
                    for (const Backend backend : {Backend::fragment, Backend::compute, Backend::cpu})
                        for (const bool gpu : {false, true})
                            for (const std::uint32_t n : {1u, 1000u, 4097u, 65536u, 1048576u}) {
                                // Types of one size differ only in codes. One count is enough for all but the first
                                // type of a size.
                                const bool first = key == KeyType::u32 || key == KeyType::u64;
                                if (!first && n != 1000) continue;
                                PlanRequest request;
                                request.spec.algorithm = algorithm.name + ":" + variant.name;
                                request.spec.order.key = key;
                                request.spec.payload = payload;
                                request.spec.backend = backend;
                                request.n = n;
                                if (gpu) request.limits = limits_of_gpu();
                                lines.push_back(row(request, gpu ? "gpu" : "default"));
                            }
    return lines;
}

}  // namespace

TEST_CASE("every sort costs what the table says", "[exec_cpu][slow]") {
    const std::string path = paths::source(file_name);
    const std::vector<std::string> lines = table();
    if (std::getenv("GLSORT_WRITE_TABLES") != nullptr) {
        std::ofstream out(path);
        for (const std::string& line : lines)
            out << line << "\n";
        WARN("wrote " << path);
        return;
    }
    std::ifstream in(path);
    REQUIRE(in);
    std::size_t number = 0;
    int differing = 0;
    for (std::string line; std::getline(in, line); ++number) {
        if (number < lines.size() && line == lines[number]) continue;
        if (++differing > 10) continue;
        CAPTURE(number);
        CHECK((number < lines.size() ? lines[number] : "") == line);
    }
    CHECK(number == lines.size());
    CHECK(differing == 0);
}
