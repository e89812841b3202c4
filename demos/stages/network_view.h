#pragma once

#include "view.h"

namespace glsort::demo {

/// A sorting network as in textbooks: a wire for each element, columns of comparators, keys that go from left to right.
class NetworkView final : public View {
  public:
    std::string name() const override { return "Network"; }
    std::string explanation() const override;
    std::string caption() const override;
    bool fits(const StreamProgram& program) const override;
    void draw(const Moment& moment, Canvas& canvas) const override;
};

}  // namespace glsort::demo
