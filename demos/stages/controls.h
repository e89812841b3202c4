#pragma once

#include <map>
#include <string>
#include <vector>

#include "player.h"

namespace glsort::demo {

/// The upper lines of the window, in which users choose what to sort and how. Controls the player.
class Controls {
  public:
    Controls(Player& player, const Device& device) : player_(player), device_(device) {}

    /// Draws lines of ImGui items. `unit`: the unit of the display.
    void draw(float unit);

    // The choices of the controls, for keyboard shortcuts. `slot`: the sort to change.
    void next_algorithm(std::size_t slot, int by);
    void next_backend(std::size_t slot);
    void next_layout(std::size_t slot);
    void next_distribution();
    void scale_n(bool up);
    void next_seed();
    void toggle_compare();
    void toggle_pace();

  private:
    void draw_input(float unit);
    void draw_method(std::size_t slot, float unit);
    void draw_transport(float unit);
    void choose(const Input& input);
    void choose(std::size_t slot, const Method& method);
    std::vector<Method> methods() const;
    const std::string& reason_against(const Method& method);

    Player& player_;
    const Device& device_;
    std::string n_error_;                         // error in the number that was typed last
    std::map<std::string, std::string> reasons_;  // by method, for the input that is sorted
    Input reasons_input_;
};

}  // namespace glsort::demo
