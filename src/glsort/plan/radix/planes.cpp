#include <glsort/plan/chunks.h>
#include <glsort/plan/payload.h>
#include <glsort/plan/radix/planes.h>
#include <glsort/plan/radix/radix_kernels.h>

namespace glsort::radix {
namespace {

/// A sort of these keys with values, all in buffers. The chunks of such a sort take elements apart, and put elements
/// together.
PlanRequest apart(PlanRequest request) {
    request.source = nullptr;
    request.spec.payload = Payload::bytes(4);
    request.spec.input = request.spec.output = Medium::buffer;
    return request;
}

}  // namespace

Planes::Planes(SortFrame& frame)
    : request_(apart(frame.request)),
      keys_(frame.add_stream("keys_plane", 1)),
      values_(frame.add_stream("values_plane", 1)) {}

bool Planes::needed(const SortFrame& frame) {
    const ElementType& type = frame.element_type();
    const bool can = type.code_words() == 1 && type.indexed() && !gathers_values(frame.request, type) &&
                     digits_of(frame.bits(), ranked_bits(frame)).size() > 1;
    return can && std::uint64_t{4} * type.words() * frame.capacity() > frame.limits().storage_bytes;
}

void Planes::put_between(Op& writer, Op& reader, const Counted& count, std::uint32_t tile) const {
    const ElementType type = ElementType::of(request_, ElementType::Form::key_value);
    const Substream all = Substream::first(count);
    exchange(writer, reader, store_chunk(request_, type), load_chunk(request_, type, tile),
             {{keys_, all}, {values_, all}});
}

}  // namespace glsort::radix
