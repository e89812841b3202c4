#pragma once

#include <glsort/exec/count_table.h>
#include <glsort/exec/program_cache.h>
#include <glsort/gl/objects.h>
#include <glsort/gl_types.h>
#include <glsort/stream/count_rule.h>
#include <glsort/stream/program.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace glsort {

/// Evaluates the numbers of a program on the GPU, for a count that lies in a buffer or a texture of the caller's.
///
/// One dispatch reads the count, and writes the integers of ops and the arguments of their dispatches into a buffer.
/// The ops read their integers as a uniform block, and `dispatch` dispatches an op indirectly. A count above the
/// capacity is clamped. With a count of 0, no op changes data.
///
/// The first op may read the count itself. The dispatch of the numbers then runs beside that op, which has no integers
/// in the buffer.
class GpuCount {
  public:
    /// The program of the dispatch. `medium`: where the caller's count lies.
    static gl::ProgramSource source(bool es, Medium medium);

    /// Issues the program. `max_groups`: groups along one dimension of a dispatch.
    GpuCount(const std::shared_ptr<const gl::Api>& api, std::shared_ptr<ProgramCache> programs, Medium medium,
             std::uint64_t max_groups);

    /// Storage blocks that the dispatch uses.
    static constexpr std::size_t blocks = 3;

    /// The most numbers, arguments included, that one dispatch can write.
    std::uint64_t most_numbers() const { return std::uint64_t{64} * max_groups_; }
    /// Begins the numbers of a program with that capacity, and finishes the program of the dispatch. `add_op` follows
    /// for each op, in order.
    void begin(std::uint32_t capacity);
    /// `words`: the integers of the op as the CPU knows them. `instances`: of the domain. `group_size`: instances of a
    /// group, 1 if an instance is a group. A piece of an op (exec/pieces.h) is added as an op: up to `most_groups`
    /// groups, from group `first_group` on.
    void add_op(std::span<const std::uint32_t> words, const Counted& instances, std::uint32_t group_size,
                std::uint32_t first_group = 0, std::uint32_t most_groups = 0xffffffffu);
    /// Word `word` of the last op follows the count.
    void add_number(std::size_t word, const Counted& number);
    /// Word `word` of the last op is the base of the caller's stream `stream`, which `set_base` gives.
    void add_base(std::size_t word, StreamId stream);
    /// Writes the numbers to the GPU.
    void upload();

    void set_base(StreamId stream, std::uint32_t base);
    /// Bytes of GPU memory.
    std::uint64_t bytes() const { return 4 * numbers_words_ + sizeof(CountRule) * rules_.size(); }
    /// Reads the count from storage block 0: one dispatch. `place`: the word of the count. The numbers are visible
    /// after `show_numbers`.
    void run(std::uint32_t place);
    /// Reads the count from texel (0, 0) of the texture that unit 0 has, together with a sampler for integers.
    void run() { run(0); }
    /// Makes the numbers visible to the ops.
    void show_numbers() const;
    /// The four words {count, clamped, 0, 0} of the last `run`.
    BufferSlice status() const { return {numbers_.name(), 0}; }
    /// What another shader needs to write the numbers in place of `run`.
    CountTable table() const;

    /// Before the ops: binds the arguments of their dispatches.
    void bind_arguments() const;
    /// Binds the integers of op `number` as uniform block 0.
    void bind_numbers(std::size_t number) const;
    void dispatch(std::size_t number) const;

  private:
    /// The integers of an op in the buffer.
    struct Place {
        std::size_t first = 0;  ///< Words.
        std::size_t size = 0;
    };

    void add(std::size_t word, CountRule::Kind kind, std::uint32_t extra, const Counted& number);
    std::size_t base_of(StreamId stream);

    std::shared_ptr<const gl::Api> api_;
    std::shared_ptr<ProgramCache> programs_;
    Medium medium_;
    std::uint32_t max_groups_;
    std::size_t alignment_;  ///< Words.
    GLuint program_ = 0;
    GLint uniforms_ = -1;
    gl::Buffer numbers_;  ///< The status, the arguments of all dispatches, and the integers of all ops.
    gl::Buffer table_;
    std::uint32_t capacity_ = 0;
    std::vector<Place> places_;
    std::vector<std::uint32_t> words_;  ///< The integers of all ops.
    std::vector<CountRule> rules_;
    std::vector<StreamId> streams_;                       ///< The caller's, each with a base.
    std::array<std::uint32_t, max_count_bases> bases_{};  ///< By the place in `streams_`.
    std::size_t numbers_words_ = 0;
};

}  // namespace glsort
