#pragma once

#include <glsort/gl/state_table.h>

#include <array>

namespace glsort::gl {

/// Saves the state that a part of the library changes, and puts it back when it goes. Allocates
/// nothing, raises no OpenGL error.
class StateGuard {
  public:
    /// `active` false: saves and restores nothing.
    StateGuard(const Api& api, const StateScope& scope, bool active = true);
    ~StateGuard();
    StateGuard(const StateGuard&) = delete;
    StateGuard& operator=(const StateGuard&) = delete;

  private:
    const Api& api_;
    StateScope scope_;
    bool active_;
    std::array<StateRow::Cell, state_cells> cells_;  // Written by `save` where it is read by `restore`.
};

/// Sets what the state of `scope` has to be whatever the caller left: no culling, no scissor, tightly packed
/// words, and so on. What is bound stays.
void set_state(const Api& api, const StateScope& scope);

}  // namespace glsort::gl
