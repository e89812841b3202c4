#include <fmt/format.h>

#include <glsort/stream/label_text.h>
#include <glsort/stream/program.h>
#include <glsort/stream/schedule.h>
#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace glsort {
namespace {

std::string to_string(const Substream& records) {
    std::string text;
    for (const Block& block : records.blocks())
        text += fmt::format("{}{}..{}", text.empty() ? "" : ",", block.begin, block.end - 1);
    return "[" + text + "]";
}

std::string to_string(const StreamProgram& program, const std::vector<StreamUse>& uses) {
    std::string text;
    for (const StreamUse& use : uses)
        text +=
            fmt::format("{}{}{}", text.empty() ? "" : " ", program.streams[use.stream].name, to_string(use.records));
    return text;
}

std::string parameters(const Op& op) {
    std::string text;
    for (std::size_t i = 0; i < op.parameters.size(); ++i)
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", op.kernel->parameters[i].name, op.parameters[i]);
    return text;
}

std::string kernel_and_chunks(const Op& op) {
    std::string text = op.kernel->name;
    if (op.load) text = op.load->name + " > " + text;
    if (op.store) text += " > " + op.store->name;
    return text;
}

/// The type of the keys, or the comparison that orders them.
std::string key_text(const StreamProgram& program) {
    if (program.comparison == nullptr) return std::string(to_string(program.key));
    return fmt::format("{} ({} bytes)", program.comparison->name, program.comparison->key_bytes);
}

std::string head(const StreamProgram& program) {
    return fmt::format("{}:{}, n = {}, {} keys {}, payload {}, {} backend, {} layout\n", program.algorithm,
                       program.variant, program.n, key_text(program), to_string(program.direction),
                       to_string(program.payload), to_string(program.backend), to_string(program.layout.kind));
}

/// A string of JSON.
std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += fmt::format("\\{}", c);
        else if (static_cast<unsigned char>(c) < 0x20)
            out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
        else
            out += c;
    }
    return out + "\"";
}

/// The numbers of an op that follow the count: `domain ceil(count / 2), count = count`.
std::string rules(const Op& op) {
    std::string text;
    if (op.domain.follows_count()) text = "domain " + op.domain.counted_end().rule();
    for (std::size_t i = 0; i < op.parameters.size(); ++i)
        if (!op.parameters[i].is_constant())
            text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", op.kernel->parameters[i].name,
                                op.parameters[i].rule());
    return text;
}

/// Texts, each with the names that share the text, in the order of first appearance.
class SharedLines {
  public:
    void add(const std::string& name, const std::string& text) {
        if (text.empty()) return;
        const auto same = std::find_if(lines_.begin(), lines_.end(), [&](const auto& line) { return line[1] == text; });
        if (same != lines_.end())
            same->front() += " " + name;
        else
            lines_.push_back({"  " + name, text});
    }
    const std::vector<std::vector<std::string>>& lines() const { return lines_; }

  private:
    std::vector<std::vector<std::string>> lines_;
};

/// Lines of cells as columns, two spaces apart.
std::string columns(const std::vector<std::vector<std::string>>& lines) {
    std::vector<std::size_t> widths;
    for (const auto& line : lines) {
        widths.resize(std::max(widths.size(), line.size()));
        for (std::size_t i = 0; i < line.size(); ++i)
            widths[i] = std::max(widths[i], line[i].size());
    }
    std::string text;
    for (const auto& line : lines) {
        std::string row;
        for (std::size_t i = 0; i < line.size(); ++i)
            row += fmt::format("{:<{}}  ", line[i], widths[i]);
        row.erase(row.find_last_not_of(' ') + 1);
        text += row + "\n";
    }
    return text;
}

/// For each record of a stream, the op that wrote the record last.
class LastWriters {
  public:
    /// The ops that wrote records of a substream, and how many of its records they wrote.
    std::pair<std::set<std::size_t>, std::uint32_t> of(const Substream& records) const {
        std::set<std::size_t> writers;
        std::uint32_t found = 0;
        for (const auto& [block, writer] : written_)
            for (const Block& read : records.blocks()) {
                const std::uint32_t begin = std::max(block.begin, read.begin);
                const std::uint32_t end = std::min(block.end, read.end);
                if (begin >= end) continue;
                writers.insert(writer);
                found += end - begin;
            }
        return {std::move(writers), found};
    }

    void set(const Substream& records, std::size_t op) {
        for (const Block& gone : records.blocks()) {
            std::vector<std::pair<Block, std::size_t>> left;
            for (const auto& [block, writer] : written_) {
                const Block before{block.begin, std::min(block.end, gone.begin)};
                const Block after{std::max(block.begin, gone.end), block.end};
                if (before.begin < before.end) left.emplace_back(before, writer);
                if (after.begin < after.end) left.emplace_back(after, writer);
            }
            left.emplace_back(gone, op);
            written_ = std::move(left);
        }
    }

  private:
    std::vector<std::pair<Block, std::size_t>> written_;
};

}  // namespace

std::string_view to_string(StreamRole role) {
    switch (role) {
        case StreamRole::input:
            return "input";
        case StreamRole::output:
            return "output";
        case StreamRole::in_place:
            return "in place";
        case StreamRole::scratch:
            break;
    }
    return "scratch";
}

std::string to_text(const StreamProgram& program) {
    std::vector<std::vector<std::string>> streams;
    std::vector<int> copies(program.streams.size(), 0);
    for (const Storage& storage : make_schedule(program).storages)
        ++copies[storage.stream];
    for (StreamId id = 0; id < program.streams.size(); ++id) {
        const Stream& stream = program.streams[id];
        streams.push_back(
            {"  " + stream.name, std::string(glsort::to_string(stream.role)),
             fmt::format("{} records of {} x {} words", stream.records, stream.elements_per_record, stream.words),
             std::string(glsort::to_string(stream.medium)), copies[id] > 1 ? "two copies" : "",
             stream.padding.run == 0
                 ? ""
                 : fmt::format("padding of {} elements after every {}", stream.padding.length, stream.padding.run)});
    }
    std::vector<std::vector<std::string>> ops;
    ops.push_back({"  op", "kernel", "reads", "writes", "belongs to", "parameters"});
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        const Op& op = program.ops[i];
        ops.push_back({fmt::format("{:4}", i), kernel_and_chunks(op), to_string(program, op.reads),
                       to_string(program, op.writes), text_of(op.labels), parameters(op)});
    }
    return head(program) + "streams\n" + columns(streams) + "ops\n" + columns(ops);
}

std::string to_rules(const StreamProgram& program) {
    if (!program.counts) return "";
    SharedLines streams;
    for (const Stream& stream : program.streams)
        if (!stream.records.is_constant()) streams.add(stream.name, stream.records.rule() + " records");
    SharedLines ops;
    for (std::size_t first = 0, end = 0; first < program.ops.size(); first = end) {
        const std::string text = rules(program.ops[first]);
        for (end = first + 1; end < program.ops.size() && rules(program.ops[end]) == text;)
            ++end;
        ops.add(end == first + 1 ? fmt::format("{}", first) : fmt::format("{}-{}", first, end - 1), text);
    }
    return fmt::format("counts {} to {}: the same ops, with these numbers\nstreams\n{}ops\n{}", program.counts->first,
                       program.counts->last, columns(streams.lines()), columns(ops.lines()));
}

std::string to_table(const StreamProgram& program) {
    // The cost of one kernel is the cost of a program with only the ops of that kernel.
    std::vector<std::string> names;
    for (const Op& op : program.ops)
        if (std::find(names.begin(), names.end(), op.kernel->name) == names.end()) names.push_back(op.kernel->name);
    std::vector<std::vector<std::string>> lines;
    lines.push_back({"kernel", "ops", "elements read", "written", "bytes read", "written"});
    const auto add = [&lines](const std::string& name, const Cost& cost) {
        lines.push_back({name, fmt::format("{}", cost.ops), fmt::format("{}", cost.elements_read),
                         fmt::format("{}", cost.elements_written), fmt::format("{}", cost.bytes_read),
                         fmt::format("{}", cost.bytes_written)});
    };
    for (const std::string& name : names) {
        StreamProgram share = program;
        std::erase_if(share.ops, [&](const Op& op) { return op.kernel->name != name; });
        add(name, cost(share));
    }
    const Cost sum = cost(program);
    add("all", sum);
    if (program.counts && program.counts->first < program.counts->last)
        for (const std::uint32_t count : {program.counts->first, program.counts->last})
            add(fmt::format("all, n = {}", count), cost(program, count));
    return head(program) + columns(lines) + fmt::format("scratch bytes: {}\n", sum.scratch_bytes);
}

std::string to_json(const StreamProgram& program) {
    const Cost sum = cost(program);
    std::map<std::string, int> kernels;
    for (const Op& op : program.ops)
        ++kernels[op.kernel->name];
    std::string of_kernels;
    for (const auto& [name, ops] : kernels)
        of_kernels += fmt::format("{}\n    {}: {}", of_kernels.empty() ? "" : ",", quoted(name), ops);
    return fmt::format(
        "{{\n  \"algorithm\": {},\n  \"variant\": {},\n  \"backend\": {},\n  \"layout\": {},\n  \"n\": {},\n"
        "  \"key\": {},\n  \"payload\": {},\n  \"ops\": {},\n  \"kernels\": {{{}}},\n  \"bytes_read\": {},\n"
        "  \"bytes_written\": {},\n  \"scratch_bytes\": {}\n}}\n",
        quoted(program.algorithm), quoted(program.variant), quoted(glsort::to_string(program.backend)),
        quoted(glsort::to_string(program.layout.kind)), program.n, quoted(key_text(program)),
        quoted(glsort::to_string(program.payload)), sum.ops, of_kernels.empty() ? "" : of_kernels + "\n  ",
        sum.bytes_read, sum.bytes_written, sum.scratch_bytes);
}

std::string to_dot(const StreamProgram& program) {
    std::string text =
        fmt::format("digraph \"{}:{} n={}\" {{\n  node [shape=box];\n", program.algorithm, program.variant, program.n);
    for (StreamId id = 0; id < program.streams.size(); ++id)
        if (program.streams[id].role != StreamRole::scratch)
            text += fmt::format("  s{} [label=\"{}\", shape=ellipse];\n", id, program.streams[id].name);
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        const std::string where = text_of(program.ops[i].labels);
        text += fmt::format("  op{} [label=\"{}: {}{}{}\"];\n", i, i, kernel_and_chunks(program.ops[i]),
                            where.empty() ? "" : "\\n", where);
    }
    std::vector<LastWriters> written(program.streams.size());
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        const Op& op = program.ops[i];
        std::vector<StreamUse> reads = op.reads;
        const std::vector<Port> outputs = output_ports(op);
        for (std::size_t w = 0; w < op.writes.size(); ++w)
            if (outputs[w].access == Access::shared) reads.push_back(op.writes[w]);
        for (const StreamUse& use : reads) {
            const auto [writers, found] = written[use.stream].of(use.records);
            for (std::size_t writer : writers)
                text += fmt::format("  op{} -> op{} [label=\"{}{}\"];\n", writer, i, program.streams[use.stream].name,
                                    to_string(use.records));
            if (found < use.records.size())
                text += fmt::format("  s{} -> op{} [label=\"{}\"];\n", use.stream, i, to_string(use.records));
        }
        for (const StreamUse& use : op.writes) {
            written[use.stream].set(use.records, i);
            if (program.streams[use.stream].role != StreamRole::scratch)
                text += fmt::format("  op{} -> s{} [label=\"{}\"];\n", i, use.stream, to_string(use.records));
        }
    }
    return text + "}\n";
}

}  // namespace glsort
