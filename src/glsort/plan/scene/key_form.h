#pragma once

#include <glsort/spec.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// The form in which the sort gets the keys of a scene.

namespace glsort::scene {

/// In place of the number of an item.
constexpr std::uint32_t no_item = 0xffffffffu;

/// The numbers of a quantisation in one sort: parameters of the ops that call `sort_key`.
struct DepthRange {
    float nearest = 0.0f;
    float farthest = 0.0f;
    float origin = 0.0f;  ///< The measure of the nearest depth. The measure is depth, or 1 / depth.
    float factor = 0.0f;  ///< 1 divided by the difference of the measures of farthest and nearest.
};

/// What becomes of the key that `sort_key` gives.
struct KeyForm {
    KeyType key = KeyType::f32;
    /// Bits of a quantised key; 0: the sort gets the bits of the key as they are.
    std::uint32_t code_bits = 0;
    bool reciprocal = false;
    /// Whether quantised keys descend. Their codes are counted from the other end, so that the sort always ascends.
    bool descending = false;
    /// Low bits of the word that hold the number of the item, below a quantised key. 0: the number travels beside the
    /// key.
    std::uint32_t item_bits = 0;

    bool quantised() const { return code_bits != 0; }
    bool packed() const { return item_bits != 0; }
    /// 32-bit words of a key.
    std::uint32_t words() const { return key_bytes(key) / 4; }
    /// The key of an invisible item. `marked`: no visible item has this key.
    static constexpr std::uint32_t invisible_key = 0xffffffffu;
    bool marked() const { return quantised() ? code_bits < 32 : key == KeyType::f32; }
    /// Words of a key in a texture that also tells whether the item is visible.
    std::uint32_t words_with_visibility() const { return words() + (marked() ? 0 : 1); }
    /// Whether an item is visible. `keyed`: the words of the item in such a texture.
    bool is_visible(const std::array<std::uint32_t, 4>& keyed) const {
        return marked() ? keyed[0] != invisible_key : keyed[words()] != 0;
    }
    std::uint32_t max_code() const { return 0xffffffffu >> (32 - code_bits); }
    /// The order that the sort needs, apart from the range of bits.
    SortOrder order(Direction direction) const;
    /// The bits that differ between keys.
    BitRange bits() const { return {item_bits, item_bits + code_bits}; }

    /// Preprocessor definitions for shaders/scene/stored_key.glsl.
    std::vector<std::pair<std::string, std::string>> defines() const;
};

KeyForm key_form(const SceneSpec& spec);

/// The `DepthRange` of one sort. `nearest` is below `farthest`.
DepthRange depth_range(const SceneQuantisation& quantisation, float nearest, float farthest);

/// The specification of shaders/scene/stored_key.glsl: the code of a depth.
std::uint32_t code_of_depth(const KeyForm& form, const DepthRange& range, float depth);

}  // namespace glsort::scene
