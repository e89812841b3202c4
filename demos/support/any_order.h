#pragma once

#include <glsort/stream/program.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

/// Outputs that backends write up to the order of some elements (`DigitShape::leaves_order_open`).

namespace glsort::demo {

/// Words of the stream that output `number` of an op has written. Elements that may lie in any order are put in
/// ascending order. So the words of two backends can be compared.
inline std::vector<std::uint32_t> in_one_order(const Op& op, std::size_t number, const Stream& stream,
                                               std::vector<std::uint32_t> words) {
    const std::optional<DigitShape>& digit = op.kernel->shape.digit;
    const bool of_elements = output_ports(op)[number].role == PortRole::elements;
    if (!of_elements || !digit || !digit->leaves_order_open) return words;
    const std::uint32_t end_bit = digit->first_bit.of(op) + digit->bits.of(op);
    const std::uint32_t element_words = stream.words;
    // Elements that agree in all bits are equal.
    if (end_bit >= 32 * element_words) return words;
    const auto code_at = [&](std::size_t element) {
        std::uint64_t code = 0;
        for (std::uint32_t w = 0; w < element_words; ++w)
            code = code << 32 | words[element * element_words + w];
        return code;
    };
    for (const Block& block : op.writes[number].records.blocks()) {
        const std::size_t first = std::size_t{block.begin} * stream.elements_per_record;
        const std::size_t end = std::size_t{block.end} * stream.elements_per_record;
        std::vector<std::uint64_t> codes;
        for (std::size_t element = first; element < end; ++element)
            codes.push_back(code_at(element));
        const auto settled = [end_bit](std::uint64_t code) { return code & ~(~std::uint64_t{0} << end_bit); };
        for (auto run = codes.begin(); run != codes.end();) {
            const auto run_end =
                std::find_if(run, codes.end(), [&](std::uint64_t code) { return settled(code) != settled(*run); });
            std::sort(run, run_end);
            run = run_end;
        }
        for (std::size_t element = first; element < end; ++element)
            for (std::uint32_t w = 0; w < element_words; ++w)
                words[element * element_words + w] =
                    static_cast<std::uint32_t>(codes[element - first] >> 32 * (element_words - 1 - w));
    }
    return words;
}

}  // namespace glsort::demo
