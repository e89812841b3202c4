#include "plan_json.h"

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

namespace glsort::demo {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Stream& stream) {
    Json json{{"name", stream.name},
              {"role", to_string(stream.role)},
              {"medium", to_string(stream.medium)},
              {"records", stream.records.value()},
              {"elements_per_record", stream.elements_per_record},
              {"words", stream.words},
              {"bytes", stream.bytes()}};
    if (stream.padding.run != 0) json["padding"] = {{"run", stream.padding.run}, {"length", stream.padding.length}};
    return json;
}

Json json_of(const Substream& records) {
    Json ranges = Json::array();
    for (const Block& block : records.blocks())
        ranges.push_back({{"begin", block.begin}, {"end", block.end}});
    return ranges;
}

Json json_of(const StreamProgram& program, const std::vector<StreamUse>& uses) {
    Json list = Json::array();
    for (const StreamUse& use : uses)
        list.push_back({{"stream", program.streams[use.stream].name}, {"records", json_of(use.records)}});
    return list;
}

void add_labels(Json& json, const Labels& labels) {
    const auto add = [&json](const char* name, int label) {
        if (label >= 0) json[name] = label;
    };
    add("level", labels.level);
    add("stage", labels.stage);
    add("phase", labels.phase);
    add("step", labels.step);
}

template <class Numbers>
Json named(const std::vector<Parameter>& parameters, const Numbers& numbers) {
    Json json = Json::object();
    for (std::size_t i = 0; i < numbers.size(); ++i)
        json[parameters[i].name] = std::uint32_t{numbers[i]};
    return json;
}

Json json_of(const StreamProgram& program, const Op& op) {
    Json json{{"kernel", op.kernel->name}};
    if (op.load) json["load"] = op.load->name;
    if (op.store) json["store"] = op.store->name;
    json["reads"] = json_of(program, op.reads);
    json["writes"] = json_of(program, op.writes);
    json["domain"] = json_of(op.domain);
    add_labels(json, op.labels);
    json["parameters"] = named(op.kernel->parameters, op.parameters);
    if (op.blocks.empty()) return json;
    json["blocks"] = Json::array();
    for (const BlockDetail& block : op.blocks) {
        Json detail = Json::object();
        add_labels(detail, block.labels);
        detail["parameters"] = named(op.kernel->block_parameters, block.parameters);
        json["blocks"].push_back(detail);
    }
    return json;
}

}  // namespace

nlohmann::ordered_json full_json(const StreamProgram& program) {
    Json json = Json::parse(to_json(program));
    json["streams"] = Json::array();
    for (const Stream& stream : program.streams)
        json["streams"].push_back(json_of(stream));
    json["operations"] = Json::array();
    for (const Op& op : program.ops)
        json["operations"].push_back(json_of(program, op));
    return json;
}

}  // namespace glsort::demo
