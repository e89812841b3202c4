#pragma once

#include "view.h"

namespace glsort::demo {

/// A radix sort, pass by pass: the digit, its histogram, the scan that gives the start of each bucket, and the scatter.
class RadixView : public View {
  public:
    std::string name() const override { return "Radix"; }
    std::string explanation() const override;
    std::string caption() const override;
    std::vector<LegendMark> marks(const Moment& moment) const override;
    bool fits(const StreamProgram& program) const override;
    void draw(const Moment& moment, Canvas& canvas) const override;
};

}  // namespace glsort::demo
