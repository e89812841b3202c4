#include <fmt/format.h>

#include <glsort/exec/counted_text.h>
#include <glsort/exec/port_writer.h>
#include <glsort/stream/count_rule.h>

#include <algorithm>
#include <bit>

namespace glsort {
namespace {

/// Elements of `glsort_op` ahead of the rules of parameters.
constexpr std::size_t frame_elements = 2;

/// GLSL that declares where the count is.
std::string count_declaration(const ShaderRequest& request) {
    if (!is_compute(request.stage)) return fmt::format("uniform highp usampler2D {};\n", count_sampler);
    return fmt::format("layout(std430, binding = {}) readonly buffer glsort_Count {{ uint {}[]; }};\n",
                       storage_blocks(request), count_sampler);
}

/// GLSL that reads the count.
std::string read_count(const ShaderRequest& request) {
    if (!is_compute(request.stage)) return fmt::format("texelFetch({}, ivec2(0), 0).x", count_sampler);
    return fmt::format("{}[{}.x]", count_sampler, op_element(op_uniforms(request).rules));
}

std::string name_of(const ShaderRequest& request, std::size_t parameter) {
    return "glsort_counted_" + request.op->kernel->parameters[parameter].name;
}

}  // namespace

bool evaluates_count(const ShaderRequest& request) {
    return request.gpu_count && (request.reads_count || !is_compute(request.stage));
}

std::vector<std::size_t> counted_parameters(const Op& op) {
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < op.parameters.size(); ++i)
        if (!op.parameters[i].is_constant()) numbers.push_back(i);
    return numbers;
}

std::size_t rule_elements(const ShaderRequest& request) {
    return evaluates_count(request) ? frame_elements + counted_parameters(*request.op).size() : 0;
}

void append_rules(std::vector<std::uint32_t>& words, const ShaderRequest& request) {
    if (!evaluates_count(request)) return;
    const Op& op = *request.op;
    const auto add = [&words](const Counted& number) {
        const auto [scale, per, offset] = terms_of_rule(number);
        words.insert(words.end(), {scale, per, offset, 0u});
    };
    if (is_compute(request.stage)) {
        words.insert(words.end(), {0u, 0u, 0u, request.capacity});
        add(op.domain.counted_size());
    } else {
        const auto [texels, mirrored] = counted_triangles(request).viewport;
        const std::uint32_t sides = mirrored ? 2 : 1;
        words.insert(words.end(),
                     {target_layout(request).width, sides * texels.x1, sides * texels.y1, request.capacity});
        add(op.domain.counted_size());
        words.back() = mirrored ? 0 : 1;
    }
    for (const std::size_t i : counted_parameters(op))
        add(op.parameters[i]);
}

const StreamLayout& target_layout(const ShaderRequest& request) {
    const PortBinding& output = request.outputs.front();
    return output.external ? output.layout : request.layout;
}

Triangles counted_triangles(const ShaderRequest& request) {
    const StreamLayout& layout = target_layout(request);
    const Rectangle box = bounding_box({Layout::row_wise, layout.width}, request.op->domain.size());
    const Rectangle viewport{0, 0, std::bit_ceil(layout.width), std::bit_ceil(std::max(box.y1, 1u))};
    const bool fits = std::max(viewport.x1, viewport.y1) <= request.viewport_size / 2;
    Triangles triangles = fits ? CornerTable::triangles_of_gpu_count : CornerTable::triangles_of_gpu_count_inside;
    triangles.viewport.texels = viewport;
    triangles.box = box;
    return triangles;
}

std::string counted_inputs(const ShaderRequest& request) {
    std::string text;
    for (const std::size_t i : counted_parameters(*request.op))
        text += fmt::format("flat in uvec2 {};\n", name_of(request, i));
    return text;
}

std::string counted_outputs(const ShaderRequest& request, const char* output) {
    std::string text = count_declaration(request);
    for (const std::size_t i : counted_parameters(*request.op))
        text += fmt::format("{}uvec2 {}{};\n", output, name_of(request, i), *output == '\0' ? " = uvec2(0u)" : "");
    return text +
           "uint glsort_evaluate(uvec4 rule, uint count) {\n"
           "    uint parts = count / rule.y + (count % rule.y != 0u ? 1u : 0u);\n"
           "    return rule.x * parts + rule.z;\n"
           "}\n";
}

std::string evaluate_counted(const ShaderRequest& request) {
    const Op& op = *request.op;
    const std::size_t rules = op_uniforms(request).rules;
    const std::string rows = op_element(op_uniforms(request).rows);
    std::string text = fmt::format(
        "    uint glsort_elements = min({}, {}.w);\n"
        "    uint glsort_instances = glsort_evaluate({}, glsort_elements);\n",
        read_count(request), op_element(rules), op_element(rules + 1));
    // Rules may give one instance too many without elements. Other domains do not follow the count.
    if (op.domain.follows_count()) text += "    if (glsort_elements == 0u) glsort_instances = 0u;\n";
    std::size_t element = rules + frame_elements;
    for (const std::size_t i : counted_parameters(op)) {
        const std::string name = name_of(request, i);
        text += fmt::format("    {} = uvec2(glsort_evaluate({}, glsort_elements), 0u);\n", name, op_element(element++));
        if (op.kernel->parameters[i].kind == Parameter::Kind::index && !is_compute(request.stage))
            text += fmt::format("    {0} = uvec2({0}.x & {1}.y, {0}.x >> {1}.x);\n", name, rows);
    }
    return text;
}

std::string place_counted_corner(const ShaderRequest& request) {
    return fmt::format(
        "    uvec4 frame = {0};\n"
        "    uint rows = glsort_instances / frame.x;\n"
        "    uint rest = glsort_instances % frame.x;\n"
        "    bool last_row = corner.z > 0.5;\n"
        "    uint columns = last_row ? rest : rows == 0u ? 0u : frame.x;\n"
        "    uint bottom = last_row ? rows : 0u;\n"
        "    uint top = last_row && rest > 0u ? rows + 1u : rows;\n"
        "    vec2 place = vec2(0u, bottom) + corner.xy * vec2(columns, top - bottom);\n"
        "    gl_Position = vec4(2.0 * place / vec2(frame.yz) - float({1}.w), 0.0, 1.0);\n",
        op_element(op_uniforms(request).rules), op_element(op_uniforms(request).rules + 1));
}

}  // namespace glsort
