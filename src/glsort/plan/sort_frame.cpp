#include <glsort/plan/chunks.h>
#include <glsort/plan/element_source.h>
#include <glsort/plan/moves.h>
#include <glsort/plan/payload.h>
#include <glsort/plan/sort_frame.h>
#include <glsort/stream/validate.h>

#include <algorithm>
#include <bit>

namespace glsort {

SortFrame::SortFrame(const PlanRequest& asked, const AlgorithmChoice& choice, ElementType::Form form, Algorithm adds)
    : algorithm(adds), request(asked), type(ElementType::of(asked, form)), row_(glsort::tuning_row(asked.limits)) {
    program.algorithm = choice.name;
    program.variant = choice.variant;
    program.backend = request.spec.backend;
    program.layout = stream_layout(*request.spec.layout, std::max(request.n, request.spec.capacity));
    program.n = request.n;
    program.key = request.spec.order.key;
    program.payload = request.spec.payload;
    program.direction = request.spec.order.direction;
    program.comparison = type.comparison();
}

StreamId SortFrame::add_stream(std::string name, std::uint32_t words, std::uint32_t elements_per_record,
                               const Counted& asked) {
    const StreamId id = declare(std::move(name), StreamRole::scratch, own_medium(), words);
    Stream& stream = program.streams[id];
    stream.elements_per_record = elements_per_record;
    stream.records = asked != 0 ? asked : elements_of(id).counted_end();
    return id;
}

void SortFrame::add_padding(StreamId stream, const Padding& padding) {
    if (request.spec.backend == Backend::compute) program.streams[stream].padding = padding;
}

void SortFrame::begin_zero(StreamId stream) {
    program.streams[stream].begins_zero = true;
}

StreamId SortFrame::add_spaced_stream(std::string name, std::uint32_t words, std::uint32_t elements_per_record,
                                      std::uint32_t spacing, const Counted& asked) {
    const StreamId id =
        add_stream(std::move(name), words, elements_per_record, asked != 0 ? asked : records_of(spacing).counted_end());
    // Eight rows, or more if the texture would be too wide.
    const std::uint32_t width = request.spec.capacity / spacing / 8;
    program.streams[id].layout = {Layout::row_wise, std::bit_floor(std::clamp(width, 1u, limits().texture_size)),
                                  2 * spacing};
    return id;
}

StreamId SortFrame::add_narrow_stream(std::string name, std::uint32_t words, std::uint32_t elements_per_record,
                                      const Counted& asked) {
    const StreamId id = add_stream(std::move(name), words, elements_per_record, asked);
    StreamLayout& layout = program.streams[id].layout;
    if (layout.kind != Layout::row_wise) return id;
    // A warp covers about eight fragments side by side. The elements take at most about half of the rows. Merges of
    // lists have more records, and need the other rows.
    const std::uint32_t min_width =
        std::max(8u, request.spec.capacity / elements_per_record / limits().texture_size * 2);
    layout.width = std::min(layout.width, std::bit_ceil(std::max(layout.width / elements_per_record, min_width)));
    layout.rule = 2 * elements_per_record + 1;
    return id;
}

Substream SortFrame::elements_of(StreamId stream) const {
    return records_of(program.streams[stream].elements_per_record);
}

bool SortFrame::fills() const {
    return request.source != nullptr && request.source->fills;
}

Substream SortFrame::stored_elements() const {
    return fills() ? Substream::range(0, capacity()) : Substream::first(count());
}

Substream SortFrame::records_of(std::uint32_t elements_per_record) const {
    return Substream::first(parts_of(count(), elements_per_record));
}

Medium SortFrame::own_medium() const {
    return request.spec.backend == Backend::fragment ? Medium::texture : Medium::buffer;
}

StreamId SortFrame::declare(std::string name, StreamRole role, Medium medium, std::uint32_t words) {
    program.streams.push_back({.name = std::move(name),
                               .role = role,
                               .medium = medium,
                               .words = words,
                               .records = count(),
                               .layout = program.layout});
    return program.streams.size() - 1;
}

void SortFrame::add(Op op) {
    written_.resize(program.streams.size());
    for (std::size_t i = 0; i < op.reads.size(); ++i) {
        StreamUse& use = op.reads[i];
        if (op.kernel->inputs[i].role == PortRole::elements && !written_[use.stream] && !use.records.empty())
            use = {*unsorted, Substream::first(count())};
    }
    for (const StreamUse& use : op.writes)
        written_[use.stream] = true;
    for (std::size_t i = op.reads.size(); i < op.kernel->inputs.size(); ++i)
        op.reads.push_back({caller.keys, Substream::first(count())});
    program.ops.push_back(std::move(op));
}

void SortFrame::add_load() {
    add(copy_of_result(program.streams[result].elements_per_record));
}

bool SortFrame::can_store(Op op) const {
    if (op.kernel->elements_per_instance > 1 || gathers_values(request, type)) return false;
    if (op.writes.front().records != stored_elements()) return false;
    attach_store(op);
    // A shader of the fragment backend writes either textures or buffers.
    if (request.spec.backend == Backend::fragment)
        return program.streams[caller.keys_out].medium == Medium::texture && op.reads.size() <= limits().textures_read;
    return storage_blocks(program, op) <= limits().storage_blocks;
}

Op SortFrame::copy_of_result(std::uint32_t elements) const {
    Op op;
    op.kernel = element_copy_kernel(type, elements);
    op.domain = elements > 1 ? elements_of(result) : Substream::first(count());
    op.reads = {{result, elements_of(result)}};
    op.writes = {{result, op.domain}};
    if (elements > 1) op.parameters = {count()};
    return op;
}

void SortFrame::attach_store(Op& op) const {
    op.store = store_chunk(request, type);
    const std::size_t port = stored_output(*op.kernel);
    const Substream written = op.writes[port].records;
    op.writes.erase(op.writes.begin() + static_cast<std::ptrdiff_t>(port));
    const Substream all = Substream::first(count());
    for (const Port& output : op.store->outputs)
        op.writes.push_back({output.name == "values_out" ? caller.values_out : caller.keys_out, written});
    if (type.lacks_key()) op.reads.push_back({caller.keys, all});
    if (stores_values(request, type)) op.reads.push_back({caller.values, all});
}

}  // namespace glsort
