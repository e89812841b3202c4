#pragma once

#include <glsort/planner.h>
#include <glsort/stream/kernel.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace glsort {

/// What the ops of a sort rearrange, and its order: the code of a key (key_code.h), high word first, then,
/// where there is a payload, the index of the key in the input, or the value itself. shaders/lib/record.glsl is its
/// GLSL.
///
/// Where a record has no room for all of the key, or a comparison of the caller's decides, what is missing
/// is looked up: by the index, in the caller's keys.
class RecordType {
  public:
    enum class Lookup {
        none,
        low_word,  ///< The low word of the code, to decide between equal high words.
        all,       ///< The whole key, for the caller's comparison: a record is the index alone.
    };

    /// What an algorithm takes.
    enum class Form {
        full,      ///< The whole code, and an index where there is a payload.
        indexed,   ///< The whole code, and always an index: no two records are equal.
        narrow,    ///< At most one word of code, and always an index.
        carrying,  ///< As `full`, but for a caller's value of 4 bytes, which takes the place of the index. Then equal
                   ///< codes have no order: the algorithm must keep them in theirs.
    };

    /// What `request` asks for.
    static RecordType of(const PlanRequest& request, Form form = Form::full);

    /// Whether an order needs the caller's keys: then every kernel that compares has a port for them.
    bool looks_up() const { return lookup_ != Lookup::none; }
    Lookup lookup() const { return lookup_; }
    std::uint32_t code_words() const { return code_words_; }  ///< 32-bit words of code: 0, 1 or 2.
    /// The same with an index, of something, behind the code.
    RecordType with_index() const {
        RecordType type = *this;
        type.indexed_ = true;
        type.carries_value_ = false;
        return type;
    }
    /// The code of a record, of one word or two.
    std::uint64_t code_of(const Element& record) const {
        return code_words_ == 2 ? std::uint64_t{record[0]} << 32 | record[1] : record[0];
    }
    /// Whether a word follows the code: an index, or a value.
    bool indexed() const { return indexed_; }
    bool carries_value() const { return carries_value_; }
    /// The caller's, which orders the keys; null where their codes do.
    const std::shared_ptr<const Comparison>& comparison() const { return comparison_; }
    std::uint32_t words() const { return code_words_ + (indexed_ ? 1 : 0); }

    /// A port whose elements are such records.
    Port port(std::string name, Access access, std::uint32_t elements, PortRole role = PortRole::elements) const {
        return {.name = std::move(name), .access = access, .words = words(), .elements = elements, .role = role};
    }

    /// Makes `kernel` one of such records: definitions, `record.glsl`, order, and the last of its input
    /// ports, `input_keys`, if `compares` and that needs a look-up. Call once the other ports are there.
    void declare_in(Kernel& kernel, bool compares = true) const;

  private:
    std::uint32_t code_words_ = 1;
    bool indexed_ = true;
    bool carries_value_ = false;
    Lookup lookup_ = Lookup::none;
    std::uint32_t key_words_ = 1;
    KeyType key_ = KeyType::u32;
    Direction direction_ = Direction::ascending;
    std::shared_ptr<const Comparison> comparison_;
};

/// 32-bit words of a key.
std::uint32_t key_words(const PlanRequest& request);

/// The words of a key as they lie in memory, low word first, as its code, high word first; and back.
Element encoded(KeyType key, Direction direction, const Element& bits);
Element decoded(KeyType key, Direction direction, const Element& code);

/// What key_code.glsl needs to be told.
std::vector<std::pair<std::string, std::string>> key_defines(KeyType key, Direction direction);

}  // namespace glsort
