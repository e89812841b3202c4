#pragma once

#include <glsort/stream/program.h>

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace glsort::demo {

/// Where keys stand in the sorted order: what colour and height mean in every view.
///
/// Keys are found in two forms: as the caller gave them, in his streams and where transfers bring those as they are;
/// and as records, the code of a key, high word first, and the key's index in the input (of long keys perhaps the high
/// word alone). A pair of words of which one names an element and the other is that element's code is no accident.
class Places {
  public:
    /// `keys`: of the input, raw bits, as many as the program sorts; ordered as it orders them.
    Places(const StreamProgram& program, std::span<const std::uint32_t> keys);

    /// The place that element `words` of `stream` takes in the sorted order, 0 to n - 1; nothing where the stream
    /// holds no keys (counts, pointers, places in other streams) or the words are none of the input's keys. Of equal
    /// keys without an index next to them: the first place.
    std::optional<std::uint32_t> of(StreamId stream, std::span<const std::uint32_t> words) const;
    /// The index in the input of element `words`, under the same conditions; of keys without an index, of the first.
    std::optional<std::uint32_t> index_of(StreamId stream, std::span<const std::uint32_t> words) const;
    /// The place that element `index` of the input takes.
    std::uint32_t of_index(std::uint32_t index) const { return place_[index]; }
    /// Whether the stream holds keys at all: it is the caller's, or it was seen to.
    bool holds_keys(StreamId stream) const { return holds_[stream] != Holds::other; }
    std::uint32_t count() const { return static_cast<std::uint32_t>(place_.size()); }

    /// Learns what a stream of the library's holds, from the records that an op has written to it (`written`, words).
    void see(StreamId stream, std::span<const std::uint32_t> written);

    /// The index of a record, as kernels compare them (OpTrace); nothing where it is none of the input's.
    std::optional<std::uint32_t> index_of_record(std::span<const std::uint32_t> words) const;

  private:
    enum class Holds { other, keys, records };

    std::uint32_t key_words_;
    std::vector<Holds> holds_;                                // by StreamId
    std::vector<std::uint32_t> words_of_;                     // words of an element, by StreamId
    std::vector<std::uint64_t> codes_;                        // by index in the input
    std::vector<std::uint32_t> place_;                        // by index in the input
    std::vector<std::uint32_t> sorted_;                       // indices, by place
    std::unordered_map<std::uint64_t, std::uint32_t> first_;  // index of the first of equal keys, by raw bits
};

}  // namespace glsort::demo
