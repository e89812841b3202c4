#include <fmt/format.h>

#include <glsort/base/glsl_text.h>
#include <glsort/error.h>
#include <glsort/plan/enumerator.h>
#include <glsort/plan/scene/scene_access.h>
#include <glsort/stream/cpu_invocation.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <string_view>
#include <utility>

namespace glsort::scene {
namespace {

/// Whether components take half a word.
bool is_half(const SceneInput& input) {
    return component_bytes(input.type) == 2;
}

bool is_integer(const SceneInput& input) {
    return input.type == SceneInput::Type::u32 || input.type == SceneInput::Type::u16;
}

/// Whether components of 4 bytes may begin in the middle of a word.
bool is_split(const SceneInput& input) {
    return !is_half(input) && (stride_of(input) % 4 != 0 || input.offset % 4 != 0);
}

/// Whether the components of an element are four aligned words of the caller's slice. With fewer components, the last
/// word of the last element may lie behind the buffer.
bool is_four_words(const SceneInput& input) {
    return !in_texture(input) && !is_half(input) && input.components == 4 && stride_of(input) % 16 == 0 &&
           input.offset % 16 == 0;
}

/// Max inputs that are read by fours. Each may take two texture units.
constexpr std::size_t max_by_fours = 4;

/// Whether the GLSL reads an input by `Port::by_fours`.
bool by_fours(const CallersData& data, const SceneInput& input) {
    return is_four_words(input) && data.blocks == 0 && data.inputs.size() <= max_by_fours;
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

void check_even(const char* member, std::uint32_t bytes) {
    if (bytes % 2 != 0) throw Error(fmt::format("{} {} is not a multiple of 2 bytes", member, bytes));
}

/// The GLSL for component `number` of an element: its bits as a uint. `unit` numbers the halves or words of the
/// element.
std::string component_text(const SceneInput& input, const std::string& gather, std::uint32_t number) {
    if (is_half(input)) return fmt::format("glsort_half({}((unit + {}u) / 2u), unit + {}u)", gather, number, number);
    if (!is_split(input)) return fmt::format("{}(unit + {}u)", gather, number);
    const std::string first = fmt::format("(unit + {}u)", 2 * number);
    return fmt::format("({0} % 2u == 0u ? {1}({0} / 2u) : {1}({0} / 2u) >> 16u | {1}({0} / 2u + 1u) << 16u)", first,
                       gather);
}

/// The GLSL for channel `number` of `texel`, which is a uint if only one channel is read.
std::string channel_text(const SceneInput& input, std::uint32_t number) {
    return input.components == 1 ? "texel" : fmt::format("texel.{}", "xyzw"[number]);
}

std::string type_of(const SceneInput& input) {
    return is_integer(input) ? "uvec4" : "vec4";
}

std::string port_name(std::size_t number) {
    return fmt::format("input_{}", number);
}

/// The functions that inputs with halves need.
std::string half_functions(const std::vector<SceneInput>& inputs) {
    bool half = false;
    bool half_float = false;
    for (const SceneInput& input : inputs) {
        half = half || is_half(input);
        half_float = half_float || input.type == SceneInput::Type::f16;
    }
    std::string text;
    if (half)
        text +=
            "uint glsort_half(uint word, uint number) { return number % 2u == 0u ? word & 0xffffu : word >> 16u; }\n";
    // GLSL 3.30 has no unpackHalf2x16. A GPU may take small subnormal floats for zero, so these are multiplied.
    if (half_float)
        text +=
            "float glsort_float_of_half(uint bits) {\n"
            "    uint exponent = bits >> 10u & 31u;\n"
            "    uint mantissa = bits & 1023u;\n"
            "    uint sign = bits >> 15u << 31u;\n"
            "    if (exponent == 0u) return float(mantissa) * (sign != 0u ? -5.9604644775390625e-8 : "
            "5.9604644775390625e-8);\n"
            "    uint wide = exponent == 31u ? 255u : exponent + 112u;\n"
            "    return uintBitsToFloat(sign | wide << 23u | mantissa << 13u);\n"
            "}\n";
    return text;
}

/// The four components of an element. `texel`: whether they are the channels of `texel`, not counted by `unit`.
std::string component_list(const SceneInput& input, const std::string& gather, bool texel) {
    const bool floats = !is_integer(input);
    std::string components;
    for (std::uint32_t number = 0; number < 4; ++number) {
        if (number > 0) components += ", ";
        if (number >= input.components) {
            components += fmt::format("{}{}", number == 3 ? 1 : 0, floats ? ".0" : "u");
            continue;
        }
        const std::string bits = texel ? channel_text(input, number) : component_text(input, gather, number);
        components += !floats          ? bits
                      : is_half(input) ? "glsort_float_of_half(" + bits + ")"
                                       : "uintBitsToFloat(" + bits + ")";
    }
    return components;
}

/// The declaration of an element's `texel` or `unit`.
std::string place_text(const SceneInput& input, const std::string& gather, bool fours) {
    if (in_texture(input)) return fmt::format("{} texel = {}(element)", glsl_type(input.components), gather);
    if (fours)
        return fmt::format("uvec4 texel = {}4(element * {}u + {}u)", gather, stride_of(input) / 16, input.offset / 16);
    const std::uint32_t unit = is_half(input) || is_split(input) ? 2 : 4;
    return fmt::format("uint unit = element * {}u + {}u", stride_of(input) / unit, input.offset / unit);
}

/// The function that the caller's GLSL reads an input by.
std::string input_function(const CallersData& data, std::size_t number) {
    const SceneInput& input = data.inputs[number];
    const bool fours = by_fours(data, input);
    const std::string gather = fmt::format("glsort_{}_gather", port_name(number));
    return fmt::format("{0} {1}_at(uint element) {{\n    {2};\n    return {0}({3});\n}}\n", type_of(input), input.name,
                       place_text(input, gather, fours), component_list(input, gather, in_texture(input) || fours));
}

/// Halves of words are numbered by 32 bits.
constexpr std::uint64_t max_input_words = std::uint64_t{1} << 31;

/// Throws `Error` unless this is a name that GLSL and the library allow.
void check_name(const std::string& name) {
    const std::string_view text = name;
    bool good = !text.empty() && is_letter(text.front());
    for (const char c : text)
        good = good && (is_letter(c) || (c >= '0' && c <= '9') || c == '_');
    if (!good || text.find("__") != std::string_view::npos)
        throw Error(fmt::format("\"{}\" is not a name in GLSL: letters, digits and single underlines", name));
    for (const std::string_view reserved : {"gl_", "glsort_", "GLSORT_"})
        if (text.starts_with(reserved)) throw Error(fmt::format("names that begin with {} are reserved", reserved));
}

/// Throws `Error` if the input cannot be read: its name, type, components, stride or offset.
void check_input(const SceneInput& input) {
    check_name(input.name);
    check_name(input.name + "_at");  // Of the function.
    check_enumerator("type", input.type, SceneInput::Type::u16, "u16");
    if (input.components < 1 || input.components > 4)
        throw Error(fmt::format("components {}; it must be 1 to 4", input.components));
    check_even("stride", input.stride);
    check_even("offset", input.offset);
    check_enumerator("medium", input.medium, Medium::texture);
    if (!in_texture(input)) return;
    if (is_half(input)) throw Error("type f16 or u16; in a texture it must be f32 or u32");
    if (input.stride != 0 || input.offset != 0)
        throw Error(fmt::format("stride {} and offset {}; in a texture they must be 0", input.stride, input.offset));
}

/// Throws `Error` if name `number` stands earlier in the list, whose items have names by `name_of`.
template <class Item, class NameOf>
void check_new_name(const char* items, const std::vector<Item>& list, std::size_t number, const NameOf& name_of) {
    for (std::size_t earlier = 0; earlier < number; ++earlier)
        if (name_of(list[earlier]) == name_of(list[number]))
            throw Error(fmt::format("{} {} and {} are both named {}", items, earlier, number, name_of(list[number])));
}

}  // namespace

void check_inputs(const std::vector<SceneInput>& inputs, std::uint32_t capacity) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const SceneInput& input = inputs[i];
        try {
            check_input(input);
        } catch (const Error& error) {
            throw Error(fmt::format("input {}: {}", i, error.what()));
        }
        check_new_name("inputs", inputs, i, std::mem_fn(&SceneInput::name));
        const std::uint32_t elements = elements_of(input, capacity);
        if (const std::uint64_t words = words_for(input, elements); !in_texture(input) && words > max_input_words)
            throw Error(fmt::format("input {}: {} elements take {} bytes; the limit is {}", i, elements, 4 * words,
                                    4 * max_input_words));
    }
}

void check_values(const std::vector<std::string>& values) {
    if (values.size() > max_scene_values)
        throw Error(fmt::format("{} values; the limit is {}", values.size(), max_scene_values));
    for (std::size_t i = 0; i < values.size(); ++i) {
        try {
            check_name(values[i]);
        } catch (const Error& error) {
            throw Error(fmt::format("value {}: {}", i, error.what()));
        }
        check_new_name("values", values, i, std::identity{});
    }
}

bool in_texture(const SceneInput& input) {
    return input.medium == Medium::texture;
}

std::uint32_t elements_of(const SceneInput& input, std::uint32_t capacity) {
    return input.elements != 0 ? input.elements : capacity;
}

Stream input_stream(std::string name, const SceneInput& input, std::uint32_t capacity) {
    const bool texture = in_texture(input);
    const std::uint32_t elements = elements_of(input, capacity);
    // A stream has one record at least.
    const auto records =
        static_cast<std::uint32_t>(std::max<std::uint64_t>(texture ? elements : words_for(input, elements), 1));
    return {.name = std::move(name),
            .role = StreamRole::input,
            .medium = input.medium,
            .words = texture ? input.components : 1,
            .records = records,
            .layout = stream_layout(Layout::row_wise, records),
            .any_width = texture,
            .floats = texture && input.type == SceneInput::Type::f32};
}

std::uint64_t words_for(const SceneInput& input, std::uint32_t elements) {
    if (elements == 0) return 0;
    const std::uint64_t bytes = std::uint64_t{stride_of(input)} * (elements - 1) + input.offset +
                                std::uint64_t{input.components} * component_bytes(input.type);
    return (bytes + 3) / 4;
}

void declare_port_of_blocks(Kernel& kernel, const Port& port, std::size_t blocks) {
    if (blocks < 2) return kernel.inputs.push_back(port);
    for (std::size_t block = 0; block < blocks; ++block) {
        Port of_block = port;
        of_block.name += fmt::format("_of_{}", block);
        of_block.per_block = port.name;
        kernel.inputs.push_back(std::move(of_block));
    }
}

CallersData declare_data(Kernel& kernel, const std::vector<SceneInput>& inputs, const std::vector<std::string>& values,
                         std::size_t blocks) {
    std::vector<Parameter>& parameters = blocks != 0 ? kernel.block_parameters : kernel.parameters;
    CallersData data{inputs, values, kernel.inputs.size(), parameters.size(), blocks};
    for (std::size_t i = 0; i < inputs.size(); ++i)
        declare_port_of_blocks(kernel,
                               {.name = port_name(i),
                                .access = Access::gather,
                                .words = in_texture(inputs[i]) ? inputs[i].components : 1,
                                .elements = any_elements,
                                .by_fours = by_fours(data, inputs[i]),
                                .role = PortRole::other},
                               blocks);
    for (std::size_t i = 0; i < 4 * values.size(); ++i)
        parameters.push_back({fmt::format("value_{}", i)});
    return data;
}

std::string declarations(const CallersData& data) {
    std::string text;
    for (const SceneInput& input : data.inputs)
        text += fmt::format("{} {}_at(uint element);\n", type_of(input), input.name);
    for (const std::string& value : data.values)
        text += fmt::format("vec4 {}();\n", value);
    return text;
}

std::string definitions(const CallersData& data) {
    std::string text = half_functions(data.inputs);
    for (std::size_t i = 0; i < data.inputs.size(); ++i)
        text += input_function(data, i);
    std::size_t word = 0;
    for (const std::string& value : data.values) {
        text += fmt::format(
            "vec4 {0}() {{ return uintBitsToFloat(uvec4(glsort_op_value_{1}, glsort_op_value_{2}, "
            "glsort_op_value_{3}, glsort_op_value_{4})); }}\n",
            value, word, word + 1, word + 2, word + 3);
        word += 4;
    }
    return text;
}

std::uint32_t CpuElements::component(std::size_t number, std::uint32_t element, std::uint32_t place) const {
    const SceneInput& input = data_.inputs[number];
    const std::size_t port =
        data_.blocks == 0 ? data_.first_port + number : data_.first_port + data_.blocks * number + k_.block;
    if (in_texture(input)) return k_.read(port, element)[place];
    const std::uint64_t byte =
        std::uint64_t{element} * stride_of(input) + input.offset + std::uint64_t{place} * component_bytes(input.type);
    const auto word = static_cast<std::uint32_t>(byte / 4);
    if (byte % 4 == 0) return k_.read(port, word)[0] & (is_half(input) ? 0xffffu : 0xffffffffu);
    const std::uint32_t low = k_.read(port, word)[0] >> 16;
    return is_half(input) ? low : low | k_.read(port, word + 1)[0] << 16;
}

std::array<float, 4> CpuElements::floats(std::size_t number, std::uint32_t element) const {
    const SceneInput& input = data_.inputs[number];
    std::array<float, 4> all{0.0f, 0.0f, 0.0f, 1.0f};
    for (std::uint32_t i = 0; i < input.components; ++i) {
        const std::uint32_t bits = component(number, element, i);
        all[i] = is_half(input) ? float_of_half(bits) : std::bit_cast<float>(bits);
    }
    return all;
}

std::array<std::uint32_t, 4> CpuElements::uints(std::size_t number, std::uint32_t element) const {
    std::array<std::uint32_t, 4> all{0, 0, 0, 1};
    for (std::uint32_t i = 0; i < data_.inputs[number].components; ++i)
        all[i] = component(number, element, i);
    return all;
}

std::array<float, 4> CpuElements::value(std::size_t number) const {
    std::array<float, 4> all{};
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::size_t parameter = data_.first_parameter + 4 * number + i;
        all[i] = std::bit_cast<float>(data_.blocks == 0 ? k_.parameter(parameter) : k_.block_parameter(parameter));
    }
    return all;
}

float float_of_half(std::uint32_t half) {
    const std::uint32_t exponent = half >> 10 & 31;
    const std::uint32_t mantissa = half & 1023;
    const std::uint32_t sign = half >> 15 << 31;
    if (exponent == 0) return std::ldexp(static_cast<float>(mantissa), -24) * (sign != 0 ? -1.0f : 1.0f);
    return std::bit_cast<float>(sign | (exponent == 31 ? 255u : exponent + 112u) << 23 | mantissa << 13);
}

}  // namespace glsort::scene
