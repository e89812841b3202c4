#pragma once

#include "view.h"

namespace glsort::demo {

/// Streams in memory order: textures in their layout, buffers in rows.
class TextureView : public View {
  public:
    std::string name() const override { return "Streams"; }
    std::string explanation() const override;
    std::string caption() const override;
    std::vector<LegendMark> marks(const Moment& moment) const override;
    bool fits(const StreamProgram&) const override { return true; }
    void draw(const Moment& moment, Canvas& canvas) const override;
};

}  // namespace glsort::demo
