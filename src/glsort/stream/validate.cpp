#include <fmt/format.h>

#include <glsort/error.h>
#include <glsort/stream/validate.h>
#include <algorithm>
#include <bit>

namespace glsort {
namespace {

CountRange counts_of(const StreamProgram& program) {
    return program.counts.value_or(CountRange{program.n, program.n});
}

/// The records of a stream that the ops so far have written. Substreams that follow the count begin at record 0 and
/// never shrink as the count grows. So checks for the min and the max count are enough.
struct Written {
    Substream at_first;            ///< For the min count.
    Substream at_last;             ///< For the max count. Empty where there is one count.
    std::vector<Counted> growing;  ///< The ends of ranges that follow the count.

    void add(const Substream& more, const CountRange& counts) {
        at_first = at_first.united(more.follows_count() ? more.at(counts.first) : more);
        if (counts.first == counts.last) return;
        at_last = at_last.united(more.follows_count() ? more.at(counts.last) : more);
        if (more.follows_count()) growing.push_back(more.counted_end());
    }
};

/// The checks of one op. Messages name the op.
class OpCheck {
  public:
    OpCheck(const StreamProgram& program, std::size_t number, const Limits& limits, std::vector<Written>& written)
        : program_(program),
          op_(program.ops[number]),
          number_(number),
          limits_(limits),
          written_(written),
          counts_(counts_of(program)),
          inputs_(input_ports(op_)),
          outputs_(output_ports(op_)) {}

    void run() {
        if (op_.domain.empty() || op_.domain.at(counts_.first).empty()) fail("has an empty domain");
        check_wraps("a domain", op_.domain.counted_end());
        if (op_.kernel->group_size == 0) fail("has a kernel with groups of 0 invocations");
        if (op_.kernel->reads_first == ReadsFirst::one_group &&
            (op_.domain.at(counts_.first).size() == 1) != (op_.domain.at(counts_.last).size() == 1))
            fail("has one group for some counts only, but its kernel overwrites its inputs only with one group");
        if ((op_.load && loaded_input(*op_.kernel) == op_.kernel->inputs.size()) ||
            (op_.store && stored_output(*op_.kernel) == op_.kernel->outputs.size()))
            fail("has a chunk, but its kernel has no port of elements to replace");
        if (op_.store && op_.kernel->elements_per_instance != 1)
            fail(fmt::format("has a store chunk, which takes one element per instance, not {}",
                             op_.kernel->elements_per_instance));
        if (op_.parameters.size() != op_.kernel->parameters.size())
            fail(fmt::format("has {} parameters, but its kernel takes {}", op_.parameters.size(),
                             op_.kernel->parameters.size()));
        check_blocks();
        check_uses("reads", op_.reads, inputs_);
        check_uses("writes", op_.writes, outputs_);
        check_ports();
        check_reads();
        check_replacements();
        if (program_.backend == Backend::fragment) check_fragment();
        if (program_.backend == Backend::compute) check_compute();
        for (const StreamUse& use : op_.writes)
            written_[use.stream].add(use.records, counts_);
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        throw Error(
            fmt::format("{}:{}, op {} ({}) {}", program_.algorithm, program_.variant, number_, describe(op_), what));
    }

    const Stream& stream(const StreamUse& use) const { return program_.streams[use.stream]; }

    /// Whether a <= b for every count of the program.
    bool at_most(const Counted& a, const Counted& b) const { return never_exceeds(a, b, counts_); }
    bool is_domain(const Substream& records) const {
        return counts_.first == counts_.last ? records == op_.domain : same_rule(records, op_.domain);
    }
    void check_wraps(const char* what, const Counted& end) const {
        if (wraps_round(end, counts_))
            fail(fmt::format("has {} up to record {}, which exceeds 2^32-1 for a count from {} to {}", what, end.rule(),
                             counts_.first, counts_.last));
    }
    /// The records for the max count.
    Substream max_records(const Substream& records) const {
        return records.follows_count() ? records.at(counts_.last) : records;
    }
    bool is_written(const StreamUse& use) const {
        const Written& written = written_[use.stream];
        if (written.at_first.covers(max_records(use.records))) return true;
        return use.records.follows_count() &&
               std::any_of(written.growing.begin(), written.growing.end(),
                           [&](const Counted& end) { return at_most(use.records.counted_end(), end); });
    }
    bool replaces_all(const StreamUse& use) const {
        const Written& written = written_[use.stream];
        if (counts_.first == counts_.last) return use.records.covers(written.at_first);
        if (!use.records.follows_count()) return use.records.covers(written.at_last);
        return use.records.at(counts_.first).covers(written.at_first) &&
               std::all_of(written.growing.begin(), written.growing.end(),
                           [&](const Counted& end) { return at_most(end, use.records.counted_end()); });
    }

    void check_uses(const char* verb, const std::vector<StreamUse>& uses, const std::vector<Port>& ports) const {
        if (uses.size() != ports.size())
            fail(fmt::format("{} {} streams, but its kernel has {} ports", verb, uses.size(), ports.size()));
        for (std::size_t i = 0; i < uses.size(); ++i) {
            if (uses[i].stream >= program_.streams.size())
                fail(fmt::format("{} stream {} of {}", verb, uses[i].stream, program_.streams.size()));
            const Stream& used = stream(uses[i]);
            const Counted end = uses[i].records.counted_end();
            check_wraps("a use", end);
            if (end > used.records)
                fail(fmt::format("{} {} up to record {}, past its end at {}", verb, used.name, end.value(),
                                 used.records.value()));
            if (!at_most(end, used.records))
                fail(fmt::format("{} {} up to record {}, past its end at {} for a count from {} to {}", verb, used.name,
                                 end.rule(), used.records.rule(), counts_.first, counts_.last));
            if (ports[i].words < 1) fail(fmt::format("{} 0 words of an element of {}", verb, used.name));
            if (ports[i].words > used.words)
                fail(fmt::format("{} {} words of an element of {}, which has {}", verb, ports[i].words, used.name,
                                 used.words));
            if (ports[i].access == Access::linear && !is_domain(uses[i].records))
                fail(fmt::format("{} {} linearly, but not the records of its domain", verb, used.name));
        }
    }

    void check_blocks() const {
        if (op_.blocks.empty() && op_.kernel->block_parameters.empty()) return;
        if (op_.blocks.size() != op_.domain.blocks().size())
            fail(fmt::format("has {} block details for a domain of {} blocks", op_.blocks.size(),
                             op_.domain.blocks().size()));
        for (const BlockDetail& block : op_.blocks)
            if (block.parameters.size() != op_.kernel->block_parameters.size())
                fail(fmt::format("has {} parameters for a block, but its kernel takes {}", block.parameters.size(),
                                 op_.kernel->block_parameters.size()));
    }

    void check_ports() const {
        for (std::size_t i = 0; i < inputs_.size(); ++i)
            if (inputs_[i].access != Access::linear && inputs_[i].access != Access::gather)
                fail(fmt::format("reads {} with an access that writes", stream(op_.reads[i]).name));
        for (const Port& input : op_.kernel->inputs) {
            if (!input.by_fours) continue;
            if (input.access != Access::gather || input.words != 1)
                fail(fmt::format("reads {} by fours, but only gathered elements of one word can be read so",
                                 input.name));
            if (op_.load && &input == &op_.kernel->inputs[loaded_input(*op_.kernel)])
                fail(fmt::format("reads {} by fours, but its load chunk gives single elements", input.name));
        }
        for (std::size_t i = 0; i < inputs_.size(); ++i)
            if (inputs_[i].by_fours) check_fours(stream(op_.reads[i]));
        check_ports_of_blocks();
        for (std::size_t i = 0; i < outputs_.size(); ++i) {
            const Stream& written = stream(op_.writes[i]);
            if (outputs_[i].access == Access::gather)
                fail(fmt::format("writes {} with an access that reads", written.name));
            if (outputs_[i].words != written.words)
                fail(fmt::format("writes {} of the {} words of an element of {}", outputs_[i].words, written.words,
                                 written.name));
            if (outputs_[i].access == Access::linear &&
                op_.kernel->elements_per_instance != written.elements_per_record)
                fail(fmt::format("writes {} elements per instance to {}, whose records have {}",
                                 op_.kernel->elements_per_instance, written.name, written.elements_per_record));
        }
    }

    /// A texel behind the caller's buffer has none of its four elements.
    void check_fours(const Stream& read) const {
        const std::uint64_t elements = std::uint64_t{read.records} * read.elements_per_record;
        if (read.role != StreamRole::scratch && read.medium == Medium::buffer && elements % 4 != 0)
            fail(fmt::format("reads {} by fours, but its {} elements are no multiple of 4", read.name, elements));
    }

    void check_ports_of_blocks() const {
        for (const Port& input : inputs_) {
            if (input.per_block.empty()) continue;
            const auto alike = std::count_if(inputs_.begin(), inputs_.end(), [&](const Port& other) {
                return other.per_block == input.per_block && other.access == Access::gather;
            });
            if (static_cast<std::size_t>(alike) != op_.domain.blocks().size())
                fail(fmt::format("gathers {} streams as {}, one for each block, but its domain has {} blocks", alike,
                                 input.per_block, op_.domain.blocks().size()));
            if (alike > 1 && !limits_.block_arrays && program_.backend == Backend::compute)
                fail(fmt::format("chooses {} by the number of a block; the limit block_arrays is no", input.per_block));
        }
    }

    void check_reads() const {
        for (const StreamUse& use : op_.reads) {
            if (stream(use).role == StreamRole::output)
                fail(fmt::format("reads {}, an output of the caller", stream(use).name));
            if (stream(use).role == StreamRole::scratch && !is_written(use))
                fail(fmt::format("reads records of {} that no op has written", stream(use).name));
        }
        for (std::size_t i = 0; i < op_.writes.size(); ++i) {
            const StreamUse& use = op_.writes[i];
            if (stream(use).role == StreamRole::input)
                fail(fmt::format("writes {}, an input of the caller", stream(use).name));
            if (outputs_[i].access == Access::shared && !outputs_[i].writes_first &&
                stream(use).role == StreamRole::scratch && !stream(use).begins_zero && !is_written(use))
                fail(fmt::format("shares records of {} that no op has written", stream(use).name));
        }
    }

    void check_replacements() const {
        for (std::size_t i = 0; i < op_.writes.size(); ++i) {
            const StreamUse& use = op_.writes[i];
            for (std::size_t j = 0; j < i; ++j)
                if (op_.writes[j].stream == use.stream &&
                    max_records(op_.writes[j].records).overlaps(max_records(use.records)))
                    fail(fmt::format("writes {} through two ports", stream(use).name));
            check_overlaps(use);
            if (!needs_two_copies(op_, use.stream, program_.backend)) {
                check_in_place(use);
                continue;
            }
            if (outputs_[i].access == Access::shared) fail(fmt::format("reads and shares {}", stream(use).name));
            if (stream(use).role != StreamRole::scratch)
                fail(fmt::format("reads and writes {}, a stream of the caller", stream(use).name));
            if (!replaces_all(use))
                fail(fmt::format("reads {} and writes only a part of this stream", stream(use).name));
        }
    }

    /// The schedule is one for all counts, and so is whether the op reads records that it writes.
    void check_overlaps(const StreamUse& write) const {
        if (counts_.first == counts_.last) return;
        for (const StreamUse& read : op_.reads)
            if (read.stream == write.stream &&
                read.records.at(counts_.first).overlaps(write.records.at(counts_.first)) !=
                    max_records(read.records).overlaps(max_records(write.records)))
                fail(fmt::format("reads and writes the same records of {} for some counts only", stream(write).name));
    }

    void check_in_place(const StreamUse& use) const {
        if (program_.backend != Backend::fragment || limits_.texture_barrier) return;
        // The caller's streams count too. `reads_in_place` considers only scratch streams.
        const auto same = [&use](const StreamUse& read) { return read.stream == use.stream; };
        if (std::any_of(op_.reads.begin(), op_.reads.end(), same))
            fail(
                fmt::format("reads {} while it writes other records of this stream, which needs texture "
                            "barriers; the limit texture_barrier is no",
                            stream(use).name));
    }

    void check_fragment() const {
        if (op_.kernel->transfer) return;
        if (!op_.kernel->portable()) fail("needs groups, scatter or atomics, which the fragment backend lacks");
        std::uint32_t attachments = 0;
        bool buffers = false;
        bool textures = false;
        for (const StreamUse& use : op_.writes) {
            attachments += stream(use).layers();
            (stream(use).medium == Medium::buffer ? buffers : textures) = true;
        }
        if (buffers && textures) fail("writes buffers and textures at once");
        if (buffers && (op_.domain.blocks().size() > 1 || !op_.blocks.empty()))
            fail("writes buffers from a domain of several blocks");
        for (const StreamUse& use : op_.writes)
            if (stream(use).layout != stream(op_.writes.front()).layout)
                fail("writes textures of different layouts at once");
        if (textures && attachments > limits_.attachments)
            fail(fmt::format("writes {} attachments; the limit is {} (attachments)", attachments, limits_.attachments));
        if (op_.reads.size() > limits_.textures_read)
            fail(fmt::format("reads {} textures; the limit is {} (textures_read)", op_.reads.size(),
                             limits_.textures_read));
        for (const StreamUse& use : op_.reads)
            if (stream(use).medium == Medium::buffer) check_texture_buffer(stream(use));
    }

    /// Fragment shaders read the caller's buffers as textures.
    void check_texture_buffer(const Stream& read) const {
        if (read.role == StreamRole::scratch || read.words == 3)
            fail(fmt::format("reads {}, a buffer{}, in a shader of the fragment backend", read.name,
                             read.words == 3 ? " of three words" : " of the library"));
        if (const std::uint64_t texels = std::uint64_t{read.elements_per_record} * read.records.value();
            texels > limits_.texture_buffer)
            fail(fmt::format("reads {}, a buffer of {} elements, as a texture; the limit is {} texels (texture_buffer)",
                             read.name, texels, limits_.texture_buffer));
    }

    void check_compute() const {
        const auto check = [this](const char* what, std::uint64_t value, std::uint64_t limit, const char* name) {
            if (value > limit) fail(fmt::format("needs {} {}; the limit is {} ({})", value, what, limit, name));
        };
        check("invocations in a group", op_.kernel->group_size, limits_.invocations, "invocations");
        if (const std::uint64_t bytes = std::uint64_t{4} * op_.kernel->shared_words; bytes > limits_.shared_memory)
            fail(fmt::format("needs {} bytes of shared memory; the limit is {} bytes (shared_memory)", bytes,
                             limits_.shared_memory));
        if (op_.kernel->subgroups != Subgroups::none && !limits_.has_subgroups())
            fail(limits_.subgroup_size == 0 ? "needs subgroup operations; the limit subgroup_size is 0"
                                            : "needs subgroup operations; the limit subgroups is none");
        for (std::size_t i = 0; i < op_.writes.size(); ++i)
            if (outputs_[i].access == Access::shared && stream(op_.writes[i]).medium == Medium::texture)
                fail(fmt::format("shares {}, a texture", stream(op_.writes[i]).name));
        check("storage blocks", storage_blocks(program_, op_), limits_.storage_blocks, "storage_blocks");
    }

    const StreamProgram& program_;
    const Op& op_;
    std::size_t number_;
    const Limits& limits_;
    std::vector<Written>& written_;  ///< By stream.
    CountRange counts_;
    std::vector<Port> inputs_;
    std::vector<Port> outputs_;
};

void check_counts(const StreamProgram& program) {
    const CountRange counts = counts_of(program);
    if (!counts.contains(program.n))
        throw Error(fmt::format("{}:{} has {} elements, which is not from {} to {}", program.algorithm, program.variant,
                                program.n, counts.first, counts.last));
}

void check_streams(const StreamProgram& program, const Limits& limits) {
    for (StreamId id = 0; id < program.streams.size(); ++id) {
        const Stream stream = largest_stream(program, id);
        const auto fail = [&](const std::string& what) {
            throw Error(fmt::format("{}:{}, stream {} {}", program.algorithm, program.variant, stream.name, what));
        };
        if (stream.words < 1 || stream.words > 4)
            fail(fmt::format("has elements of {} words, which is not 1 to 4", stream.words));
        if (stream.elements_per_record < 1) fail("has records of 0 elements");
        if (wraps_round(stream.records, counts_of(program)))
            fail(fmt::format("has {} records, which exceed 2^32-1", stream.records.rule()));
        // Kernels number elements by 32 bits.
        constexpr std::uint64_t max_elements = std::uint64_t{1} << 32;
        if (const std::uint64_t elements = std::uint64_t{stream.records} * stream.elements_per_record;
            elements > max_elements)
            fail(fmt::format("has {} elements; the limit is {}", elements, max_elements));
        if (stream.medium == Medium::texture && stream.layout.kind == Layout::row_wise && stream.layout.width == 0)
            fail("has rows of 0 records");
        if (stream.padding.run != 0) {
            if (stream.role != StreamRole::scratch || stream.medium != Medium::buffer ||
                program.backend != Backend::compute)
                fail("has padding, which only scratch buffers of the compute backend have");
            if (!std::has_single_bit(stream.padding.run))
                fail(fmt::format("has padding after every {} elements, which is not a power of two",
                                 stream.padding.run));
        }
        if (stream.role != StreamRole::scratch) continue;
        if (stream.medium == Medium::texture) {
            const Rectangle box = bounding_box(stream.layout, stream.records);
            const std::uint32_t side = std::max(box.x1, box.y1);
            if (side > limits.texture_size)
                fail(fmt::format("with {} records needs a texture of {}x{} texels; the limit is {} (texture_size)",
                                 stream.records.value(), box.x1, box.y1, limits.texture_size));
        } else if (program.backend == Backend::compute && stream.buffer_bytes() > limits.storage_bytes) {
            fail(
                fmt::format("with {} records needs {} bytes; the limit of a storage buffer is {} bytes (storage_bytes)",
                            stream.records.value(), stream.buffer_bytes(), limits.storage_bytes));
        }
    }
}

}  // namespace

bool needs_two_copies(const Op& op, StreamId id, Backend backend) {
    if (reads_first(op)) return false;
    for (std::size_t r = 0; r < op.reads.size(); ++r) {
        if (op.reads[r].stream != id) continue;
        for (std::size_t w = 0; w < op.writes.size(); ++w) {
            if (op.writes[w].stream != id || !op.writes[w].records.overlaps(op.reads[r].records)) continue;
            // A fragment may not read even its own record from a texture that the draw writes.
            const bool same_record = backend != Backend::fragment && input_ports(op)[r].access == Access::linear &&
                                     output_ports(op)[w].access == Access::linear;
            if (!same_record) return true;
        }
    }
    return false;
}

std::optional<std::size_t> reads_in_place(const StreamProgram& program, const Op& op, StreamId id) {
    const bool written =
        std::any_of(op.writes.begin(), op.writes.end(), [id](const StreamUse& use) { return use.stream == id; });
    if (!written || program.streams[id].role != StreamRole::scratch) return std::nullopt;
    for (std::size_t r = 0; r < op.reads.size(); ++r)
        if (op.reads[r].stream == id && !needs_two_copies(op, id, program.backend)) return r;
    return std::nullopt;
}

std::uint32_t storage_blocks(const StreamProgram& program, const Op& op) {
    std::uint32_t blocks = 0;
    const auto is_buffer = [&](const StreamUse& use) { return program.streams[use.stream].medium == Medium::buffer; };
    for (const StreamUse& use : op.reads)
        blocks += is_buffer(use);
    for (const StreamUse& use : op.writes)
        blocks += is_buffer(use) && !reads_in_place(program, op, use.stream);
    return blocks;
}

void validate(const StreamProgram& program, const Limits& limits) {
    check_counts(program);
    check_streams(program, limits);
    if (GLSORT_CHECK_OPS == 0) return;
    std::vector<Written> written(program.streams.size());
    for (std::size_t number = 0; number < program.ops.size(); ++number) {
        if (!program.ops[number].kernel)
            throw Error(fmt::format("{}:{}, op {} has no kernel", program.algorithm, program.variant, number));
        OpCheck(program, number, limits, written).run();
    }
}

}  // namespace glsort
