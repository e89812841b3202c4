#include "history.h"

#include <algorithm>
#include <utility>

namespace glsort::demo {

namespace {

// The records that an op writes, each stream once. Two ports may share a stream.
std::vector<StreamUse> written_by(const Op& op) {
    std::vector<StreamUse> uses;
    for (const StreamUse& use : op.writes) {
        const auto same = std::ranges::find(uses, use.stream, &StreamUse::stream);
        if (same == uses.end())
            uses.push_back(use);
        else
            same->records = same->records.united(use.records);
    }
    return uses;
}

}  // namespace

History::History(const StreamProgram& program, std::size_t limit) : program_(program), limit_(limit) {}

std::size_t History::words_of_record(StreamId stream) const {
    return std::size_t{program_.streams[stream].words} * program_.streams[stream].elements_per_record;
}

void History::restart(const Read& read) {
    exchanges_.clear();
    first_ = done_ = bytes_ = 0;
    streams_.assign(program_.streams.size(), {});
    written_.assign(program_.streams.size(), {});
    for (StreamId id = 0; id < streams_.size(); ++id) {
        const Stream& stream = program_.streams[id];
        if (stream.role == StreamRole::input || stream.role == StreamRole::in_place) {
            streams_[id] = read(id);
            written_[id] = Substream::range(0, stream.records);
        }
        streams_[id].resize(words_of_record(id) * stream.records);
    }
}

void History::append(const Read& read) {
    Exchange parts;
    for (const StreamUse& use : written_by(program_.ops[done_])) {
        const std::vector<std::uint32_t> now = read(use.stream);
        const std::size_t words = words_of_record(use.stream);
        Part part{use.stream, use.records, {}, written_[use.stream].united(use.records)};
        part.words.reserve(words * use.records.size());
        for (const Block& block : use.records.blocks())
            part.words.insert(part.words.end(), now.begin() + static_cast<std::ptrdiff_t>(words * block.begin),
                              now.begin() + static_cast<std::ptrdiff_t>(words * block.end));
        bytes_ += 4 * part.words.size();
        parts.push_back(std::move(part));
    }
    exchange(parts);
    exchanges_.push_back(std::move(parts));
    ++done_;
    while (bytes_ > limit_ && exchanges_.size() > 1) {
        for (const Part& part : exchanges_.front())
            bytes_ -= 4 * part.words.size();
        exchanges_.pop_front();
        ++first_;
    }
}

void History::exchange(Exchange& parts) {
    for (Part& part : parts) {
        const std::size_t words = words_of_record(part.stream);
        auto replaced = part.words.begin();
        for (const Block& block : part.records.blocks()) {
            const auto begin = streams_[part.stream].begin() + static_cast<std::ptrdiff_t>(words * block.begin);
            const auto end = streams_[part.stream].begin() + static_cast<std::ptrdiff_t>(words * block.end);
            replaced = std::swap_ranges(begin, end, replaced);
        }
        std::swap(part.written, written_[part.stream]);
    }
}

void History::undo() {
    --done_;
    exchange(exchanges_[done_ - first_]);
}

void History::redo() {
    exchange(exchanges_[done_ - first_]);
    ++done_;
}

History::Streams History::before() const {
    Streams streams(streams_.size());
    if (!can_undo()) return streams;
    for (const Part& part : exchanges_[done_ - 1 - first_]) {
        streams[part.stream] = streams_[part.stream];
        const std::size_t words = words_of_record(part.stream);
        auto replaced = part.words.begin();
        for (const Block& block : part.records.blocks()) {
            const auto length = static_cast<std::ptrdiff_t>(words * (block.end - block.begin));
            std::copy_n(replaced, length,
                        streams[part.stream].begin() + static_cast<std::ptrdiff_t>(words * block.begin));
            replaced += length;
        }
    }
    return streams;
}

std::vector<std::uint32_t> History::written_words(StreamId stream) const {
    std::vector<std::uint32_t> words;
    if (done_ == 0) return words;
    for (const StreamUse& use : written_by(program_.ops[done_ - 1])) {
        if (use.stream != stream) continue;
        for (const Block& block : use.records.blocks())
            words.insert(words.end(),
                         streams_[stream].begin() + static_cast<std::ptrdiff_t>(words_of_record(stream) * block.begin),
                         streams_[stream].begin() + static_cast<std::ptrdiff_t>(words_of_record(stream) * block.end));
    }
    return words;
}

}  // namespace glsort::demo
