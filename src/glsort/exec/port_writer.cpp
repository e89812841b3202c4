#include <fmt/format.h>

#include <glsort/base/browser.h>
#include <glsort/base/glsl_text.h>
#include <glsort/exec/port_writer.h>
#include <algorithm>
#include <utility>

namespace glsort {
namespace {

/// The first `words` components of a vector.
std::string channels(std::uint32_t words) {
    return std::string("xyzw").substr(0, words);
}

/// `value`, of `words` words, as a vector of `wanted` words, padded with zeros.
std::string widen(const std::string& value, std::uint32_t words, std::uint32_t wanted) {
    std::string text = glsl_type(wanted) + "(" + value;
    for (std::uint32_t i = words; i < wanted; ++i)
        text += ", 0u";
    return text + ")";
}

/// Writes the access functions of the ports of one op.
class PortWriter {
  public:
    explicit PortWriter(const ShaderRequest& request) : request_(request), next_element_(op_uniforms(request).ports) {
        for (const PortBinding& input : request.inputs) {
            take_element(input);
            write_input(input);
        }
        written_.samplers.insert(written_.samplers.end(), fours_.begin(), fours_.end());
        for (const PortBinding& output : request.outputs) {
            take_element(output);
            write_output(output);
        }
        if (scattering_store(*request.op)) write_store_functions();
    }

    PortText written() && { return std::move(written_); }

  private:
    bool compute() const { return is_compute(request_.stage); }

    /// Finds the uniform element of the port that is written next.
    void take_element(const PortBinding& port) {
        if (!has_element(request_, port)) return;
        element_ = op_element(next_element_++);
        if (port.external) return;
        add(fmt::format("uvec2 {} = uvec2(0u);", rows_name(port)));
        written_.prologue += fmt::format("    {} = {}.xy;\n", rows_name(port), element_);
    }

    /// The texel of a record, by its number.
    std::string texel_of(const PortBinding& binding, const std::string& record) const {
        if (binding.layout.kind == Layout::z_order) return fmt::format("glsort_z_order_texel({})", record);
        if (binding.external) return fmt::format("glsort_row_wise_texel({}, {}.y)", record, element_);
        return fmt::format("glsort_texel_in_rows({}, {})", record,
                           has_element(request_, binding) ? rows_name(binding) : "GLSORT_LAYOUT_ROWS");
    }

    /// The rows of a port's own layout (shader_composer.h).
    static std::string rows_name(const PortBinding& binding) { return port_name(binding.port) + "_rows"; }

    void add(const std::string& line) { written_.text += line + "\n"; }

    void write_input(const PortBinding& input) {
        if (!input.port.per_block.empty()) return write_input_of_block(input);
        if (compute() && input.medium == Medium::buffer) {
            declare_block(input, input.shared_block.empty() ? "readonly " : "");
            write_buffer_reads(input, port_name(input.port));
        } else if (!in_browser && input.medium == Medium::buffer) {
            write_texture_buffer_reads(input);
        } else {
            write_texture_reads(input);
        }
        if (input.port.by_fours) write_fours(input);
    }

    /// Ports with one `Port::per_block` name are one array of storage blocks. The first of these ports declares the
    /// array.
    void write_input_of_block(const PortBinding& input) {
        const std::string& shared = input.port.per_block;
        const int binding = block_++;
        if (std::exchange(per_block_, shared) == shared) return;
        const auto ports = std::count_if(request_.inputs.begin(), request_.inputs.end(),
                                         [&](const PortBinding& other) { return other.port.per_block == shared; });
        const std::string name = "glsort_" + shared;
        add(fmt::format("layout(std430, binding = {0}) readonly buffer {1}_block {{ {2} data[]; }} {1}_blocks[{3}];",
                        binding, name, glsl_type(input.words == 3 ? 1 : input.words), ports));
        base_ = input.external ? fmt::format("glsort_at({}u + glsort_block_number()).x + ", next_element_ - 1) : "";
        write_buffer_reads(input, name);
    }

    void write_output(const PortBinding& output) {
        if (request_.stage == ShaderStage::vertex)
            write_varying(output);
        else if (!compute())
            write_attachment(output);
        else if (output.medium == Medium::texture)
            write_image(output);
        else
            write_buffer_output(output);
        // A body may number the elements that it writes, even if its records have one element.
        if (output.elements_per_record == 1 && output.port.access == Access::linear)
            add(fmt::format("void {0}_write(uint k, {1} value) {{ {0}_write(value); }}", port_name(output.port),
                            glsl_type(output.port.words)));
    }

    /// A storage block of typed elements. No type has a stride of three words, so such elements are stored as single
    /// words.
    void declare_block(const PortBinding& binding, const char* qualifier) {
        const std::string name = block_name(binding);
        const std::uint32_t words = binding.words == 3 ? 1 : binding.words;
        add(fmt::format("layout(std430, binding = {}) {}buffer {}_block {{ {} {}_data[]; }};", block_++, qualifier,
                        name, glsl_type(words), name));
        base_ = binding.external ? element_ + ".x + " : "";
    }

    /// The elements of a storage block.
    static std::string data_of(const PortBinding& binding) {
        if (binding.port.per_block.empty()) return block_name(binding) + "_data";
        return fmt::format("glsort_{}_blocks[glsort_block_number()].data", binding.port.per_block);
    }

    static std::string block_name(const PortBinding& binding) {
        return "glsort_" + (binding.shared_block.empty() ? binding.port.name : binding.shared_block);
    }

    /// The position of element `index` in a block, relative to its base element.
    static std::string place_in(const PortBinding& binding, const std::string& index) {
        if (binding.padding.run == 0) return index;
        return fmt::format("({0} + {0} / {1}u * {2}u)", index, binding.padding.run, binding.padding.length);
    }

    /// The first `words` words of element `index` of a block: the words that the port uses.
    std::string block_element(const PortBinding& binding, const std::string& index) const {
        const std::string data = data_of(binding);
        const std::string place = place_in(binding, index);
        if (binding.words != 3) {
            const std::string element = fmt::format("{}[{}{}]", data, base_, place);
            return binding.words == binding.port.words ? element : element + "." + channels(binding.port.words);
        }
        std::string element = glsl_type(binding.port.words) + "(";
        for (std::uint32_t i = 0; i < binding.port.words; ++i)
            element += fmt::format("{}{}[{}({}) * 3u + {}u]", i == 0 ? "" : ", ", data, base_, place, i);
        return element + ")";
    }

    void write_buffer_reads(const PortBinding& input, const std::string& name) {
        const std::string type = glsl_type(input.port.words);
        add(fmt::format("{} {}_gather(uint element) {{ return {}; }}", type, name, block_element(input, "element")));
        write_record_reads(input, name);
    }

    /// Defines `NAME_read` by `NAME_gather`.
    void write_record_reads(const PortBinding& input, const std::string& name) {
        const std::string type = glsl_type(input.port.words);
        if (input.elements_per_record == 1)
            add(fmt::format("{0} {1}_read(glsort_Index record) {{ return {1}_gather(glsort_number_of(record)); }}",
                            type, name));
        else
            add(
                fmt::format("{0} {1}_read(glsort_Index record, uint k) {{ return "
                            "{1}_gather(glsort_number_of(record) * {2}u + k); }}",
                            type, name, input.elements_per_record));
    }

    /// Reads of a buffer as a texture.
    void write_texture_buffer_reads(const PortBinding& input) {
        const std::string name = port_name(input.port);
        written_.samplers.push_back(name + "_texture");
        add(fmt::format("uniform highp usamplerBuffer {}_texture;", name));
        add(fmt::format("{0} {1}_gather(uint element) {{ return texelFetch({1}_texture, int({2}.x + element)).{3}; }}",
                        glsl_type(input.port.words), name, element_, channels(input.port.words)));
        write_record_reads(input, name);
    }

    void write_texture_reads(const PortBinding& input) {
        const std::string name = port_name(input.port);
        const std::string type = glsl_type(input.port.words);
        const std::uint32_t per_record = input.elements_per_record;
        const std::string mask = channels(input.port.words);
        written_.samplers.push_back(name + "_texture");
        if (per_record > 1) return write_layered_reads(input);

        add(fmt::format("uniform highp {} {}_texture;", input.floats ? "sampler2D" : "usampler2D", name));
        if (input.external || compute() || input.layout != request_.layout) {
            const std::string texel =
                fmt::format("texelFetch({}_texture, ivec2({}), 0)", name, texel_of(input, "element"));
            add(fmt::format("{} {}_gather(uint element) {{ return {}.{}; }}", type, name,
                            input.floats ? "floatBitsToUint(" + texel + ")" : texel, mask));
            return write_record_reads(input, name);
        }
        add(
            fmt::format("{0} {1}_read(glsort_Index record) {{ return texelFetch({1}_texture, "
                        "ivec2(record), 0).{2}; }}",
                        type, name, mask));
        add(fmt::format("{0} {1}_gather(uint element) {{ return {1}_read(glsort_index_of(element)); }}", type, name));
    }

    /// Reads a record of several elements: one texel in each layer.
    void write_layered_reads(const PortBinding& input) {
        const std::string name = port_name(input.port);
        const std::string type = glsl_type(input.port.words);
        const std::uint32_t words = input.words == 3 ? 4 : input.words;
        const std::uint32_t per_record = input.elements_per_record;
        const std::uint32_t per_texel = std::min(4 / words, per_record);
        const bool layered = words * per_record > 4;
        add(fmt::format("uniform {} {}_texture;", layered ? "usampler2DArray" : "usampler2D", name));
        const bool same_layout = input.layout == request_.layout;
        std::string element = "texel";
        if (words == 1)
            element = per_texel == 1 ? "texel.x" : fmt::format("glsort_channel_of(texel, k % {}u)", per_texel);
        if (words == 2) element = per_texel == 1 ? "texel.xy" : "(k % 2u == 0u ? texel.xy : texel.zw)";
        if (input.port.words < words) element += "." + channels(input.port.words);
        const std::string layer = layered ? fmt::format(", int(k / {}u)", per_texel) : "";
        add(
            fmt::format("{0} {1}_at(uvec2 place, uint k) {{\n    uvec4 texel = "
                        "texelFetch({1}_texture, ivec{2}(place{3}), 0);\n    return {4};\n}}",
                        type, name, layered ? 3 : 2, layer, element));
        add(fmt::format("{0} {1}_read(glsort_Index record, uint k) {{ return {1}_at({2}, k); }}", type, name,
                        same_layout ? "record" : texel_of(input, "glsort_number_of(record)")));
        add(fmt::format("{0} {1}_gather(uint element) {{ return {1}_at({2}, element % {3}u); }}", type, name,
                        texel_of(input, fmt::format("element / {}u", per_record)), per_record));
    }

    /// Defines `NAME_gather4`. A single fetch is enough if four aligned neighbouring elements are one texel.
    void write_fours(const PortBinding& input) {
        const std::string name = port_name(input.port);
        const std::uint32_t per_record = input.elements_per_record;
        std::string single;
        if (has_fours(request_, input)) {
            fours_.push_back(name + "_fours");
            add(fmt::format("uniform highp usamplerBuffer {}_fours;", name));
            single = fmt::format("if ({1}.x % 4u == 0u) return texelFetch({0}_fours, int({1}.x / 4u + four)); ", name,
                                 element_);
        }
        if (input.medium != Medium::texture || input.words != 1 || per_record % 4 != 0)
            return add(
                fmt::format("uvec4 {0}_gather4(uint four) {{ {1}return uvec4({0}_gather(4u * four), "
                            "{0}_gather(4u * four + 1u), {0}_gather(4u * four + 2u), "
                            "{0}_gather(4u * four + 3u)); }}",
                            name, single));
        const bool layered = per_record > 4;
        const std::string texel = texel_of(input, fmt::format("four / {}u", per_record / 4));
        add(fmt::format("uvec4 {0}_gather4(uint four) {{ return texelFetch({0}_texture, ivec{1}({2}{3}), 0); }}", name,
                        layered ? 3 : 2, texel, layered ? fmt::format(", int(four % {}u)", per_record / 4) : ""));
    }

    void write_attachment(const PortBinding& output) {
        const std::string name = port_name(output.port);
        const std::string type = glsl_type(output.port.words);
        const std::uint32_t words = output.words == 3 ? 4 : output.words;
        if (output.elements_per_record == 1) {
            add(fmt::format("layout(location = {}) out {} {}_out;", attachment_++, glsl_type(words), name));
            add(fmt::format("void {0}_write({1} value) {{ {0}_out = {2}; }}", name, type,
                            widen("value", output.port.words, words)));
            return;
        }
        // An array collects the elements of the record. main packs them into texels.
        const std::uint32_t per_record = output.elements_per_record;
        const std::uint32_t per_texel = std::min(4 / words, per_record);
        write_record(type, name, per_record);
        for (std::uint32_t layer = 0; layer * per_texel < per_record; ++layer) {
            add(fmt::format("layout(location = {}) out {} {}_out{};", attachment_++, glsl_type(words * per_texel), name,
                            layer));
            std::string texel;
            for (std::uint32_t k = layer * per_texel; k < (layer + 1) * per_texel; ++k) {
                // The last texel may have room for more elements than the record has.
                const std::string element = k < per_record
                                                ? widen(fmt::format("{}_record[{}]", name, k), output.port.words, words)
                                                : glsl_type(words) + "(0u)";
                texel += (texel.empty() ? "" : ", ") + element;
            }
            written_.epilogue +=
                fmt::format("    {}_out{} = {}({});\n", name, layer, glsl_type(words * per_texel), texel);
        }
    }

    /// Declares the array that collects the elements of a record, and defines how an element is written.
    void write_record(const std::string& type, const std::string& name, std::uint32_t elements) {
        std::string stores = fmt::format("{}_record[k] = value; ", name);
        if (request_.index_by_constants) {
            stores.clear();
            for (std::uint32_t k = 0; k < elements; ++k)
                stores += fmt::format("if (k == {1}u) {0}_record[{1}] = value; ", name, k);
        }
        add(fmt::format("{0} {1}_record[{2}];\nvoid {1}_write(uint k, {0} value) {{ {3}}}", type, name, elements,
                        stores));
    }

    void write_varying(const PortBinding& output) {
        const std::string name = port_name(output.port);
        const std::string type = glsl_type(output.port.words);
        const std::uint32_t per_record = output.elements_per_record;
        if (per_record == 1) {
            add(fmt::format("flat out {0} {1}_out;\nvoid {1}_write({0} value) {{ {1}_out = value; }}", type, name));
            written_.varyings.push_back(name + "_out");
            return;
        }
        write_record(type, name, per_record);
        for (std::uint32_t k = 0; k < per_record; ++k) {
            add(fmt::format("flat out {} {}_out{};", type, name, k));
            written_.epilogue += fmt::format("    {0}_out{1} = {0}_record[{1}];\n", name, k);
            written_.varyings.push_back(fmt::format("{}_out{}", name, k));
        }
    }

    void write_image(const PortBinding& output) {
        const std::string name = port_name(output.port);
        static constexpr const char* formats[] = {"", "r32ui", "rg32ui", "rgba32ui", "rgba32ui"};
        add(fmt::format("layout({}, binding = {}) writeonly uniform highp uimage2D {}_image;", formats[output.words],
                        image_++, name));
        const std::string type = glsl_type(output.port.words);
        add(
            fmt::format("void {0}_scatter(uint element, {1} value) {{ imageStore({0}_image, ivec2({2}), "
                        "{3}); }}",
                        name, type, texel_of(output, "element"), widen("value", output.port.words, 4)));
        if (output.port.access == Access::linear)
            add(fmt::format("void {0}_write({1} value) {{ {0}_scatter(glsort_instance, value); }}", name, type));
    }

    /// A store chunk writes the element that its kernel scatters.
    void write_store_functions() {
        add("uint glsort_element = 0u;");
        for (const Port& port : request_.op->store->outputs)
            add(fmt::format("void {0}_write({1} value) {{ {0}_scatter(glsort_element, value); }}", port_name(port),
                            glsl_type(port.words)));
    }

    void write_buffer_output(const PortBinding& output) {
        const std::string name = port_name(output.port);
        const std::string type = glsl_type(output.port.words);
        const bool shared = output.port.access == Access::shared;
        if (output.shared_block.empty())
            // Writes of other groups must be visible, in the order of the accesses.
            declare_block(output, shared ? "coherent volatile " : "writeonly ");
        else
            base_ = "";
        const std::string block = block_name(output);
        const std::string place = place_in(output, "element");
        std::string store;
        if (output.words == 3)
            for (std::uint32_t i = 0; i < 3; ++i)
                store += fmt::format("{}_data[{}{} * 3u + {}u] = value.{}; ", block, base_, place, i, "xyz"[i]);
        else
            store = fmt::format("{}_data[{}{}] = value; ", block, base_, place);
        add(fmt::format("void {}_scatter(uint element, {} value) {{ {}}}", name, type, store));
        if (shared && output.words == 1)
            add(
                fmt::format("uint {0}_add(uint element, uint value) {{ return "
                            "atomicAdd({0}_data[{1}{2}], value); }}",
                            name, base_, place));
        if (shared)
            add(fmt::format("{0} {1}_load(uint element) {{ return {2}; }}", type, name,
                            block_element(output, "element")));
        if (output.port.access != Access::linear) return;
        if (output.elements_per_record == 1)
            add(fmt::format("void {0}_write({1} value) {{ {0}_scatter(glsort_instance, value); }}", name, type));
        else
            add(
                fmt::format("void {0}_write(uint k, {1} value) {{ "
                            "{0}_scatter(glsort_instance * {2}u + k, value); }}",
                            name, type, output.elements_per_record));
    }

    PortText written_;
    const ShaderRequest& request_;
    std::size_t next_element_;
    std::vector<std::string> fours_;  ///< Samplers by which buffers are read by fours.
    std::string element_;             ///< The uniform element of the current port, if the port has one.
    std::string per_block_;           ///< The last `Port::per_block` name that was declared.
    std::string base_;                ///< Base of the last declared block: `glsort_at(iu).x + `, or empty.
    int attachment_ = 0;
    int block_ = 0;
    int image_ = 0;
};

}  // namespace

PortText write_ports(const ShaderRequest& request) {
    return PortWriter(request).written();
}

std::string port_name(const Port& port) {
    return "glsort_" + port.name;
}

bool scattering_store(const Op& op) {
    return op.store != nullptr && op.kernel->outputs[stored_output(*op.kernel)].access == Access::scatter;
}

std::string op_element(std::size_t number) {
    return fmt::format("glsort_at({}u)", number);
}

}  // namespace glsort
