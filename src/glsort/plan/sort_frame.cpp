#include <fmt/format.h>

#include <algorithm>
#include <glsort/error.h>
#include <glsort/plan/key_code.h>
#include <glsort/plan/sort_frame.h>
#include <glsort/stream/cpu_invocation.h>
#include <iterator>

namespace glsort {
namespace {

using Defines = std::vector<std::pair<std::string, std::string>>;

bool has_payload(const PlanRequest& request) {
    return request.payload.kind != Payload::Kind::none;
}

bool moves_values(const PlanRequest& request) {
    return request.payload.kind == Payload::Kind::bytes;
}

Defines key_defines(const PlanRequest& request) {
    Defines defines;
    if (request.key == KeyType::i32) defines.emplace_back("KEY_I32", "1");
    if (request.key == KeyType::f32) defines.emplace_back("KEY_F32", "1");
    if (request.order == Order::descending) defines.emplace_back("KEY_DESCENDING", "1");
    return defines;
}

/// Key to record: its code, and its index where there is a payload. `elements`: what an instance
/// loads at the most.
std::shared_ptr<const Chunk> load_chunk(const PlanRequest& request, std::uint32_t elements) {
    Chunk chunk;
    chunk.name = "load_record";
    chunk.inputs = {{.name = "keys", .access = Access::gather, .words = 1, .elements = elements}};
    chunk.defines = key_defines(request);
    chunk.load = [key = request.key, order = request.order](CpuInvocation& k, std::uint32_t index) {
        return Element{encode_key(key, order, k.read(0, index)[0]), index};
    };
    return std::make_shared<Chunk>(std::move(chunk));
}

/// Record to key and payload.
std::shared_ptr<const Chunk> store_chunk(const PlanRequest& request) {
    const bool interleaved = request.output == Medium::texture && has_payload(request);
    const std::size_t value_word = request.input == Medium::texture ? 1 : 0;
    Chunk chunk;
    chunk.name = "store_record";
    chunk.outputs = {{.name = "keys_out", .words = interleaved ? 2u : 1u}};
    if (has_payload(request) && !interleaved)
        chunk.outputs.push_back({.name = "values_out", .words = 1});
    if (moves_values(request))
        chunk.inputs = {{.name = "values",
                         .access = Access::gather,
                         .words = static_cast<std::uint32_t>(value_word + 1)}};
    chunk.defines = key_defines(request);
    if (has_payload(request)) chunk.defines.emplace_back("PAYLOAD", "1");
    if (interleaved) chunk.defines.emplace_back("INTERLEAVED", "1");
    if (moves_values(request))
        chunk.defines.emplace_back("VALUE_OF(record)", value_word == 1
                                                           ? "values_gather((record).y).y"
                                                           : "values_gather((record).y)");
    chunk.store = [key = request.key, order = request.order, payload = has_payload(request),
                   moves = moves_values(request), interleaved,
                   value_word](CpuInvocation& k, std::uint32_t, const Element& record) {
        const std::uint32_t bits = decode_key(key, order, record[0]);
        if (!payload) return k.write(0, 0, {bits});
        const std::uint32_t value = moves ? k.read(0, record[1])[value_word] : record[1];
        if (interleaved) return k.write(0, 0, {bits, value});
        k.write(0, 0, {bits});
        k.write(1, 0, {value});
    };
    return std::make_shared<Chunk>(std::move(chunk));
}

}  // namespace

std::shared_ptr<const Kernel> copy_kernel(std::uint32_t words, std::uint32_t elements) {
    Kernel kernel;
    kernel.name = "copy";
    kernel.inputs = {{.name = "source", .access = Access::gather, .words = words}};
    kernel.outputs = {{.name = "target", .words = words, .elements = elements}};
    kernel.elements_per_instance = elements;
    kernel.defines = {{"RECORD_WORDS", fmt::format("{}", words)}};
    kernel.includes = {"record"};
    if (elements > 1) kernel.defines.emplace_back("ELEMENTS", fmt::format("{}u", elements));
    kernel.cpu = [elements](CpuInvocation& k) {
        const Element value = k.read(0, k.instance * elements);
        for (std::uint32_t i = 0; i < elements; ++i) k.write(0, i, value);
    };
    return std::make_shared<Kernel>(std::move(kernel));
}

std::shared_ptr<const Kernel> upload_kernel() {
    Kernel kernel = *copy_kernel(1);
    kernel.name = "upload";
    kernel.transfer = true;
    return std::make_shared<Kernel>(std::move(kernel));
}

SortFrame::SortFrame(const PlanRequest& request, const AlgorithmChoice& choice)
    : request_(request) {
    program_.algorithm = choice.name;
    program_.variant = choice.variant;
    program_.backend = request.backend;
    program_.layout = stream_layout(*request.layout, std::max(request.n, request.capacity));
    program_.n = request.n;
    program_.key = request.key;
    program_.payload = request.payload;
    program_.order = request.order;

    const bool fragment = request.backend == Backend::fragment;
    const bool in_place = request.input == Medium::buffer && request.output == Medium::buffer;

    // The way in.
    if (request.input == Medium::texture) {
        keys_ = values_ = declare("input", StreamRole::input, Medium::texture,
                                  moves_values(request) ? 2 : 1);
    } else {
        const StreamRole role = in_place ? StreamRole::in_place : StreamRole::input;
        keys_ = keys_out_ = declare("keys", role, Medium::buffer, 1);
        if (moves_values(request))
            values_ = values_out_ = declare("values", role, Medium::buffer, 1);
        else if (has_payload(request) && in_place)
            values_out_ = declare("values", StreamRole::output, Medium::buffer, 1);
        const auto stage = [&](StreamId& source, const char* name,
                               const std::shared_ptr<const Kernel>& kernel) {
            const StreamId staged = declare(name, StreamRole::scratch, own_medium(), 1);
            // Pixel unpack fills rows, whatever the layout of the records.
            program_.streams[staged].layout = stream_layout(Layout::row_wise, request_.capacity);
            before_.push_back(copy_op(source, staged, kernel));
            source = staged;
        };
        if (fragment) stage(keys_, "keys_staged", upload_kernel());
        if (moves_values(request) && (fragment || in_place))
            stage(values_, "values_staged", fragment ? upload_kernel() : copy_kernel(1));
    }
    // The way out.
    if (request.output == Medium::texture)
        keys_out_ = declare("output", StreamRole::output, Medium::texture,
                            has_payload(request) ? 2 : 1);
    else if (!in_place)
        throw Error("plan: from a texture to buffers is not offered; write a texture");
}

StreamProgram SortFrame::finish() {
    if (n() == 0) {
        program_.ops.clear();
        return std::move(program_);
    }
    std::vector<Op>& ops = program_.ops;
    const std::uint32_t elements = program_.streams[result_].elements_per_record;
    // The caller's element is alone in its record, and a shader of the fragment backend writes either
    // textures or buffers: one op more for those.
    if (elements > 1 ||
        (request_.backend == Backend::fragment && request_.output == Medium::buffer))
        ops.push_back(copy_op(result_, result_, copy_kernel(result_words_)));
    while (ops.size() < 2) {
        ops.insert(ops.begin(), copy_op(result_, result_, copy_kernel(result_words_, elements)));
        ops.front().domain = ops.front().writes.front().records = elements_of(result_);
    }
    attach_load(ops.front());
    attach_store(ops.back());
    ops.insert(ops.begin(), std::make_move_iterator(before_.begin()),
               std::make_move_iterator(before_.end()));
    return std::move(program_);
}

StreamId SortFrame::add_stream(std::string name, std::uint32_t words,
                               std::uint32_t elements_per_record, std::uint32_t records) {
    const StreamId id = declare(std::move(name), StreamRole::scratch, own_medium(), words);
    Stream& stream = program_.streams[id];
    stream.elements_per_record = elements_per_record;
    stream.records = records != 0 ? records : elements_of(id).end();
    return id;
}

Substream SortFrame::elements_of(StreamId stream) const {
    return records_of(program_.streams[stream].elements_per_record);
}

Substream SortFrame::records_of(std::uint32_t elements_per_record) const {
    // Without a sum that 32 bits may not hold.
    return Substream::range(0,
                            n() / elements_per_record + (n() % elements_per_record != 0 ? 1 : 0));
}

Medium SortFrame::own_medium() const {
    return request_.backend == Backend::fragment ? Medium::texture : Medium::buffer;
}

StreamId SortFrame::declare(std::string name, StreamRole role, Medium medium, std::uint32_t words) {
    program_.streams.push_back({.name = std::move(name),
                                .role = role,
                                .medium = medium,
                                .words = words,
                                .records = program_.n,
                                .layout = program_.layout});
    return program_.streams.size() - 1;
}

Op SortFrame::copy_op(StreamId source, StreamId target,
                      const std::shared_ptr<const Kernel>& kernel) const {
    Op op;
    op.kernel = kernel;
    op.domain = Substream::range(0, program_.n);
    op.reads = {{source, elements_of(source)}};
    op.writes = {{target, op.domain}};
    return op;
}

void SortFrame::attach_load(Op& op) const {
    op.load = load_chunk(request_, op.kernel->inputs.front().elements);
    op.reads.push_back({keys_, Substream::range(0, program_.n)});
    op.reads.erase(op.reads.begin());
}

void SortFrame::attach_store(Op& op) const {
    op.store = store_chunk(request_);
    const Substream written = op.writes.front().records;
    op.writes.erase(op.writes.begin());
    op.writes.push_back({keys_out_, written});
    if (op.store->outputs.size() == 2) op.writes.push_back({values_out_, written});
    if (moves_values(request_)) op.reads.push_back({values_, Substream::range(0, program_.n)});
}

}  // namespace glsort
