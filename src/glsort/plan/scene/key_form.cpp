#include <glsort/plan/scene/key_form.h>
#include <glsort/plan/scene/scene_program.h>
#include <glsort/stream/kernel.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace glsort::scene {
namespace {

/// What a quantisation divides into equal steps.
float measure_of(bool reciprocal, float depth) {
    return reciprocal ? 1.0f / depth : depth;
}

}  // namespace

SortOrder KeyForm::order(Direction direction) const {
    return quantised() ? SortOrder{.key = KeyType::u32} : SortOrder{.key = key, .direction = direction};
}

std::vector<std::pair<std::string, std::string>> KeyForm::defines() const {
    std::vector<std::pair<std::string, std::string>> defines;
    if (quantised()) {
        defines.emplace_back("GLSORT_MAX_CODE", literal(max_code()));
        defines.emplace_back("GLSORT_CODES", std::to_string(std::uint64_t{1} << code_bits) + ".0");
    }
    if (reciprocal) defines.emplace_back("GLSORT_RECIPROCAL", "1");
    if (descending) defines.emplace_back("GLSORT_DESCENDING", "1");
    return defines;
}

KeyForm key_form(const SceneSpec& spec) {
    KeyForm form{.key = spec.key};
    if (!spec.quantisation) return form;
    form.code_bits = spec.quantisation->key_bits;
    form.reciprocal = spec.quantisation->scale == SceneQuantisation::Scale::reciprocal;
    form.descending = spec.direction == Direction::descending;
    const auto of_items = static_cast<std::uint32_t>(std::bit_width(std::max(items_of(spec) - 1, 1u)));
    if (form.code_bits + of_items <= 32) form.item_bits = of_items;
    return form;
}

DepthRange depth_range(const SceneQuantisation& quantisation, float nearest, float farthest) {
    const bool reciprocal = quantisation.scale == SceneQuantisation::Scale::reciprocal;
    const float origin = measure_of(reciprocal, nearest);
    return {nearest, farthest, origin, 1.0f / (measure_of(reciprocal, farthest) - origin)};
}

std::uint32_t code_of_depth(const KeyForm& form, const DepthRange& range, float depth) {
    const float inside = !(depth >= range.nearest) ? range.nearest : std::min(depth, range.farthest);
    const float part = (measure_of(form.reciprocal, inside) - range.origin) * range.factor;
    const std::uint32_t code =
        part >= 1.0f ? form.max_code() : static_cast<std::uint32_t>(std::ldexp(part, static_cast<int>(form.code_bits)));
    return form.descending ? form.max_code() - code : code;
}

}  // namespace glsort::scene
