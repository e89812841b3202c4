#pragma once

#include <glsort/gl/state_table.h>

#include <array>

namespace glsort::gl {

/// Saves the OpenGL state that a part of the library changes, and restores the state on destruction. Allocates nothing.
/// Raises no OpenGL error, unless a context that shares objects has deleted an object that is still bound here.
class StateGuard {
  public:
    /// If not `active`, saves and restores nothing.
    StateGuard(const Api& api, const StateScope& scope, bool active = true);
    ~StateGuard();
    StateGuard(const StateGuard&) = delete;
    StateGuard& operator=(const StateGuard&) = delete;

  private:
    const Api& api_;
    StateScope scope_;
    bool active_;
    std::array<StateRow::Cell, state_cells> cells_;  // `save` writes the cells that `restore` reads.
};

/// Sets the state of `scope` to what a sort needs, whatever the caller left: no culling, no scissor, tightly packed
/// words, and so on. Bindings stay.
void set_state(const Api& api, const StateScope& scope);

}  // namespace glsort::gl
