#include <glsort/plan/payload.h>

#include <numeric>

namespace glsort {

bool has_payload(const SortSpec& spec) {
    return spec.payload.kind != Payload::Kind::none;
}

bool moves_values(const SortSpec& spec) {
    return spec.payload.kind == Payload::Kind::bytes;
}

std::uint32_t value_words(const PlanRequest& request) {
    return request.spec.payload.size / 4;
}
std::uint32_t chunk_words(const PlanRequest& request) {
    return std::gcd(value_words(request), 4u);
}
std::uint32_t chunks_of(const PlanRequest& request) {
    return value_words(request) / chunk_words(request);
}

std::uint32_t value_word_of(const PlanRequest& request) {
    return request.spec.input == Medium::texture ? key_words(request) : 0;
}

bool gathers_values(const PlanRequest& request, const ElementType& element_type) {
    const SortSpec& spec = request.spec;
    const bool few_ports = spec.output == Medium::buffer && spec.backend != Backend::fragment;
    return moves_values(spec) && (value_words(request) != 1 || (element_type.lacks_key() && few_ports));
}

bool stores_values(const PlanRequest& request, const ElementType& element_type) {
    // The indices of a source are its values.
    return moves_values(request.spec) && !request.source && !gathers_values(request, element_type) &&
           !element_type.carries_value();
}

}  // namespace glsort
