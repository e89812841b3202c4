#include <fuzzer/FuzzedDataProvider.h>
#include <glsort/error.h>
#include <glsort/exec/gl_executor.h>
#include <glsort/planner.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/glsl_view.h"
#include "fuzz/judge.h"
#include "fuzz/random_comparison.h"
#include "fuzz/require.h"

/// Comparisons of callers in composed shaders. Any text is refused by its name, or leaves the library's GLSL intact. Of
/// texts that are right, or wrong in a known line, glslang is the judge.

namespace {

using namespace glsort;
using namespace glsort::fuzz;

const std::string name = "by fuzz";

/// The sources of a small sort that the comparison orders. Nothing where the text is refused.
struct Composed {
    std::vector<gl::ShaderSource> sources;
    std::vector<ShaderStage> stages;
};
std::optional<Composed> compose(const Comparison& comparison, Backend backend, bool es) {
    PlanRequest request{
        .spec = {.algorithm = backend == Backend::compute ? "merge:shared" : "bitonic", .backend = backend}, .n = 20};
    request.spec.order.comparison = comparison;
    StreamProgram program;
    try {
        program = plan(request);
    } catch (const Error& error) {
        require(std::string(error.what()).find(name) != std::string::npos,
                std::string("an error names the comparison: ") + error.what());
        return std::nullopt;
    }
    Composed composed;
    ExternalStreams external(program);
    for (const Op& op : program.ops) {
        if (op.kernel->transfer || op.kernel->prelude.text.empty() || composed.sources.size() == 3) continue;
        composed.stages.push_back(stage_of(program, op));
        composed.sources.push_back(
            compose_shader(shader_request(program, op, composed.stages.back(), es, external)).source);
    }
    return composed;
}

/// A comparison with nothing to go wrong.
Comparison plain(std::uint32_t key_bytes) {
    const std::string type = key_type(key_bytes);
    return {.name = name,
            .key_bytes = key_bytes,
            .glsl = "bool comes_before(" + type + " a, " + type + " b) { return a" + (key_bytes == 4 ? "" : ".x") +
                    " < b" + (key_bytes == 4 ? "" : ".x") + "; }\n"};
}

/// Whether all parts but the caller's are those of a plain comparison, and the caller's is one piece.
void check_parts(const gl::ShaderSource& source, const gl::ShaderSource& expected, const std::string& glsl) {
    require(source.version == expected.version && source.parts.size() == expected.parts.size(),
            "the parts are the same");
    for (std::size_t i = 0; i < source.parts.size(); ++i) {
        require(source.parts[i].name == expected.parts[i].name, "a part keeps its name");
        if (source.parts[i].name == name)
            require(source.parts[i].text.starts_with(glsl), "the caller's text is in one piece");
        else if (source.parts[i].name != "the end of " + name)
            require(source.parts[i].text == expected.parts[i].text, "the library's text is the same");
    }
}

/// Whether a compiler sees every part begin where the source says.
void check_lines(const gl::ShaderSource& source) {
    const GlslView view = view_of(source.text());
    require(!view.in_comment, "comments end");
    require(view.conditions == 0, "conditions end");
    require(view.places.size() == source.parts.size(), "every #line is one, and no other is there");
    for (std::size_t i = 0; i < view.places.size(); ++i) {
        require(view.places[i].part == i, "parts are in order");
        const std::string log = std::to_string(i) + ":" + std::to_string(view.places[i].line) + ": x";
        require(source.explain(log) == "\n  " + source.parts[i].name + ":1: x", "the first line of a part is told");
        const std::string last = std::to_string(i) + ":" + std::to_string(view.places[i].last_line) + ": x";
        require(source.explain(last).starts_with("\n  " + source.parts[i].name + ":"),
                "the last line of a part is told");
    }
}

void check_any(FuzzedDataProvider& data, Backend backend, bool es) {
    Comparison comparison{.name = name, .key_bytes = 4 * data.ConsumeIntegralInRange(1u, 4u), .glsl = {}};
    if (data.ConsumeIntegralInRange(0, 15) == 0) comparison.key_bytes = data.ConsumeIntegralInRange(0u, 40u);
    comparison.glsl = data.ConsumeRemainingBytesAsString();
    const std::optional<Composed> composed = compose(comparison, backend, es);
    if (!composed) return;
    const std::optional<Composed> reference = compose(plain(comparison.key_bytes), backend, es);
    require(reference && reference->sources.size() == composed->sources.size(), "the shaders are as many");
    for (std::size_t i = 0; i < composed->sources.size(); ++i) {
        check_parts(composed->sources[i], reference->sources[i], comparison.glsl);
        check_lines(composed->sources[i]);
    }
}

void check_judged(FuzzedDataProvider& data, Backend backend, bool es) {
    const RandomComparison made = consume_comparison(data, name, es || backend == Backend::compute);
    const std::optional<Composed> composed = compose(made.comparison, backend, es);
    require(composed && !composed->sources.empty(), "a comparison of GLSL is taken:\n" + made.comparison.glsl);
    // A compile takes a millisecond, and all kernels have the caller's text in the same way.
    const std::size_t i = data.ConsumeIntegralInRange<std::size_t>(0, composed->sources.size() - 1);
    const std::string log = judge(composed->sources[i].text(), composed->stages[i]);
    if (made.wrong_line == 0) {
        require(log.empty(), "a right comparison compiles:\n" + made.comparison.glsl + log);
        return;
    }
    const std::string place = name + ":" + std::to_string(made.wrong_line) + ": ";
    require(composed->sources[i].explain(log).find(place) != std::string::npos,
            "an error is at " + place + "\n" + made.comparison.glsl + composed->sources[i].explain(log));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    FuzzedDataProvider data(bytes, size);
    const Backend backend = data.PickValueInArray({Backend::compute, Backend::fragment});
    const bool es = data.ConsumeBool();
    data.ConsumeIntegralInRange(0, 3) == 0 ? check_judged(data, backend, es) : check_any(data, backend, es);
    return 0;
}
