#include <glsort/vtk_mapper.h>
#include <vtkPNGWriter.h>
#include <vtkTextActor.h>
#include <vtkTextProperty.h>
#include <vtkWindowToImageFilter.h>

#include <cstdio>
#include <string>

#include "scenes.h"

namespace {

/// Half of the window, with boxes in it.
vtkSmartPointer<vtkRenderer> add_half(vtkRenderWindow& window, double left, const char* text) {
    vtkSmartPointer<vtkRenderer> renderer = vtkSmartPointer<vtkRenderer>::New();
    scenes::set_up(*renderer);
    renderer->SetViewport(left, 0, left + 0.5, 1);
    vtkNew<vtkTextActor> title;
    title->SetInput(text);
    title->GetTextProperty()->SetFontSize(20);
    title->SetPosition(16, 12);
    renderer->AddViewProp(title);
    window.AddRenderer(renderer);
    return renderer;
}

void add_discs(vtkRenderer& renderer, vtkMapper* mapper) {
    const vtkSmartPointer<vtkActor> actor = scenes::actor_of(mapper);
    scenes::draw_discs(*actor, 12);
    renderer.AddActor(actor);
}

}  // namespace

/// Draws a translucent knot of 20 000 points in VTK, as stored, and from back to front.
int main(int argc, char** argv) {
    const std::string path = argc == 2 ? argv[1] : "vtk.png";
    if (argc > 2 || path.rfind("--", 0) == 0) {
        std::puts("Usage: vtk_example [PICTURE]\n\nDraws 20 000 translucent points and writes the picture (vtk.png).");
        return path == "--help" && argc == 2 ? 0 : 2;
    }
    const scenes::Data cloud = scenes::points(20000);
    const vtkSmartPointer<vtkRenderWindow> window = scenes::make_window(1200, 540);
    const auto left = add_half(*window, 0.0, "vtkPolyDataMapper: as stored");
    vtkNew<vtkPolyDataMapper> as_stored;
    as_stored->SetInputData(cloud);
    scenes::blend_in_order(*left);
    add_discs(*left, as_stored);

    const auto renderer = add_half(*window, 0.5, "vtkGlsortMapper: back to front");
    // [example]
    vtkNew<vtkGlsortMapper> mapper;  // in place of a vtkPolyDataMapper
    mapper->SetInputData(cloud);
    vtkNew<vtkRenderStepsPass> passes;  // blends in the order of the draw
    renderer->SetPass(passes);
    // [end]
    add_discs(*renderer, mapper);
    window->Render();

    vtkNew<vtkWindowToImageFilter> image;
    image->SetInput(window);
    image->ReadFrontBufferOff();
    image->ShouldRerenderOff();
    vtkNew<vtkPNGWriter> writer;
    writer->SetInputConnection(image->GetOutputPort());
    writer->SetFileName(path.c_str());
    writer->Write();
    if (writer->GetErrorCode() != 0) return std::fprintf(stderr, "vtk_example: cannot write %s\n", path.c_str()), 1;
    std::printf("%s: 20000 points, as stored and from back to front\n", path.c_str());
}
