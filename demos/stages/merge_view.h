#pragma once

#include "view.h"

namespace glsort::demo {

/// The merge path: the sorted runs of a multiway merge, and where each window of the merged sequence begins in each
/// run. For two of the runs also the grid of the merge path.
class MergeView : public View {
  public:
    std::string name() const override { return "Merge path"; }
    std::string explanation() const override;
    std::string caption() const override;
    bool fits(const StreamProgram& program) const override;
    void draw(const Moment& moment, Canvas& canvas) const override;
};

}  // namespace glsort::demo
