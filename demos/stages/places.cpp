#include "places.h"

#include <algorithm>
#include <numeric>

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

}  // namespace

Places::Places(const StreamProgram& program, std::span<const std::uint32_t> keys)
    : key_words_(key_bytes(program.key) / 4), holds_(program.streams.size(), Holds::other) {
    codes_ = key_words_ == 1 ? codes_of<std::uint32_t>(program, keys) : codes_of<std::uint64_t>(program, keys);
    sorted_.resize(codes_.size());
    std::iota(sorted_.begin(), sorted_.end(), 0u);
    std::ranges::stable_sort(sorted_, {}, [this](std::uint32_t index) { return codes_[index]; });
    place_.resize(codes_.size());
    for (std::uint32_t place = 0; place < sorted_.size(); ++place)
        place_[sorted_[place]] = place;
    first_.reserve(codes_.size());
    for (std::uint32_t index = 0; index < codes_.size(); ++index)
        first_.try_emplace(raw_bits(keys.subspan(std::size_t{index} * key_words_, key_words_), key_words_), index);

    for (const Stream& stream : program.streams)
        words_of_.push_back(stream.words);
    // The caller's keys, and streams that a transfer copies from or to the caller's streams.
    for (StreamId id = 0; id < program.streams.size(); ++id) {
        const StreamRole role = program.streams[id].role;
        if (role == StreamRole::in_place || role == StreamRole::input) holds_[id] = Holds::keys;
    }
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
    const auto matches = [&](std::uint32_t index, std::uint64_t code) {
        return index < codes_.size() && codes_[index] == code;
    };
    if (key_words_ == 1) {
        if (words.size() >= 2 && matches(words[1], words[0])) return words[1];
        return std::nullopt;
    }
    if (words.size() >= 3 && matches(words[2], std::uint64_t{words[0]} << 32 | words[1])) return words[2];
    if (words.size() >= 2 && words[1] < codes_.size() && codes_[words[1]] >> 32 == words[0]) return words[1];
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
