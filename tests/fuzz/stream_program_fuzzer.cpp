#include <fuzzer/FuzzedDataProvider.h>
#include <glsort/error.h>

#include <optional>

#include "fuzz/random_programs.h"
#include "fuzz/require.h"
#include "fuzz/run_program.h"

/// Stream programs, made by hand or planned and then changed: `validate` refuses them by Error, or the cpu executor
/// runs them for every count without an access out of range, and twice with one result.

namespace {

using namespace glsort;
using namespace glsort::fuzz;

bool is_valid(const StreamProgram& program, const Limits& limits) {
    try {
        validate(program, limits);
        return true;
    } catch (const Error&) {
        return false;
    }
}

/// What tools make of a valid program. Under sanitizers a long one takes seconds.
void print(const StreamProgram& program) {
    if (program.ops.size() > 100) return;
    require(!to_text(program).empty() && !to_table(program).empty() && !to_json(program).empty() &&
                !to_dot(program).empty(),
            "a program can be printed");
    to_rules(program);
    require(cost(program).ops == program.ops.size(), "a cost counts the ops");
}

void check_hand_made(FuzzedDataProvider& data) {
    HandMade made = consume_hand_made(data);
    if (!is_valid(made.program, made.limits)) return;
    print(made.program);
    const Schedule schedule = make_schedule(made.program);
    for (const std::uint32_t count : counts_to_try(made.program)) {
        StreamProgram program = made.program;
        if (program.counts) set_count(program, count);
        program.counts.reset();
        require(is_valid(program, made.limits), "a program that is valid for a range is valid for each count of it");
        require(same_storages(schedule, make_schedule(program)), "a schedule holds for every count");
        if (!is_small(program)) continue;
        add_bodies(program);
        // Whatever is thrown here is a finding.
        require(run_program(program, made.limits) == run_program(program, made.limits), "two runs give one result");
    }
}

/// A run of a kernel of the library, whose own rules a changed program may break: the executor then throws Error.
std::optional<Words> run_or_refuse(const StreamProgram& program, const Limits& limits) {
    try {
        return run_program(program, limits);
    } catch (const Error&) {
        return std::nullopt;
    }
}

void check_planned(FuzzedDataProvider& data) {
    const std::optional<Planned> planned = consume_planned(data);
    if (!planned || !is_valid(planned->program, planned->limits)) return;
    print(planned->program);
    if (!is_small(planned->program)) return;
    if (!planned->changed) {
        run_program(planned->program, planned->limits);
        return;
    }
    require(run_or_refuse(planned->program, planned->limits) == run_or_refuse(planned->program, planned->limits),
            "two runs give one result");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    FuzzedDataProvider data(bytes, size);
    data.ConsumeBool() ? check_planned(data) : check_hand_made(data);
    return 0;
}
