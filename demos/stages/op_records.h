#pragma once

#include <glsort/stream/first_input.h>
#include <glsort/stream/program.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "moment.h"

namespace glsort::demo {

/// Whether an op's kernel reads or writes at a port of that role. Ignores load and store chunks.
bool reads(const Op& op, PortRole role);
bool writes(const Op& op, PortRole role);

/// The stream that an op reads or writes at its first port of that role.
std::optional<StreamId> stream_read(const Op& op, PortRole role);
std::optional<StreamId> stream_written(const Op& op, PortRole role);

/// Element `index` of a stream whose content is `words`. Zeros past its end.
Element element_of(const Stream& stream, const std::vector<std::uint32_t>& words, std::uint32_t index);

/// The place of an element's key in the sorted order (Places).
std::optional<std::uint32_t> place_of(const Moment& moment, StreamId stream, const std::vector<std::uint32_t>& words,
                                      std::uint32_t index);

/// The records that the last op moves: its kernel's input 0 and output 0. If a load or store chunk replaces a port, the
/// records are in the caller's streams.
class OpRecords {
  public:
    /// Nothing if there is no last op, or if the op has no input or output.
    static std::optional<OpRecords> of(const Moment& moment);

    /// The streams that have the keys.
    StreamId source() const { return source_; }
    StreamId target() const { return target_; }

    /// The number of elements read and written, up to n.
    std::uint32_t read() const { return read_; }
    std::uint32_t written() const { return written_; }

    std::optional<std::uint32_t> place_read(std::uint32_t element) const;
    std::optional<std::uint32_t> place_written(std::uint32_t element) const;
    /// An element as the kernel reads the element. A load chunk converts the caller's keys.
    Element loaded(std::uint32_t element) const;
    /// Whether the origin of elements is known: elements have an index, and as many are read as written.
    bool followed() const;
    /// The index at which a written element was read.
    std::uint32_t origin(std::uint32_t element) const;

  private:
    OpRecords(const Moment& moment, const Op& op);

    const Moment* moment_;
    const Op* op_;
    StreamId source_;
    StreamId target_;
    StreamId target_index_;  ///< The stream whose elements end with the index.
    std::uint32_t read_;
    std::uint32_t written_;
    mutable std::vector<std::uint32_t> position_;  ///< Where each index was read. Made on demand.
    mutable std::optional<FirstInput> loaded_;     ///< Made on demand.
};

}  // namespace glsort::demo
