#include <glsort/planner.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

using namespace glsort;

namespace {

// Programs of all algorithms, on all backends that run them.
std::vector<StreamProgram> programs_of_all(std::uint32_t n) {
    std::vector<StreamProgram> programs;
    for (const Algorithm& algorithm : algorithms())
        for (const Algorithm::Variant& variant : algorithm.variants)
            for (const Backend backend : {Backend::fragment, Backend::compute}) {
                if (backend == Backend::fragment && !variant.takes.fragment) continue;
                PlanRequest request;
                request.n = n;
                request.spec.algorithm = algorithm.name + ":" + variant.name;
                request.spec.backend = backend;
                request.limits.subgroup_size = 32;
                request.limits.look_back = 1;
                programs.push_back(plan(request));
            }
    return programs;
}

// For each stream of a program, the roles of the ports through which ops access the stream.
std::vector<std::set<PortRole>> roles_of_streams(const StreamProgram& program) {
    std::vector<std::set<PortRole>> roles(program.streams.size());
    for (const Op& op : program.ops) {
        // Kernels that only move words have no roles for them.
        if (op.kernel->transfer || op.kernel->shape.copies) continue;
        const std::vector<Port> inputs = input_ports(op);
        const std::vector<Port> outputs = output_ports(op);
        for (std::size_t i = 0; i < inputs.size(); ++i)
            roles[op.reads[i].stream].insert(inputs[i].role);
        for (std::size_t i = 0; i < outputs.size(); ++i)
            roles[op.writes[i].stream].insert(outputs[i].role);
    }
    return roles;
}

}  // namespace

TEST_CASE("all ports that reach a stream agree on what it holds", "[plan]") {
    std::set<PortRole> all;
    for (const std::uint32_t n : {16u, 300u, 20000u})
        for (const StreamProgram& program : programs_of_all(n)) {
            const std::vector<std::set<PortRole>> roles = roles_of_streams(program);
            for (StreamId id = 0; id < program.streams.size(); ++id) {
                CAPTURE(program.algorithm, program.variant, to_string(program.backend), n, program.streams[id].name);
                std::set<PortRole> held = roles[id];
                all.insert(held.begin(), held.end());
                // A separate sort sorts the samples as its elements.
                if (held.contains(PortRole::samples)) held.erase(PortRole::elements);
                CHECK(held.size() <= 1);
                if (!held.empty())
                    CHECK((program.streams[id].role == StreamRole::scratch || *held.begin() < PortRole::other));
            }
        }
    // All roles except `other`.
    CHECK(all.size() == 16);
    CHECK_FALSE(all.contains(PortRole::other));
}

TEST_CASE("the digits that kernels describe are all bits of the keys", "[plan]") {
    for (const std::uint32_t n : {300u, 20000u})
        for (const StreamProgram& program : programs_of_all(n)) {
            if (program.algorithm != "radix") continue;
            CAPTURE(program.variant, n);
            std::uint32_t bits = 0;
            for (const Op& op : program.ops) {
                const auto& digit = op.kernel->shape.digit;
                if (!digit || op.kernel->outputs.front().role != PortRole::elements) continue;
                CHECK(digit->first_bit.of(op) == bits);
                bits += digit->bits.of(op);
            }
            CHECK(bits == 32);
        }
}

TEST_CASE("the runs that an op of a merge reads are those that were made before it", "[plan]") {
    for (const StreamProgram& program : programs_of_all(20000)) {
        if (program.algorithm != "merge") continue;
        CAPTURE(program.variant, to_string(program.backend));
        std::set<std::uint32_t> lengths;
        for (const Op& op : program.ops) {
            const KernelShape& shape = op.kernel->shape;
            if (shape.makes) lengths.insert(shape.makes->length.of(op));
            if (!shape.reads) continue;
            const std::uint32_t length = shape.reads->length.of(op);
            CHECK(lengths.contains(length));
            lengths.insert(length * shape.reads->merged);
            CHECK(shape.count.value().of(op) == program.n);
        }
        CHECK(*lengths.rbegin() >= program.n);
    }
}

TEST_CASE("all elements have a comparator's other end as partner", "[plan]") {
    for (const std::uint32_t n : {16u, 45u, 300u})
        for (const StreamProgram& program : programs_of_all(n))
            for (const Op& op : program.ops) {
                const NetworkShape* network = op.kernel->shape.network.get();
                if (network == nullptr) continue;
                CAPTURE(program.algorithm, program.variant, n, describe(op));
                for (std::uint32_t step = 0; step < network->steps(op); ++step)
                    for (std::uint32_t element = 0; element < n; ++element) {
                        const auto comparator = network->comparator(op, step, element);
                        if (!comparator) continue;
                        REQUIRE(comparator->partner < n);
                        const auto other = network->comparator(op, step, comparator->partner);
                        REQUIRE(other);
                        REQUIRE(other->partner == element);
                        REQUIRE(other->smaller != comparator->smaller);
                    }
            }
}
