#include <glsort/plan/chunks.h>
#include <glsort/plan/radix/halves.h>
#include <glsort/plan/radix/radix_kernels.h>
#include <glsort/stream/cpu_invocation.h>

#include <memory>
#include <utility>

namespace glsort::radix {
namespace {

std::uint32_t middle_of(std::uint32_t capacity) {
    return capacity - capacity / 2;
}

Chunk chunk_for(const char* name, std::uint32_t middle) {
    Chunk chunk;
    chunk.name = name;
    chunk.defines = {{"GLSORT_MIDDLE", literal(middle)}};
    return chunk;
}

std::shared_ptr<const Chunk> store_halves_chunk(std::uint32_t words, std::uint32_t middle) {
    Chunk chunk = chunk_for("store_halves", middle);
    for (const char* half : {"lower_out", "upper_out"})
        chunk.outputs.push_back({.name = half, .access = Access::scatter, .words = words, .role = PortRole::elements});
    chunk.store = [middle](CpuInvocation& k, std::uint32_t place, const Element& element) {
        place < middle ? k.scatter(0, place, element) : k.scatter(1, place - middle, element);
    };
    return std::make_shared<Chunk>(std::move(chunk));
}

std::shared_ptr<const Chunk> load_halves_chunk(std::uint32_t words, std::uint32_t middle, std::uint32_t elements) {
    Chunk chunk = chunk_for("load_halves", middle);
    for (const char* half : {"lower", "upper"})
        chunk.inputs.push_back(
            {.name = half, .access = Access::gather, .words = words, .elements = elements, .role = PortRole::elements});
    chunk.load = [middle](CpuInvocation& k, std::uint32_t place) {
        return place < middle ? k.read(0, place) : k.read(1, place - middle);
    };
    return std::make_shared<Chunk>(std::move(chunk));
}

}  // namespace

Halves::Halves(SortFrame& frame)
    : words_(frame.element_type().words()),
      capacity_(frame.capacity()),
      middle_(middle_of(capacity_)),
      lower_(frame.add_stream("lower_half", words_, 1, middle_)),
      upper_(frame.add_stream("upper_half", words_, 1, capacity_ - middle_)) {}

bool Halves::needed(const SortFrame& frame) {
    const auto fits = [&](std::uint32_t elements) {
        return std::uint64_t{4} * frame.element_type().words() * elements <= frame.limits().storage_bytes;
    };
    return !fits(frame.capacity()) && fits(middle_of(frame.capacity())) &&
           digits_of(frame.bits(), ranked_bits(frame)).size() > 1;
}

void Halves::put_between(Op& writer, Op& reader, std::uint32_t tile) const {
    exchange(writer, reader, store_halves_chunk(words_, middle_), load_halves_chunk(words_, middle_, tile),
             {{lower_, Substream::first(middle_)}, {upper_, Substream::first(capacity_ - middle_)}});
}

}  // namespace glsort::radix
