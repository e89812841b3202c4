#pragma once

#include "view.h"

namespace glsort::demo {

/// Shows where the phases of GPU-ABiSort write: Figures 4 to 7 of the paper, filled in as the sort advances.
class LayoutTableView final : public View {
  public:
    std::string name() const override { return "Layout"; }
    std::string explanation() const override;
    std::string caption() const override;
    bool fits(const StreamProgram& program) const override;
    void draw(const Moment& moment, Canvas& canvas) const override;
};

}  // namespace glsort::demo
