#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "moment.h"
#include "support/palette.h"

namespace glsort::demo {

/// The elements of streams at a moment: code that the views share.

/// The number of elements of a stream.
std::uint32_t elements_of(const Stream& stream);

/// The words of an element. `words`: the content of the stream.
std::span<const std::uint32_t> element_words(const Stream& stream, const std::vector<std::uint32_t>& words,
                                             std::uint32_t element);

/// The stream of keys to show: the chosen stream, if there is one. Otherwise the stream of keys that the last op wrote,
/// or the longest of several. If the last op wrote no keys, the stream of an earlier op. At the beginning, the caller's
/// stream.
StreamId key_stream(const Moment& moment);

/// How the last op uses a stream, for titles: `what it writes`.
enum class StreamPart { input, unused, read, written, result };
StreamPart part_in_op(const Moment& moment, StreamId stream);
std::string describe(StreamPart part);

/// The place of an element in the sorted order as a fraction from 0 to 1, for colours and heights.
std::optional<float> height_of(const Moment& moment, StreamId stream, std::span<const std::uint32_t> element);

/// The records of a stream that the last op reads or writes, by all its ports.
Substream read_records(const Moment& moment, StreamId stream);
Substream written_records(const Moment& moment, StreamId stream);

/// The streams that the last op reads or writes, each once.
std::vector<StreamId> read_streams(const Moment& moment);
std::vector<StreamId> written_streams(const Moment& moment);

/// The content of a stream before the last op, as the op reads the stream.
const std::vector<std::uint32_t>& words_before(const Moment& moment, StreamId stream);

/// The stream of keys from which the last op makes the content of `stream`. Nothing if the op does not write `stream`,
/// or if the op also reads `stream`.
std::optional<StreamId> source_of(const Moment& moment, StreamId stream);

/// Whether the last op exchanged the elements at positions `a` and `b`, on the way from stream `source` to stream
/// `target`. Both may be one stream.
bool has_exchanged(const Moment& moment, StreamId source, StreamId target, std::uint32_t a, std::uint32_t b);

}  // namespace glsort::demo
