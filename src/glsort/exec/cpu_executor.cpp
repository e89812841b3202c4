#include <fmt/format.h>

#include <glsort/error.h>
#include <glsort/exec/cpu_executor.h>
#include <glsort/stream/cpu_invocation.h>
#include <algorithm>
#include <utility>

namespace glsort {

void CpuExecutor::bind(StreamId id, std::span<std::uint32_t> words) {
    if (program_ == nullptr || id >= program_->streams.size() || program_->streams[id].role == StreamRole::scratch)
        throw Error(fmt::format("CpuExecutor::bind: stream {} is not a stream of the caller", id));
    const Stream& stream = program_->streams[id];
    if (words.size() * 4 < stream.bytes())
        throw Error(fmt::format("CpuExecutor::bind: {} words for stream {}, which needs {}", words.size(), stream.name,
                                stream.bytes() / 4));
    // The first copy of a stream has the number of the stream.
    storages_.at(id) = words.first(static_cast<std::size_t>(stream.bytes() / 4));
}

void CpuExecutor::resolve(const StreamProgram& program, const Schedule& schedule) {
    for (const Op& op : program.ops)
        if (!op.kernel->cpu)
            throw Error(fmt::format("CpuExecutor::resolve: kernel {} has no cpu body", op.kernel->name));
    program_ = &program;
    schedule_ = &schedule;
    comparisons_ = 0;
    memory_.resize(schedule.storages.size());
    storages_.assign(schedule.storages.size(), {});
    for (std::size_t i = 0; i < schedule.storages.size(); ++i) {
        const Stream& stream = program.streams[schedule.storages[i].stream];
        if (stream.role != StreamRole::scratch) continue;
        memory_[i].resize(static_cast<std::size_t>(stream.bytes() / 4));
        if (stream.begins_zero) std::fill(memory_[i].begin(), memory_[i].end(), 0u);
        storages_[i] = memory_[i];
    }
}

void CpuExecutor::exchange(std::unique_ptr<Resolution>& other) {
    if (other == nullptr) other = std::make_unique<Aside>();
    auto& aside = static_cast<Aside&>(*other);
    std::swap(memory_, aside.memory);
    std::swap(storages_, aside.storages);
    std::swap(comparisons_, aside.comparisons);
}

void CpuExecutor::fill(std::size_t storage, std::span<const std::uint32_t> words) {
    std::copy(words.begin(), words.end(), memory_.at(storage).begin());
}

void CpuExecutor::run(std::size_t first, std::size_t last) {
    for (std::size_t number = first; number < last; ++number) {
        const Op& op = program_->ops[number];
        const ScheduledOp& scheduled = schedule_->ops[number];
        const auto view = [&](std::size_t storage) {
            const Stream& stream = program_->streams[schedule_->storages[storage].stream];
            return CpuInvocation::View{storages_[storage], stream.words, stream.elements_per_record,
                                       stream.name.c_str()};
        };
        // The ports come in the order of `input_ports` and `output_ports`: kernel, load chunk, store chunk.
        CpuInvocation kernel(op);
        CpuInvocation load(op);
        CpuInvocation store(op);
        const std::size_t own_inputs = op.kernel->inputs.size() - (op.load ? 1 : 0);
        const std::size_t load_inputs = op.load ? op.load->inputs.size() : 0;
        for (std::size_t i = 0; i < scheduled.reads.size(); ++i) {
            CpuInvocation& reader = i < own_inputs ? kernel : i < own_inputs + load_inputs ? load : store;
            reader.inputs.push_back(view(scheduled.reads[i]));
            reader.inputs.back().use = i;
            // An op in place must read only records that it does not write. The declared reads name these records.
            const auto& written = scheduled.writes;
            if (!reads_first(op) && std::find(written.begin(), written.end(), scheduled.reads[i]) != written.end())
                reader.inputs.back().readable = &op.reads[i].records;
        }
        const std::size_t own_outputs = op.kernel->outputs.size() - (op.store ? 1 : 0);
        for (std::size_t i = 0; i < scheduled.writes.size(); ++i) {
            CpuInvocation& writer = i < own_outputs ? kernel : store;
            writer.outputs.push_back(view(scheduled.writes[i]));
            writer.outputs.back().use = i;
        }
        kernel.trace = load.trace = store.trace = trace_;
        load.kernel = store.kernel = &kernel;
        if (op.load) kernel.load = &load;
        if (op.store) kernel.store = &store;

        for (kernel.block = 0; kernel.block < op.domain.blocks().size(); ++kernel.block) {
            const Block& block = op.domain.blocks()[kernel.block];
            for (std::uint32_t instance = block.begin; instance < block.end; ++instance) {
                kernel.instance = instance;
                op.kernel->cpu(kernel);
            }
        }
        comparisons_ += kernel.comparisons;
    }
}

std::vector<std::uint32_t> CpuExecutor::read(std::size_t storage, std::uint32_t records) {
    const Stream& stream = program_->streams[schedule_->storages.at(storage).stream];
    const std::size_t words = std::size_t{records} * stream.elements_per_record * stream.words;
    const std::span<std::uint32_t> memory = storages_[storage];
    if (words > memory.size())
        throw Error(fmt::format("CpuExecutor::read: stream {} has no memory for {} records", stream.name, records));
    return {memory.begin(), memory.begin() + static_cast<std::ptrdiff_t>(words)};
}

}  // namespace glsort
