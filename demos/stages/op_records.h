#pragma once

#include <glsort/stream/first_input.h>
#include <glsort/stream/program.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "moment.h"

namespace glsort::demo {

/// Whether an op's kernel reads, or writes, at a port of that role; load and store chunks do not count.
bool reads(const Op& op, PortRole role);
bool writes(const Op& op, PortRole role);

/// The stream that an op reads, or writes, at its first port of that role.
std::optional<StreamId> stream_read(const Op& op, PortRole role);
std::optional<StreamId> stream_written(const Op& op, PortRole role);

/// Element `index` of a stream that holds `words`; zeros past its end.
Element element_of(const Stream& stream, const std::vector<std::uint32_t>& words, std::uint32_t index);

/// Where the keys of an element stand in the sorted order (Places).
std::optional<std::uint32_t> place_of(const Moment& moment, StreamId stream, const std::vector<std::uint32_t>& words,
                                      std::uint32_t index);

/// The records that the last op moves: its kernel's input 0 and output 0. Where a load or store chunk stands for one,
/// these lie in the caller's streams.
class OpRecords {
  public:
    /// Nothing where there is no last op, or one without an input or output.
    static std::optional<OpRecords> of(const Moment& moment);

    /// The streams in which the keys are.
    StreamId source() const { return source_; }
    StreamId target() const { return target_; }

    /// How many there are, up to n.
    std::uint32_t read() const { return read_; }
    std::uint32_t written() const { return written_; }

    std::optional<std::uint32_t> place_read(std::uint32_t element) const;
    std::optional<std::uint32_t> place_written(std::uint32_t element) const;
    /// An element as the kernel reads it: of the caller's keys, what the load chunk makes of it.
    Element loaded(std::uint32_t element) const;
    /// Whether it is known where elements were before: they have an index, and as many are read as written.
    bool followed() const;
    /// Where an element that was written had been read.
    std::uint32_t origin(std::uint32_t element) const;

  private:
    OpRecords(const Moment& moment, const Op& op);

    const Moment* moment_;
    const Op* op_;
    StreamId source_;
    StreamId target_;
    StreamId target_index_;  ///< Whose last word is the index.
    std::uint32_t read_;
    std::uint32_t written_;
    mutable std::vector<std::uint32_t> position_;  ///< Where each index was read; made when it is asked for.
    mutable std::optional<FirstInput> loaded_;     ///< Made when it is asked for.
};

}  // namespace glsort::demo
