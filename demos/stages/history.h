#pragma once

#include <glsort/stream/program.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

namespace glsort::demo {

/// What the streams of a program hold between its ops, forward and back. Of each op that has run it keeps the words
/// that the op replaced: exchanging them with those in the streams undoes the op, and exchanging them again redoes it.
class History {
  public:
    using Streams = std::vector<std::vector<std::uint32_t>>;
    using Read = std::function<std::vector<std::uint32_t>(StreamId)>;

    /// Keeps `limit` bytes of replaced words at the most, and always those of one op. `program` must outlive it.
    History(const StreamProgram& program, std::size_t limit);

    /// Back before op 0, with nothing kept. `read` gives what the caller's streams hold.
    void restart(const Read& read);
    /// Op number `done()`, the first that is not kept, has run; `read` gives what the streams hold that it writes.
    /// Words outside the records that the op writes stay as they were.
    void append(const Read& read);

    bool can_undo() const { return done_ > first_; }
    bool can_redo() const { return done_ < ran(); }
    void undo();
    void redo();

    std::size_t done() const { return done_; }                      ///< Ops that the streams have behind them.
    std::size_t ran() const { return first_ + exchanges_.size(); }  ///< Ops that were appended since `restart`.

    /// By StreamId, word by word; records that nothing has written are 0.
    const Streams& streams() const { return streams_; }
    /// By StreamId: the records that the caller or an op has written.
    const std::vector<Substream>& written() const { return written_; }
    /// The streams that the last op writes as they were before it; the others, and all where it is not kept, are empty.
    Streams before() const;
    /// The words of the records that the last op writes to `stream`, block after block.
    std::vector<std::uint32_t> written_words(StreamId stream) const;

  private:
    struct Part {
        StreamId stream = 0;
        Substream records;
        std::vector<std::uint32_t> words;
        Substream written;  // the stream's before it, or after it
    };
    using Exchange = std::vector<Part>;

    void exchange(Exchange& parts);
    std::size_t words_of_record(StreamId stream) const;

    const StreamProgram& program_;
    std::size_t limit_;
    Streams streams_;
    std::vector<Substream> written_;
    std::deque<Exchange> exchanges_;  // of ops first_, first_ + 1, ...
    std::size_t first_ = 0;
    std::size_t done_ = 0;
    std::size_t bytes_ = 0;
};

}  // namespace glsort::demo
