// Measures frames of translucent points in VTK: in the order of their cells, sorted by VTK on the CPU, and sorted by
// glsort. VTK draws into a context that EGL alone has made.

#include <glsort/vtk_mapper.h>
#include <vtkDepthSortPolyData.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkObjectFactory.h>
#include <vtk_glew.h>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "scenes.h"
#include "timing.h"

namespace {

using timing::Picture;

constexpr int width = 960;
constexpr int height = 540;

enum class Order { as_made, cpu, fragment, compute };

/// A window of VTK in a context that is current already.
class Window : public vtkGenericOpenGLRenderWindow {
  public:
    static Window* New();
    vtkTypeMacro(Window, vtkGenericOpenGLRenderWindow);

  protected:
    /// GLEW asks for a display of GLX after all functions of OpenGL are found. A context of EGL has no such display,
    /// and VTK would take GLEW's answer for a failure: so GLEW is started here.
    Window() {
        glewExperimental = GL_TRUE;
        const GLenum answer = glewInit();
        if (answer != GLEW_OK && answer != GLEW_ERROR_NO_GLX_DISPLAY)
            throw std::runtime_error(reinterpret_cast<const char*>(glewGetErrorString(answer)));
        this->Initialized = this->GlewInitValid = true;
        this->SetIsCurrent(true);
        this->SetSupportsOpenGL(1);
        this->SetIsDirect(1);
        this->OpenGLInit();
        this->SetFrameBlitModeToNoBlit();  // the picture stays in VTK's own framebuffer
        this->SetMultiSamples(0);
        this->SetSize(width, height);
    }
};
vtkStandardNewMacro(Window);

/// Knows how long its sorts take while `Alone`.
class TimedMapper : public vtkGlsortMapper {
  public:
    static TimedMapper* New();
    vtkTypeMacro(TimedMapper, vtkGlsortMapper);
    bool Alone = false;
    std::vector<double> Times;

  protected:
    void SortPrimitives(vtkRenderer* renderer, vtkActor* actor) override {
        if (!this->Alone) return this->Superclass::SortPrimitives(renderer, actor);
        this->Times.push_back(timing::milliseconds([&] { this->Superclass::SortPrimitives(renderer, actor); }));
    }
};
vtkStandardNewMacro(TimedMapper);

/// A window with boxes and points, in a context of its own.
class View {
  public:
    View(vtkPolyData& points, Order order) : order_(order) {
        scenes::set_up(*renderer_);
        scenes::blend_in_order(*renderer_);
        window_->AddRenderer(renderer_);
        vtkMapper* mapper = plain_;
        if (order == Order::as_made) {
            plain_->SetInputData(&points);
        } else if (order == Order::cpu) {
            depth_sort_->SetInputData(&points);
            depth_sort_->SetDirectionToBackToFront();
            depth_sort_->SetCamera(renderer_->GetActiveCamera());
            plain_->SetInputConnection(depth_sort_->GetOutputPort());
        } else {
            timed_->SetBackend(order == Order::fragment ? glsort::Backend::fragment : glsort::Backend::compute);
            timed_->SetInputData(&points);
            mapper = timed_;
        }
        const vtkSmartPointer<vtkActor> actor = scenes::actor_of(mapper);
        actor->GetProperty()->SetPointSize(2);
        renderer_->AddActor(actor);
    }
    ~View() { window_->Finalize(); }
    View(const View&) = delete;

    /// The camera turns around the axis by 3 degrees a frame.
    void draw(int frame) {
        aim(frame);
        window_->Render();
    }
    Picture picture() {
        draw(0);
        vtkNew<vtkUnsignedCharArray> pixels;
        window_->GetRGBACharPixelData(0, 0, width - 1, height - 1, 0, pixels);
        return {pixels->Begin(), pixels->End()};
    }
    /// The median of what a sort takes alone. A sort on the CPU ends with cells, which the draw uploads.
    double sort() {
        std::vector<double> times;
        timed_->Alone = true;
        for (int i = 0; i < 9; ++i) {
            aim(i);
            if (order_ == Order::cpu) times.push_back(timing::milliseconds([&] { depth_sort_->Update(); }));
            window_->Render();
        }
        timed_->Alone = false;
        return timing::median(order_ == Order::cpu ? times : timed_->Times);
    }

  private:
    void aim(int frame) { scenes::aim(*renderer_->GetActiveCamera(), 0.5 + 0.0524 * frame); }

    timing::Offscreen offscreen_{width, height};  // before the window, which lives in its context
    Order order_;
    vtkNew<vtkRenderer> renderer_;
    vtkNew<Window> window_;
    vtkNew<vtkPolyDataMapper> plain_;
    vtkNew<vtkDepthSortPolyData> depth_sort_;
    vtkNew<TimedMapper> timed_;
};

void measure_all() {
    {
        const timing::Offscreen context(1, 1);
        std::fprintf(stderr, "%s\n", timing::description().c_str());
    }
    timing::print_head();
    for (const std::uint32_t count : {1u << 17, 1u << 20}) {
        const scenes::Data points = scenes::points(count);
        Picture expected;
        for (const auto& [series, order] : {std::pair{timing::not_sorted, Order::as_made},
                                            {"sorted by vtkDepthSortPolyData", Order::cpu},
                                            {timing::by_fragment, Order::fragment},
                                            {timing::by_compute, Order::compute}}) {
            View view(*points, order);
            timing::print_row(series, 4, count, timing::median_frame([&](int frame) { view.draw(frame); }));
            if (order == Order::as_made) continue;
            timing::print_row(series + std::string(timing::alone), 4, count, view.sort());
            const Picture picture = view.picture();
            if (order == Order::cpu) expected = picture;
            timing::require_alike(picture, expected, series, count);
        }
    }
}

}  // namespace

int main(int argument_count, char** arguments) {
    return timing::run(argument_count, arguments,
                       "Usage: vtk_times\n\n"
                       "Prints medians of milliseconds as CSV: frames of 2^17 and of 2^20 translucent points in VTK,\n"
                       "and what a sort takes alone. The points are not sorted, sorted by vtkDepthSortPolyData on the\n"
                       "CPU, and sorted by glsort. Needs EGL, and no display.\n\n"
                       "  --help  print this text",
                       measure_all);
}
