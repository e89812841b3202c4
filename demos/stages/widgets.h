#pragma once

#include <string_view>

namespace glsort::demo {

/// A word of the glossary as ImGui text, with its tool tip.
void show_term(std::string_view word);
/// Shows the tool tip of a glossary word while the cursor is over the last item.
void tip_of_term(std::string_view word);
/// Shows `text` as the tool tip of the last item. An empty text has no tool tip.
void tip_of_item(std::string_view text);

/// Shows a tool tip beside the cursor, in lines of readable length.
void show_tip(std::string_view text);

/// Continues in the current line of ImGui items if `width` more pixels fit.
void flow(float width);

}  // namespace glsort::demo
