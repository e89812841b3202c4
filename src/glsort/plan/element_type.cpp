#include <fmt/format.h>

#include <glsort/base/glsl_text.h>
#include <glsort/plan/element_type.h>
#include <glsort/plan/key_code.h>
#include <glsort/plan/payload.h>
#include <glsort/stream/cpu_invocation.h>

#include <algorithm>
#include <bit>

namespace glsort {
namespace {

/// The index of an element past the end of the input.
constexpr std::uint32_t missing_index = 0xffffffffu;

CallersGlsl prelude_of(const Comparison& comparison) {
    const std::uint32_t words = comparison.key_bytes / 4;
    const std::string type = glsl_type(words);
    return {.kind = "comparison",
            .name = comparison.name,
            .text = comparison.glsl,
            .declarations = {},
            .function = fmt::format("bool comes_before({0} a, {0} b)", type),
            .trial = fmt::format("{0} glsort_key() {{ return {0}(gl_FragCoord.x); }}\n"
                                 "bool glsort_trial() {{ return comes_before(glsort_key(), glsort_key()); }}\n",
                                 type)};
}

}  // namespace

ElementType ElementType::of(const PlanRequest& request, Form form) {
    const bool narrow = form == Form::narrow;
    ElementType type;
    type.key_words_ = key_words(request);
    type.key_ = request.spec.order.key;
    type.direction_ = request.spec.order.direction;
    type.code_words_ = type.key_words_;
    type.indexed_ = narrow || form == Form::indexed || has_payload(request.spec);
    type.carries_value_ = form == Form::key_value && request.spec.payload == Payload::bytes(4);
    if (request.spec.order.comparison) {
        type.comparison_ = std::make_shared<const Comparison>(*request.spec.order.comparison);
        type.lookup_ = Lookup::all;
        type.code_words_ = 0;
        type.indexed_ = true;
    } else if (narrow && type.key_words_ > 1) {
        type.lookup_ = Lookup::low_word;
        type.code_words_ = 1;
    } else if (!in_browser && form == Form::full && compares_part(request.spec.order)) {
        type.compared_ = request.spec.order.bits.of(type.key_);
        // 0 would stand for an index in a word of its own.
        const auto index_bits = std::max<std::uint32_t>(std::bit_width(request.spec.capacity - 1), 1);
        const bool shares = type.key_words_ == 1 && type.compared_->end - type.compared_->first + index_bits <= 32;
        type.index_bits_ = shares ? index_bits : 0;
        type.indexed_ = !shares;
    }
    return type;
}

Element ElementType::element(Element code, std::uint32_t following) const {
    if (const BitRange* bits = compared_bits()) {
        const std::uint64_t mask = mask_of(*bits);
        code[code_words_ - 1] &= static_cast<std::uint32_t>(mask);
        if (code_words_ == 2) code[0] &= static_cast<std::uint32_t>(mask >> 32);
    }
    if (index_bits() != 0) return {code[0] >> compared_->first << index_bits_ | following};
    code[code_words_] = following;
    return code;
}

void ElementType::declare_in(Kernel& kernel, bool compares) const {
    std::vector<std::pair<std::string, std::string>> defines = {{"GLSORT_KEY_WORDS", fmt::format("{}", key_words_)},
                                                                {"GLSORT_ELEMENT_WORDS", fmt::format("{}", words())}};
    if (lookup_ == Lookup::all) defines.emplace_back("GLSORT_COMPARISON", "1");
    if (lookup_ == Lookup::low_word) defines.emplace_back("GLSORT_LOW_WORD_LOOKED_UP", "1");
    if (index_bits() != 0) defines.emplace_back("GLSORT_INDEX_BITS", literal(index_bits()));
    if (looks_up() && compares) {
        defines.emplace_back("GLSORT_COMPARES", "1");
        for (auto& define : key_defines(key_, direction_))
            defines.push_back(std::move(define));
        kernel.inputs.push_back({.name = "input_keys",
                                 .access = Access::gather,
                                 .words = key_words_,
                                 .elements = kernel.inputs.front().elements,
                                 .role = PortRole::keys});
    }
    kernel.defines.insert(kernel.defines.begin(), defines.begin(), defines.end());
    if (!looks_up() || !compares) return;

    const std::size_t port = kernel.inputs.size() - 1;
    if (lookup_ == Lookup::all) {
        kernel.prelude = prelude_of(*comparison_);
        kernel.order = [comparison = comparison_, direction = direction_, port](CpuInvocation& k, const Element& a,
                                                                                const Element& b) {
            if (a[0] == missing_index || b[0] == missing_index) return a[0] < b[0];
            const auto before = [&](const Element& x, const Element& y) {
                const Element key_x = k.read(port, x[0]);
                const Element key_y = k.read(port, y[0]);
                return direction == Direction::ascending ? comparison->host(key_x, key_y)
                                                         : comparison->host(key_y, key_x);
            };
            return a[0] < b[0] ? !before(b, a) : before(a, b);
        };
    } else {
        kernel.order = [key = key_, direction = direction_, port](CpuInvocation& k, const Element& a,
                                                                  const Element& b) {
            if (a[0] != b[0] || a[1] == missing_index || b[1] == missing_index) return a < b;
            const std::uint32_t low_a = encoded(key, direction, k.read(port, a[1]))[1];
            const std::uint32_t low_b = encoded(key, direction, k.read(port, b[1]))[1];
            return low_a != low_b ? low_a < low_b : a[1] < b[1];
        };
    }
}

void ElementType::sort(CpuInvocation& k, std::vector<Element>& elements) const {
    const auto before = [&k](const Element& a, const Element& b) { return k.precedes(a, b); };
    // If a comparison is no order, std::sort may access memory outside of the elements. Merges, as in std::stable_sort,
    // never do.
    if (comparison_)
        std::stable_sort(elements.begin(), elements.end(), before);
    else
        std::sort(elements.begin(), elements.end(), before);
}

std::uint32_t key_words(const PlanRequest& request) {
    return key_bytes(request.spec.order) / 4;
}

Element encoded(KeyType key, Direction direction, const Element& bits) {
    if (key_bytes(key) == 4) return {encode_key(key, direction, bits[0])};
    const std::uint64_t code = encode_key(key, direction, std::uint64_t{bits[1]} << 32 | bits[0]);
    return {static_cast<std::uint32_t>(code >> 32), static_cast<std::uint32_t>(code)};
}

Element decoded(KeyType key, Direction direction, const Element& code) {
    if (key_bytes(key) == 4) return {decode_key(key, direction, code[0])};
    const std::uint64_t bits = decode_key(key, direction, std::uint64_t{code[0]} << 32 | code[1]);
    return {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32)};
}

std::vector<std::pair<std::string, std::string>> key_defines(KeyType key, Direction direction) {
    std::vector<std::pair<std::string, std::string>> defines;
    if (key_code::is_signed(key)) defines.emplace_back("GLSORT_KEY_SIGNED", "1");
    if (key_code::is_float(key)) defines.emplace_back("GLSORT_KEY_FLOAT", "1");
    if (direction == Direction::descending) defines.emplace_back("GLSORT_KEY_DESCENDING", "1");
    return defines;
}

}  // namespace glsort
