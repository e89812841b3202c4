#pragma once

#include <glsort/stream/program.h>

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace glsort::demo {

/// The places of keys in the sorted order, which give colour and height in every view.
///
/// Keys occur in three forms. Keys are raw bits in the caller's streams, and in streams that transfers copy from or to
/// these streams. In some streams of scenes the raw bits are followed by the key's index in the input. Elsewhere keys
/// are parts of elements: the code of a key, high word first, and the index. Long keys may have only the high word. A
/// pair of words counts as an element if one word is an index and the other is the code of that key. Other data hardly
/// ever matches by accident.
class Places {
  public:
    /// `keys`: raw bits of the input's keys, one for each element of the program. The program's order applies. `shown`:
    /// of a scene, the indices of the visible elements. The sort of a scene counts these alone.
    Places(const StreamProgram& program, std::span<const std::uint32_t> keys, std::vector<std::uint32_t> shown = {});

    /// The place, 0 to n - 1, of element `words` of `stream` in the sorted order. Nothing if the stream has no keys
    /// (but counts, pointers or places), or if the words are not a key of the input. Equal keys without an index have
    /// the place of the first equal key.
    std::optional<std::uint32_t> of(StreamId stream, std::span<const std::uint32_t> words) const;
    /// The index in the input of element `words`. Nothing under the conditions of the place. Keys without an index have
    /// the index of the first equal key.
    std::optional<std::uint32_t> index_of(StreamId stream, std::span<const std::uint32_t> words) const;
    /// The place of element `index` of the input.
    std::uint32_t of_index(std::uint32_t index) const { return place_[index]; }
    /// The place of the i-th element that is sorted: of a scene, the i-th visible element.
    std::uint32_t of_sorted(std::uint32_t i) const { return place_[shown_.empty() ? i : shown_[i]]; }
    /// Whether the keys at two places are equal.
    bool equal_keys(std::uint32_t a, std::uint32_t b) const { return raw_[sorted_[a]] == raw_[sorted_[b]]; }
    /// Whether the stream has keys: a stream of the caller has, and a stream to which an op was seen to write keys.
    bool holds_keys(StreamId stream) const { return holds_[stream] != Holds::other; }
    std::uint32_t count() const { return static_cast<std::uint32_t>(place_.size()); }

    /// Learns the contents of a scratch stream from the words that an op has written there.
    void see(StreamId stream, std::span<const std::uint32_t> written);

    /// The index of an element as kernels compare elements (OpTrace). Nothing if the words are not an element of the
    /// input.
    std::optional<std::uint32_t> index_of_record(std::span<const std::uint32_t> words) const;

  private:
    std::optional<std::uint32_t> index_with_code(std::uint32_t number, std::uint64_t code, int shift) const;

    enum class Holds { other, keys, indexed_keys, indices, records };

    std::uint32_t key_words_;
    std::vector<Holds> holds_;                                // by StreamId
    std::vector<std::uint32_t> words_of_;                     // words of an element, by StreamId
    std::vector<std::uint64_t> codes_;                        // by index in the input
    std::vector<std::uint32_t> shown_;                        // of a scene: indices of visible elements
    std::vector<std::uint64_t> raw_;                          // raw bits, by index in the input
    std::vector<std::uint32_t> place_;                        // by index in the input
    std::vector<std::uint32_t> sorted_;                       // indices, by place
    std::unordered_map<std::uint64_t, std::uint32_t> first_;  // index of the first of equal keys, by raw bits
};

}  // namespace glsort::demo
