#include "places.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "support/codes.h"

namespace glsort::demo {

namespace {

std::uint64_t raw_bits(std::span<const std::uint32_t> words, std::uint32_t key_words) {
    return key_words == 1 ? words[0] : words[0] | std::uint64_t{words[1]} << 32;
}

template <class Bits>
std::vector<std::uint64_t> codes_of(const StreamProgram& program, std::span<const std::uint32_t> keys) {
    const Codes<Bits> codes(program.key, program.direction);
    const std::uint32_t key_words = sizeof(Bits) / 4;
    std::vector<std::uint64_t> all;
    for (std::size_t i = 0; i + key_words <= keys.size(); i += key_words)
        all.push_back(codes.code_of(static_cast<Bits>(raw_bits(keys.subspan(i, key_words), key_words))));
    return all;
}

// The streams of a program that hold keys as raw bits, alone or before the key's index in the input, and those that
// hold indices alone.
struct KeyStreams {
    std::vector<StreamId> keys;
    std::vector<StreamId> indexed_keys;
    std::vector<StreamId> indices;
};

bool is_written(const StreamProgram& program, StreamId id) {
    return std::ranges::any_of(program.ops, [id](const Op& op) {
        return std::ranges::any_of(op.writes, [id](const StreamUse& use) { return use.stream == id; });
    });
}

// The caller's streams, or the streams of a scene of keys (support/key_scene.h).
KeyStreams key_streams_of(const StreamProgram& program) {
    KeyStreams found;
    const bool scene = program.algorithm == "scene";
    for (StreamId id = 0; id < program.streams.size(); ++id) {
        const Stream& stream = program.streams[id];
        if (scene) {
            const bool keys = stream.name.ends_with(".key") || stream.name == "keyed" ||
                              stream.name == "unsorted_keys" || stream.name == "front_keys" || stream.name == "keys";
            if (keys) found.keys.push_back(id);
            // Without sorted keys, the items tell the order.
            if (stream.name == "items" && !is_written(program, program.stream("keys"))) found.indices.push_back(id);
            // On the fragment backend: what the sort reads and writes. The sort may write items alone.
            if (stream.name == "output" && stream.words == 1)
                found.indices.push_back(id);
            else if (stream.name == "visible" || stream.name == "output")
                found.indexed_keys.push_back(id);
        } else if (stream.role == StreamRole::in_place || stream.role == StreamRole::input) {
            found.keys.push_back(id);
        }
    }
    return found;
}

}  // namespace

Places::Places(const StreamProgram& program, std::span<const std::uint32_t> keys, std::vector<std::uint32_t> shown)
    : key_words_(key_bytes(program.key) / 4), holds_(program.streams.size(), Holds::other), shown_(std::move(shown)) {
    codes_ = key_words_ == 1 ? codes_of<std::uint32_t>(program, keys) : codes_of<std::uint64_t>(program, keys);
    sorted_.resize(codes_.size());
    std::iota(sorted_.begin(), sorted_.end(), 0u);
    std::ranges::stable_sort(sorted_, {}, [this](std::uint32_t index) { return codes_[index]; });
    place_.resize(codes_.size());
    for (std::uint32_t place = 0; place < sorted_.size(); ++place)
        place_[sorted_[place]] = place;
    first_.reserve(codes_.size());
    for (std::uint32_t index = 0; index < codes_.size(); ++index) {
        raw_.push_back(raw_bits(keys.subspan(std::size_t{index} * key_words_, key_words_), key_words_));
        first_.try_emplace(raw_.back(), index);
    }

    for (const Stream& stream : program.streams)
        words_of_.push_back(stream.words);
    const KeyStreams streams = key_streams_of(program);
    for (const StreamId id : streams.keys)
        holds_[id] = Holds::keys;
    for (const StreamId id : streams.indexed_keys)
        holds_[id] = Holds::indexed_keys;
    for (const StreamId id : streams.indices)
        holds_[id] = Holds::indices;
    // Streams that a transfer copies from or to these.
    for (const Op& op : program.ops) {
        if (!op.kernel->transfer) continue;
        for (const StreamUse& read : op.reads)
            for (const StreamUse& write : op.writes) {
                if (words_of_[read.stream] != words_of_[write.stream]) continue;
                if (holds_[read.stream] == Holds::keys) holds_[write.stream] = Holds::keys;
                if (holds_[write.stream] == Holds::keys) holds_[read.stream] = Holds::keys;
            }
    }
}

std::optional<std::uint32_t> Places::index_of_record(std::span<const std::uint32_t> words) const {
    if (words.size() > key_words_) {
        const std::uint64_t code = key_words_ == 1 ? words[0] : std::uint64_t{words[0]} << 32 | words[1];
        if (const auto index = index_with_code(words[key_words_], code, 0)) return index;
    }
    if (key_words_ > 1 && words.size() > 1) return index_with_code(words[1], words[0], 32);
    return std::nullopt;
}

// `number`: an index in the input, or among the visible elements. `shift`: the lower bits of the code that are missing.
std::optional<std::uint32_t> Places::index_with_code(std::uint32_t number, std::uint64_t code, int shift) const {
    const auto matches = [&](std::uint32_t index) { return codes_[index] >> shift == code; };
    if (number < shown_.size() && matches(shown_[number])) return shown_[number];
    if (number < codes_.size() && matches(number)) return number;
    return std::nullopt;
}

std::optional<std::uint32_t> Places::index_of(StreamId stream, std::span<const std::uint32_t> words) const {
    switch (holds_[stream]) {
        case Holds::records:
            return index_of_record(words);
        case Holds::keys: {
            const auto found = first_.find(raw_bits(words, key_words_));
            if (found != first_.end()) return found->second;
            break;
        }
        case Holds::indexed_keys: {
            const std::uint32_t index = words[key_words_];
            if (index < raw_.size() && raw_[index] == raw_bits(words, key_words_)) return index;
            break;
        }
        case Holds::indices:
            if (words[0] < raw_.size()) return words[0];
            break;
        case Holds::other:
            break;
    }
    return std::nullopt;
}

std::optional<std::uint32_t> Places::of(StreamId stream, std::span<const std::uint32_t> words) const {
    const std::optional<std::uint32_t> index = index_of(stream, words);
    if (!index) return std::nullopt;
    return place_[*index];
}

void Places::see(StreamId stream, std::span<const std::uint32_t> written) {
    const std::size_t words = words_of_[stream];
    if (holds_[stream] != Holds::other || words < 2) return;
    // At least half must be keys: elements past the end of the input are not.
    std::size_t found = 0;
    const std::size_t elements = written.size() / words;
    for (std::size_t i = 0; i < elements; ++i)
        if (index_of_record(written.subspan(i * words, words))) ++found;
    if (found > 0 && 2 * found >= elements) holds_[stream] = Holds::records;
}

}  // namespace glsort::demo
