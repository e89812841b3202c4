#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <glsort/error.h>
#include <glsort/plan/sort_frame.h>
#include <glsort/stream/cpu_invocation.h>
#include <glsort/stream/validate.h>
#include <iterator>
#include <numeric>

namespace glsort {
namespace {

bool has_payload(const PlanRequest& request) {
    return request.payload.kind != Payload::Kind::none;
}

bool moves_values(const PlanRequest& request) {
    return request.payload.kind == Payload::Kind::bytes;
}

/// A payload of the caller's, in memory: its size in words, and how they are moved. The largest of four,
/// two or one word that divides the value.
std::uint32_t value_words(const PlanRequest& request) { return request.payload.size / 4; }
std::uint32_t chunk_words(const PlanRequest& request) { return std::gcd(value_words(request), 4u); }
std::uint32_t chunks_of(const PlanRequest& request) {
    return value_words(request) / chunk_words(request);
}

/// The word of a caller's element that is the value: in a texture it follows the key.
std::uint32_t value_word_of(const PlanRequest& request) {
    return request.input == Medium::texture ? key_words(request) : 0;
}

/// The macro `name` by which a chunk reaches it.
std::pair<std::string, std::string> value_at(const char* name, std::uint32_t word) {
    return {fmt::format("{}(index)", name),
            word == 0 ? "values_gather(index)" : fmt::format("values_gather(index).{}", "xyzw"[word])};
}

/// Whether values follow by an op of their own: large ones, and those for which a store chunk that looks up
/// keys, too, has no port left on a device with few.
bool gathers_values(const PlanRequest& request, const RecordType& record) {
    return moves_values(request) &&
           (value_words(request) != 1 || (record.looks_up() && request.output == Medium::buffer));
}

/// Whether the store chunk gathers the values.
bool stores_values(const PlanRequest& request, const RecordType& record) {
    return moves_values(request) && !gathers_values(request, record) && !record.carries_value();
}

/// Key to record: its code, its index or value, or both. `elements`: what an instance loads at the most.
std::shared_ptr<const Chunk> load_chunk(const PlanRequest& request, const RecordType& record,
                                        std::uint32_t elements) {
    Chunk chunk;
    chunk.name = "load_record";
    if (record.code_words() == 0) {
        chunk.load = [](CpuInvocation&, std::uint32_t index) { return Element{index}; };
        return std::make_shared<Chunk>(std::move(chunk));
    }
    chunk.inputs = {{.name = "keys",
                     .access = Access::gather,
                     .words = key_words(request),
                     .elements = elements}};
    chunk.defines = key_defines(request.key, request.order);
    const std::uint32_t value_word = value_word_of(request);
    if (record.carries_value()) {
        chunk.inputs.push_back({.name = "values",
                                .access = Access::gather,
                                .words = value_word + 1,
                                .elements = elements});
        chunk.defines.push_back(value_at("LOADED_VALUE", value_word));
    }
    chunk.load = [key = request.key, order = request.order, words = record.code_words(), value_word,
                  carries = record.carries_value()](CpuInvocation& k, std::uint32_t index) {
        Element element = encoded(key, order, k.read(0, index));
        element[words] = carries ? k.read(1, index)[value_word] : index;
        return element;
    };
    return std::make_shared<Chunk>(std::move(chunk));
}

/// Record to key and payload.
std::shared_ptr<const Chunk> store_chunk(const PlanRequest& request, const RecordType& record) {
    const bool payload = has_payload(request) && !gathers_values(request, record);
    const bool values = stores_values(request, record);
    const bool interleaved = payload && request.output == Medium::texture;
    const std::uint32_t words = key_words(request);
    const std::uint32_t value_word = value_word_of(request);
    Chunk chunk;
    chunk.name = "store_record";
    chunk.outputs = {{.name = "keys_out", .words = words + (interleaved ? 1 : 0)}};
    if (payload && !interleaved) chunk.outputs.push_back({.name = "values_out", .words = 1});
    if (record.looks_up())
        chunk.inputs.push_back({.name = "keys", .access = Access::gather, .words = words});
    if (values)
        chunk.inputs.push_back({.name = "values", .access = Access::gather, .words = value_word + 1});
    chunk.defines = key_defines(request.key, request.order);
    if (payload) chunk.defines.emplace_back("PAYLOAD", "1");
    if (interleaved) chunk.defines.emplace_back("INTERLEAVED", "1");
    if (values) chunk.defines.push_back(value_at("VALUE_AT", value_word));
    chunk.store = [=, key_type = request.key, order = request.order, looks_up = record.looks_up(),
                   index_word = record.code_words()](CpuInvocation& k, std::uint32_t,
                                                     const Element& element) {
        const std::uint32_t index = element[index_word];
        Element key = looks_up ? k.read(0, index) : decoded(key_type, order, element);
        const std::uint32_t value = values ? k.read(looks_up ? 1 : 0, index)[value_word] : index;
        if (interleaved) key[words] = value;
        k.write(0, 0, key);
        if (payload && !interleaved) k.write(1, 0, {value});
    };
    return std::make_shared<Chunk>(std::move(chunk));
}

/// The elements that pixel unpack makes of one: three of a word each where it has three words. OpenGL ES
/// lets no pixels of three channels into a texture of four, and draws to none of three.
std::uint32_t upload_parts(std::uint32_t words) { return words == 3 ? 3 : 1; }

/// Elements of three words from three of one word each.
std::shared_ptr<const Kernel> join_words_kernel() {
    Kernel kernel;
    kernel.name = "join_words";
    kernel.inputs = {{.name = "source", .access = Access::gather, .elements = 3}};
    kernel.outputs = {{.name = "target", .words = 3}};
    kernel.cpu = [](CpuInvocation& k) {
        const auto word = [&k](std::uint32_t i) { return k.read(0, 3 * k.instance + i)[0]; };
        k.write(0, 0, {word(0), word(1), word(2)});
    };
    return std::make_shared<Kernel>(std::move(kernel));
}

/// A `copy` of records, which load and store chunks may be given.
std::shared_ptr<const Kernel> record_copy_kernel(const RecordType& record, std::uint32_t elements = 1) {
    Kernel kernel = *copy_kernel(record.words(), elements);
    record.declare_in(kernel, false);
    return std::make_shared<Kernel>(std::move(kernel));
}

/// Values of several words to where their keys are: `chunks` of `words` words each.
std::shared_ptr<const Kernel> gather_values_kernel(const RecordType& record, std::uint32_t words,
                                                   std::uint32_t chunks) {
    Kernel kernel;
    kernel.name = "gather_values";
    kernel.inputs = {{.name = "records", .access = Access::gather, .words = record.words()},
                     {.name = "values", .access = Access::gather, .words = words}};
    kernel.outputs = {{.name = "values_out", .words = words}};
    kernel.defines = {{"CHUNKS", literal(chunks)}};
    record.declare_in(kernel, false);
    kernel.cpu = [index_word = record.code_words(), chunks](CpuInvocation& k) {
        const std::uint32_t index = k.read(0, k.instance / chunks)[index_word];
        k.write(0, 0, k.read(1, index * chunks + k.instance % chunks));
    };
    return std::make_shared<Kernel>(std::move(kernel));
}

}  // namespace

std::shared_ptr<const Kernel> copy_kernel(std::uint32_t words, std::uint32_t elements) {
    Kernel kernel;
    kernel.name = "copy";
    kernel.inputs = {{.name = "source", .access = Access::gather, .words = words}};
    kernel.outputs = {{.name = "target", .words = words, .elements = elements}};
    kernel.elements_per_instance = elements;
    kernel.cpu = [](CpuInvocation& k) { k.write(0, 0, k.read(0, k.instance)); };
    if (elements > 1) {
        kernel.inputs.front().elements = elements;
        kernel.parameters = {{"count"}};
        kernel.defines.emplace_back("ELEMENTS", literal(elements));
        kernel.cpu = [elements](CpuInvocation& k) {
            for (std::uint32_t i = 0; i < elements; ++i)
                k.write(0, i, k.read(0, std::min(k.instance * elements + i, k.parameter(0) - 1)));
        };
    }
    return std::make_shared<Kernel>(std::move(kernel));
}

std::shared_ptr<const Kernel> download_kernel(std::uint32_t words) {
    Kernel kernel = *copy_kernel(words);
    kernel.name = "download";
    kernel.transfer = true;
    return std::make_shared<Kernel>(std::move(kernel));
}

std::shared_ptr<const Kernel> upload_kernel(std::uint32_t words) {
    const std::uint32_t parts = upload_parts(words);
    Kernel kernel = *copy_kernel(words / parts);
    kernel.name = "upload";
    kernel.transfer = true;
    if (parts > 1) {
        kernel.inputs.front().words = words;
        kernel.cpu = [parts](CpuInvocation& k) {
            k.write(0, 0, {k.read(0, k.instance / parts)[k.instance % parts]});
        };
    }
    return std::make_shared<Kernel>(std::move(kernel));
}

SortFrame::SortFrame(const PlanRequest& request, const AlgorithmChoice& choice, RecordType::Form form)
    : request_(request), record_(RecordType::of(request, form)) {
    program_.algorithm = choice.name;
    program_.variant = choice.variant;
    program_.backend = request.backend;
    program_.layout = stream_layout(*request.layout, std::max(request.n, request.capacity));
    program_.n = request.n;
    program_.key = request.key;
    program_.payload = request.payload;
    program_.order = request.order;
    program_.comparison = record_.comparison();

    const bool fragment = request.backend == Backend::fragment;
    const bool in_place = request.input == Medium::buffer && request.output == Medium::buffer;

    // The way in.
    const std::uint32_t words = key_words(request);
    if (request.input == Medium::texture) {
        keys_ = values_ = declare("input", StreamRole::input, Medium::texture,
                                  words + (moves_values(request) ? 1 : 0));
    } else {
        const StreamRole role = in_place ? StreamRole::in_place : StreamRole::input;
        keys_ = keys_out_ = declare("keys", role, Medium::buffer, words);
        if (moves_values(request))
            values_ = values_out_ = declare_values("values", role, Medium::buffer);
        else if (has_payload(request) && in_place)
            values_out_ = declare("values", StreamRole::output, Medium::buffer, 1);
        // Looked up keys are read until the last of them is written.
        if (fragment || (record_.looks_up() && in_place)) keys_ = stage(keys_, "keys_staged");
        // Values that travel in the records are read before they are overwritten.
        const bool overwritten = in_place && !record_.carries_value();
        if (moves_values(request) && (fragment || overwritten)) values_ = stage(values_, "values_staged");
    }
    // The way out. Keys and values are two attachments.
    if (fragment && in_place && request.limits.pixel_pack != 0 && upload_parts(words) == 1 &&
        (!has_payload(request) || request.limits.attachments >= 2)) {
        const StreamId values_out = values_out_;
        keys_out_ = stage_out(keys_out_, keys_);
        if (moves_values(request))
            values_out_ = stage_out(values_out, values_);
        else if (has_payload(request))
            values_out_ = stage_out(values_out, declare_staged(values_out, "values_staged", 1, 1));
    }
    if (request.output == Medium::texture)
        keys_out_ = declare("output", StreamRole::output, Medium::texture,
                            words + (has_payload(request) ? 1 : 0));
    else if (!in_place)
        throw Error("plan: from a texture to buffers is not offered; write a texture");
}

/// A stream of our own for `parts` elements of each that a caller's buffer holds.
StreamId SortFrame::declare_staged(StreamId source, std::string name, std::uint32_t words,
                                   std::uint32_t parts) {
    const std::uint32_t records = program_.streams[source].records;
    const StreamId staged = declare(std::move(name), StreamRole::scratch, own_medium(), words);
    Stream& stream = program_.streams[staged];
    stream.records = records * parts;
    // Pixel transfers fill rows, whatever the layout of the records.
    const std::uint32_t of_an_element = program_.n == 0 ? 1 : records / program_.n;
    stream.layout = stream_layout(Layout::row_wise, request_.capacity * of_an_element * parts);
    return staged;
}

/// An op that moves all of a stream to another.
Op SortFrame::transfer_op(StreamId source, StreamId target, std::shared_ptr<const Kernel> kernel) const {
    Op op;
    op.kernel = std::move(kernel);
    op.domain = Substream::range(0, program_.streams[target].records);
    op.reads = {{source, Substream::range(0, program_.streams[source].records)}};
    op.writes = {{target, op.domain}};
    return op;
}

/// A copy of a caller's buffer where shaders may read it while the buffer is written.
StreamId SortFrame::stage(StreamId source, const std::string& name) {
    const std::uint32_t words = program_.streams[source].words;
    const bool fragment = request_.backend == Backend::fragment;
    const std::uint32_t parts = upload_parts(words);
    if (fragment && parts > 1) {
        const StreamId joined = source;
        source = declare_staged(joined, name + "_words", words / parts, parts);
        before_.push_back(transfer_op(joined, source, upload_kernel(words)));
        const StreamId staged = declare_staged(joined, name, words, 1);
        before_.push_back(transfer_op(source, staged, join_words_kernel()));
        return staged;
    }
    const StreamId staged = declare_staged(source, name, words, 1);
    before_.push_back(transfer_op(source, staged, fragment ? upload_kernel(words) : copy_kernel(words)));
    return staged;
}

/// Where the last op writes what then goes to a caller's buffer.
StreamId SortFrame::stage_out(StreamId target, StreamId staged) {
    after_.push_back(transfer_op(staged, target, download_kernel(program_.streams[target].words)));
    return staged;
}

StreamProgram SortFrame::finish() {
    if (n() == 0) {
        program_.ops.clear();
        return std::move(program_);
    }
    std::vector<Op>& ops = program_.ops;
    if (ops.empty() || !can_store(ops.back()))
        ops.push_back(copy_op(result_, result_, record_copy_kernel(record_)));
    // From texture to texture, or from staged keys to staged keys, one op may load and store.
    const bool values_follow = gathers_values(request_, record_);
    const bool alone = request_.backend == Backend::fragment || reads_first(ops.back());
    // Until an op replaces what the first one reads, that is what the caller gives.
    const StreamId loaded = ops.front().reads.front().stream;
    const auto replaces = [loaded](const Op& op) {
        return std::ranges::find(op.writes, loaded, &StreamUse::stream) != op.writes.end();
    };
    const bool at_once =
        ops.back().reads.front().stream == loaded && std::none_of(ops.begin(), ops.end() - 1, replaces);
    if (at_once && (!alone || values_follow)) ops.insert(ops.begin(), load_op());
    for (Op& op : ops) {
        const bool last = replaces(op);
        if (op.reads.front().stream == loaded) attach_load(op);
        if (last) break;
    }
    attach_store(ops.back());
    if (values_follow) ops.push_back(gather_values_op());
    std::move(after_.begin(), after_.end(), std::back_inserter(ops));
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

void SortFrame::leave_gaps(StreamId stream, const Gaps& gaps) {
    if (request_.backend == Backend::compute) program_.streams[stream].gaps = gaps;
}

void SortFrame::begin_zero(StreamId stream) { program_.streams[stream].begins_zero = true; }

void SortFrame::add(Op op) {
    const std::vector<Port>& inputs = op.kernel->inputs;
    if (!inputs.empty() && inputs.back().name == input_keys_port)
        op.reads.push_back({keys_, Substream::range(0, program_.n)});
    program_.ops.push_back(std::move(op));
}

StreamId SortFrame::add_spaced_stream(std::string name, std::uint32_t words,
                                      std::uint32_t elements_per_record, std::uint32_t spacing,
                                      std::uint32_t records) {
    const StreamId id = add_stream(std::move(name), words, elements_per_record,
                                   records != 0 ? records : records_of(spacing).end());
    // Eight rows, or more where a texture can't be as wide.
    const std::uint32_t width = request_.capacity / spacing / 8;
    program_.streams[id].layout = {Layout::row_wise,
                                   std::bit_floor(std::clamp(width, 1u, limits().texture_size))};
    return id;
}

StreamId SortFrame::add_narrow_stream(std::string name, std::uint32_t words, std::uint32_t elements_per_record,
                                      std::uint32_t records) {
    const StreamId id = add_stream(std::move(name), words, elements_per_record, records);
    StreamLayout& layout = program_.streams[id].layout;
    if (layout.kind != Layout::row_wise) return id;
    // A GPU's warp of fragments is about eight wide. About half the rows that a texture can have are the most: of
    // lists there are more records than elements ask for.
    const std::uint32_t least = std::max(8u, request_.capacity / elements_per_record / limits().texture_size * 2);
    layout.width = std::min(layout.width, std::bit_ceil(std::max(layout.width / elements_per_record, least)));
    return id;
}

Substream SortFrame::elements_of(StreamId stream) const {
    return records_of(program_.streams[stream].elements_per_record);
}

Substream SortFrame::records_of(std::uint32_t elements_per_record) const {
    return Substream::range(0, records_for(n(), elements_per_record));
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

StreamId SortFrame::declare_values(std::string name, StreamRole role, Medium medium) {
    const StreamId id = declare(std::move(name), role, medium, chunk_words(request_));
    program_.streams[id].records = program_.n * chunks_of(request_);
    return id;
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

/// Whether what the caller is given can be written by `op`, which writes the result.
bool SortFrame::can_store(Op op) const {
    if (op.kernel->elements_per_instance > 1 || gathers_values(request_, record_)) return false;
    if (op.writes.front().records != Substream::range(0, n())) return false;
    attach_store(op);
    // A shader of the fragment backend writes either textures or buffers.
    if (request_.backend == Backend::fragment)
        return program_.streams[keys_out_].medium == Medium::texture &&
               op.reads.size() <= limits().textures_read;
    return storage_blocks(program_, op) <= limits().storage_blocks;
}

Op SortFrame::load_op() const {
    const std::uint32_t elements = program_.streams[result_].elements_per_record;
    Op op = copy_op(result_, result_, record_copy_kernel(record_, elements));
    op.domain = op.writes.front().records = elements_of(result_);
    if (elements > 1) op.parameters = {program_.n};
    return op;
}

Op SortFrame::gather_values_op() const {
    Op op;
    op.kernel = gather_values_kernel(record_, chunk_words(request_), chunks_of(request_));
    op.domain = Substream::range(0, program_.streams[values_out_].records);
    op.reads = {{result_, elements_of(result_)}, {values_, op.domain}};
    op.writes = {{values_out_, op.domain}};
    return op;
}

void SortFrame::attach_load(Op& op) const {
    op.load = load_chunk(request_, record_, op.kernel->inputs.front().elements);
    op.reads.erase(op.reads.begin());
    const Substream all = Substream::range(0, program_.n);
    if (!op.load->inputs.empty()) op.reads.push_back({keys_, all});
    if (record_.carries_value()) op.reads.push_back({values_, all});
}

void SortFrame::attach_store(Op& op) const {
    op.store = store_chunk(request_, record_);
    const Substream written = op.writes.front().records;
    op.writes.erase(op.writes.begin());
    op.writes.push_back({keys_out_, written});
    if (op.store->outputs.size() == 2) op.writes.push_back({values_out_, written});
    if (record_.looks_up()) op.reads.push_back({keys_, Substream::range(0, program_.n)});
    if (stores_values(request_, record_)) op.reads.push_back({values_, Substream::range(0, program_.n)});
}

}  // namespace glsort
