#include <fmt/format.h>

#include <glsort/base/browser.h>
#include <glsort/base/glsl_text.h>
#include <glsort/exec/counted_text.h>
#include <glsort/exec/port_writer.h>
#include <glsort/exec/shader_composer.h>
#include <glsort/exec/shader_files.h>
#include <glsort/gl/subgroups.h>
#include <algorithm>
#include <bit>

namespace glsort {
namespace {

std::string version_line(ShaderStage stage, bool es) {
    if (is_compute(stage)) return es ? "#version 310 es" : "#version 430 core";
    return es ? "#version 300 es" : "#version 330 core";
}

constexpr const char* es_precision =
    "precision highp float;\nprecision highp int;\n"
    "precision highp usampler2D;\nprecision highp usampler2DArray;\n";

/// Declares the uniform array `glsort_op` and the macro that reads one of its elements of four words.
std::string op_declaration(const ShaderRequest& request) {
    // All dispatches have one group along z, so the index is `element`. The compiler cannot treat the index as a
    // constant.
    const bool block = request.gpu_count && is_compute(request.stage) && !evaluates_count(request);
    return fmt::format(
        "{} uvec4 glsort_op[{}];{}\n#define glsort_at(element) glsort_op[{}]\n",
        block ? "layout(std140) uniform glsort_Numbers {" : "uniform", op_uniforms(request).size, block ? " };" : "",
        request.hide_uniforms && is_compute(request.stage) ? "(element) + gl_NumWorkGroups.z - 1u" : "element");
}

/// Defines the functions of a port that a chunk replaces. The functions call the chunk.
std::string chunk_calls(const Op& op) {
    std::string text;
    if (op.load) {
        const Port& port = op.kernel->inputs[loaded_input(*op.kernel)];
        text += fmt::format(
            "{0} {1}_gather(uint element) {{ return glsort_load(element); }}\n"
            "{0} {1}_read(glsort_Index record) {{ return glsort_load(glsort_number_of(record)); }}\n"
            "{0} {1}_read(glsort_Index record, uint k) {{ return "
            "glsort_load(glsort_number_of(record) * {2}u + k); }}\n",
            glsl_type(port.words), port_name(port), op.kernel->elements_per_instance);
    }
    if (!op.store) return text;
    const Port& port = op.kernel->outputs[stored_output(*op.kernel)];
    const std::string type = glsl_type(port.words);
    const std::string name = port_name(port);
    if (!scattering_store(op))
        return text + fmt::format(
                          "void {0}_write({1} element) {{ glsort_store(element); }}\n"
                          "void {0}_write(uint k, {1} element) {{ glsort_store(element); }}\n",
                          name, type);
    const auto add_scatter = [&](const char* half) {
        text += fmt::format(
            "void {0}_scatter{2}(uint place, {1} element) {{ glsort_element = place; "
            "glsort_store{2}(element); }}\n",
            name, type, half);
    };
    add_scatter("");
    if (op.store->stores_apart) {
        text += "#define GLSORT_STORED_APART 1\n";
        add_scatter("_key");
        add_scatter("_value");
    }
    return text;
}

/// Word `word` of a uniform array, counted from element `base`.
std::string uniform_word(const std::string& base, std::size_t word, bool texel) {
    static constexpr const char* one[] = {"x", "y", "z", "w"};
    return fmt::format("glsort_at({} + {}u).{}", base, word / 4, texel ? (word % 4 == 0 ? "xy" : "zw") : one[word % 4]);
}

/// Defines how a kernel reads the parameters of its block. Fragment shaders get the parameters from the corners.
std::string block_definitions(const ShaderRequest& request) {
    const auto& parameters = request.op->kernel->block_parameters;
    std::string text;
    if (!parameters.empty() && is_compute(request.stage)) {
        const OpUniforms uniforms = op_uniforms(request);
        text += fmt::format(
            "uint glsort_block = {0}u;\nuint glsort_block_number() {{ return (glsort_block - {0}u) / {1}u; }}\n",
            uniforms.blocks, uniforms.block_size);
    }
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const std::string& name = parameters[i].name;
        if (is_compute(request.stage)) {
            text += fmt::format("#define glsort_op_{} {}\n", name, uniform_word("glsort_block", 2 + i, false));
        } else {
            text += fmt::format("flat in uvec2 glsort_block_{};\n", name);
            text += fmt::format("#define glsort_op_{0} glsort_block_{0}{1}\n", name,
                                parameters[i].kind == Parameter::Kind::index ? "" : ".x");
        }
    }
    return text;
}

/// The text that ends the caller's GLSL. A qualifier at the end of the caller's text cannot reach the library's text.
/// The caller's default precision and macros end here.
std::string end_of_prelude(const std::string& prelude, bool es) {
    return undefinitions(prelude) + (es ? es_precision : "precision highp float;\n");
}

/// Supplies the names that files may expect. Some file must expect every name of the kernel and its chunks. Names of
/// the composer may go unused.
void supply_names(ShaderFiles& files, const ShaderRequest& request) {
    const Op& op = *request.op;
    const auto supply = [&](const auto& named) {
        for (const Port& port : named.inputs)
            files.supply(ShaderName::port, port.name);
        for (const Port& port : named.outputs)
            files.supply(ShaderName::port, port.name);
        for (const auto& define : named.defines)
            files.supply(ShaderName::macro, define.first);
    };
    supply(*op.kernel);
    if (op.load) supply(*op.load);
    if (op.store) supply(*op.store);
    for (const auto* parameters : {&op.kernel->parameters, &op.kernel->block_parameters})
        for (const Parameter& parameter : *parameters)
            files.supply(ShaderName::parameter, parameter.name);
    const auto supply_own = [&](const char* macro) { files.supply(ShaderName::macro, macro, false); };
    const bool compute = is_compute(request.stage);
    if (compute) supply_own("GLSORT_GROUP_SIZE");
    if (compute) supply_own("GLSORT_LANE");
    if (compute) supply_own("GLSORT_DISPATCHED");
    if (scattering_store(op) && op.store->stores_apart) supply_own("GLSORT_STORED_APART");
    supply_own(compute                                  ? "GLSORT_INDEX_IS_NUMBER"
               : request.layout.kind == Layout::z_order ? "GLSORT_LAYOUT_Z_ORDER"
                                                        : "GLSORT_LAYOUT_ROWS");
}

/// The text of a kernel or chunk: its own source, or the file of its name.
template <class Named>
void add_body(ShaderFiles& files, const Named& named) {
    if (named.source.empty())
        files.add_file(named.name + ".glsl");
    else
        files.add_text(named.name, named.source);
}

std::string group_definitions(const Kernel& kernel) {
    return fmt::format(
        "layout(local_size_x = {0}) in;\n#define GLSORT_GROUP_SIZE {0}u\n"
        "#define GLSORT_LANE gl_LocalInvocationIndex\n"
        "#define GLSORT_DISPATCHED (gl_NumWorkGroups.x * gl_NumWorkGroups.y)\nuint glsort_instance = 0u;\n",
        kernel.group_size > 1 ? kernel.group_size : default_group_size);
}

std::string definitions(const ShaderRequest& request) {
    const Op& op = *request.op;
    std::string text;
    if (is_compute(request.stage)) {
        text += "#define GLSORT_INDEX_IS_NUMBER 1\n";
    } else if (request.layout.kind == Layout::z_order) {
        text += "#define GLSORT_LAYOUT_Z_ORDER 1\n";
    } else {
        text += "uvec2 glsort_rows = uvec2(0u);\n#define GLSORT_LAYOUT_ROWS glsort_rows\n";
    }
    // Chunks of one op share definitions. An identical second definition is harmless.
    for (const auto& [name, value] : op.kernel->defines)
        text += fmt::format("#define {} {}\n", name, value);
    for (const auto& chunk : {op.load, op.store})
        if (chunk)
            for (const auto& [name, value] : chunk->defines)
                text += fmt::format("#define {} {}\n", name, value);
    const OpUniforms uniforms = op_uniforms(request);
    if (uniforms.size > 0) text += op_declaration(request);
    for (std::size_t i = 0; i < op.kernel->parameters.size(); ++i) {
        const Parameter& parameter = op.kernel->parameters[i];
        const bool texel = parameter.kind == Parameter::Kind::index && !is_compute(request.stage);
        const bool counted = evaluates_count(request) && !op.parameters[i].is_constant();
        text += fmt::format("#define glsort_op_{} {}.{}\n", parameter.name,
                            counted ? "glsort_counted_" + parameter.name : op_element(i), texel ? "xy" : "x");
    }
    if (evaluates_count(request))
        text += request.stage == ShaderStage::fragment ? counted_inputs(request) : counted_outputs(request, "");
    if (!op.kernel->parameters.empty()) text += "#define glsort_op_parameter(number) glsort_at(number).x\n";
    return text + block_definitions(request);
}

/// The beginning of a main function. Copies the rows of the layout from the array to a variable, so that loops of
/// kernels do not read the array again and again. With the width in the text, each capacity would need a program of its
/// own.
std::string begin_main(const ShaderRequest& request, const PortText& ports) {
    std::string text = "void main() {\n";
    if (has_rows(request)) text += fmt::format("    glsort_rows = {}.xy;\n", op_element(op_uniforms(request).rows));
    return text + ports.prologue;
}

/// The main function of a vertex shader. The CPU gives the number of points. With a count on the GPU, points behind the
/// domain write zeros.
std::string vertex_main(const ShaderRequest& request, const PortText& ports) {
    const std::string kernel = "    glsort_kernel(glsort_index_of(uint(gl_VertexID)));\n";
    const std::string end = ports.epilogue + "    gl_Position = vec4(0.0);\n}\n";
    std::string text = begin_main(request, ports);
    if (!evaluates_count(request)) return text + kernel + end;
    text += evaluate_counted(request);
    for (const PortBinding& output : request.outputs)
        text += fmt::format("    {}_write({}(0u));\n", port_name(output.port), glsl_type(output.port.words));
    return text + "    if (uint(gl_VertexID) < glsort_instances)\n    " + kernel + end;
}

/// The main function of a fragment shader.
std::string fragment_main(const ShaderRequest& request, const PortText& ports) {
    // In an external texture, the fragment's texel gives a number, and the number gives the record index.
    std::string index = "uvec2(gl_FragCoord.xy)";
    std::size_t slot = op_uniforms(request).ports;
    for (const PortBinding& input : request.inputs)
        slot += has_element(request, input) ? 1 : 0;
    const PortBinding& output = request.outputs.front();
    if (output.external)
        index = output.layout.kind == Layout::z_order
                    ? fmt::format("glsort_index_of(glsort_z_order_number({}))", index)
                    : fmt::format("glsort_index_of(glsort_row_wise_number({}, {}.y))", index, op_element(slot));
    return begin_main(request, ports) + fmt::format("    glsort_kernel({});\n{}}}\n", index, ports.epilogue);
}

/// The main function of a compute shader.
std::string compute_main(const ShaderRequest& request, const PortText& ports) {
    const Op& op = *request.op;
    const OpUniforms uniforms = op_uniforms(request);
    const std::size_t domain = uniforms.domain;
    const bool groups = op.kernel->group_size > 1;
    // The op may run as several dispatches (exec/pieces.h).
    const std::string number =
        fmt::format("({}.z + gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x)", op_element(domain));
    std::string text = begin_main(request, ports);
    const bool counted = evaluates_count(request);
    if (counted) text += evaluate_counted(request);
    text += groups ? fmt::format("    uint t = {};\n", number)
                   : fmt::format("    uint t = {} * GLSORT_GROUP_SIZE + GLSORT_LANE;\n", number);
    text += fmt::format("    if (t < {}) {{\n", counted ? "glsort_instances" : op_element(domain) + ".x");
    if (block_capacity(op) == 1) {
        text += fmt::format("        uint block = {}u;\n", uniforms.blocks);
    } else {
        text += fmt::format(
            "        uint block = {1}u;\n"
            "        uint last = {1}u + {2}u * ({0}.y - 1u);\n"
            "        while (block < last && glsort_at(block + {2}u).y <= t) "
            "block += {2}u;\n",
            op_element(domain), uniforms.blocks, uniforms.block_size);
    }
    text += "        glsort_instance = glsort_at(block).x + t - glsort_at(block).y;\n";
    if (!op.kernel->block_parameters.empty()) text += "        glsort_block = block;\n";
    return text + "        glsort_kernel(glsort_instance);\n    }\n}\n";
}

/// The main function: finds the instance, runs the kernel, and writes pending outputs.
std::string main_function(const ShaderRequest& request, const PortText& ports) {
    if (is_compute(request.stage)) return compute_main(request, ports);
    return request.stage == ShaderStage::vertex ? vertex_main(request, ports) : fragment_main(request, ports);
}

}  // namespace

std::size_t block_capacity(const Op& op) {
    const std::size_t blocks = op.domain.blocks().size();
    if (blocks <= 1 && op.kernel->block_parameters.empty()) return 1;
    return std::bit_ceil(std::max<std::size_t>(op.kernel->usual_blocks, blocks));
}

std::size_t block_elements(ShaderStage stage, std::size_t parameters) {
    const std::size_t words = is_compute(stage) ? 2 + parameters : 2 * parameters;
    return (words + 3) / 4;
}

OpUniforms op_uniforms(const ShaderRequest& request) {
    OpUniforms uniforms;
    uniforms.rows = request.op->kernel->parameters.size();
    uniforms.ports = uniforms.rows + (has_rows(request) ? 1 : 0);
    uniforms.domain = uniforms.ports;
    for (const auto* bindings : {&request.inputs, &request.outputs})
        for (const PortBinding& binding : *bindings)
            uniforms.domain += has_element(request, binding) ? 1 : 0;
    uniforms.blocks = uniforms.domain + (is_compute(request.stage) ? 1 : 0);
    uniforms.block_size = block_elements(request.stage, request.op->kernel->block_parameters.size());
    uniforms.rules = uniforms.blocks + uniforms.block_size * block_capacity(*request.op);
    uniforms.size = uniforms.rules + rule_elements(request);
    return uniforms;
}

std::size_t storage_blocks(const ShaderRequest& request) {
    std::size_t blocks = 0;
    for (const auto* bindings : {&request.inputs, &request.outputs})
        for (const PortBinding& binding : *bindings) {
            // An input and an output that share one block count once, as the input.
            const bool own = binding.shared_block.empty() || binding.shared_block == binding.port.name;
            if (binding.medium == Medium::buffer && own) ++blocks;
        }
    return blocks;
}

bool has_element(const ShaderRequest& request, const PortBinding& port) {
    if (port.external) return true;
    if (port.medium == Medium::buffer || port.layout.kind == Layout::z_order) return false;
    return is_compute(request.stage) || port.layout != request.layout;
}

bool has_fours(const ShaderRequest& request, const PortBinding& input) {
    return !in_browser && !is_compute(request.stage) && input.medium == Medium::buffer && input.port.by_fours &&
           input.words == 1;
}

bool has_rows(const ShaderRequest& request) {
    return !is_compute(request.stage) && request.layout.kind == Layout::row_wise;
}

ComposedShader compose_shader(const ShaderRequest& request) {
    const Op& op = *request.op;
    const PortText ports = write_ports(request);
    ComposedShader composed;
    composed.samplers = ports.samplers;
    if (evaluates_count(request) && !is_compute(request.stage)) composed.samplers.push_back(count_sampler);
    // Several varyings of one output are the elements of its records.
    composed.varyings = {ports.varyings, request.outputs.size() == 1};
    composed.source.version = version_line(request.stage, request.es);
    if (is_compute(request.stage)) composed.source.version += gl::subgroup_extensions(op.kernel->subgroups);
    ShaderFiles files(composed.source.parts, op.kernel->name);
    supply_names(files, request);
    const auto add_generated = [&](const char* what, std::string text) {
        files.add_generated(fmt::format("{} of {}", what, op.kernel->name), std::move(text));
    };
    // The caller's GLSL precedes the library's. The caller cannot use the library's names, and macros of the caller
    // cannot change the library's text.
    if (request.es) add_generated("precision", es_precision);
    const CallersGlsl& prelude = op.kernel->prelude;
    if (!prelude.text.empty()) {
        add_generated("declarations", prelude.declarations);
        // The empty line is for a backslash at the end of the text.
        files.add_generated(prelude.name, prelude.text + "\n");
        files.add_generated("the end of " + prelude.name, end_of_prelude(prelude.text, request.es));
    }
    add_generated("definitions", definitions(request));
    files.add_file("lib/layout.glsl");
    if (is_compute(request.stage)) add_generated("group", group_definitions(*op.kernel));
    add_generated("ports", ports.text);
    if (op.load) add_body(files, *op.load);
    if (op.store) add_body(files, *op.store);
    add_generated("chunks", chunk_calls(op));
    const std::string& common = op.kernel->body;
    if (common.empty() || !op.kernel->source.empty()) add_body(files, *op.kernel);
    if (!common.empty()) files.add_file(common + ".glsl");
    add_generated("main", main_function(request, ports));
    files.check();
    return composed;
}

gl::ShaderSource corner_vertex_shader(const ShaderRequest& request) {
    const auto& parameters = request.op->kernel->block_parameters;
    const OpUniforms uniforms = op_uniforms(request);
    std::string text = "layout(location = 0) in vec3 corner;  // x, y, number of the block\n";
    std::string copies;
    const bool counted = evaluates_count(request);
    if (!parameters.empty() || counted) text += op_declaration(request);
    if (counted) {
        text += counted_outputs(request, "flat out ");
        copies = evaluate_counted(request);
    }
    if (!parameters.empty()) {
        copies += fmt::format("    uint block = {}u + {}u * uint(corner.z);\n", uniforms.blocks, uniforms.block_size);
    }
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        text += fmt::format("flat out uvec2 glsort_block_{};\n", parameters[i].name);
        copies += fmt::format("    glsort_block_{} = {};\n", parameters[i].name, uniform_word("block", 2 * i, true));
    }
    const std::string position =
        counted ? place_counted_corner(request) : "    gl_Position = vec4(corner.xy, 0.0, 1.0);\n";
    text += "void main() {\n" + copies + position + "}\n";
    return {version_line(ShaderStage::fragment, request.es), {{"the corners' vertex shader", text}}};
}

gl::ShaderSource empty_fragment_shader(bool es) {
    return {version_line(ShaderStage::fragment, es), {{"the empty fragment shader", "void main() {}\n"}}};
}

gl::ProgramSource program_source(const ShaderRequest& request, const ComposedShader& shader) {
    if (is_compute(request.stage)) return gl::ProgramSource::compute(shader.source);
    if (request.stage == ShaderStage::vertex)
        return gl::ProgramSource::graphics(shader.source, empty_fragment_shader(request.es), shader.varyings);
    return gl::ProgramSource::graphics(corner_vertex_shader(request), shader.source);
}

}  // namespace glsort
