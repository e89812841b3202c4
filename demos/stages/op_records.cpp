#include "op_records.h"

#include <algorithm>

#include "elements.h"
#include "places.h"

namespace glsort::demo {
namespace {

bool has_role(const std::vector<Port>& ports, PortRole role) {
    return std::ranges::find(ports, role, &Port::role) != ports.end();
}

std::optional<StreamId> stream_at(const std::vector<Port>& ports, const std::vector<StreamUse>& uses, PortRole role) {
    const auto port = std::ranges::find(ports, role, &Port::role);
    if (port == ports.end()) return std::nullopt;
    return uses[static_cast<std::size_t>(port - ports.begin())].stream;
}

}  // namespace

bool reads(const Op& op, PortRole role) {
    return has_role(op.kernel->inputs, role);
}
bool writes(const Op& op, PortRole role) {
    return has_role(op.kernel->outputs, role);
}

std::optional<StreamId> stream_read(const Op& op, PortRole role) {
    return stream_at(input_ports(op), op.reads, role);
}

std::optional<StreamId> stream_written(const Op& op, PortRole role) {
    return stream_at(output_ports(op), op.writes, role);
}

Element element_of(const Stream& stream, const std::vector<std::uint32_t>& words, std::uint32_t index) {
    Element element{};
    if ((std::size_t{index} + 1) * stream.words <= words.size())
        std::ranges::copy(element_words(stream, words, index), element.begin());
    return element;
}

std::optional<std::uint32_t> place_of(const Moment& moment, StreamId id, const std::vector<std::uint32_t>& words,
                                      std::uint32_t index) {
    const Stream& stream = moment.program->streams[id];
    if ((std::size_t{index} + 1) * stream.words > words.size()) return std::nullopt;
    return moment.places->of(id, element_words(stream, words, index));
}

std::optional<OpRecords> OpRecords::of(const Moment& moment) {
    const Op* op = moment.last_op();
    if (op == nullptr || op->reads.empty() || op->writes.empty()) return std::nullopt;
    return OpRecords(moment, *op);
}

OpRecords::OpRecords(const Moment& moment, const Op& op) : moment_(&moment), op_(&op) {
    // The ports of a chunk follow the kernel's remaining ports.
    const std::size_t load = op.load && !op.load->inputs.empty() ? op.kernel->inputs.size() - 1 : 0;
    const std::size_t store = op.store ? op.kernel->outputs.size() - 1 : 0;
    target_ = op.writes[store].stream;
    // An op reads a shared stream through the port that also writes the stream.
    const bool shared = output_ports(op)[store].access == Access::shared;
    source_ = shared ? target_ : op.reads[load].stream;
    target_index_ = op.store ? op.writes[store + op.store->outputs.size() - 1].stream : target_;
    const auto elements = [&](const StreamUse& use) {
        const std::uint64_t used =
            std::uint64_t{use.records.end()} * moment.program->streams[use.stream].elements_per_record;
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(used, moment.places->count()));
    };
    read_ = elements(shared ? op.writes[store] : op.reads[load]);
    written_ = elements(op.writes[store]);
}

std::optional<std::uint32_t> OpRecords::place_read(std::uint32_t element) const {
    return place_of(*moment_, source_, words_before(*moment_, source_), element);
}

std::optional<std::uint32_t> OpRecords::place_written(std::uint32_t element) const {
    return place_of(*moment_, target_, (*moment_->streams)[target_], element);
}

Element OpRecords::loaded(std::uint32_t element) const {
    if (!op_->load) return element_of(moment_->program->streams[source_], words_before(*moment_, source_), element);
    if (!loaded_)
        loaded_.emplace(*moment_->program, *op_, [this](StreamId stream) { return words_before(*moment_, stream); });
    return loaded_->element(element);
}

bool OpRecords::followed() const {
    return moment_->program->payload.kind == Payload::Kind::index && read_ == written_;
}

std::uint32_t OpRecords::origin(std::uint32_t element) const {
    // A transfer keeps the order of words.
    if (op_->kernel->transfer) return element;
    const auto index = [&](StreamId stream, const std::vector<std::uint32_t>& words, std::uint32_t i) {
        const std::size_t last = (std::size_t{i} + 1) * moment_->program->streams[stream].words - 1;
        return last < words.size() ? words[last] : ~0u;
    };
    const std::uint32_t number = index(target_index_, (*moment_->streams)[target_index_], element);
    if (number >= read_) return element;
    // The caller's keys are in the order of their indices.
    if (op_->load) return number;
    if (position_.empty()) {
        const std::vector<std::uint32_t>& words = words_before(*moment_, source_);
        position_.resize(read_);
        for (std::uint32_t i = 0; i < read_; ++i)
            if (const std::uint32_t read = index(source_, words, i); read < read_) position_[read] = i;
    }
    return position_[number];
}

}  // namespace glsort::demo
