#pragma once

#include <glsort/plan/record_type.h>
#include <glsort/plan/tuning.h>
#include <glsort/planner.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace glsort {

/// A sort's program while it is made: passes (plan/passes.h) turn it, one after the other, into one that takes what the
/// caller gives, and leaves what the caller gets. One of them, the algorithm, declares its streams and adds its ops by
/// the functions below.
///
/// Elements are the key's code alone (no payload), or the code and the index of the key in the input, or that index
/// alone (RecordType): a total order, so every tier gives the same permutation, and the result is stable.
///
/// An algorithm knows nothing of the caller's streams. An op that reads elements which no op has written yet reads the
/// caller's; `set_result` names the stream whose elements are sorted in the end.
class SortFrame {
  public:
    /// Adds an algorithm's streams and ops.
    using Algorithm = void (*)(SortFrame&);

    /// `form`: of the records that the algorithm takes. Without an algorithm it only answers questions.
    SortFrame(const PlanRequest& request, const AlgorithmChoice& choice, RecordType::Form form,
              Algorithm algorithm = nullptr);

    std::uint32_t n() const { return program.n; }
    /// The same as a number that follows the count.
    Counted count() const { return Counted::count(program.n); }
    /// The largest n that the streams are allocated for.
    std::uint32_t capacity() const { return request.spec.capacity; }
    Backend backend() const { return program.backend; }
    /// What of the keys' codes is compared.
    BitRange bits() const { return request.spec.order.bits.of(request.spec.order.key); }
    /// What the caller asks for; 0: the algorithm's choice.
    const Tuning& tuning() const { return request.spec.tuning; }
    const Limits& limits() const { return request.limits; }
    /// The row of all tuning tables that the device has.
    TuningRow tuning_row() const { return row_; }
    /// The layout of all streams but those that are spaced.
    const StreamLayout& layout() const { return program.layout; }
    /// What is to be sorted.
    const RecordType& record() const { return records; }
    /// The lengths of sorted lists that are to be merged; none for a sort.
    const std::vector<std::uint32_t>& lists() const { return request.lists; }

    /// Declares a scratch stream that holds elements 0 ... n-1, or the `records` given. An algorithm
    /// declares the same streams in the same order for every n above 0: they are allocated for the capacity, and an
    /// executor keeps the memory of a stream by its number.
    StreamId add_stream(std::string name, std::uint32_t words, std::uint32_t elements_per_record = 1,
                        const Counted& records = 0);
    /// The same for a stream that has one record for `spacing` elements of the sort. Its texture has a layout of
    /// its own, about eight rows: of fewer, a GPU fills its warps with fragments by half, and in a square
    /// neighbouring fragments read what lies closer than its caches like (docs/experiments.md).
    StreamId add_spaced_stream(std::string name, std::uint32_t words, std::uint32_t elements_per_record,
                               std::uint32_t spacing, const Counted& records = 0);
    /// The same for a stream whose instances read the caller's elements, those of their record and near ones. Row-wise,
    /// a row of records has as many elements as a row of the caller's texture: so fragments one below the other
    /// read texels that are, too, which a GPU fetches at once (docs/experiments.md). It has eight records at least,
    /// and more where the rows would be too many for a texture.
    StreamId add_narrow_stream(std::string name, std::uint32_t words, std::uint32_t elements_per_record,
                               const Counted& records = 0);
    /// Leaves room between elements of a stream, on the compute backend.
    void leave_gaps(StreamId stream, const Gaps& gaps);
    /// Makes a stream zero when it is allocated (Stream::begins_zero).
    void begin_zero(StreamId stream);
    /// The records of a stream that elements 0 ... n-1 take; or of any, so many to a record.
    Substream elements_of(StreamId stream) const;
    Substream records_of(std::uint32_t elements_per_record) const;
    /// The stream whose elements are sorted in the end; a record is their first words.
    void set_result(StreamId stream) { result = stream; }

    /// Says for which counts, up to the capacity, the ops are right, with those of their numbers that follow the count.
    void set_counts(const CountRange& counts) { program.counts = {counts.first, std::min(counts.last, capacity())}; }

    /// Adds an op of the algorithm. Of its reads those of elements that no op has written become reads of the caller's.
    /// Where its kernel looks up keys (RecordType), the caller's are added to what it reads.
    void add(Op op);

    /// Adds a `copy` that brings the caller's elements into the result as they are.
    void add_load();

    /// Whether `op`, which writes elements 0 ... n-1 of the result one by one, may write what the caller is given
    /// instead. A last op that may not is followed by a `copy`.
    bool can_store(Op op) const;

    // For the passes:

    /// The streams by which a sort reaches what is the caller's.
    struct Caller {
        StreamId keys = 0;        ///< What the load chunk reads: the caller's, or a copy.
        StreamId values = 0;      ///< What the load or the store chunk reads the payload from.
        StreamId keys_out = 0;    ///< What the store chunk writes: keys, or keys and values.
        StreamId values_out = 0;  ///< Its second output, where keys and values are two buffers.
        /// What is staged in the end, and the caller's buffer where each of these goes.
        std::vector<std::pair<StreamId, StreamId>> staged_out = {};
    };

    const Algorithm algorithm;
    const PlanRequest request;
    const RecordType records;
    StreamProgram program;
    Caller caller;
    StreamId result = 0;
    std::size_t first_op = 0;  ///< Of the algorithm.
    /// The caller's elements, until a load chunk takes their place: a stream that no executor ever sees.
    std::optional<StreamId> unsorted;

    StreamId declare(std::string name, StreamRole role, Medium medium, std::uint32_t words);
    Medium own_medium() const;
    /// A copy of elements 0 ... n-1 of the result. `elements`: of a record of the target; 1: one by one.
    Op copy_of_result(std::uint32_t elements) const;
    /// Gives an op the store chunk in place of the output by which it writes elements.
    void attach_store(Op& op) const;

  private:
    TuningRow row_;
    std::vector<bool> written_;  ///< By stream: whether an op of the algorithm writes it.
};

}  // namespace glsort
