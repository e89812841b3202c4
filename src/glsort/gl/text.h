#pragma once

#include <algorithm>
#include <string_view>

namespace glsort::gl {

/// Removes the first piece of `text`, up to and including the separator. Returns the piece without the separator.
inline std::string_view take_piece(std::string_view& text, char separator) {
    const std::string_view piece = text.substr(0, text.find(separator));
    text.remove_prefix(std::min(piece.size() + 1, text.size()));
    return piece;
}

}  // namespace glsort::gl
