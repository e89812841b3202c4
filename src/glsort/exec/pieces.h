#pragma once

#include <glsort/stream/program.h>

#include <algorithm>
#include <cstdint>

namespace glsort {

/// Ops in pieces (`SorterOptions::max_elements_per_draw`). The pieces of an op run in order, without barriers between
/// them: instances of one op never depend on later instances.

/// `most_instances` without a limit.
inline constexpr std::uint32_t unlimited = 0xffffffffu;

/// The most elements that one instance of an op touches in one stream. At least 1. The number does not depend on the
/// current count of the program.
///
/// `KernelShape::tile` and `Port::elements` give the number. If neighbouring instances share elements, the number is
/// smaller: the elements of the stream, divided by the instances.
std::uint32_t elements_of_instance(const StreamProgram& program, const Op& op);

/// The most instances of a piece: at least 1. `unlimited` for a limit of 0.
std::uint32_t most_instances(const StreamProgram& program, const Op& op, std::uint32_t max_elements);

/// Calls `piece(rectangle)` for rectangles that cover `box`, each with up to `most` texels, row by row. A piece is one
/// or more whole rows, or part of a row that is longer than `most`.
template <class Piece>
void for_pieces(const Rectangle& box, std::uint32_t most, const Piece& piece) {
    if (box.x0 >= box.x1 || box.y0 >= box.y1) return;
    const std::uint32_t columns = std::min(box.x1 - box.x0, most);
    const std::uint32_t rows = std::clamp(most / (box.x1 - box.x0), 1u, box.y1 - box.y0);
    for (std::uint32_t y = box.y0; y < box.y1; y += std::min(rows, box.y1 - y))
        for (std::uint32_t x = box.x0; x < box.x1; x += std::min(columns, box.x1 - x))
            piece(Rectangle{x, y, x + std::min(columns, box.x1 - x), y + std::min(rows, box.y1 - y)});
}

}  // namespace glsort
