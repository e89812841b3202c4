#include <glsort/vtk_mapper.h>

#include <cstdio>
#include <string>

#include "halves.h"
#include "scenes.h"

namespace {

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
    const auto left = halves::add(*window, 0.0, "vtkPolyDataMapper: as stored");
    vtkNew<vtkPolyDataMapper> as_stored;
    as_stored->SetInputData(cloud);
    scenes::blend_in_order(*left);
    add_discs(*left, as_stored);

    const auto renderer = halves::add(*window, 0.5, "vtkGlsortMapper: back to front");
    // [example]
    vtkNew<vtkGlsortMapper> mapper;  // in place of a vtkPolyDataMapper
    mapper->SetInputData(cloud);
    vtkNew<vtkRenderStepsPass> passes;  // blends in the order of the draw
    renderer->SetPass(passes);
    // [end]
    add_discs(*renderer, mapper);
    window->Render();

    if (!halves::write(*window, path)) return std::fprintf(stderr, "vtk_example: cannot write %s\n", path.c_str()), 1;
    std::printf("%s: 20000 points, as stored and from back to front\n", path.c_str());
}
