#include "check_lockstep.h"

#include <fmt/format.h>
#include <glsort/exec/cpu_executor.h>
#include <glsort/stream/scheduler.h>

#include <algorithm>
#include <map>
#include <utility>

#include "support/any_order.h"

namespace glsort::check {
namespace {

// The words of a caller's stream before the first op.
Words contents_of(const Stream& stream, const Sample& sample, std::uint32_t of_a_key) {
    Words words(static_cast<std::size_t>(stream.bytes() / 4));
    if (stream.name == "keys") std::ranges::copy(sample.keys, words.begin());
    // The payload `index` has no input values. Sorts do not read the words in their place.
    if (stream.name == "values")
        std::copy_n(sample.values.begin(), std::min(words.size(), sample.values.size()), words.begin());
    if (stream.name == "input")
        for (std::uint32_t i = 0; i < sample.count; ++i)
            for (std::uint32_t w = 0; w < std::min(stream.words, of_a_key + 1); ++w)
                words[std::size_t{i} * stream.words + w] =
                    w < of_a_key ? sample.keys[std::size_t{i} * of_a_key + w] : sample.values[i];
    return words;
}

// A run of the program by the cpu executor, on copies of the caller's streams.
class CpuRun {
  public:
    /// `scratch` is the initial value of all words of scratch streams, except streams that begin as zero.
    CpuRun(const StreamProgram& program, const Limits& limits, const Sample& sample, std::uint32_t of_a_key,
           std::uint32_t scratch)
        : scheduler_(executor_) {
        scheduler_.prepare(program, limits);
        for (StreamId id = 0; id < program.streams.size(); ++id) {
            const Stream& stream = program.streams[id];
            if (stream.role == StreamRole::scratch) continue;
            memory_[id] = contents_of(stream, sample, of_a_key);
            executor_.bind(id, memory_[id]);
        }
        const Schedule& schedule = scheduler_.schedule();
        for (std::size_t i = 0; i < schedule.storages.size(); ++i) {
            const Stream& stream = program.streams[schedule.storages[i].stream];
            if (stream.role == StreamRole::scratch && !stream.begins_zero)
                executor_.fill(i, Words(static_cast<std::size_t>(stream.bytes() / 4), scratch));
        }
    }
    CpuRun(const CpuRun&) = delete;
    CpuRun& operator=(const CpuRun&) = delete;

    void step() { scheduler_.step(); }
    Words read(StreamId id) { return scheduler_.read(id); }

  private:
    CpuExecutor executor_;
    Scheduler scheduler_;
    std::map<StreamId, Words> memory_;
};

std::string difference_of_outputs(const StreamProgram& program, std::size_t number, Stepper& stepper, CpuRun& run,
                                  CpuRun& other) {
    const Op& op = program.ops[number];
    const std::vector<Port> ports = output_ports(op);
    for (std::size_t i = 0; i < op.writes.size(); ++i) {
        if (!ports[i].specified) continue;
        const StreamId id = op.writes[i].stream;
        const Stream& stream = program.streams[id];
        const auto comparable = [&](Words words) { return demo::in_one_order(op, i, stream, std::move(words)); };
        const Words expected = comparable(run.read(id));
        const Words expected_by_other = comparable(other.read(id));
        const Words found = comparable(stepper.read(id));
        const std::size_t of_a_record = std::size_t{stream.words} * stream.elements_per_record;
        if (expected.size() != found.size())
            return fmt::format("op {}: stream {} has {} words, the cpu's has {}", number, stream.name, found.size(),
                               expected.size());
        for (const Block& block : op.writes[i].records.blocks())
            for (std::size_t w = block.begin * of_a_record; w < block.end * of_a_record; ++w)
                if (expected[w] != found[w] && expected[w] == expected_by_other[w])
                    return fmt::format("op {} ({}): word {} of record {} of stream {} is {:#x}, the cpu's is {:#x}",
                                       number, describe(op), w % of_a_record, w / of_a_record, stream.name, found[w],
                                       expected[w]);
    }
    return "";
}

}  // namespace

std::string step_in_lockstep(const Sorter& sorter, Stepper& stepper, const Sample& sample, const Limits& limits,
                             std::uint64_t& steps) {
    const StreamProgram program = program_of(sorter, sample.count, sample.lists);
    const std::uint32_t of_a_key = words_of_key(sorter.spec());
    // An op may leave parts of a stream unwritten. The two runs begin with different words, so they differ only in
    // these parts.
    CpuRun run(program, limits, sample, of_a_key, 0);
    CpuRun other(program, limits, sample, of_a_key, 0xa5a5a5a5);
    for (std::size_t number = 0; number < program.ops.size(); ++number) {
        if (!stepper.step()) return fmt::format("step gave false at op {} of {}", number, program.ops.size());
        ++steps;
        run.step();
        other.step();
        std::string text = difference_of_outputs(program, number, stepper, run, other);
        if (!text.empty()) return text;
    }
    return stepper.step() ? "step gave true behind the last op" : "";
}

}  // namespace glsort::check
