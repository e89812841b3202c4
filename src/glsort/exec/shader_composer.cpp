#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <glsort/error.h>
#include <glsort/exec/shader_composer.h>
#include <glsort/exec/shader_files.h>
#include <glsort/gl/subgroups.h>
#include <glsort/gl/text.h>

namespace glsort {
namespace {

std::string version_line(ShaderStage stage, bool es) {
    if (stage == ShaderStage::compute) return es ? "#version 310 es" : "#version 430 core";
    return es ? "#version 300 es" : "#version 330 core";
}

constexpr const char* es_precision =
    "precision highp float;\nprecision highp int;\n"
    "precision highp usampler2D;\nprecision highp usampler2DArray;\n";

std::string type_of(std::uint32_t words) {
    return words == 1 ? "uint" : fmt::format("uvec{}", words);
}

/// The first `words` channels of a vector.
std::string channels(std::uint32_t words) { return std::string("xyzw").substr(0, words); }

/// `value` of `words` words as a vector of `wanted`, zeros behind.
std::string widen(const std::string& value, std::uint32_t words, std::uint32_t wanted) {
    std::string text = type_of(wanted) + "(" + value;
    for (std::uint32_t i = words; i < wanted; ++i) text += ", 0u";
    return text + ")";
}

/// The name of a function or variable of a port, up to its underscore.
std::string port_name(const Port& port) { return "glsort_" + port.name; }

/// Whether an op's store chunk replaces an output that is scattered.
bool scattering_store(const Op& op) {
    return op.store != nullptr && op.kernel->outputs[stored_output(*op.kernel)].access == Access::scatter;
}

/// The uniform array `glsort_op`, and how the text of a shader reaches an element of four words.
std::string op_declaration(const ShaderRequest& request) {
    // A dispatch has one group along z: the place is the element's, and no constant to a compiler.
    return fmt::format("uniform uvec4 glsort_op[{}];\n#define glsort_at(element) glsort_op[{}]\n",
                       op_uniforms(request).size,
                       request.hide_uniforms && request.stage == ShaderStage::compute
                           ? "(element) + gl_NumWorkGroups.z - 1u"
                           : "element");
}

std::string op_element(std::size_t number) { return fmt::format("glsort_at({}u)", number); }

/// Writes the access functions of the ports of one op.
class PortWriter {
  public:
    explicit PortWriter(const ShaderRequest& request)
        : request_(request),
          compute_(request.stage == ShaderStage::compute),
          foreign_slot_(op_uniforms(request).foreign) {
        for (const PortBinding& input : request.inputs) write_input(input);
        for (const PortBinding& output : request.outputs) write_output(output);
        if (scattering_store(*request.op)) write_store_functions();
    }

    std::string text;      ///< Declarations and functions.
    std::string epilogue;  ///< What `main` does after the kernel.
    std::vector<std::string> samplers;
    std::vector<std::string> varyings;

  private:
    /// The uniform element of the next foreign port.
    std::string foreign_slot() { return op_element(foreign_slot_++); }

    /// The texel of the element with that number in a texture whose layout is not the program's.
    std::string texel_of_number(const PortBinding& binding, const std::string& number) {
        const std::string width = binding.foreign ? foreign_slot() + ".y"
                                                  : fmt::format("{}u", binding.layout.width);
        if (binding.layout.kind == Layout::z_order) return "glsort_z_order_texel(" + number + ")";
        return fmt::format("glsort_row_wise_texel({}, {})", number, width);
    }

    void add(const std::string& line) { text += line + "\n"; }

    void write_input(const PortBinding& input) {
        if (input.medium == Medium::buffer) {
            declare_block(input, input.shared_block.empty() ? "readonly " : "");
            write_buffer_reads(input);
        } else {
            write_texture_reads(input);
        }
        if (input.port.by_fours) write_fours(input);
    }

    void write_output(const PortBinding& output) {
        if (request_.stage == ShaderStage::vertex)
            write_varying(output);
        else if (!compute_)
            write_attachment(output);
        else if (output.medium == Medium::texture)
            write_image(output);
        else
            write_buffer_output(output);
        // A body need not know that its records have one element.
        if (output.elements_per_record == 1 && output.port.access == Access::linear)
            add(fmt::format("void {0}_write(uint k, {1} value) {{ {0}_write(value); }}",
                            port_name(output.port), type_of(output.port.words)));
    }

    /// A storage block of typed elements; three words have no type of that stride, so they lie as
    /// single words.
    void declare_block(const PortBinding& binding, const char* qualifier) {
        const std::string name = block_name(binding);
        const std::uint32_t words = binding.words == 3 ? 1 : binding.words;
        add(fmt::format("layout(std430, binding = {}) {}buffer {}_block {{ {} {}_data[]; }};",
                        block_++, qualifier, name, type_of(words), name));
        base_ = binding.foreign ? foreign_slot() + ".x + " : "";
    }

    static std::string block_name(const PortBinding& binding) {
        return "glsort_" + (binding.shared_block.empty() ? binding.port.name : binding.shared_block);
    }

    /// Where element `index` lies in a block, from its base on.
    static std::string place_in(const PortBinding& binding, const std::string& index) {
        if (binding.gaps.run == 0) return index;
        return fmt::format("({0} + {0} / {1}u * {2}u)", index, binding.gaps.run, binding.gaps.length);
    }

    /// Element `index` of a block as the `words` the port uses.
    std::string block_element(const PortBinding& binding, const std::string& index) const {
        const std::string name = block_name(binding);
        const std::string place = place_in(binding, index);
        if (binding.words != 3) {
            const std::string element = fmt::format("{}_data[{}{}]", name, base_, place);
            return binding.words == binding.port.words
                       ? element
                       : element + "." + channels(binding.port.words);
        }
        std::string element = type_of(binding.port.words) + "(";
        for (std::uint32_t i = 0; i < binding.port.words; ++i)
            element += fmt::format("{}{}_data[{}({}) * 3u + {}u]", i == 0 ? "" : ", ", name, base_,
                                   place, i);
        return element + ")";
    }

    void write_buffer_reads(const PortBinding& input) {
        const std::string name = port_name(input.port);
        const std::string type = type_of(input.port.words);
        add(fmt::format("{} {}_gather(uint element) {{ return {}; }}", type, name,
                        block_element(input, "element")));
        write_record_reads(input);
    }

    /// `NAME_read` in terms of `NAME_gather`.
    void write_record_reads(const PortBinding& input) {
        const std::string name = port_name(input.port);
        const std::string type = type_of(input.port.words);
        if (input.elements_per_record == 1)
            add(fmt::format("{0} {1}_read(glsort_Index record) {{ return {1}_gather(glsort_number_of(record)); }}",
                            type, name));
        else
            add(fmt::format("{0} {1}_read(glsort_Index record, uint k) {{ return "
                            "{1}_gather(glsort_number_of(record) * {2}u + k); }}",
                            type, name, input.elements_per_record));
    }

    void write_texture_reads(const PortBinding& input) {
        const std::string name = port_name(input.port);
        const std::string type = type_of(input.port.words);
        const std::uint32_t per_record = input.elements_per_record;
        const std::string mask = channels(input.port.words);
        samplers.push_back(name + "_texture");
        if (per_record > 1) return write_layered_reads(input);

        add(fmt::format("uniform usampler2D {}_texture;", name));
        if (input.foreign || compute_ || input.layout != request_.layout) {
            const std::string texel = texel_of_number(input, "element");
            add(fmt::format("{} {}_gather(uint element) {{ return texelFetch({}_texture, "
                            "ivec2({}), 0).{}; }}",
                            type, name, name, texel, mask));
            return write_record_reads(input);
        }
        add(fmt::format("{0} {1}_read(glsort_Index record) {{ return texelFetch({1}_texture, "
                        "ivec2(record), 0).{2}; }}",
                        type, name, mask));
        add(fmt::format("{0} {1}_gather(uint element) {{ return {1}_read(glsort_index_of(element)); }}",
                        type, name));
    }

    /// A record of several elements: a texel in each layer.
    void write_layered_reads(const PortBinding& input) {
        const std::string name = port_name(input.port);
        const std::string type = type_of(input.port.words);
        const std::uint32_t words = input.words == 3 ? 4 : input.words;
        const std::uint32_t per_record = input.elements_per_record;
        const std::uint32_t per_texel = std::min(4 / words, per_record);
        const bool layered = words * per_record > 4;
        add(fmt::format("uniform {} {}_texture;", layered ? "usampler2DArray" : "usampler2D",
                        name));
        const bool same_layout = input.layout == request_.layout;
        std::string element = "texel";
        if (words == 1) element = per_texel == 1 ? "texel.x" : fmt::format("glsort_channel_of(texel, k % {}u)", per_texel);
        if (words == 2) element = per_texel == 1 ? "texel.xy" : "(k % 2u == 0u ? texel.xy : texel.zw)";
        if (input.port.words < words) element += "." + channels(input.port.words);
        const std::string layer = layered ? fmt::format(", int(k / {}u)", per_texel) : "";
        add(fmt::format("{0} {1}_at(uvec2 place, uint k) {{\n    uvec4 texel = "
                        "texelFetch({1}_texture, ivec{2}(place{3}), 0);\n    return {4};\n}}",
                        type, name, layered ? 3 : 2, layer, element));
        add(fmt::format("{0} {1}_read(glsort_Index record, uint k) {{ return {1}_at({2}, k); }}", type, name,
                        same_layout ? "record" : texel_of_number(input, "glsort_number_of(record)")));
        const std::string record = fmt::format("element / {}u", per_record);
        add(fmt::format("{0} {1}_gather(uint element) {{ return {1}_at({2}, element % {3}u); }}", type, name,
                        same_layout ? "glsort_index_of(" + record + ")" : texel_of_number(input, record),
                        per_record));
    }

    /// `NAME_gather4`: a single fetch where four neighbouring elements, from a multiple of four on, are a texel.
    void write_fours(const PortBinding& input) {
        const std::string name = port_name(input.port);
        const std::uint32_t per_record = input.elements_per_record;
        if (input.medium != Medium::texture || input.words != 1 || per_record % 4 != 0)
            return add(fmt::format("uvec4 {0}_gather4(uint four) {{ return uvec4({0}_gather(4u * four), "
                                   "{0}_gather(4u * four + 1u), {0}_gather(4u * four + 2u), "
                                   "{0}_gather(4u * four + 3u)); }}",
                                   name));
        const bool layered = per_record > 4;
        const std::string record = fmt::format("four / {}u", per_record / 4);
        const std::string texel =
            input.layout == request_.layout ? "glsort_index_of(" + record + ")" : texel_of_number(input, record);
        add(fmt::format("uvec4 {0}_gather4(uint four) {{ return texelFetch({0}_texture, ivec{1}({2}{3}), 0); }}", name,
                        layered ? 3 : 2, texel, layered ? fmt::format(", int(four % {}u)", per_record / 4) : ""));
    }

    void write_attachment(const PortBinding& output) {
        const std::string name = port_name(output.port);
        const std::string type = type_of(output.port.words);
        const std::uint32_t words = output.words == 3 ? 4 : output.words;
        if (output.elements_per_record == 1) {
            add(fmt::format("layout(location = {}) out {} {}_out;", attachment_++, type_of(words),
                            name));
            add(fmt::format("void {0}_write({1} value) {{ {0}_out = {2}; }}", name, type,
                            widen("value", output.port.words, words)));
            return;
        }
        // The elements of the record wait in an array; main packs them into texels.
        const std::uint32_t per_record = output.elements_per_record;
        const std::uint32_t per_texel = std::min(4 / words, per_record);
        add(fmt::format("{0} {1}_record[{2}];\nvoid {1}_write(uint k, {0} value) {{ "
                        "{1}_record[k] = value; }}",
                        type, name, per_record));
        for (std::uint32_t layer = 0; layer * per_texel < per_record; ++layer) {
            add(fmt::format("layout(location = {}) out {} {}_out{};", attachment_++,
                            type_of(words * per_texel), name, layer));
            std::string texel;
            for (std::uint32_t k = layer * per_texel; k < (layer + 1) * per_texel; ++k) {
                // The last texel may have room for more elements than there are.
                const std::string element =
                    k < per_record ? widen(fmt::format("{}_record[{}]", name, k), output.port.words,
                                           words)
                                   : type_of(words) + "(0u)";
                texel += (texel.empty() ? "" : ", ") + element;
            }
            epilogue += fmt::format("    {}_out{} = {}({});\n", name, layer,
                                    type_of(words * per_texel), texel);
        }
    }

    void write_varying(const PortBinding& output) {
        const std::string name = port_name(output.port);
        const std::string type = type_of(output.port.words);
        add(fmt::format("flat out {0} {1}_out;\nvoid {1}_write({0} value) {{ {1}_out = value; }}",
                        type, name));
        varyings.push_back(name + "_out");
    }

    void write_image(const PortBinding& output) {
        const std::string name = port_name(output.port);
        static constexpr const char* formats[] = {"", "r32ui", "rg32ui", "rgba32ui", "rgba32ui"};
        add(fmt::format("layout({}, binding = {}) writeonly uniform highp uimage2D {}_image;",
                        formats[output.words], image_++, name));
        const std::string type = type_of(output.port.words);
        add(fmt::format("void {0}_scatter(uint element, {1} value) {{ imageStore({0}_image, ivec2({2}), "
                        "{3}); }}",
                        name, type, texel_of_number(output, "element"),
                        widen("value", output.port.words, 4)));
        if (output.port.access == Access::linear)
            add(fmt::format("void {0}_write({1} value) {{ {0}_scatter(glsort_instance, value); }}", name,
                            type));
    }

    /// A store chunk writes the element that its kernel scatters.
    void write_store_functions() {
        add("uint glsort_element = 0u;");
        for (const Port& port : request_.op->store->outputs)
            add(fmt::format("void {0}_write({1} value) {{ {0}_scatter(glsort_element, value); }}", port_name(port),
                            type_of(port.words)));
    }

    void write_buffer_output(const PortBinding& output) {
        const std::string name = port_name(output.port);
        const std::string type = type_of(output.port.words);
        const bool shared = output.port.access == Access::shared;
        if (output.shared_block.empty())
            // Other groups' writes must be seen, and in the order of the accesses.
            declare_block(output, shared ? "coherent volatile " : "writeonly ");
        else
            base_ = "";
        const std::string block = block_name(output);
        const std::string place = place_in(output, "element");
        std::string store;
        if (output.words == 3)
            for (std::uint32_t i = 0; i < 3; ++i)
                store += fmt::format("{}_data[{}{} * 3u + {}u] = value.{}; ", block, base_, place, i,
                                     "xyz"[i]);
        else
            store = fmt::format("{}_data[{}{}] = value; ", block, base_, place);
        add(fmt::format("void {}_scatter(uint element, {} value) {{ {}}}", name, type, store));
        if (shared && output.words == 1)
            add(fmt::format("uint {0}_add(uint element, uint value) {{ return "
                            "atomicAdd({0}_data[{1}{2}], value); }}",
                            name, base_, place));
        if (shared)
            add(fmt::format("{0} {1}_load(uint element) {{ return {2}; }}", type, name,
                            block_element(output, "element")));
        if (output.port.access != Access::linear) return;
        if (output.elements_per_record == 1)
            add(fmt::format("void {0}_write({1} value) {{ {0}_scatter(glsort_instance, value); }}",
                            name, type));
        else
            add(fmt::format("void {0}_write(uint k, {1} value) {{ "
                            "{0}_scatter(glsort_instance * {2}u + k, value); }}",
                            name, type, output.elements_per_record));
    }

    const ShaderRequest& request_;
    const bool compute_;
    std::size_t foreign_slot_;
    std::string base_;  ///< Of the block declared last: `glsort_at(iu).x + `, or nothing.
    int attachment_ = 0;
    int block_ = 0;
    int image_ = 0;
};

/// Where a chunk replaces a port of the kernel, the port's function calls the chunk.
std::string chunk_calls(const Op& op) {
    std::string text;
    if (op.load) {
        const Port& port = op.kernel->inputs[loaded_input(*op.kernel)];
        text += fmt::format("{0} {1}_gather(uint element) {{ return glsort_load(element); }}\n"
                            "{0} {1}_read(glsort_Index record) {{ return glsort_load(glsort_number_of(record)); }}\n"
                            "{0} {1}_read(glsort_Index record, uint k) {{ return "
                            "glsort_load(glsort_number_of(record) * {2}u + k); }}\n",
                            type_of(port.words), port_name(port), op.kernel->elements_per_instance);
    }
    if (!op.store) return text;
    const Port& port = op.kernel->outputs[stored_output(*op.kernel)];
    const std::string type = type_of(port.words);
    const std::string name = port_name(port);
    if (!scattering_store(op))
        return text + fmt::format("void {0}_write({1} element) {{ glsort_store(element); }}\n"
                                  "void {0}_write(uint k, {1} element) {{ glsort_store(element); }}\n",
                                  name, type);
    const auto add_scatter = [&](const char* half) {
        text += fmt::format("void {0}_scatter{2}(uint place, {1} element) {{ glsort_element = place; "
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

/// Word `word` of a uniform array, from element `base` on.
std::string uniform_word(const std::string& base, std::size_t word, bool texel) {
    static constexpr const char* one[] = {"x", "y", "z", "w"};
    return fmt::format("glsort_at({} + {}u).{}", base, word / 4,
                       texel ? (word % 4 == 0 ? "xy" : "zw") : one[word % 4]);
}

/// How a kernel reaches the parameters of its block: in fragment shaders they come with the corners.
std::string block_definitions(const ShaderRequest& request) {
    const auto& parameters = request.op->kernel->block_parameters;
    std::string text;
    if (!parameters.empty() && request.stage == ShaderStage::compute)
        text += "uint glsort_block = 0u;\n";
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const std::string& name = parameters[i].name;
        if (request.stage == ShaderStage::compute) {
            text += fmt::format("#define glsort_op_{} {}\n", name, uniform_word("glsort_block", 2 + i, false));
        } else {
            text += fmt::format("flat in uvec2 glsort_block_{};\n", name);
            text += fmt::format("#define glsort_op_{0} glsort_block_{0}{1}\n", name,
                                parameters[i].kind == Parameter::Kind::index ? "" : ".x");
        }
    }
    return text;
}

/// Ends the macros that a text defines. A function keeps what it was compiled with.
std::string undefinitions(std::string_view glsl) {
    constexpr std::string_view space = " \t";
    std::string text;
    while (!glsl.empty()) {
        std::string_view line = gl::take_piece(glsl, '\n');
        const auto skip_space = [&] { line.remove_prefix(std::min(line.find_first_not_of(space), line.size())); };
        skip_space();
        if (!line.starts_with('#')) continue;
        line.remove_prefix(1);
        skip_space();
        if (!line.starts_with("define")) continue;
        line.remove_prefix(std::string_view("define").size());
        skip_space();
        text += fmt::format("#undef {}\n", line.substr(0, line.find_first_of(" \t\r(")));
    }
    return text;
}

/// What files may expect: of kernel and chunks all must be expected somewhere, of the composer nothing.
void supply_names(ShaderFiles& files, const ShaderRequest& request) {
    const Op& op = *request.op;
    const auto supply = [&](const auto& named) {
        for (const Port& port : named.inputs) files.supply(ShaderName::port, port.name);
        for (const Port& port : named.outputs) files.supply(ShaderName::port, port.name);
        for (const auto& define : named.defines) files.supply(ShaderName::macro, define.first);
    };
    supply(*op.kernel);
    if (op.load) supply(*op.load);
    if (op.store) supply(*op.store);
    for (const auto* parameters : {&op.kernel->parameters, &op.kernel->block_parameters})
        for (const Parameter& parameter : *parameters) files.supply(ShaderName::parameter, parameter.name);
    const auto supply_own = [&](const char* macro) { files.supply(ShaderName::macro, macro, false); };
    const bool compute = request.stage == ShaderStage::compute;
    if (compute) supply_own("GLSORT_GROUP_SIZE");
    if (compute) supply_own("GLSORT_LANE");
    if (scattering_store(op) && op.store->stores_apart) supply_own("GLSORT_STORED_APART");
    supply_own(compute                                       ? "GLSORT_INDEX_IS_NUMBER"
               : request.layout.kind == Layout::z_order ? "GLSORT_LAYOUT_Z_ORDER"
                                                        : "GLSORT_LAYOUT_WIDTH_LOG2");
}

/// The text of a kernel or chunk: its own, or the file of its name.
template <class Named>
void add_body(ShaderFiles& files, const Named& named) {
    if (named.source.empty())
        files.add_file(named.name + ".glsl");
    else
        files.add_text(named.name, named.source);
}

std::string group_definitions(const Kernel& kernel) {
    return fmt::format("layout(local_size_x = {0}) in;\n#define GLSORT_GROUP_SIZE {0}u\n"
                       "#define GLSORT_LANE gl_LocalInvocationIndex\nuint glsort_instance = 0u;\n",
                       kernel.group_size > 1 ? kernel.group_size : default_group_size);
}

std::string definitions(const ShaderRequest& request) {
    const Op& op = *request.op;
    std::string text;
    if (request.stage == ShaderStage::compute) {
        text += "#define GLSORT_INDEX_IS_NUMBER 1\n";
    } else if (request.layout.kind == Layout::z_order) {
        text += "#define GLSORT_LAYOUT_Z_ORDER 1\n";
    } else {
        text += fmt::format("#define GLSORT_LAYOUT_WIDTH_LOG2 {}u\n",
                            std::countr_zero(request.layout.width));
    }
    // Chunks of one op share definitions; a second, equal one is harmless.
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
        const bool texel = parameter.kind == Parameter::Kind::index &&
                           request.stage != ShaderStage::compute;
        text += fmt::format("#define glsort_op_{} {}.{}\n", parameter.name, op_element(i), texel ? "xy" : "x");
    }
    if (!op.kernel->parameters.empty()) text += "#define glsort_op_parameter(number) glsort_at(number).x\n";
    return text + block_definitions(request);
}

/// The main function: finds the instance, runs the kernel, writes what waits.
std::string main_function(const ShaderRequest& request, const std::string& epilogue) {
    const Op& op = *request.op;
    if (request.stage == ShaderStage::vertex)
        return "void main() {\n    glsort_kernel(glsort_index_of(uint(gl_VertexID)));\n" + epilogue +
               "    gl_Position = vec4(0.0);\n}\n";
    if (request.stage == ShaderStage::fragment) {
        // A foreign texture says where fragments are; their number leads to the index of the record.
        std::string index = "uvec2(gl_FragCoord.xy)";
        std::size_t slot = op_uniforms(request).foreign;
        for (const auto& input : request.inputs) slot += input.foreign ? 1 : 0;
        const PortBinding& output = request.outputs.front();
        if (output.foreign)
            index = output.layout.kind == Layout::z_order
                        ? fmt::format("glsort_index_of(glsort_z_order_number({}))", index)
                        : fmt::format("glsort_index_of(glsort_row_wise_number({}, {}.y))", index, op_element(slot));
        return fmt::format("void main() {{\n    glsort_kernel({});\n{}}}\n", index, epilogue);
    }
    const OpUniforms uniforms = op_uniforms(request);
    const std::size_t domain = uniforms.domain;
    const bool groups = op.kernel->group_size > 1;
    const std::string number = "(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x)";
    std::string text = "void main() {\n";
    text += groups ? fmt::format("    uint t = {};\n", number)
                   : fmt::format("    uint t = {} * GLSORT_GROUP_SIZE + GLSORT_LANE;\n", number);
    text += fmt::format("    if (t < {}.x) {{\n", op_element(domain));
    if (block_capacity(op) == 1) {
        text += fmt::format("        uint block = {}u;\n", uniforms.blocks);
    } else {
        text += fmt::format("        uint block = {1}u;\n"
                            "        uint last = {1}u + {2}u * ({0}.y - 1u);\n"
                            "        while (block < last && glsort_at(block + {2}u).y <= t) "
                            "block += {2}u;\n",
                            op_element(domain), uniforms.blocks, uniforms.block_size);
    }
    text += "        glsort_instance = glsort_at(block).x + t - glsort_at(block).y;\n";
    if (!op.kernel->block_parameters.empty()) text += "        glsort_block = block;\n";
    return text + "        glsort_kernel(glsort_instance);\n    }\n}\n";
}

}  // namespace

std::size_t block_capacity(const Op& op) {
    const std::size_t blocks = op.domain.blocks().size();
    if (blocks <= 1 && op.kernel->block_parameters.empty()) return 1;
    return std::bit_ceil(std::max<std::size_t>(op.kernel->usual_blocks, blocks));
}

OpUniforms op_uniforms(const ShaderRequest& request) {
    OpUniforms uniforms;
    uniforms.foreign = request.op->kernel->parameters.size();
    uniforms.domain = uniforms.foreign;
    for (const auto* bindings : {&request.inputs, &request.outputs})
        for (const PortBinding& binding : *bindings) uniforms.domain += binding.foreign ? 1 : 0;
    const bool compute = request.stage == ShaderStage::compute;
    const std::size_t parameters = request.op->kernel->block_parameters.size();
    const std::size_t words = compute ? 2 + parameters : 2 * parameters;
    uniforms.blocks = uniforms.domain + (compute ? 1 : 0);
    uniforms.block_size = (words + 3) / 4;
    uniforms.size = uniforms.blocks + uniforms.block_size * block_capacity(*request.op);
    return uniforms;
}

ComposedShader compose_shader(const ShaderRequest& request) {
    const Op& op = *request.op;
    const PortWriter ports(request);
    ComposedShader composed;
    composed.samplers = ports.samplers;
    composed.varyings = ports.varyings;
    composed.source.version =
        version_line(request.stage, request.es) + gl::subgroup_extensions(op.kernel->subgroups);
    ShaderFiles files(composed.source.parts, op.kernel->name);
    supply_names(files, request);
    const auto add_generated = [&](const char* what, std::string text) {
        files.add_generated(fmt::format("{} of {}", what, op.kernel->name), std::move(text));
    };
    // The caller's GLSL before anything of ours: none of our names can reach it, and none of its macros our text.
    if (request.es) add_generated("precision", es_precision);
    const auto& [prelude_name, prelude] = op.kernel->prelude;
    files.add_generated(prelude_name, prelude);
    add_generated("ends of macros", undefinitions(prelude));
    add_generated("definitions", definitions(request));
    files.add_file("lib/layout.glsl");
    if (request.stage == ShaderStage::compute) add_generated("group", group_definitions(*op.kernel));
    add_generated("ports", ports.text);
    if (op.load) add_body(files, *op.load);
    if (op.store) add_body(files, *op.store);
    add_generated("chunks", chunk_calls(op));
    const std::string& common = op.kernel->body;
    if (common.empty() || !op.kernel->source.empty()) add_body(files, *op.kernel);
    if (!common.empty()) files.add_file(common + ".glsl");
    add_generated("main", main_function(request, ports.epilogue));
    files.check();
    return composed;
}

gl::ShaderSource corner_vertex_shader(const ShaderRequest& request) {
    const auto& parameters = request.op->kernel->block_parameters;
    const OpUniforms uniforms = op_uniforms(request);
    std::string text = "layout(location = 0) in vec3 corner;  // x, y, number of the block\n";
    std::string copies;
    if (!parameters.empty()) {
        text += op_declaration(request);
        copies = fmt::format("    uint block = {}u + {}u * uint(corner.z);\n", uniforms.blocks,
                             uniforms.block_size);
    }
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        text += fmt::format("flat out uvec2 glsort_block_{};\n", parameters[i].name);
        copies += fmt::format("    glsort_block_{} = {};\n", parameters[i].name,
                              uniform_word("block", 2 * i, true));
    }
    text += "void main() {\n" + copies + "    gl_Position = vec4(corner.xy, 0.0, 1.0);\n}\n";
    return {version_line(ShaderStage::fragment, request.es), {{"the corners' vertex shader", text}}};
}

gl::ShaderSource empty_fragment_shader(bool es) {
    return {version_line(ShaderStage::fragment, es),
            {{"the empty fragment shader", "void main() {}\n"}}};
}

}  // namespace glsort
