#include <fmt/format.h>

#include <glsort/plan/chunks.h>
#include <glsort/plan/element_source.h>
#include <glsort/plan/payload.h>
#include <glsort/stream/cpu_invocation.h>

#include <string>
#include <utility>

namespace glsort {
namespace {

/// The macro `name` by which a chunk reads word `word` of a value.
std::pair<std::string, std::string> value_at(const char* name, std::uint32_t word) {
    return {fmt::format("{}(index)", name),
            word == 0 ? "glsort_values_gather(index)" : fmt::format("glsort_values_gather(index).{}", "xyzw"[word])};
}

}  // namespace

std::shared_ptr<const Chunk> load_chunk(const PlanRequest& request, const ElementType& element_type,
                                        std::uint32_t elements) {
    Chunk chunk;
    chunk.name = "load_record";
    if (element_type.code_words() == 0) {
        chunk.load = [](CpuInvocation&, std::uint32_t index) { return Element{index}; };
        return std::make_shared<Chunk>(std::move(chunk));
    }
    chunk.inputs = {{.name = "keys",
                     .access = Access::gather,
                     .words = key_words(request),
                     .elements = elements,
                     .role = PortRole::keys}};
    chunk.defines = key_defines(request.spec.order.key, request.spec.order.direction);
    if (const BitRange* bits = element_type.compared_bits()) {
        const std::uint64_t mask = mask_of(*bits);
        const std::string low = literal(static_cast<std::uint32_t>(mask));
        const std::string high = literal(static_cast<std::uint32_t>(mask >> 32));
        chunk.defines.emplace_back("GLSORT_COMPARED_BITS",
                                   element_type.code_words() == 1 ? low : fmt::format("uvec2({}, {})", high, low));
        chunk.defines.emplace_back("GLSORT_FIRST_BIT", literal(bits->first));
    }
    const std::uint32_t value_word = value_word_of(request);
    if (element_type.carries_value()) {
        chunk.inputs.push_back({.name = "values",
                                .access = Access::gather,
                                .words = value_word + 1,
                                .elements = elements,
                                .role = PortRole::values});
        chunk.defines.push_back(value_at("GLSORT_LOADED_VALUE", value_word));
    }
    chunk.load = [key = request.spec.order.key, direction = request.spec.order.direction, element_type, value_word](
                     CpuInvocation& k, std::uint32_t index) {
        const std::uint32_t following = element_type.carries_value() ? k.read(1, index)[value_word] : index;
        return element_type.element(encoded(key, direction, k.read(0, index)), following);
    };
    return std::make_shared<Chunk>(std::move(chunk));
}

std::shared_ptr<const Chunk> store_chunk(const PlanRequest& request, const ElementType& element_type) {
    const bool payload = has_payload(request.spec) && !gathers_values(request, element_type);
    const bool values = stores_values(request, element_type);
    const bool keys = stores_keys(request.source);
    const bool interleaved = payload && keys && request.spec.output == Medium::texture;
    const std::uint32_t words = key_words(request);
    const std::uint32_t value_word = value_word_of(request);
    Chunk chunk;
    chunk.name = "store_record";
    if (keys)
        chunk.outputs = {{.name = "keys_out", .words = words + (interleaved ? 1 : 0), .role = PortRole::keys}};
    else
        chunk.defines.emplace_back("GLSORT_VALUES_ALONE", "1");
    if (payload && !interleaved) chunk.outputs.push_back({.name = "values_out", .words = 1, .role = PortRole::values});
    chunk.stores_apart = chunk.outputs.size() == 2;
    const bool reads_keys = element_type.lacks_key();
    if (reads_keys) {
        chunk.defines.emplace_back("GLSORT_KEYS_READ", "1");
        // One op may have both chunks, and the load chunk has a port `keys`.
        chunk.inputs.push_back(
            {.name = "whole_keys", .access = Access::gather, .words = words, .role = PortRole::keys});
    }
    if (values)
        chunk.inputs.push_back(
            {.name = "values", .access = Access::gather, .words = value_word + 1, .role = PortRole::values});
    for (auto& define : key_defines(request.spec.order.key, request.spec.order.direction))
        chunk.defines.push_back(std::move(define));
    if (payload) chunk.defines.emplace_back("GLSORT_PAYLOAD", "1");
    if (interleaved) chunk.defines.emplace_back("GLSORT_INTERLEAVED", "1");
    if (values) chunk.defines.push_back(value_at("GLSORT_VALUE_AT", value_word));
    chunk.store = [=, key_type = request.spec.order.key, direction = request.spec.order.direction](
                      CpuInvocation& k, std::uint32_t, const Element& element) {
        const std::uint32_t index = element_type.index_of(element);
        Element key = reads_keys ? k.read(0, index) : decoded(key_type, direction, element);
        const std::uint32_t value = values ? k.read(reads_keys ? 1 : 0, index)[value_word] : index;
        if (interleaved) key[words] = value;
        if (keys) k.write(0, 0, key);
        if (payload && !interleaved) k.write(keys ? 1 : 0, 0, {value});
    };
    return std::make_shared<Chunk>(std::move(chunk));
}

void exchange(Op& writer, Op& reader, std::shared_ptr<const Chunk> store, std::shared_ptr<const Chunk> load,
              const std::vector<StreamUse>& streams) {
    // A chunk's streams follow those of the kernel.
    writer.writes.erase(writer.writes.begin() + static_cast<std::ptrdiff_t>(stored_output(*writer.kernel)));
    writer.writes.insert(writer.writes.end(), streams.begin(), streams.end());
    writer.store = std::move(store);
    reader.reads.erase(reader.reads.begin() + static_cast<std::ptrdiff_t>(loaded_input(*reader.kernel)));
    reader.reads.insert(reader.reads.end(), streams.begin(), streams.end());
    reader.load = std::move(load);
}

}  // namespace glsort
