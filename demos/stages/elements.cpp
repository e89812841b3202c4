#include "elements.h"

#include <algorithm>

#include "places.h"

namespace glsort::demo {

namespace {

Substream records_of_uses(const std::vector<StreamUse>& uses, StreamId stream) {
    Substream records;
    for (const StreamUse& use : uses)
        if (use.stream == stream) records = records.united(use.records);
    return records;
}

std::vector<StreamId> streams_of_uses(const std::vector<StreamUse>& uses) {
    std::vector<StreamId> streams;
    for (const StreamUse& use : uses)
        if (std::ranges::find(streams, use.stream) == streams.end()) streams.push_back(use.stream);
    return streams;
}

}  // namespace

std::uint32_t elements_of(const Stream& stream) {
    return stream.records * stream.elements_per_record;
}

std::span<const std::uint32_t> element_words(const Stream& stream, const std::vector<std::uint32_t>& words,
                                             std::uint32_t element) {
    return std::span(words).subspan(std::size_t{element} * stream.words, stream.words);
}

StreamId key_stream(const Moment& moment) {
    if (moment.chosen) return *moment.chosen;
    const StreamProgram& program = *moment.program;
    for (std::size_t op = moment.done; op-- > 0;) {
        std::optional<StreamId> longest;
        for (const StreamUse& use : program.ops[op].writes) {
            if (!moment.places->holds_keys(use.stream)) continue;
            if (!longest || elements_of(program.streams[use.stream]) > elements_of(program.streams[*longest]))
                longest = use.stream;
        }
        if (longest) return *longest;
    }
    for (StreamId id = 0; id < program.streams.size(); ++id)
        if (moment.places->holds_keys(id) && !(*moment.written)[id].empty()) return id;
    return 0;
}

StreamPart part_in_op(const Moment& moment, StreamId stream) {
    if (moment.done == 0) return StreamPart::input;
    if (!written_records(moment, stream).empty()) return StreamPart::written;
    if (!read_records(moment, stream).empty()) return StreamPart::read;
    const bool callers = moment.program->streams[stream].role != StreamRole::scratch;
    return callers && moment.next_op() == nullptr ? StreamPart::result : StreamPart::unused;
}

std::string describe(StreamPart part) {
    switch (part) {
        case StreamPart::input:
            return "the input";
        case StreamPart::unused:
            return "not used by this op";
        case StreamPart::read:
            return "what it reads";
        case StreamPart::written:
            return "what it writes";
        case StreamPart::result:
            return "the result";
    }
    return {};
}

std::optional<float> height_of(const Moment& moment, StreamId stream, std::span<const std::uint32_t> element) {
    const std::optional<std::uint32_t> place = moment.places->of(stream, element);
    if (!place) return std::nullopt;
    return moment.places->count() < 2 ? 1.0f
                                      : static_cast<float>(*place) / static_cast<float>(moment.places->count() - 1);
}

Substream read_records(const Moment& moment, StreamId stream) {
    return moment.done == 0 ? Substream{} : records_of_uses(moment.last_op()->reads, stream);
}

Substream written_records(const Moment& moment, StreamId stream) {
    return moment.done == 0 ? Substream{} : records_of_uses(moment.last_op()->writes, stream);
}

std::vector<StreamId> read_streams(const Moment& moment) {
    return moment.done == 0 ? std::vector<StreamId>{} : streams_of_uses(moment.last_op()->reads);
}

std::vector<StreamId> written_streams(const Moment& moment) {
    return moment.done == 0 ? std::vector<StreamId>{} : streams_of_uses(moment.last_op()->writes);
}

const std::vector<std::uint32_t>& words_before(const Moment& moment, StreamId stream) {
    const std::vector<std::uint32_t>& before = (*moment.before)[stream];
    return before.empty() ? (*moment.streams)[stream] : before;
}

}  // namespace glsort::demo
