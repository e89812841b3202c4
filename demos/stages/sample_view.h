#pragma once

#include "view.h"

namespace glsort::demo {

/// A sample sort: its steps, the tiles and their samples, the splitters, and the sizes of buckets beside their bound.
class SampleView : public View {
  public:
    std::string name() const override { return "Sample sort"; }
    std::string explanation() const override;
    std::string caption() const override;
    std::vector<LegendMark> marks(const Moment& moment) const override;
    bool fits(const StreamProgram& program) const override;
    void draw(const Moment& moment, Canvas& canvas) const override;
};

}  // namespace glsort::demo
