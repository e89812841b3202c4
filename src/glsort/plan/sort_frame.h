#pragma once

#include <glsort/plan/record_type.h>
#include <glsort/planner.h>

namespace glsort {

/// What all sorts share: the caller's streams, the stream of records that the algorithm's ops
/// rearrange, and the way in and out.
///
/// Its elements are the key's code alone (no payload), or the code and the index of the key in the
/// input, or that index alone (RecordType): a total order, so every tier gives the same permutation,
/// and the result is stable. A payload of the caller's follows by one gather: of 4 bytes as the last
/// op stores its elements (or it travels in the records); of any other size, and beside keys that are looked
/// up in buffers, by an op of its own (`gather_values`).
///
/// An algorithm declares its streams and adds its ops. The first op's input 0 stands for the caller's
/// keys, and so does that of ops behind it that read the same stream before one writes it; `result` names the
/// stream whose elements are sorted in the end. `finish` then
///   - puts a `copy` after the ops where the last of them can't write what the caller is given: where
///     records have several elements, or an op that moves the values needs them as well, or the store
///     chunk would take more storage blocks than there are; and on the fragment backend where the caller
///     is given buffers;
///   - puts a `copy` before them (`add_load`) where the last op would read the caller's keys: it overwrites them,
///     which one op may not do at once (on the fragment backend, where buffers are staged in textures, it may, and
///     so may one that reads first, but for values that follow);
///   - gives these ops a load chunk (key to code) and the last a store chunk (code to key);
///   - on the fragment backend brings the caller's buffers into textures (`upload`), and the result back by
///     pixel pack (`download`), or, where a context can't, by transform feedback;
///   - keeps a copy of the caller's values, and of keys that are looked up, where they are overwritten in
///     place.
class SortFrame {
  public:
    /// `form`: of the records that the algorithm takes.
    SortFrame(const PlanRequest& request, const AlgorithmChoice& choice, RecordType::Form form);

    std::uint32_t n() const { return program_.n; }
    /// The largest n that the streams are allocated for.
    std::uint32_t capacity() const { return request_.capacity; }
    Backend backend() const { return program_.backend; }
    /// What of the keys' codes is compared.
    BitRange bits() const { return request_.bits.of(request_.key); }
    std::uint32_t digit_bits() const { return request_.digit_bits; }  ///< 0: the algorithm's choice.
    std::uint32_t tile() const { return request_.tile; }              ///< Elements; 0: the algorithm's choice.
    std::uint32_t samples() const { return request_.samples; }        ///< Of a tile; 0: the algorithm's choice.
    const Limits& limits() const { return request_.limits; }
    /// The layout of all streams but those that are spaced.
    const StreamLayout& layout() const { return program_.layout; }
    /// What is to be sorted.
    const RecordType& record() const { return record_; }
    /// The lengths of sorted lists that are to be merged; none for a sort.
    const std::vector<std::uint32_t>& lists() const { return request_.lists; }

    /// Declares a scratch stream that holds elements 0 ... n-1, or the `records` given. An algorithm
    /// declares the same streams for every n above 0: they are allocated for the capacity.
    StreamId add_stream(std::string name, std::uint32_t words, std::uint32_t elements_per_record = 1,
                        std::uint32_t records = 0);
    /// The same for a stream that has one record for `spacing` elements of the sort. Its texture has a layout of
    /// its own, about eight rows: of fewer, a GPU fills its warps with fragments by half, and in a square
    /// neighbouring fragments read what lies closer than its caches like (docs/experiments.md).
    StreamId add_spaced_stream(std::string name, std::uint32_t words, std::uint32_t elements_per_record,
                               std::uint32_t spacing, std::uint32_t records = 0);
    /// The same for a stream whose instances read the caller's elements, those of their record and near ones. Row-wise,
    /// a row of records has as many elements as a row of the caller's texture: so fragments one below the other
    /// read texels that are, too, which a GPU fetches at once (docs/experiments.md). It has eight records at least,
    /// and more where the rows would be too many for a texture.
    StreamId add_narrow_stream(std::string name, std::uint32_t words, std::uint32_t elements_per_record,
                               std::uint32_t records = 0);
    /// Leaves room between elements of a stream, on the compute backend.
    void leave_gaps(StreamId stream, const Gaps& gaps);
    /// Makes a stream zero when it is allocated (Stream::begins_zero).
    void begin_zero(StreamId stream);
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

    /// Whether `op`, which writes elements 0 ... n-1 of the result one by one, may write what the caller is
    /// given instead. `finish` adds a `copy` to a last op that may not.
    bool can_store(Op op) const;

    StreamProgram finish();

  private:
    Medium own_medium() const;
    StreamId declare(std::string name, StreamRole role, Medium medium, std::uint32_t words);
    StreamId declare_values(std::string name, StreamRole role, Medium medium);
    StreamId declare_staged(StreamId source, std::string name, std::uint32_t words, std::uint32_t parts);
    StreamId stage(StreamId source, const std::string& name);
    StreamId stage_out(StreamId target, StreamId staged);
    Op transfer_op(StreamId source, StreamId target, std::shared_ptr<const Kernel> kernel) const;
    Op copy_op(StreamId source, StreamId target, const std::shared_ptr<const Kernel>& kernel) const;
    Op load_op() const;
    Op gather_values_op() const;
    void attach_load(Op& op) const;
    void attach_store(Op& op) const;

    PlanRequest request_;
    RecordType record_;
    StreamProgram program_;
    StreamId result_ = 0;
    StreamId keys_ = 0;           ///< What the load chunk reads.
    StreamId values_ = 0;         ///< What the store chunk gathers the payload from.
    StreamId keys_out_ = 0;       ///< What the store chunk writes: keys, or keys and values.
    StreamId values_out_ = 0;     ///< Its second output, where keys and values are two buffers.
    std::vector<Op> before_;      ///< Uploads, and the copy of the values.
    std::vector<Op> after_;       ///< Downloads.
};

/// The kernel `copy`: an element of `words` words from `source` to `target`. Where the records of
/// `target` hold several `elements`, all of them; past the end of the input, whose elements are counted by
/// the parameter that there is then, the last one again.
std::shared_ptr<const Kernel> copy_kernel(std::uint32_t words, std::uint32_t elements = 1);

/// Kernels of the fragment backend that move elements of `words` words between a caller's buffer and a
/// texture: `upload` by pixel unpack, `download` by pixel pack. Of an upload three words become three elements
/// of one word, which the kernel `join_words` puts together.
std::shared_ptr<const Kernel> upload_kernel(std::uint32_t words);
std::shared_ptr<const Kernel> download_kernel(std::uint32_t words);

}  // namespace glsort
