#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "moment.h"
#include "support/palette.h"

namespace glsort::demo {

/// Elements of streams at a moment: what the views have in common.

/// Elements that the stream has.
std::uint32_t elements_of(const Stream& stream);

/// The words of an element in `words`, the content of a stream.
std::span<const std::uint32_t> element_words(const Stream& stream, const std::vector<std::uint32_t>& words,
                                             std::uint32_t element);

/// The stream of keys to look at: the chosen one, else the one that the last op has written keys to (of several the
/// longest), else the one that an op before it has, and at the beginning the caller's.
StreamId key_stream(const Moment& moment);

/// What the last op has to do with a stream, as it is shown after it: `what it writes`.
enum class StreamPart { input, unused, read, written, result };
StreamPart part_in_op(const Moment& moment, StreamId stream);
std::string describe(StreamPart part);

/// The place of an element in the sorted order, from 0 to 1: Places::of for colours and heights.
std::optional<float> height_of(const Moment& moment, StreamId stream, std::span<const std::uint32_t> element);

/// The records that the last op reads, or writes, of a stream, by all its ports.
Substream read_records(const Moment& moment, StreamId stream);
Substream written_records(const Moment& moment, StreamId stream);

/// The streams that the last op reads, or writes, each once.
std::vector<StreamId> read_streams(const Moment& moment);
std::vector<StreamId> written_streams(const Moment& moment);

/// What a stream that the last op reads held before it.
const std::vector<std::uint32_t>& words_before(const Moment& moment, StreamId stream);

}  // namespace glsort::demo
