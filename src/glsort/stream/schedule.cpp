#include <glsort/stream/max_count.h>
#include <glsort/stream/schedule.h>
#include <glsort/stream/validate.h>
#include <algorithm>
#include <array>
#include <optional>

namespace glsort {
namespace {

/// The current storages of the streams, op by op.
class StorageTable {
  public:
    explicit StorageTable(const StreamProgram& program) : copies_(program.streams.size()) {
        for (StreamId id = 0; id < program.streams.size(); ++id) {
            copies_[id][0] = storages_.size();
            storages_.push_back({id, 0});
        }
    }

    std::size_t current(StreamId id) const { return *copies_[id][current_[id]]; }

    /// The copy that is not current: the storage to write for an op that also reads the stream.
    std::size_t other(StreamId id) {
        const std::uint32_t copy = 1 - current_[id];
        if (!copies_[id][copy]) {
            copies_[id][copy] = storages_.size();
            storages_.push_back({id, copy});
        }
        return *copies_[id][copy];
    }

    void flip(StreamId id) { current_[id] = 1 - current_[id]; }

    std::vector<Storage> storages_;

  private:
    std::vector<std::array<std::optional<std::size_t>, 2>> copies_;
    std::vector<std::uint32_t> current_ = std::vector<std::uint32_t>(copies_.size(), 0);
};

/// The records of a storage that were read or written since the last barrier.
struct Pending {
    Substream read;
    Substream written;
    Substream added_to;  ///< By ports that only add.
};

/// The records of a use. Barriers must hold for all counts.
Substream max_records(const StreamProgram& program, const StreamUse& use) {
    return at_max_count(program, use.records);
}

bool conflicts(const StreamProgram& program, const Op& op, const ScheduledOp& scheduled,
               const std::vector<Pending>& pending) {
    for (std::size_t i = 0; i < op.reads.size(); ++i)
        for (const Substream* changed : {&pending[scheduled.reads[i]].written, &pending[scheduled.reads[i]].added_to})
            if (changed->overlaps(max_records(program, op.reads[i]))) return true;
    const std::vector<Port> outputs = output_ports(op);
    for (std::size_t i = 0; i < op.writes.size(); ++i) {
        const Pending& before = pending[scheduled.writes[i]];
        const Substream records = max_records(program, op.writes[i]);
        if (before.written.overlaps(records) || before.read.overlaps(records)) return true;
        if (!outputs[i].adds_only && before.added_to.overlaps(records)) return true;
    }
    return false;
}

}  // namespace

std::size_t Schedule::current(const StreamProgram& program, StreamId stream, std::size_t done) const {
    for (std::size_t op = done; op-- > 0;)
        for (std::size_t i = 0; i < ops[op].writes.size(); ++i)
            if (program.ops[op].writes[i].stream == stream) return ops[op].writes[i];
    // Not written yet: the first copy, whose number is `stream`.
    return stream;
}

Schedule make_schedule(const StreamProgram& program) {
    StorageTable table(program);
    Schedule schedule;
    for (const Op& op : program.ops) {
        ScheduledOp scheduled;
        for (const StreamUse& use : op.reads)
            scheduled.reads.push_back(table.current(use.stream));
        std::vector<StreamId> replaced;
        for (const StreamUse& use : op.writes) {
            const bool two = needs_two_copies(op, use.stream, program.backend);
            scheduled.writes.push_back(two ? table.other(use.stream) : table.current(use.stream));
            if (two && std::find(replaced.begin(), replaced.end(), use.stream) == replaced.end())
                replaced.push_back(use.stream);
        }
        for (StreamId id : replaced)
            table.flip(id);
        schedule.ops.push_back(std::move(scheduled));
    }
    schedule.storages = table.storages_;

    std::vector<Pending> pending(schedule.storages.size());
    for (std::size_t number = 0; number < program.ops.size(); ++number) {
        const Op& op = program.ops[number];
        ScheduledOp& scheduled = schedule.ops[number];
        scheduled.barrier = conflicts(program, op, scheduled, pending);
        if (scheduled.barrier) pending.assign(pending.size(), {});
        for (std::size_t i = 0; i < op.reads.size(); ++i) {
            Substream& read = pending[scheduled.reads[i]].read;
            read = read.united(max_records(program, op.reads[i]));
        }
        const std::vector<Port> outputs = output_ports(op);
        for (std::size_t i = 0; i < op.writes.size(); ++i) {
            Pending& before = pending[scheduled.writes[i]];
            Substream& written = outputs[i].adds_only ? before.added_to : before.written;
            written = written.united(max_records(program, op.writes[i]));
        }
    }
    return schedule;
}

Cost cost(const StreamProgram& program) {
    Cost cost;
    cost.ops = program.ops.size();
    for (const Op& op : program.ops) {
        const std::uint64_t instances = op.domain.size();
        const auto elements = [&](const StreamUse& use, const Port& port) {
            const Stream& stream = program.streams[use.stream];
            const std::uint64_t there = std::uint64_t{use.records.size()} * stream.elements_per_record;
            return std::min(there, instances * port.elements);
        };
        const std::vector<Port> inputs = input_ports(op);
        for (std::size_t i = 0; i < op.reads.size(); ++i) {
            const std::uint64_t read = elements(op.reads[i], inputs[i]);
            cost.elements_read += read;
            cost.bytes_read += 4 * read * inputs[i].words;
        }
        const std::vector<Port> outputs = output_ports(op);
        for (std::size_t i = 0; i < op.writes.size(); ++i) {
            const std::uint64_t written = elements(op.writes[i], outputs[i]);
            cost.elements_written += written;
            cost.bytes_written += 4 * written * outputs[i].words;
        }
    }
    for (const Storage& storage : make_schedule(program).storages) {
        const Stream& stream = program.streams[storage.stream];
        if (stream.role != StreamRole::scratch) continue;
        cost.scratch_bytes += stream.medium == Medium::texture ? stream.texture_bytes() : stream.buffer_bytes();
    }
    return cost;
}

Cost cost(StreamProgram program, std::uint32_t count) {
    set_count(program, count);
    return cost(program);
}

}  // namespace glsort
