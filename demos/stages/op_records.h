#pragma once

#include <glsort/stream/program.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "moment.h"

namespace glsort::demo {

/// The value of an op's parameter of that name, where it has one.
std::optional<std::uint32_t> parameter(const Op& op, std::string_view name);

/// The number that a kernel's GLSL is told by a definition, such as `TILE`, where it is.
std::optional<std::uint32_t> definition(const Kernel& kernel, std::string_view name);

/// The stream that an op reads, or writes, at a port of that name.
std::optional<StreamId> stream_read(const Op& op, std::string_view port);
std::optional<StreamId> stream_written(const Op& op, std::string_view port);

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
    /// What a load chunk reads; it is given memory of its own.
    mutable std::vector<std::vector<std::uint32_t>> load_memory_;
};

}  // namespace glsort::demo
