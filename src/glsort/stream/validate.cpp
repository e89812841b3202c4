#include <fmt/format.h>

#include <algorithm>
#include <glsort/error.h>
#include <glsort/stream/validate.h>

namespace glsort {
namespace {

/// The checks of one op, with the place they complain about.
class OpCheck {
  public:
    OpCheck(const StreamProgram& program, std::size_t number, const Limits& limits,
            std::vector<Substream>& written)
        : program_(program),
          op_(program.ops[number]),
          number_(number),
          limits_(limits),
          written_(written) {}

    void run() {
        if (op_.domain.empty()) fail("has an empty domain");
        if (op_.parameters.size() != op_.kernel->parameters.size())
            fail(fmt::format("has {} parameters where its kernel takes {}", op_.parameters.size(),
                             op_.kernel->parameters.size()));
        check_uses("reads", op_.reads, input_ports(op_));
        check_uses("writes", op_.writes, output_ports(op_));
        check_reads();
        check_replacements();
        if (program_.backend == Backend::fragment) check_fragment();
        if (program_.backend == Backend::compute) check_compute();
        for (const StreamUse& use : op_.writes)
            written_[use.stream] = written_[use.stream].united(use.records);
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        throw Error(fmt::format("{}:{}, op {} ({}) {}", program_.algorithm, program_.variant,
                                number_, describe(op_), what));
    }

    const Stream& stream(const StreamUse& use) const { return program_.streams[use.stream]; }

    void check_uses(const char* verb, const std::vector<StreamUse>& uses,
                    const std::vector<Port>& ports) const {
        if (uses.size() != ports.size())
            fail(fmt::format("{} {} streams where its kernel has {} ports", verb, uses.size(),
                             ports.size()));
        for (std::size_t i = 0; i < uses.size(); ++i) {
            if (uses[i].stream >= program_.streams.size())
                fail(fmt::format("{} stream {} of {}", verb, uses[i].stream,
                                 program_.streams.size()));
            const Stream& used = stream(uses[i]);
            if (uses[i].records.end() > used.records)
                fail(fmt::format("{} {} up to record {}, past its end at {}", verb, used.name,
                                 uses[i].records.end(), used.records));
            if (ports[i].words > used.words)
                fail(fmt::format("{} {} words of an element of {}, which has {}", verb,
                                 ports[i].words, used.name, used.words));
            if (ports[i].access == Access::linear && op_.kernel->group_size == 1 &&
                uses[i].records != op_.domain)
                fail(fmt::format("{} {} linearly, but not the records of its domain", verb,
                                 used.name));
        }
    }

    void check_reads() const {
        for (const StreamUse& use : op_.reads) {
            if (stream(use).role == StreamRole::output)
                fail(fmt::format("reads {}, an output of the caller's", stream(use).name));
            if (stream(use).role == StreamRole::scratch &&
                !written_[use.stream].covers(use.records))
                fail(fmt::format("reads records of {} that no op has written", stream(use).name));
        }
        for (const StreamUse& use : op_.writes)
            if (stream(use).role == StreamRole::input)
                fail(fmt::format("writes {}, an input of the caller's", stream(use).name));
    }

    void check_replacements() const {
        for (std::size_t i = 0; i < op_.writes.size(); ++i) {
            const StreamUse& use = op_.writes[i];
            for (std::size_t j = 0; j < i; ++j)
                if (op_.writes[j].stream == use.stream &&
                    op_.writes[j].records.overlaps(use.records))
                    fail(fmt::format("writes {} through two ports", stream(use).name));
            if (!needs_two_copies(op_, use.stream, program_.backend)) continue;
            if (stream(use).role != StreamRole::scratch)
                fail(fmt::format("reads {} while it writes it, and that is the caller's",
                                 stream(use).name));
            if (!use.records.covers(written_[use.stream]))
                fail(fmt::format("reads {} while it writes only a part of it", stream(use).name));
        }
    }

    void check_fragment() const {
        if (op_.kernel->transfer) return;
        if (!op_.kernel->portable())
            fail("needs groups, scatter or atomics, which the fragment backend lacks");
        std::uint32_t attachments = 0;
        bool buffers = false;
        bool textures = false;
        for (const StreamUse& use : op_.writes) {
            attachments += stream(use).layers();
            (stream(use).medium == Medium::buffer ? buffers : textures) = true;
        }
        if (buffers && textures) fail("writes buffers and textures at once");
        if (textures && attachments > limits_.attachments)
            fail(fmt::format("writes {} attachments of {}", attachments, limits_.attachments));
        for (const StreamUse& use : op_.reads)
            if (stream(use).medium == Medium::buffer)
                fail(fmt::format("reads {}, a buffer, in a shader of the fragment backend",
                                 stream(use).name));
    }

    void check_compute() const {
        const auto check = [this](const char* what, std::uint64_t value, std::uint64_t limit) {
            if (value > limit) fail(fmt::format("needs {} {}; the limit is {}", value, what, limit));
        };
        check("invocations in a group", op_.kernel->group_size, limits_.invocations);
        check("bytes of shared memory", std::uint64_t{4} * op_.kernel->shared_words,
              limits_.shared_memory);
        std::vector<StreamId> blocks;
        for (const auto* uses : {&op_.reads, &op_.writes})
            for (const StreamUse& use : *uses)
                if (stream(use).medium == Medium::buffer) blocks.push_back(use.stream);
        check("storage blocks", blocks.size(), limits_.storage_blocks);
    }

    const StreamProgram& program_;
    const Op& op_;
    std::size_t number_;
    const Limits& limits_;
    std::vector<Substream>& written_;  ///< By stream: the records that ops so far have written.
};

void check_streams(const StreamProgram& program, const Limits& limits) {
    for (const Stream& stream : program.streams) {
        const auto fail = [&](const std::string& what) {
            throw Error(fmt::format("{}:{}, stream {} {}", program.algorithm, program.variant,
                                    stream.name, what));
        };
        if (stream.words < 1 || stream.words > 4)
            fail(fmt::format("has elements of {} words, which is not 1 to 4", stream.words));
        if (stream.role != StreamRole::scratch) continue;
        if (stream.medium == Medium::texture) {
            const Rectangle box = bounding_box(program.layout, stream.records);
            const std::uint32_t side = std::max(box.x1, box.y1);
            if (side > limits.texture_size)
                fail(fmt::format("with {} records takes a texture of {}x{} texels; the limit is {}",
                                 stream.records, box.x1, box.y1, limits.texture_size));
        } else if (program.backend == Backend::compute && stream.bytes() > limits.storage_bytes) {
            fail(fmt::format("with {} records takes {} bytes; the limit of a storage buffer is {}",
                             stream.records, stream.bytes(), limits.storage_bytes));
        }
    }
}

}  // namespace

bool needs_two_copies(const Op& op, StreamId id, Backend backend) {
    const std::vector<Port> ports = input_ports(op);
    for (std::size_t r = 0; r < op.reads.size(); ++r) {
        if (op.reads[r].stream != id) continue;
        for (const StreamUse& write : op.writes) {
            if (write.stream != id) continue;
            if (backend == Backend::fragment) return true;
            if (ports[r].access != Access::linear && write.records.overlaps(op.reads[r].records))
                return true;
        }
    }
    return false;
}

void validate(const StreamProgram& program, const Limits& limits) {
    check_streams(program, limits);
    std::vector<Substream> written(program.streams.size());
    for (std::size_t number = 0; number < program.ops.size(); ++number)
        OpCheck(program, number, limits, written).run();
}

}  // namespace glsort
