#pragma once

#include <glsort/stream/program.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "moment.h"

namespace glsort::demo {

class Canvas;

/// A way to show a sort. A view knows nothing of windows, time or the sort's backend: it draws a moment into a
/// rectangle, in a window as in a picture. It holds no state that a moment does not determine.
class View {
  public:
    virtual ~View() = default;

    /// On its tab: `Network`.
    virtual std::string name() const = 0;
    /// A sentence on what is seen, and the section of the paper.
    virtual std::string explanation() const = 0;
    /// Whether there is anything to show of such a program. By kernels, streams and labels, not by the algorithm's
    /// name: what is added later is shown without a change here.
    virtual bool fits(const StreamProgram& program) const = 0;
    virtual void draw(const Moment& moment, Canvas& canvas) const = 0;
};

/// All views, the ones that fit any program first.
std::vector<std::unique_ptr<View>> make_views();

/// The view of that name, in letters of any case; of no name the first that fits. Throws Error with the names there are
/// where none is called so, or that one does not fit.
const View& choose_view(const std::vector<std::unique_ptr<View>>& views, std::string_view name,
                        const StreamProgram& program);

}  // namespace glsort::demo
