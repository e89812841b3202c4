#include <fmt/format.h>

#include <glsort/error.h>
#include <glsort/stream/stream.h>
#include <algorithm>
#include <utility>

namespace glsort {

Substream Substream::range(std::uint32_t begin, std::uint32_t end) {
    Substream out;
    if (begin < end) out.blocks_.push_back({begin, end});
    return out;
}

Substream Substream::first(const Counted& end) {
    Substream out = range(0, end.value());
    out.end_ = end;
    out.follows_ = !end.is_constant();
    return out;
}

void Substream::set_end(std::uint32_t end) {
    blocks_.resize(end > 0 ? 1 : 0);
    if (!blocks_.empty()) blocks_.front() = {0, end};
}

void Substream::set_count(std::uint32_t count) {
    if (!follows_) return;
    end_ = end_.at(count);
    set_end(end_);
}

Substream::Substream(std::vector<Block> blocks) : blocks_(std::move(blocks)) {
    std::uint32_t last_end = 0;
    for (const Block& block : blocks_) {
        if (block.begin >= block.end)
            throw Error(fmt::format("Substream: block [{}, {}) is empty", block.begin, block.end));
        if (block.begin < last_end)
            throw Error(
                fmt::format("Substream: block [{}, {}) begins before {}, the end of the "
                            "block before it",
                            block.begin, block.end, last_end));
        last_end = block.end;
    }
}

std::uint32_t Substream::size() const {
    std::uint32_t size = 0;
    for (const Block& block : blocks_)
        size += block.end - block.begin;
    return size;
}

bool Substream::overlaps(const Substream& other) const {
    auto mine = blocks_.begin();
    auto theirs = other.blocks_.begin();
    while (mine != blocks_.end() && theirs != other.blocks_.end()) {
        if (mine->end <= theirs->begin)
            ++mine;
        else if (theirs->end <= mine->begin)
            ++theirs;
        else
            return true;
    }
    return false;
}

bool Substream::contains(std::uint32_t record) const {
    const auto after = std::upper_bound(blocks_.begin(), blocks_.end(), record,
                                        [](std::uint32_t r, const Block& b) { return r < b.end; });
    return after != blocks_.end() && after->begin <= record;
}

Substream Substream::without(const Substream& other) const {
    Substream out;
    auto cut = other.blocks_.begin();
    for (Block block : blocks_) {
        while (cut != other.blocks_.end() && cut->end <= block.begin)
            ++cut;
        for (auto c = cut; c != other.blocks_.end() && c->begin < block.end; ++c) {
            if (block.begin < c->begin) out.blocks_.push_back({block.begin, c->begin});
            block.begin = std::min(c->end, block.end);
        }
        if (block.begin < block.end) out.blocks_.push_back(block);
    }
    return out;
}

bool Substream::covers(const Substream& other) const {
    auto mine = blocks_.begin();
    for (const Block& block : other.blocks_) {
        // Several adjacent blocks of this substream may cover one block of `other`.
        for (std::uint32_t covered = block.begin; covered < block.end; covered = mine->end) {
            while (mine != blocks_.end() && mine->end <= covered)
                ++mine;
            if (mine == blocks_.end() || mine->begin > covered) return false;
        }
    }
    return true;
}

Substream Substream::united(const Substream& other) const {
    Substream out;
    out.blocks_.reserve(blocks_.size() + other.blocks_.size());
    auto mine = blocks_.begin();
    auto theirs = other.blocks_.begin();
    while (mine != blocks_.end() || theirs != other.blocks_.end()) {
        const bool take_mine = theirs == other.blocks_.end() || (mine != blocks_.end() && mine->begin <= theirs->begin);
        const Block& block = take_mine ? *mine++ : *theirs++;
        if (!out.blocks_.empty() && block.begin <= out.blocks_.back().end)
            out.blocks_.back().end = std::max(out.blocks_.back().end, block.end);
        else
            out.blocks_.push_back(block);
    }
    return out;
}

}  // namespace glsort
