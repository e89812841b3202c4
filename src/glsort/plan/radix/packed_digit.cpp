#include <glsort/plan/radix/packed_digit.h>
#include <glsort/stream/cpu_invocation.h>

#include <utility>

namespace glsort::radix {
namespace {

Chunk chunk_for(const char* name, const Digit& last) {
    Chunk chunk;
    chunk.name = name;
    chunk.defines = {{"GLSORT_PACKED_BITS", literal(last.bits)}, {"GLSORT_PACKED_SHIFT", literal(last.shift)}};
    return chunk;
}

}  // namespace

bool packs_last_digit(const ElementSource& source, const ElementType& element_type, const Digit& last) {
    return !source.stores_keys && element_type.indexed() && element_type.code_words() > 0 && last.bits < 32 &&
           source.end_of_values - 1 <= 0xffffffffu >> last.bits;
}

std::shared_ptr<const Chunk> store_packed_chunk(const ElementType& element_type, const Digit& last) {
    Chunk chunk = chunk_for("store_packed", last);
    chunk.outputs = {{.name = "packed_out", .words = 1, .role = PortRole::elements}};
    chunk.store = [element_type, last](CpuInvocation& k, std::uint32_t, const Element& element) {
        const auto digit = static_cast<std::uint32_t>(element_type.code_of(element) >> last.shift);
        k.write(0, 0, {digit << (32 - last.bits) | element[element_type.code_words()]});
    };
    return std::make_shared<Chunk>(std::move(chunk));
}

std::shared_ptr<const Chunk> load_packed_chunk(const ElementType& element_type, const Digit& last,
                                               std::uint32_t elements) {
    Chunk chunk = chunk_for("load_packed", last);
    chunk.inputs = {{.name = "packed", .access = Access::gather, .elements = elements, .role = PortRole::elements}};
    chunk.load = [words = element_type.code_words(), last](CpuInvocation& k, std::uint32_t number) {
        const std::uint32_t word = k.read(0, number)[0];
        const std::uint64_t code = std::uint64_t{word >> (32 - last.bits)} << last.shift;
        const auto low = static_cast<std::uint32_t>(code);
        const std::uint32_t value = word << last.bits >> last.bits;
        return words == 1 ? Element{low, value} : Element{static_cast<std::uint32_t>(code >> 32), low, value};
    };
    return std::make_shared<Chunk>(std::move(chunk));
}

}  // namespace glsort::radix
