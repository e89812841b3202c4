#include "key_scene.h"

#include <fmt/format.h>

#include <cmath>

namespace glsort::demo {
namespace {

const char* key_in_glsl(KeyType key) {
    switch (key) {
        case KeyType::f32:
            return "float";
        case KeyType::i32:
            return "int";
        case KeyType::u32:
            return "uint";
        default:
            return "uvec2";
    }
}

}  // namespace

bool is_shown(double visible, std::uint64_t seed, std::size_t element) {
    if (visible >= 1) return true;
    // SplitMix64: neighbouring elements get unrelated numbers.
    std::uint64_t number = seed + 0x9e3779b97f4a7c15u * (element + 1);
    number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9u;
    number = (number ^ (number >> 27)) * 0x94d049bb133111ebu;
    number ^= number >> 31;
    return std::ldexp(static_cast<double>(number >> 11), -53) < visible;
}

std::vector<SceneSource> divided(const SceneSource& source, std::uint32_t count, std::uint32_t sources) {
    std::vector<SceneSource> parts(sources, source);
    for (std::uint32_t i = 0; i < sources; ++i)
        parts[i].capacity = count / sources + (i < count % sources ? 1 : 0);
    return parts;
}

SceneSource source_of_keys(KeyType key, bool marked) {
    SceneSource source;
    source.inputs = {{.name = "key", .type = SceneInput::Type::u32, .components = key_bytes(key) / 4}};
    if (marked) source.inputs.push_back({.name = "drawn", .type = SceneInput::Type::u32, .components = 1});
    const char* value = key == KeyType::f32   ? "uintBitsToFloat(key_at(element).x)"
                        : key == KeyType::i32 ? "int(key_at(element).x)"
                        : key == KeyType::u32 ? "key_at(element).x"
                                              : "key_at(element).xy";
    source.sort_key = fmt::format("bool sort_key(uint element, out {} key) {{\n    key = {};\n    return {};\n}}\n",
                                  key_in_glsl(key), value, marked ? "drawn_at(element).x != 0u" : "true");
    source.host = [marked](const SceneElements& elements, std::uint32_t element, std::array<std::uint32_t, 2>& words) {
        const auto found = elements.uints(0, element);
        words = {found[0], found[1]};
        return !marked || elements.uints(1, element)[0] != 0;
    };
    return source;
}

}  // namespace glsort::demo
