#include "widgets.h"

#include <imgui.h>

#include <string>

#include "glossary.h"

namespace glsort::demo {

void show_tip(std::string_view text) {
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(ImGui::GetFontSize() * 28.0f);
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

void tip_of_item(std::string_view text) {
    if (!text.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) show_tip(text);
}

void tip_of_term(std::string_view word) {
    tip_of_item(tip_text(word));
}

void show_term(std::string_view word) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(word.data(), word.data() + word.size());
    tip_of_term(word);
}

void flow(float width) {
    const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
    if (ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + width <= right) ImGui::SameLine();
}

}  // namespace glsort::demo
