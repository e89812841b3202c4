#pragma once

#include "view.h"

namespace glsort::demo {

/// Keys as bars. Arcs over them join the elements that the last op compared.
class BarsView : public View {
  public:
    /// Max keys that are shown as bars.
    static constexpr std::uint32_t max_bars = 256;

    std::string name() const override { return "Bars"; }
    std::string explanation() const override;
    std::string caption() const override;
    std::vector<LegendMark> marks(const Moment& moment) const override;
    bool fits(const StreamProgram& program) const override { return program.n <= max_bars; }
    void draw(const Moment& moment, Canvas& canvas) const override;
};

}  // namespace glsort::demo
