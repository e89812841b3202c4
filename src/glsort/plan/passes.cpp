#include <glsort/error.h>
#include <glsort/plan/chunks.h>
#include <glsort/plan/element_source.h>
#include <glsort/plan/moves.h>
#include <glsort/plan/passes.h>
#include <glsort/plan/payload.h>

#include <algorithm>
#include <array>
#include <utility>

namespace glsort {
namespace {

void declare_inputs(SortFrame& frame);
void stage_inputs(SortFrame& frame);
void declare_outputs(SortFrame& frame);
void add_algorithm(SortFrame& frame);
void copy_result(SortFrame& frame);
void load_first(SortFrame& frame);
void fuse_load(SortFrame& frame);
void fuse_store(SortFrame& frame);
void gather_values(SortFrame& frame);
void stage_outputs(SortFrame& frame);

/// All passes, in their order.
constexpr std::array in_order{
    Pass{"declare inputs", "the streams that the caller gives", declare_inputs},
    Pass{"stage inputs", "copies of inputs that are overwritten, or are buffers where ops read textures", stage_inputs},
    Pass{"declare outputs", "the streams that the caller gets", declare_outputs},
    Pass{"algorithm", "the streams and ops of the algorithm, over elements", add_algorithm},
    Pass{"copy result", "a copy after a last op that cannot write the caller's output", copy_result},
    Pass{"load first", "a copy before an only op that would overwrite its input", load_first},
    Pass{"fuse load", "keys become elements where an op reads them", fuse_load},
    Pass{"fuse store", "elements become keys, and values of 4 bytes, where the last op writes them", fuse_store},
    Pass{"gather values", "other values follow their keys", gather_values},
    Pass{"stage outputs", "results in textures go to the caller's buffers", stage_outputs},
};

bool is_fragment(const SortFrame& frame) {
    return frame.request.spec.backend == Backend::fragment;
}
bool is_in_place(const SortFrame& frame) {
    return frame.request.spec.input == Medium::buffer && frame.request.spec.output == Medium::buffer;
}

// --- The caller's streams ---

/// A source in place of the caller's keys and values, which the sort only writes.
void declare_source(SortFrame& frame) {
    const ElementSource& source = *frame.request.source;
    CallerStreams& streams = frame.program.caller;
    const auto add = [&](Stream stream) {
        frame.program.streams.push_back(std::move(stream));
        streams.source.push_back(frame.program.streams.size() - 1);
    };
    for (const Stream& stream : source.streams)
        add(stream);
    if (source.digits) {
        add({.name = "totals", .role = StreamRole::input, .records = source.digits->columns(), .layout = {}});
        add({.name = "status", .role = StreamRole::in_place, .records = source.digits->status, .layout = {}});
    }
    if (frame.request.spec.output == Medium::texture) return;
    if (source.stores_keys) {
        frame.caller.keys_out = frame.declare("keys", StreamRole::output, Medium::buffer, key_words(frame.request));
        streams.keys = frame.caller.keys_out;
    }
    if (!moves_values(frame.request.spec)) return;
    frame.caller.values_out = frame.declare("values", StreamRole::output, Medium::buffer, 1);
    streams.values = frame.caller.values_out;
}

void declare_inputs(SortFrame& frame) {
    const PlanRequest& request = frame.request;
    const std::uint32_t words = key_words(request);
    SortFrame::Caller& caller = frame.caller;
    CallerStreams& streams = frame.program.caller;
    if (request.source) return declare_source(frame);
    if (request.spec.input == Medium::texture) {
        if (request.spec.output != Medium::texture)
            throw Error("a sort from a texture to buffers is not supported; write a texture");
        caller.keys = caller.values =
            frame.declare("input", StreamRole::input, Medium::texture, words + (moves_values(request.spec) ? 1 : 0));
        streams.input = caller.keys;
        return;
    }
    const StreamRole role = is_in_place(frame) ? StreamRole::in_place : StreamRole::input;
    caller.keys = caller.keys_out = frame.declare("keys", role, Medium::buffer, words);
    streams.keys = caller.keys;
    if (moves_values(request.spec)) {
        caller.values = caller.values_out = frame.declare("values", role, Medium::buffer, chunk_words(request));
        frame.program.streams[caller.values].records = frame.count() * chunks_of(request);
        streams.values = caller.values;
    } else if (has_payload(request.spec) && is_in_place(frame)) {
        caller.values_out = frame.declare("values", StreamRole::output, Medium::buffer, 1);
        streams.values = caller.values_out;
    }
}

/// A scratch stream with `parts` elements for each element of a caller's buffer.
StreamId declare_staged(SortFrame& frame, StreamId source, std::string name, std::uint32_t words, std::uint32_t parts) {
    const Counted records = frame.program.streams[source].records;
    const StreamId staged = frame.declare(std::move(name), StreamRole::scratch, frame.own_medium(), words);
    Stream& stream = frame.program.streams[staged];
    stream.records = records * parts;
    // Pixel transfers fill rows, whatever the layout of the program.
    const std::uint32_t of_an_element = frame.n() == 0 ? 1 : records / frame.n();
    stream.layout = stream_layout(Layout::row_wise, frame.capacity() * of_an_element * parts);
    return staged;
}

/// A copy of a caller's buffer. Shaders can read the copy while other ops write the buffer.
StreamId staged_copy(SortFrame& frame, StreamId source, const std::string& name) {
    const std::uint32_t words = frame.program.streams[source].words;
    const std::uint32_t parts = upload_parts(words);
    if (is_fragment(frame) && parts > 1) {
        const StreamId apart = declare_staged(frame, source, name + "_words", words / parts, parts);
        add_move(frame.program, source, apart, upload_kernel(words));
        const StreamId staged = declare_staged(frame, source, name, words, 1);
        add_move(frame.program, apart, staged, join_words_kernel());
        return staged;
    }
    const StreamId staged = declare_staged(frame, source, name, words, 1);
    add_move(frame.program, source, staged, is_fragment(frame) ? upload_kernel(words) : copy_kernel(words));
    return staged;
}

/// Whether draws write textures that `glReadPixels` then packs into the caller's buffers. Keys and values then take two
/// attachments. Otherwise the last op writes the buffers by transform feedback.
bool packs_outputs(const SortFrame& frame) {
    const PlanRequest& request = frame.request;
    return is_fragment(frame) && request.limits.pixel_pack && upload_parts(key_words(request)) == 1 &&
           !(has_payload(request.spec) && request.limits.attachments < 2);
}

/// Whether fragment shaders read a caller's buffer, as a texture. `parts`: elements of the buffer for each element of
/// the sort. An op must not write the buffer that the op reads.
bool is_readable(const SortFrame& frame, StreamId buffer, std::uint32_t parts) {
    return (!is_in_place(frame) || packs_outputs(frame)) &&
           reads_in_buffer(frame.limits(), frame.program.streams[buffer].words,
                           std::uint64_t{frame.capacity()} * parts);
}

void stage_inputs(SortFrame& frame) {
    if (frame.request.spec.input == Medium::texture) return;
    SortFrame::Caller& caller = frame.caller;
    // Keys that elements lack are read until the last key is written.
    if (is_fragment(frame) ? !is_readable(frame, caller.keys, 1)
                           : frame.element_type().lacks_key() && is_in_place(frame))
        caller.keys = staged_copy(frame, caller.keys, "keys_staged");
    if (!moves_values(frame.request.spec)) return;
    // Values that travel in the elements are read before any op overwrites the values.
    const bool overwritten = is_in_place(frame) && !frame.element_type().carries_value();
    const bool captured = gathers_values(frame.request, frame.element_type());
    if (is_fragment(frame) ? captured || !is_readable(frame, caller.values, chunks_of(frame.request)) : overwritten)
        caller.values = staged_copy(frame, caller.values, "values_staged");
}

/// The texture that is packed into a caller's buffer: the one that staged the input, if there is one.
StreamId packed_texture(SortFrame& frame, StreamId read, StreamId written, const char* name) {
    if (frame.program.streams[read].medium == Medium::texture) return read;
    return declare_staged(frame, written, name, frame.program.streams[written].words, 1);
}

void declare_outputs(SortFrame& frame) {
    const PlanRequest& request = frame.request;
    SortFrame::Caller& caller = frame.caller;
    const bool payload = has_payload(request.spec);
    if (request.spec.output == Medium::texture) {
        caller.keys_out = caller.values_out =
            frame.declare("output", StreamRole::output, Medium::texture,
                          (stores_keys(request.source) ? key_words(request) : 0) + (payload ? 1 : 0));
        frame.program.streams[caller.keys_out].records = frame.stored_elements().counted_end();
        frame.program.caller.output = caller.keys_out;
        return;
    }
    if (!packs_outputs(frame)) return;
    caller.staged_out.emplace_back(packed_texture(frame, caller.keys, caller.keys_out, "keys_staged"), caller.keys_out);
    if (payload)
        caller.staged_out.emplace_back(
            packed_texture(frame, moves_values(request.spec) ? caller.values : caller.values_out, caller.values_out,
                           "values_staged"),
            caller.values_out);
    caller.keys_out = caller.staged_out.front().first;
    if (payload) caller.values_out = caller.staged_out.back().first;
}

// --- The algorithm ---

void add_algorithm(SortFrame& frame) {
    frame.unsorted = frame.declare("unsorted", StreamRole::input, frame.own_medium(), frame.element_type().words());
    frame.first_op = frame.program.ops.size();
    frame.algorithm(frame);
}

// --- The way in and the way out ---

void copy_result(SortFrame& frame) {
    const std::vector<Op>& ops = frame.program.ops;
    // A single element is sorted without any op.
    if (ops.size() == frame.first_op || !frame.can_store(ops.back())) frame.add(frame.copy_of_result(1));
}

bool reads(const Op& op, StreamId stream) {
    return std::any_of(op.reads.begin(), op.reads.end(),
                       [stream](const StreamUse& use) { return use.stream == stream; });
}

void load_first(SortFrame& frame) {
    std::vector<Op>& ops = frame.program.ops;
    const StreamId unsorted = *frame.unsorted;
    if (ops.empty() || !reads(ops.back(), unsorted)) return;
    // One op may load and store if the op reads textures or staged keys, or reads all input before it writes. If values
    // follow in another op, which needs the elements, one op may not.
    const bool alone = is_fragment(frame) || reads_first(ops.back()) || frame.request.source != nullptr;
    if (alone && !gathers_values(frame.request, frame.element_type())) return;
    const auto first = std::find_if(ops.begin(), ops.end(), [&](const Op& op) { return reads(op, unsorted); });
    for (auto op = first; op != ops.end(); ++op)
        for (StreamUse& use : op->reads)
            if (use.stream == unsorted) use = {frame.result, frame.elements_of(frame.result)};
    Op load = frame.copy_of_result(frame.program.streams[frame.result].elements_per_record);
    load.reads = {{unsorted, Substream::first(frame.count())}};
    ops.insert(first, std::move(load));
}

void attach_load(const SortFrame& frame, Op& op) {
    const std::size_t port = loaded_input(*op.kernel);
    if (const ElementSource* const source = frame.request.source.get()) {
        op.load = source->load(frame.element_type(), op.kernel->inputs[port].elements);
        op.reads.erase(op.reads.begin() + static_cast<std::ptrdiff_t>(port));
        for (std::size_t i = 0; i < source->streams.size(); ++i)
            op.reads.push_back({frame.program.caller.source[i], Substream::range(0, source->streams[i].records)});
        return;
    }
    op.load = load_chunk(frame.request, frame.element_type(), op.kernel->inputs[port].elements);
    op.reads.erase(op.reads.begin() + static_cast<std::ptrdiff_t>(port));
    const Substream all = Substream::first(frame.count());
    if (!op.load->inputs.empty()) op.reads.push_back({frame.caller.keys, all});
    if (frame.element_type().carries_value()) op.reads.push_back({frame.caller.values, all});
}

/// Removes a stream that no op uses from the program.
void remove_stream(SortFrame& frame, StreamId gone) {
    const auto renumber = [gone](StreamId& id) { id -= id > gone ? 1 : 0; };
    frame.program.streams.erase(frame.program.streams.begin() + static_cast<std::ptrdiff_t>(gone));
    for (Op& op : frame.program.ops)
        for (auto* uses : {&op.reads, &op.writes})
            for (StreamUse& use : *uses)
                renumber(use.stream);
    renumber(frame.result);
}

void fuse_load(SortFrame& frame) {
    for (Op& op : frame.program.ops)
        if (reads(op, *frame.unsorted)) attach_load(frame, op);
    remove_stream(frame, *frame.unsorted);
    frame.unsorted.reset();
}

void fuse_store(SortFrame& frame) {
    if (frame.n() > 0) frame.attach_store(frame.program.ops.back());
}

void gather_values(SortFrame& frame) {
    const PlanRequest& request = frame.request;
    if (!gathers_values(request, frame.element_type())) return;
    Op op;
    op.kernel = gather_values_kernel(frame.element_type(), chunk_words(request), chunks_of(request));
    op.domain = Substream::first(frame.program.streams[frame.caller.values_out].records);
    op.reads = {{frame.result, frame.elements_of(frame.result)}, {frame.caller.values, op.domain}};
    op.writes = {{frame.caller.values_out, op.domain}};
    frame.program.ops.push_back(std::move(op));
}

void stage_outputs(SortFrame& frame) {
    for (const auto& [staged, target] : frame.caller.staged_out)
        add_move(frame.program, staged, target, download_kernel(frame.program.streams[target].words));
}

}  // namespace

std::span<const Pass> passes() {
    return in_order;
}

}  // namespace glsort
