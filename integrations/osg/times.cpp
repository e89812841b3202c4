// Measures frames of translucent points in OpenSceneGraph: in the order of their arrays, sorted on the CPU, and sorted
// by glsort. OpenSceneGraph draws into a context that EGL alone has made.

#include <osgViewer/Viewer>

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "scenes.h"
#include "timing.h"

namespace {

using scenes::Sort;
using timing::Picture;

constexpr int size = 400;

/// Sorts once more before the draw while `alone`, and measures. The upload is part of a sort on the CPU.
class Timed : public osg::Drawable::DrawCallback {
  public:
    explicit Timed(osg::Drawable::DrawCallback* sorting) : sorting_(sorting) {}

    void drawImplementation(osg::RenderInfo& info, const osg::Drawable* drawable) const override {
        if (alone) times.push_back(timing::milliseconds([&] { sort(info, *drawable->asGeometry()); }));
        sorting_->drawImplementation(info, drawable);
    }

    bool alone = false;
    mutable std::vector<double> times;

  private:
    void sort(osg::RenderInfo& info, const osg::Geometry& geometry) const {
        osg::State& state = *info.getState();
        if (const auto* cpu = dynamic_cast<const scenes::CpuSort*>(sorting_.get())) {
            cpu->sort(state, geometry);
            osg::VertexArrayState& arrays = *state.getCurrentVertexArrayState();
            arrays.bindElementBufferObject(
                geometry.getPrimitiveSet(0)->getOrCreateGLBufferObject(state.getContextID()));
            arrays.unbindElementBufferObject();
        } else if (const auto* gpu = dynamic_cast<const glsort_osg::BackToFront*>(sorting_.get())) {
            gpu->sort_only(info, geometry);
        }
    }

    osg::ref_ptr<osg::Drawable::DrawCallback> sorting_;
};

/// A viewer in a context of its own.
class Show {
  public:
    explicit Show(osg::Node* root) {
        osgViewer::GraphicsWindowEmbedded& window = *viewer_.setUpViewerAsEmbeddedInWindow(0, 0, size, size);
        window.setDefaultFboId(offscreen_.framebuffer());
        osg::Camera& camera = *viewer_.getCamera();
        camera.setDrawBuffer(GL_COLOR_ATTACHMENT0_EXT);
        camera.setReadBuffer(GL_COLOR_ATTACHMENT0_EXT);
        camera.setProjectionMatrixAsPerspective(45, 1, 0.5, 50);
        camera.setComputeNearFarMode(osg::CullSettings::DO_NOT_COMPUTE_NEAR_FAR);
        viewer_.setThreadingModel(osgViewer::ViewerBase::SingleThreaded);
        viewer_.setSceneData(root);
        viewer_.realize();
    }

    /// The camera turns around the axis by 3 degrees a frame.
    void draw(int frame) {
        const double angle = 0.0524 * frame;
        viewer_.getCamera()->setViewMatrixAsLookAt({6.5 * std::sin(angle), -6.5 * std::cos(angle), 2}, {0, 0, 0},
                                                   {0, 0, 1});
        viewer_.frame();
    }
    Picture picture() {
        draw(0);
        return offscreen_.picture();
    }

  private:
    timing::Offscreen offscreen_{size, size};
    osgViewer::Viewer viewer_;  // goes while its context is current
};

struct Result {
    double frame = 0;
    double sort = 0;  ///< Alone. 0 without a sort.
    Picture picture;
};

Result measure(std::uint32_t count, Sort sort) {
    osg::ref_ptr<osg::Geometry> points = scenes::make_points(int(count), "1.0");
    scenes::apply(*points, sort);
    osg::ref_ptr<Timed> timed;
    if (sort != Sort::none) points->setDrawCallback(timed = new Timed(points->getDrawCallback()));
    Show show(points);
    Result result;
    result.frame = timing::median_frame([&](int frame) { show.draw(frame); });
    if (timed) {
        timed->alone = true;
        for (int i = 0; i < 9; ++i)
            show.draw(i);
        timed->alone = false;
        result.sort = timing::median(timed->times);
    }
    result.picture = show.picture();
    return result;
}

void measure_all() {
    constexpr const char* by_cpu = "sorted by std::stable_sort";
    {
        const timing::Offscreen context(1, 1);
        std::fprintf(stderr, "%s\n", timing::description().c_str());
    }
    timing::print_head();
    for (const std::uint32_t count : {1u << 17, 1u << 20}) {
        timing::print_row(timing::not_sorted, 4, count, measure(count, Sort::none).frame);
        Picture expected;
        for (const auto& [series, sort] : {std::pair{by_cpu, Sort::cpu},
                                           {timing::by_fragment, Sort::fragment},
                                           {timing::by_compute, Sort::compute}}) {
            const Result result = measure(count, sort);
            if (sort == Sort::cpu) expected = result.picture;
            timing::require_alike(result.picture, expected, series, count);
            timing::print_row(series, 4, count, result.frame);
            timing::print_row(series + std::string(timing::alone), 4, count, result.sort);
        }
    }
}

}  // namespace

int main(int argument_count, char** arguments) {
    return timing::run(argument_count, arguments,
                       "Usage: osg_times\n\n"
                       "Prints medians of milliseconds as CSV: frames of 2^17 and of 2^20 translucent points in\n"
                       "OpenSceneGraph, and what a sort takes alone. The points are not sorted, sorted by\n"
                       "std::stable_sort on the CPU, and sorted by glsort. Needs EGL, and no display.\n\n"
                       "  --help  print this text",
                       measure_all);
}
