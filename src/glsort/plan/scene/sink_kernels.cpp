#include <fmt/format.h>

#include <glsort/error.h>
#include <glsort/plan/scene/scene_access.h>
#include <glsort/plan/scene/scene_items.h>
#include <glsort/plan/scene/sink_kernels.h>
#include <glsort/stream/cpu_invocation.h>

#include <array>
#include <memory>
#include <string>
#include <utility>

namespace glsort::scene {
namespace {

/// Inputs of all kernels, and further inputs.
enum : std::size_t { sorted_port, status_port, first_port };

constexpr Element nothing{no_item, no_item, no_item, no_item};

Port gathered(std::string name, std::uint32_t words, std::uint32_t elements) {
    return {.name = std::move(name),
            .access = Access::gather,
            .words = words,
            .elements = elements,
            .role = PortRole::other};
}

/// A kernel that has the order as its first input, and one output.
Kernel kernel_of_order(const char* name, const SortedForm& form, Port output) {
    Kernel kernel;
    kernel.name = name;
    kernel.inputs = {gathered("sorted", form.words(), 1), gathered("scene_status", 1, 1)};
    kernel.outputs = {std::move(output)};
    kernel.outputs.front().role = PortRole::other;
    kernel.defines = {{"GLSORT_SORTED_WORDS", std::to_string(form.words())}};
    if (form.key.packed()) kernel.defines.emplace_back("GLSORT_ITEM_BITS", literal(form.key.item_bits));
    return kernel;
}

/// A kernel that writes to a buffer.
Kernel kernel_of_buffer(const char* name, const SortedForm& form, Port output) {
    Kernel kernel = kernel_of_order(name, form, std::move(output));
    if (!form.in_texture) kernel.defines.emplace_back("GLSORT_VISIBLE_ONLY", "1");
    return kernel;
}

bool is_visible(CpuInvocation& k, std::uint32_t place) {
    return place < k.read(status_port, 0)[0];
}

std::uint32_t item_at(CpuInvocation& k, const SortedForm& form, std::uint32_t place) {
    const Element sorted = k.read(sorted_port, place);
    return form.key.packed() ? sorted[0] & ((1u << form.key.item_bits) - 1) : sorted[form.words() - 1];
}

/// Sources and elements of items, as `item_function` in GLSL.
std::string own_item_function(const SceneSpec& spec) {
    return item_function(spec.sources, "glsort_scene_item");
}

/// Index `number` of the caller's index buffer.
std::uint32_t index_at(CpuInvocation& k, SceneInput::Type type, std::uint32_t number) {
    if (type == SceneInput::Type::u32) return k.read(first_port, number)[0];
    const std::uint32_t word = k.read(first_port, number / 2)[0];
    return number % 2 == 0 ? word & 0xffff : word >> 16;
}

void write_texel(CpuInvocation& k, const SortedForm& form, SceneTexture::Form texture) {
    if (texture == SceneTexture::Form::four_items) {
        Element items{};
        for (std::uint32_t i = 0; i < 4; ++i) {
            const std::uint32_t place = 4 * k.instance + i;
            items[i] = is_visible(k, place) ? item_at(k, form, place) : no_item;
        }
        return k.write(0, 0, items);
    }
    const bool visible = is_visible(k, k.instance);
    if (texture == SceneTexture::Form::items) return k.write(0, 0, {visible ? item_at(k, form, k.instance) : no_item});
    const std::uint32_t key_words = form.key.words();
    Element texel{};
    texel[key_words] = no_item;
    if (visible) {
        const bool beside = form.has_keys || form.key.packed();  // The key is part of what the sort wrote.
        texel = k.read(beside ? sorted_port : first_port, k.instance);
        if (form.key.packed()) texel[0] >>= form.key.item_bits;
        texel[key_words] = item_at(k, form, k.instance);
    }
    k.write(0, 0, texel);
}

}  // namespace

KernelPtr order_kernel(const SortedForm& form) {
    Kernel kernel = kernel_of_buffer("scene_order", form, {.name = "order"});
    kernel.cpu = [form](CpuInvocation& k) {
        if (is_visible(k, k.instance))
            k.write(0, 0, {item_at(k, form, k.instance)});
        else if (form.in_texture)
            k.write(0, 0, nothing);
    };
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr triangles_kernel(const SortedForm& form, const SceneSpec& spec) {
    Kernel kernel = kernel_of_buffer("scene_triangles", form, {.name = "triangles", .words = spec.triangles->corners});
    const SceneInput::Type type = spec.triangles->type;
    const std::uint32_t corner_count = spec.triangles->corners;
    kernel.inputs.push_back(gathered("indices", 1, corner_count));
    kernel.defines.emplace_back("GLSORT_CORNERS", std::to_string(corner_count));
    for (std::size_t i = 0; i < spec.sources.size(); ++i) {
        kernel.parameters.push_back({fmt::format("first_index_{}", i)});
        kernel.parameters.push_back({fmt::format("base_vertex_{}", i)});
    }
    if (type == SceneInput::Type::u16) kernel.defines.emplace_back("GLSORT_SHORT_INDICES", "1");
    kernel.source = own_item_function(spec);
    kernel.body = "scene_triangles";
    kernel.cpu = [form, type, corner_count, sources = spec.sources](CpuInvocation& k) {
        if (!is_visible(k, k.instance)) {
            if (form.in_texture) k.write(0, 0, nothing);
            return;
        }
        const SceneItem item = item_of(sources, item_at(k, form, k.instance));
        const std::uint32_t first = k.parameter(2 * item.source) + corner_count * item.element;
        const std::uint32_t base_vertex = k.parameter(2 * item.source + 1);
        Element corners{};
        for (std::uint32_t i = 0; i < corner_count; ++i)
            corners[i] = index_at(k, type, first + i) + base_vertex;
        k.write(0, 0, corners);
    };
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr texture_kernel(const SortedForm& form, const SceneSpec& spec) {
    using Form = SceneTexture::Form;
    const Form texture = spec.texture->form;
    const std::uint32_t words = texture == Form::items ? 1 : texture == Form::four_items ? 4 : form.key.words() + 1;
    Kernel kernel = kernel_of_order("scene_texture", form, {.name = "texel", .words = words});
    if (texture == Form::four_items) kernel.inputs[sorted_port].elements = 4;
    if (texture == Form::four_items) kernel.defines.emplace_back("GLSORT_FOUR_ITEMS", "1");
    if (texture == Form::keys_and_items) {
        kernel.defines.emplace_back("GLSORT_KEY_WORDS", std::to_string(form.key.words()));
        if (!form.has_keys && !form.key.packed()) kernel.inputs.push_back(gathered("keys", form.key.words(), 1));
    }
    kernel.cpu = [form, texture](CpuInvocation& k) { write_texel(k, form, texture); };
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr result_kernel(const SortedForm& form, const SceneSpec& spec, const SceneResult& result) {
    Kernel kernel = kernel_of_buffer("scene_result", form, {.name = "result", .words = 4, .elements = result.vectors});
    kernel.elements_per_instance = result.vectors;
    const CallersData data = declare_data(kernel, result.inputs, result.values);
    kernel.defines.emplace_back("GLSORT_VECTORS", std::to_string(result.vectors));
    kernel.prelude = {
        .kind = "result",
        .name = result.name,
        .text = result.sort_result,
        .declarations = declarations(data) + "uvec2 scene_item(uint item);\n",
        .function = fmt::format("void sort_result(uint item, out uvec4 words[{}])", result.vectors),
        .trial = fmt::format("bool glsort_trial() {{ uvec4 words[{}]; sort_result(uint(gl_FragCoord.x), words); "
                             "return words[0].x == 0u; }}\n",
                             result.vectors)};
    kernel.source = item_function(spec.sources, "scene_item") + definitions(data);
    kernel.body = "scene_result";
    kernel.cpu = [form, result, data](CpuInvocation& k) {
        const bool visible = is_visible(k, k.instance);
        if (!visible && !form.in_texture) return;
        std::array<Element, 4> words{nothing, nothing, nothing, nothing};
        if (visible) {
            if (!result.host)
                throw Error(fmt::format("result {} has no host function, which the cpu backend needs", result.name));
            result.host(CpuElements(k, data), item_at(k, form, k.instance), words);
        }
        for (std::uint32_t i = 0; i < result.vectors; ++i)
            k.write(0, i, words[i]);
    };
    return std::make_shared<Kernel>(std::move(kernel));
}

}  // namespace glsort::scene
