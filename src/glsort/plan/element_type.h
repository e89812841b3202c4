#pragma once

#include <glsort/base/browser.h>
#include <glsort/planner.h>
#include <glsort/stream/kernel.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace glsort {

/// The type of the elements that the ops of a sort rearrange, and the order of the elements. An element is the code of
/// a key (key_code.h), high word first. With a payload, the key's index in the input follows, or the value itself.
/// shaders/lib/element.glsl is the GLSL version.
///
/// An element may lack a part of its key. A comparison of the caller may also need the whole key. The kernel then looks
/// the key up: the kernel reads the caller's keys at the element's index.
///
/// A sort may compare only some bits of the keys (`SortOrder::bits`), except in the browser. In `Form::full`, the other
/// bits of the code are then zero, and an index follows in a word of its own. If the compared bits of a 32-bit key and
/// the index have at most 32 bits together, both share one word, with the index in the lowest bits. The store chunk
/// reads the keys at the index. Algorithms with other forms get whole codes, and select the bits themselves.
class ElementType {
  public:
    enum class Lookup {
        none,
        low_word,  ///< The low word of the code, if high words are equal.
        all,       ///< The whole key, for the caller's comparison. An element is only the index.
    };

    /// Which elements an algorithm takes.
    enum class Form {
        /// The whole code, and an index if there is a payload. For a range of bits: these bits of the code alone, and
        /// always an index.
        full,
        /// The whole code, and always an index. No two elements are equal.
        indexed,
        /// At most one word of code, and always an index.
        narrow,
        /// As `full`, but a caller's value of 4 bytes takes the place of the index. Equal codes then have no order, so
        /// the algorithm must be stable.
        key_value,
    };

    /// The type for `request`.
    static ElementType of(const PlanRequest& request, Form form = Form::full);

    /// Whether comparisons need the caller's keys. If so, every kernel that compares has an input port for the keys.
    bool looks_up() const { return lookup_ != Lookup::none; }
    /// The compared bits, if elements have no other bits of the code. Otherwise null, as in all builds for the browser.
    const BitRange* compared_bits() const { return !in_browser && compared_ ? &*compared_ : nullptr; }
    /// The bits of an index that shares its word with the code. 0: an index has its own word.
    std::uint32_t index_bits() const { return compared_bits() ? index_bits_ : 0; }
    /// Whether the store chunk reads the caller's keys, since elements lack a part of the key.
    bool lacks_key() const { return looks_up() || compared_bits(); }
    /// The element for a code, and for the index or value that follows the code.
    Element element(Element code, std::uint32_t following) const;
    /// The index of an element, or the value that takes its place.
    std::uint32_t index_of(const Element& element) const {
        return index_bits() != 0 ? element[0] & ((1u << index_bits()) - 1) : element[code_words_];
    }
    std::uint32_t code_words() const { return code_words_; }  ///< 32-bit words of code: 0, 1 or 2.
    /// This type with an index after the code, whatever the index refers to.
    ElementType with_index() const {
        ElementType type = *this;
        type.indexed_ = true;
        type.carries_value_ = false;
        return type;
    }
    /// The code of an element, of one or two words.
    std::uint64_t code_of(const Element& element) const {
        return code_words_ == 2 ? std::uint64_t{element[0]} << 32 | element[1] : element[0];
    }
    /// Whether a word follows the code: an index or a value.
    bool indexed() const { return indexed_; }
    bool carries_value() const { return carries_value_; }
    /// The caller's comparison. Null: codes order the keys.
    const std::shared_ptr<const Comparison>& comparison() const { return comparison_; }
    std::uint32_t words() const { return code_words_ + (indexed_ ? 1 : 0); }

    /// A port for elements of this type.
    Port port(std::string name, Access access, std::uint32_t elements, PortRole role = PortRole::elements) const {
        return {.name = std::move(name), .access = access, .words = words(), .elements = elements, .role = role};
    }

    /// Declares that `kernel` works on elements of this type: adds definitions, `element.glsl` and the order. If
    /// `compares` and comparisons look keys up, adds `input_keys` as the last input port. Call after all other ports
    /// are declared.
    void declare_in(Kernel& kernel, bool compares = true) const;

    /// Sorts elements in the cpu body of a kernel, by the kernel's order. Any comparison gives some order.
    void sort(CpuInvocation& k, std::vector<Element>& elements) const;

  private:
    std::uint32_t code_words_ = 1;
    bool indexed_ = true;
    bool carries_value_ = false;
    Lookup lookup_ = Lookup::none;
    std::optional<BitRange> compared_;
    std::uint32_t index_bits_ = 0;
    std::uint32_t key_words_ = 1;
    KeyType key_ = KeyType::u32;
    Direction direction_ = Direction::ascending;
    std::shared_ptr<const Comparison> comparison_;
};

/// 32-bit words of a key.
std::uint32_t key_words(const PlanRequest& request);

/// `encoded` converts a key to its code. The words of a key begin with the low word, as in memory. The words of a code
/// begin with the high word. The other function converts back.
Element encoded(KeyType key, Direction direction, const Element& bits);
Element decoded(KeyType key, Direction direction, const Element& code);

/// A mask of bits `first` to `end` - 1.
inline std::uint64_t mask_of(const BitRange& bits) {
    return (~std::uint64_t{0} >> (64 - (bits.end - bits.first))) << bits.first;
}

/// The definitions that key_code.glsl needs.
std::vector<std::pair<std::string, std::string>> key_defines(KeyType key, Direction direction);

}  // namespace glsort
