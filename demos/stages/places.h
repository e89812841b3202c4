#pragma once

#include <glsort/stream/program.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace glsort::demo {

/// Where keys stand in the sorted order: what colour and height mean in every view.
class Places {
  public:
    /// `keys`: of the input, raw bits, `key_words` each; `order` as the program sorts.
    Places(const StreamProgram& program, std::span<const std::uint32_t> keys);

    /// The place that element `words` of `stream` takes in the sorted order, 0 to n - 1; nothing where the stream
    /// holds no keys (counts, pointers, places in other streams) or the words are none of the input's keys. Of equal
    /// keys without an index next to them: the first place.
    std::optional<std::uint32_t> of(StreamId stream, std::span<const std::uint32_t> words) const;
    /// Whether the stream holds keys at all.
    bool holds_keys(StreamId stream) const;
    std::uint32_t count() const;
};

}  // namespace glsort::demo
