#pragma once

#include "view.h"

namespace glsort::demo {

/// The bitonic trees of GPU-ABiSort, with the pointers p and q of the phases.
class TreeView final : public View {
  public:
    std::string name() const override { return "Trees"; }
    std::string explanation() const override;
    std::string caption() const override;
    bool fits(const StreamProgram& program) const override;
    void draw(const Moment& moment, Canvas& canvas) const override;
};

}  // namespace glsort::demo
