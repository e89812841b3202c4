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

std::optional<StreamId> source_of(const Moment& moment, StreamId stream) {
    if (written_records(moment, stream).empty() || !read_records(moment, stream).empty()) return std::nullopt;
    std::optional<StreamId> source;
    for (const StreamId id : read_streams(moment))
        if (id != stream && moment.places->holds_keys(id)) source = id;
    return source;
}

bool has_exchanged(const Moment& moment, StreamId source, StreamId target, std::uint32_t a, std::uint32_t b) {
    const Places& places = *moment.places;
    const auto index = [&](StreamId id, const std::vector<std::uint32_t>& words, std::uint32_t element) {
        const Stream& stream = moment.program->streams[id];
        if ((std::size_t{element} + 1) * stream.words > words.size()) return std::optional<std::uint32_t>{};
        return places.index_of(id, element_words(stream, words, element));
    };
    const auto a_before = index(source, words_before(moment, source), a);
    const auto b_before = index(source, words_before(moment, source), b);
    const auto a_after = index(target, (*moment.streams)[target], a);
    const auto b_after = index(target, (*moment.streams)[target], b);
    if (!a_before || !b_before || !a_after || !b_after) return false;
    const auto equal = [&](std::uint32_t one, std::uint32_t other) {
        return places.equal_keys(places.of_index(one), places.of_index(other));
    };
    // A stream of keys alone does not tell the indices of equal keys.
    if (!equal(*a_before, *b_before)) return equal(*a_after, *b_before) && equal(*b_after, *a_before);
    return *a_before != *b_before && *a_after == *b_before && *b_after == *a_before;
}

}  // namespace glsort::demo
