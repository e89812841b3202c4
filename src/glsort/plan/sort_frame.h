#pragma once

#include <glsort/plan/element_type.h>
#include <glsort/plan/tuning.h>
#include <glsort/planner.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace glsort {

/// A sort's program under construction. The passes (plan/passes.h) transform the program one after the other. The final
/// program reads the caller's input and writes the caller's output. One pass is the algorithm. The algorithm declares
/// its streams and adds its ops by the functions below.
///
/// An element is described in element_type.h. Usually the order is total. All backends therefore give the same
/// permutation, and the result is stable. Where a value takes the place of the index, the algorithm must be stable.
///
/// An algorithm does not know the caller's streams. An op that reads elements before any op has written them reads the
/// caller's elements. `set_result` names the stream that is sorted in the end.
class SortFrame {
  public:
    /// Adds an algorithm's streams and ops.
    using Algorithm = void (*)(SortFrame&);

    /// `form`: the form of the elements that the algorithm takes. A frame without an algorithm only answers questions.
    SortFrame(const PlanRequest& request, const AlgorithmChoice& choice, ElementType::Form form,
              Algorithm algorithm = nullptr);

    std::uint32_t n() const { return program.n; }
    /// The count as a number that follows the count of the program.
    Counted count() const { return Counted::count(program.n); }
    /// The max n. Streams are allocated for this count.
    std::uint32_t capacity() const { return request.spec.capacity; }
    Backend backend() const { return program.backend; }
    /// The bits of the key codes that are compared.
    BitRange bits() const { return request.spec.order.bits.of(request.spec.order.key); }
    /// The caller's tuning. A value of 0 is the algorithm's choice.
    const Tuning& tuning() const { return request.spec.tuning; }
    const Limits& limits() const { return request.limits; }
    /// The device's row in all tuning tables.
    TuningRow tuning_row() const { return row_; }
    /// The layout of all streams except spaced and narrow ones.
    const StreamLayout& layout() const { return program.layout; }
    /// The type of the elements to sort.
    const ElementType& element_type() const { return type; }
    /// The lengths of the sorted lists to merge. Empty: a sort.
    const std::vector<std::uint32_t>& lists() const { return request.lists; }

    /// Declares a scratch stream for elements 0 ... n-1, or for `records` records. For every n above 0, an algorithm
    /// must declare equal streams in equal order. Streams are allocated for the capacity, and an executor finds the
    /// memory of a stream by its number.
    StreamId add_stream(std::string name, std::uint32_t words, std::uint32_t elements_per_record = 1,
                        const Counted& records = 0);
    /// Declares a stream with one record for each `spacing` elements of the sort. Its texture has its own layout, with
    /// about eight rows. With fewer rows a GPU fills only half of each warp with fragments. In a square texture,
    /// neighbouring fragments read from places too far apart for the caches (docs/experiments.md).
    StreamId add_spaced_stream(std::string name, std::uint32_t words, std::uint32_t elements_per_record,
                               std::uint32_t spacing, const Counted& records = 0);
    /// Declares a stream whose instances read the caller's elements in and near their record. If row-wise, a row of
    /// records holds as many elements as a row of the caller's texture. Fragments one below the other then read texels
    /// one below the other, which a GPU fetches together (docs/experiments.md). A row has at least eight records, and
    /// more if the texture would otherwise need too many rows.
    StreamId add_narrow_stream(std::string name, std::uint32_t words, std::uint32_t elements_per_record,
                               const Counted& records = 0);
    /// Adds padding between the elements of a stream. Only for the compute backend.
    void add_padding(StreamId stream, const Padding& padding);
    /// Declares that a stream is zero when it is allocated (Stream::begins_zero).
    void begin_zero(StreamId stream);
    /// The records of `stream` that elements 0 ... n-1 take.
    Substream elements_of(StreamId stream) const;
    bool fills() const;  ///< `ElementSource::fills`.
    /// What the last op writes to the caller's output.
    Substream stored_elements() const;
    /// The records that elements 0 ... n-1 take, with this number of elements per record.
    Substream records_of(std::uint32_t elements_per_record) const;
    /// Names the stream that is sorted in the end. Its elements begin with the words of an element of the sort.
    void set_result(StreamId stream) { result = stream; }

    /// Declares the range of counts, clipped to the capacity, for which the program is valid once the numbers that
    /// follow the count have changed.
    void set_counts(const CountRange& counts) { program.counts = {counts.first, std::min(counts.last, capacity())}; }

    /// Adds an op of the algorithm. Reads of elements that no op has written become reads of the caller's elements. If
    /// the kernel looks up keys (ElementType), adds the caller's keys to its reads.
    void add(Op op);

    /// Adds a `copy` of the caller's elements into the result.
    void add_load();

    /// Whether `op` may write the caller's output instead of the result. `op` must write elements 0 ... n-1 of the
    /// result one by one. If the last op may not write the output, a `copy` follows.
    bool can_store(Op op) const;

    // For the passes.

    /// The streams of the caller as the ops use them.
    struct Caller {
        StreamId keys = 0;        ///< Read by the load chunk: the caller's keys or a copy.
        StreamId values = 0;      ///< The payload, read by the load or store chunk.
        StreamId keys_out = 0;    ///< Written by the store chunk: keys, or keys and values.
        StreamId values_out = 0;  ///< Also written by the store chunk if values have their own buffer.
        /// Pairs of a staged output and the caller's buffer that receives it.
        std::vector<std::pair<StreamId, StreamId>> staged_out = {};
    };

    const Algorithm algorithm;
    const PlanRequest request;
    const ElementType type;
    StreamProgram program;
    Caller caller;
    StreamId result = 0;
    std::size_t first_op = 0;  ///< The first op of the algorithm.
    /// Stands for the caller's elements until a load chunk replaces the stream. No executor sees this stream.
    std::optional<StreamId> unsorted;

    StreamId declare(std::string name, StreamRole role, Medium medium, std::uint32_t words);
    Medium own_medium() const;
    /// A copy of elements 0 ... n-1 of the result. `elements`: elements per record of the target.
    Op copy_of_result(std::uint32_t elements) const;
    /// Puts the store chunk in place of the output by which an op writes elements.
    void attach_store(Op& op) const;

  private:
    TuningRow row_;
    std::vector<bool> written_;  ///< For each stream: whether an op of the algorithm writes it.
};

}  // namespace glsort
