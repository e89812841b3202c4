#include <fmt/format.h>

#include <glsort/error.h>
#include <glsort/plan/scene/scene_access.h>
#include <glsort/plan/scene/sort_key.h>
#include <glsort/stream/cpu_invocation.h>

#include <array>
#include <utility>

namespace glsort::scene {
namespace {

/// The type `K` of `sort_key`, and the function that returns the key's bits.
std::pair<const char*, const char*> key_in_glsl(KeyType key) {
    switch (key) {
        case KeyType::f32:
            return {"float", "floatBitsToUint"};
        case KeyType::i32:
            return {"int", "uint"};
        case KeyType::u32:
            return {"uint", "uint"};
        default:
            return {"uvec2", "uvec2"};
    }
}

}  // namespace

void declare_sort_key(Kernel& kernel, const SceneSource& source, KeyType key) {
    for (std::size_t i = 0; i < source.inputs.size(); ++i)
        kernel.inputs.push_back(input_port(i));
    const auto [type, bits] = key_in_glsl(key);
    for (std::size_t i = 0; i < 4 * source.values.size(); ++i)
        kernel.parameters.push_back({fmt::format("value_{}", i)});
    kernel.defines.emplace_back("GLSORT_SCENE_KEY", type);
    kernel.defines.emplace_back("GLSORT_SCENE_KEY_BITS", bits);
    kernel.prelude = {.kind = "source",
                      .name = source.name,
                      .text = source.sort_key,
                      .declarations = declarations(source),
                      .function = fmt::format("bool sort_key(uint element, out {} key)", type),
                      .trial = fmt::format("bool glsort_trial() {{ {} key; return sort_key(uint(gl_FragCoord.x), key); "
                                           "}}\n",
                                           type)};
    kernel.source = definitions(source);
}

std::optional<Element> sort_key(CpuInvocation& k, const SceneSource& source, std::uint32_t element) {
    if (!source.host)
        throw Error(fmt::format("source {} has no host function, which the cpu backend needs", source.name));
    std::array<std::uint32_t, 2> key{};
    if (!source.host(CpuElements(k, source), element, key)) return std::nullopt;
    return Element{key[0], key[1]};
}

}  // namespace glsort::scene
