#include <fmt/format.h>

#include <glsort/error.h>
#include <glsort/plan/scene/scene_access.h>
#include <glsort/plan/scene/sort_key.h>
#include <glsort/stream/cpu_invocation.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace glsort::scene {
namespace {

/// The type `K` of `sort_key`, and the function that returns the key's bits.
std::pair<const char*, const char*> key_in_glsl(KeyType key) {
    switch (key) {
        case KeyType::f32:
            return {"float", "glsort_float_bits"};
        case KeyType::i32:
            return {"int", "uint"};
        case KeyType::u32:
            return {"uint", "uint"};
        default:
            return {"uvec2", "uvec2"};
    }
}

/// `sources`: one for each block, or the source of the whole op.
StoredKey declare(Kernel& kernel, const std::vector<SceneSource>& sources, const KeyForm& form,
                  const CallersData& data) {
    const SceneSource& source = sources.front();
    const std::size_t first_depth = kernel.parameters.size();
    const auto [type, bits] = key_in_glsl(form.key);
    if (form.quantised())
        for (const char* name : {"nearest", "farthest", "origin", "factor"})
            kernel.parameters.push_back({name});
    kernel.defines.emplace_back("GLSORT_SCENE_KEY", type);
    kernel.defines.emplace_back("GLSORT_SCENE_KEY_BITS", bits);
    for (auto& define : form.defines())
        kernel.defines.push_back(std::move(define));
    kernel.prelude = {.kind = "source",
                      .name = source.name,
                      .text = source.sort_key,
                      .declarations = declarations(data),
                      .function = fmt::format("bool sort_key(uint element, out {} key)", type),
                      .trial = fmt::format("bool glsort_trial() {{ {} key; return sort_key(uint(gl_FragCoord.x), key); "
                                           "}}\n",
                                           type)};
    kernel.source = definitions(data);
    return [sources, form, data, first_depth](CpuInvocation& k, std::uint32_t element) -> std::optional<Element> {
        const SceneSource& called = sources[data.blocks != 0 ? k.block : 0];
        if (!called.host)
            throw Error(fmt::format("source {} has no host function, which the cpu backend needs", called.name));
        std::array<std::uint32_t, 2> key{};
        if (!called.host(CpuElements(k, data), element, key)) return std::nullopt;
        if (!form.quantised())
            return form.key == KeyType::f32 ? Element{std::min(key[0], KeyForm::invisible_key - 1)}
                                            : Element{key[0], key[1]};
        const auto number = [&](std::size_t i) { return std::bit_cast<float>(k.parameter(first_depth + i)); };
        return Element{code_of_depth(form, {number(0), number(1), number(2), number(3)}, std::bit_cast<float>(key[0]))};
    };
}

}  // namespace

StoredKey declare_sort_key(Kernel& kernel, const SceneSource& source, const KeyForm& form) {
    return declare(kernel, {source}, form, declare_data(kernel, source.inputs, source.values));
}

StoredKey declare_sort_keys(Kernel& kernel, const std::vector<SceneSource>& sources, const KeyForm& form) {
    const SceneSource& source = sources.front();
    return declare(kernel, sources, form, declare_data(kernel, source.inputs, source.values, sources.size()));
}

bool alike(const SceneSource& a, const SceneSource& b) {
    return a.sort_key == b.sort_key && a.inputs == b.inputs && a.values == b.values && a.gpu_count == b.gpu_count &&
           a.gpu_count_medium == b.gpu_count_medium;
}

}  // namespace glsort::scene
