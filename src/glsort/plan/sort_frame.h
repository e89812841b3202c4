#pragma once

#include <glsort/plan/record_type.h>
#include <glsort/planner.h>

namespace glsort {

/// What all sorts share: the caller's streams, the stream of records that the algorithm's ops
/// rearrange, and the way in and out.
///
/// Its elements are the key's code alone (no payload) or the code and the index of the key in the
/// input: a total order, so every tier gives the same permutation, and the result is stable. A
/// payload of the caller's follows by one gather: of 4 bytes as the last op stores its elements, of
/// any other size by an op of its own (`gather_values`).
///
/// An algorithm declares its streams and adds its ops. The first op's input 0 stands for the caller's
/// keys; `result` names the stream whose elements are sorted in the end. `finish` then
///   - puts a `copy` after the ops where that stream is not what the caller is given: where its
///     records have several elements, and on the fragment backend where the caller is given buffers,
///     by transform feedback; and where values are gathered, for which it must stay;
///   - puts a `copy` before them (`add_load`) where there are fewer than two: the first op reads the
///     caller's keys and the last one overwrites them, which one op may not do at once;
///   - gives the first op a load chunk (key to code) and the last a store chunk (code to key);
///   - brings the caller's buffers into textures on the fragment backend (`upload`);
///   - keeps a copy of the caller's values where they are overwritten in place.
class SortFrame {
  public:
    /// `narrow`: the algorithm takes records of two words, a code's high word and an index.
    SortFrame(const PlanRequest& request, const AlgorithmChoice& choice, bool narrow);

    std::uint32_t n() const { return program_.n; }
    /// The largest n that the streams are allocated for.
    std::uint32_t capacity() const { return request_.capacity; }
    Backend backend() const { return program_.backend; }
    const Limits& limits() const { return request_.limits; }
    /// The layout of all streams.
    const StreamLayout& layout() const { return program_.layout; }
    /// What is to be sorted.
    const RecordType& record() const { return record_; }
    /// The lengths of sorted lists that are to be merged; none for a sort.
    const std::vector<std::uint32_t>& lists() const { return request_.lists; }

    /// Declares a scratch stream that holds elements 0 ... n-1, or the `records` given. An algorithm
    /// declares the same streams for every n above 0: they are allocated for the capacity.
    StreamId add_stream(std::string name, std::uint32_t words, std::uint32_t elements_per_record = 1,
                        std::uint32_t records = 0);
    /// The records of a stream that elements 0 ... n-1 take; or of any, so many to a record.
    Substream elements_of(StreamId stream) const;
    Substream records_of(std::uint32_t elements_per_record) const;
    /// The stream whose elements are sorted in the end; a record is their first words.
    void set_result(StreamId stream) { result_ = stream; }

    /// Adds an op of the algorithm. Where its kernel looks up keys (RecordType), the caller's are added to
    /// what it reads.
    void add(Op op);

    /// Adds a `copy` that brings the caller's keys into the result as they are: a first op.
    void add_load() { program_.ops.push_back(load_op()); }

    /// Adds a `copy` of the result: a last op that has room for what the store chunk reads and writes.
    void add_copy();

    StreamProgram finish();

  private:
    Medium own_medium() const;
    StreamId declare(std::string name, StreamRole role, Medium medium, std::uint32_t words);
    StreamId declare_values(std::string name, StreamRole role, Medium medium);
    StreamId stage(StreamId source, std::string name);
    Op copy_op(StreamId source, StreamId target, const std::shared_ptr<const Kernel>& kernel) const;
    Op load_op() const;
    Op gather_values_op() const;
    void attach_load(Op& op) const;
    void attach_store(Op& op) const;

    PlanRequest request_;
    RecordType record_;
    StreamProgram program_;
    StreamId result_ = 0;
    bool copied_ = false;         ///< Whether the last op is a copy of the result.
    StreamId keys_ = 0;           ///< What the load chunk reads.
    StreamId values_ = 0;         ///< What the store chunk gathers the payload from.
    StreamId keys_out_ = 0;       ///< What the store chunk writes: keys, or keys and values.
    StreamId values_out_ = 0;     ///< Its second output, where keys and values are two buffers.
    std::vector<Op> before_;      ///< Uploads, and the copy of the values.
};

/// The kernel `copy`: an element of `words` words from `source` to `target`. Where the records of
/// `target` hold several `elements`, all of them; past the end of the input, whose elements are counted by
/// the parameter that there is then, the last one again.
std::shared_ptr<const Kernel> copy_kernel(std::uint32_t words, std::uint32_t elements = 1);

/// The kernel `upload`: a caller's buffer, elements of `words` words, into a texture, by pixel unpack.
std::shared_ptr<const Kernel> upload_kernel(std::uint32_t words);

}  // namespace glsort
