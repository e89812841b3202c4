#include <fmt/format.h>

#include <glsort/error.h>
#include <glsort/stream/label_text.h>
#include <glsort/stream/max_count.h>
#include <glsort/stream/program.h>

namespace glsort {

std::uint32_t KernelNumber::of(const Op& op) const {
    return parameter_ ? op.parameters[*parameter_].value() : number_;
}

namespace {

/// Words of a record in a texture. Three words take four.
std::uint32_t texture_words(const Stream& stream) {
    return (stream.words == 3 ? 4 : stream.words) * stream.elements_per_record;
}

/// A store chunk takes over the places and the number of elements of the output that the chunk replaces.
void add_store_ports(std::vector<Port>& ports, const Op& op, const std::vector<Port>& added) {
    for (Port port : added) {
        if (const std::size_t stored = stored_output(*op.kernel); stored < op.kernel->outputs.size()) {
            const Port& replaced = op.kernel->outputs[stored];
            port.elements *= replaced.elements;
            if (replaced.access == Access::scatter && port.access == Access::linear) port.access = Access::scatter;
        }
        ports.push_back(std::move(port));
    }
}

}  // namespace

std::uint64_t Stream::buffer_bytes() const {
    const std::uint64_t elements = std::uint64_t{elements_per_record} * records;
    return elements == 0 ? 0 : 4 * words * (padding.place(elements - 1) + 1);
}

std::uint32_t Stream::texel_words() const {
    const std::uint32_t record_words = texture_words(*this);
    return record_words >= 3 ? 4 : record_words;
}

std::uint32_t Stream::layers() const {
    return (texture_words(*this) + 3) / 4;
}

std::uint64_t Stream::texture_bytes() const {
    const Rectangle box = bounding_box(layout, records);
    return std::uint64_t{4} * box.x1 * box.y1 * texel_words() * layers();
}

std::vector<Port> input_ports(const Op& op) {
    std::vector<Port> ports;
    for (std::size_t i = 0; i < op.kernel->inputs.size(); ++i)
        if (!op.load || i != loaded_input(*op.kernel)) ports.push_back(op.kernel->inputs[i]);
    if (op.load) ports.insert(ports.end(), op.load->inputs.begin(), op.load->inputs.end());
    if (op.store) add_store_ports(ports, op, op.store->inputs);
    return ports;
}

std::vector<Port> output_ports(const Op& op) {
    std::vector<Port> ports;
    for (std::size_t i = 0; i < op.kernel->outputs.size(); ++i)
        if (!op.store || i != stored_output(*op.kernel)) ports.push_back(op.kernel->outputs[i]);
    if (op.store) add_store_ports(ports, op, op.store->outputs);
    return ports;
}

bool reads_first(const Op& op) {
    const ReadsFirst when = op.kernel->reads_first;
    return when == ReadsFirst::always || (when == ReadsFirst::one_group && op.domain.size() == 1);
}

std::string text_of(const Labels& labels) {
    std::string text;
    const auto add = [&text](const char* word, int value) {
        if (value >= 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", word, value);
    };
    add("level", labels.level);
    add("stage", labels.stage);
    add("phase", labels.phase);
    add("step", labels.step);
    return text;
}

std::string describe(const Op& op) {
    const std::string labels = text_of(op.labels);
    return labels.empty() ? op.kernel->name : op.kernel->name + ", " + labels;
}

StreamId StreamProgram::stream(std::string_view name) const {
    for (StreamId id = 0; id < streams.size(); ++id)
        if (streams[id].name == name) return id;
    std::string known;
    for (const Stream& stream : streams)
        known += (known.empty() ? "" : ", ") + stream.name;
    throw Error(fmt::format("StreamProgram::stream: '{}' is not a stream of {}:{}; those are {}", name, algorithm,
                            variant, known));
}

void set_count(StreamProgram& program, std::uint32_t count) {
    if (!program.counts || !program.counts->contains(count))
        throw Error(fmt::format("set_count: the program of {} elements is not valid for {}", program.n, count));
    program.n = count;
    for (Stream& stream : program.streams)
        stream.records = stream.records.at(count);
    for (Op& op : program.ops) {
        for (auto* uses : {&op.reads, &op.writes})
            for (StreamUse& use : *uses)
                use.records.set_count(count);
        op.domain.set_count(count);
        for (Counted& parameter : op.parameters)
            parameter = parameter.at(count);
    }
}

Stream largest_stream(const StreamProgram& program, StreamId id) {
    Stream stream = program.streams[id];
    stream.records = at_max_count(program, stream.records);
    return stream;
}

}  // namespace glsort
