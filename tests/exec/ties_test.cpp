#include <glsort/plan/group_scan.h>
#include <glsort/stream/cpu_invocation.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "exec/lockstep.h"
#include "support/random.h"

namespace glsort::test {
namespace {

constexpr std::uint32_t elements = 3;   // of an invocation
constexpr std::uint32_t subgroups = 2;  // of a group

constexpr const char* probe_source = R"(
// Writes for each subgroup whether all its elements tie.
//
// expects ports: source, ties
// expects parameters: shift
// expects macros: GLSORT_ELEMENTS, GLSORT_GROUP_SIZE, GLSORT_SUBGROUP

#include "lib/layout.glsl"
#include "radix/ties.glsl"
#include "radix/tile_places.glsl"

void glsort_kernel(glsort_Index instance) {
    uint number = glsort_number_of(instance);
    glsort_Element mine[GLSORT_ELEMENTS];
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k)
        mine[k] = glsort_source_gather(number * GLSORT_ELEMENTS * GLSORT_GROUP_SIZE + glsort_element_of(k));
    bool tie = glsort_all_tie(mine, glsort_op_shift);
    if (GLSORT_SUBGROUP_LANE == 0u) {
        uint subgroup = number * (GLSORT_GROUP_SIZE / uint(GLSORT_SUBGROUP)) + GLSORT_SUBGROUP_NUMBER;
        glsort_ties_scatter(subgroup, tie ? 1u : 0u);
    }
}
)";

/// Codes of one or two words, which fill whole subgroups. In each subgroup they are sorted by the bits below `shift`.
struct Codes {
    std::uint32_t words = 1;
    std::uint32_t shift = 8;
    std::uint32_t of_subgroup = 0;
    std::vector<std::uint64_t> codes;

    std::uint64_t missing() const { return words == 2 ? ~std::uint64_t{0} : 0xffffffffu; }
    std::uint64_t below(std::uint64_t code) const { return code & ((std::uint64_t{1} << shift) - 1); }
    /// Missing elements come last.
    bool all_tie(std::uint32_t subgroup) const {
        const auto first = codes.begin() + subgroup * of_subgroup;
        const auto end = first + of_subgroup;
        return *(end - 1) != missing() &&
               std::all_of(first, end, [&](std::uint64_t code) { return below(code) == below(*first); });
    }
};

/// Elements of a subgroup that agree in the bits below `shift`, apart from the last few of some subgroups.
Codes some_codes(std::mt19937_64& random, std::uint32_t words, std::uint32_t shift, std::uint32_t of_subgroup,
                 std::uint32_t number) {
    Codes codes{words, shift, of_subgroup, {}};
    for (std::uint32_t subgroup = 0; subgroup < number; ++subgroup) {
        const auto kind = random() % 4;
        // Missing elements have only ones, so they agree with such codes.
        const std::uint64_t low = codes.below(kind == 0 ? codes.missing() : random() % codes.missing());
        const std::uint64_t bit = std::uint64_t{1} << random() % shift;
        const auto others = kind < 2 ? static_cast<std::uint32_t>(random() % of_subgroup) : 0;
        for (std::uint32_t i = 0; i < of_subgroup; ++i) {
            const bool other = i + others >= of_subgroup;
            const std::uint64_t high = ((codes.missing() - 1 - random() % 256) << shift) & codes.missing();
            if (!other)
                codes.codes.push_back(high | low);
            else
                codes.codes.push_back(kind == 0 ? codes.missing() : high | low | bit);
        }
    }
    return codes;
}

StreamProgram probe(const Codes& codes, const Limits& limits) {
    const auto number = static_cast<std::uint32_t>(codes.codes.size());
    StreamProgram program;
    program.algorithm = "ties";
    program.variant = "probe";
    program.backend = Backend::compute;
    program.n = number;
    Stream source;
    source.name = "source";
    source.role = StreamRole::input;
    source.words = codes.words;
    source.records = number;
    Stream ties;
    ties.name = "ties";
    ties.role = StreamRole::output;
    ties.records = number / codes.of_subgroup;
    program.streams = {source, ties};

    const auto kernel = std::make_shared<Kernel>();
    kernel->name = "ties_probe";
    kernel->source = probe_source;
    kernel->parameters = {{"shift"}};
    kernel->group_size = subgroups * limits.subgroup_size;
    kernel->defines = {{"GLSORT_KEY_WORDS", std::to_string(codes.words)},
                       {"GLSORT_ELEMENT_WORDS", std::to_string(codes.words)},
                       {"GLSORT_ELEMENTS", std::to_string(elements) + "u"}};
    declare_subgroups(*kernel, limits.subgroups, limits.subgroup_size);
    kernel->inputs = {{.name = "source", .access = Access::gather, .words = codes.words, .elements = any_elements}};
    kernel->outputs = {{.name = "ties", .access = Access::scatter, .elements = any_elements}};
    kernel->cpu = [codes](CpuInvocation& k) {
        for (std::uint32_t i = 0; i < subgroups; ++i) {
            const std::uint32_t subgroup = k.instance * subgroups + i;
            k.scatter(0, subgroup, {codes.all_tie(subgroup) ? 1u : 0u});
        }
    };
    Op op;
    op.kernel = kernel;
    op.domain = Substream::range(0, number / codes.of_subgroup / subgroups);
    op.reads = {{0, Substream::range(0, number)}};
    op.writes = {{1, Substream::range(0, ties.records)}};
    op.parameters = {codes.shift};
    program.ops = {op};
    return program;
}

TEST_CASE("ties: the first and the last element tell whether all agree in lower bits", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_compute_tiers("ties", [&](TestContext& context, const Limits& limits) {
        if (lacks_subgroups(limits)) return;
        const auto api = api_of(context);
        ComputeExecutor executor(api, {});
        for (const std::uint32_t words : {1u, 2u})
            for (std::uint32_t shift = 1; shift < 32 * words; ++shift) {
                INFO(words << " words, the bits below bit " << shift);
                const Codes codes = some_codes(random, words, shift, elements * limits.subgroup_size, 64 * subgroups);
                std::vector<std::uint32_t> given;
                for (const std::uint64_t code : codes.codes) {
                    if (words == 2) given.push_back(static_cast<std::uint32_t>(code >> 32));
                    given.push_back(static_cast<std::uint32_t>(code));
                }
                check_in_lockstep(api, executor, probe(codes, limits), limits, {{"source", given}});
            }
    });
}

}  // namespace
}  // namespace glsort::test
