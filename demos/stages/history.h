#pragma once

#include <glsort/stream/program.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

namespace glsort::demo {

/// The contents of a program's streams between its ops, forward and back. For each op that has run, keeps the words
/// that the op replaced. An exchange with the words in the streams undoes the op. A second exchange redoes the op.
class History {
  public:
    using Streams = std::vector<std::vector<std::uint32_t>>;
    using Read = std::function<std::vector<std::uint32_t>(StreamId)>;

    /// Keeps at most `limit` bytes of replaced words, but always the words of one op. `program` must outlive this
    /// object.
    History(const StreamProgram& program, std::size_t limit);

    /// Returns to before op 0 and forgets all ops. `read` gives the contents of the caller's streams.
    void restart(const Read& read);
    /// Adds op number `done()`, which has just run and is not kept yet. `read` gives the contents of the streams that
    /// the op writes. Words outside of the written records stay as before.
    void append(const Read& read);

    bool can_undo() const { return done_ > first_; }
    bool can_redo() const { return done_ < ran(); }
    void undo();
    void redo();

    std::size_t done() const { return done_; }                      ///< The number of ops that the streams reflect.
    std::size_t ran() const { return first_ + exchanges_.size(); }  ///< The number of ops appended since `restart`.

    /// The words of each stream, by StreamId. Records that nothing has written are 0.
    const Streams& streams() const { return streams_; }
    /// The records that the caller or an op has written, by StreamId.
    const std::vector<Substream>& written() const { return written_; }
    /// The streams that the last op writes, with their contents before the op. Other streams are empty. All streams are
    /// empty if the op is not kept.
    Streams before() const;
    /// The words of the records that the last op writes to `stream`, block after block.
    std::vector<std::uint32_t> written_words(StreamId stream) const;

  private:
    struct Part {
        StreamId stream = 0;
        Substream records;
        std::vector<std::uint32_t> words;
        Substream written;  // the stream's written records before the op, or after it
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
