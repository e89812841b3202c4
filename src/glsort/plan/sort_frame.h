#pragma once

#include <glsort/planner.h>

namespace glsort {

/// What all sorts share: the caller's streams, the stream of records that the algorithm's ops
/// rearrange, and the way in and out.
///
/// Its elements are the key's code alone (no payload) or the code and the index of the key in the
/// input: a total order, so every tier gives the same permutation, and the result is stable. A
/// payload of the caller's follows by one gather as the last op stores its elements.
///
/// An algorithm adds ops whose input 0 and output 0 are the stream `records()`. `finish` then
///   - puts a `copy` before them where there are fewer than two: the first op reads the caller's
///     keys and the last one overwrites them, which one op may not do at once;
///   - gives the first op a load chunk (key to code) and the last a store chunk (code to key);
///   - brings the caller's buffers into textures on the fragment backend (`upload`), and lets a
///     last `copy` write the caller's buffers there, by transform feedback;
///   - lets a last `copy` take the records apart where they hold several elements;
///   - keeps a copy of the caller's values where they are overwritten in place.
class SortFrame {
  public:
    SortFrame(const PlanRequest& request, const AlgorithmChoice& choice);

    std::uint32_t n() const { return program_.n; }
    StreamId records() const { return records_; }
    /// 32-bit words of an element of `records()`: 1 or 2.
    std::uint32_t record_words() const { return program_.streams[records_].words; }

    /// All records of `records()`.
    Substream all_records() const {
        return Substream::range(0, program_.streams[records_].records);
    }
    /// Makes the records of `records()` hold that many neighbouring elements; 1 unless called.
    void set_elements_per_record(std::uint32_t elements);

    /// Adds an op of the algorithm.
    void add(Op op) { program_.ops.push_back(std::move(op)); }

    StreamProgram finish();

  private:
    StreamId declare(std::string name, StreamRole role, Medium medium, std::uint32_t words);
    Op copy_op(StreamId source, StreamId target, const std::shared_ptr<const Kernel>& kernel) const;
    void attach_load(Op& op) const;
    void attach_store(Op& op) const;

    PlanRequest request_;
    StreamProgram program_;
    StreamId records_ = 0;
    StreamId keys_ = 0;           ///< What the load chunk reads.
    StreamId values_ = 0;         ///< What the store chunk gathers the payload from.
    StreamId keys_out_ = 0;       ///< What the store chunk writes: keys, or keys and values.
    StreamId values_out_ = 0;     ///< Its second output, where keys and values are two buffers.
    std::vector<Op> before_;      ///< Uploads, and the copy of the values.
};

/// The kernel `copy`: an element of `words` words from `source` to `target`. Where the records of
/// `target` hold several `elements`, the first of each fills its record.
std::shared_ptr<const Kernel> copy_kernel(std::uint32_t words, std::uint32_t elements = 1);

/// The kernel `upload`: a caller's buffer of 32-bit words into a texture, by pixel unpack.
std::shared_ptr<const Kernel> upload_kernel();

}  // namespace glsort
