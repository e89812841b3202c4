#pragma once

#include <glsort/stream/program.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "moment.h"

namespace glsort::demo {

class Canvas;

/// Colours that several views use in one sense.
enum class LegendMark { read, written, exchanged, compared };

/// A way to show a sort. A view knows nothing of windows, time or the backend. A view draws a moment into a rectangle,
/// in a window or a picture. All state comes from the moment.
class View {
  public:
    virtual ~View() = default;

    /// The name on its tab: `Network`.
    virtual std::string name() const = 0;
    /// A sentence on what the view shows, and the section of the paper.
    virtual std::string explanation() const = 0;
    /// What the axes and the colours of the picture mean, in a line or two.
    virtual std::string caption() const = 0;
    /// What the picture uses of the pane's legend. A view with a legend of its own adds nothing.
    virtual std::vector<LegendMark> marks(const Moment&) const { return {}; }
    /// Whether the view can show a program. Decides by kernels, streams and labels, not by the algorithm's name, so
    /// that future algorithms need no change here.
    virtual bool fits(const StreamProgram& program) const = 0;
    virtual void draw(const Moment& moment, Canvas& canvas) const = 0;
};

/// All views. Views that fit any program come first.
std::vector<std::unique_ptr<View>> make_views();

/// The name of a view for --view, as messages have it: `merge-path`.
std::string option_of(const View& view);

/// The view that `option_of` gives that name. For an empty name, the first view that fits. Throws Error with all
/// fitting names if there is no such view or it does not fit.
const View& choose_view(const std::vector<std::unique_ptr<View>>& views, std::string_view name,
                        const StreamProgram& program);

}  // namespace glsort::demo
