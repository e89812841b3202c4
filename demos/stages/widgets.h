#pragma once

#include <string_view>

namespace glsort::demo {

/// A word of the glossary as ImGui text, with its tool tip.
void show_term(std::string_view word);
/// The tool tip of a word of the glossary, while the cursor is over the last item.
void tip_of_term(std::string_view word);
/// The same with a text; none where that is empty.
void tip_of_item(std::string_view text);

/// A tool tip beside the cursor, in lines of readable length.
void show_tip(std::string_view text);

/// Goes on in the same line of ImGui items if `width` more pixels fit there.
void flow(float width);

}  // namespace glsort::demo
