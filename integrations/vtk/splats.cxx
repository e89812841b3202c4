#include <glsort/vtk_splat_mapper.h>
#include <vtkFloatArray.h>
#include <vtkPointGaussianMapper.h>

#include <cstdio>
#include <string>

#include "halves.h"
#include "scenes.h"

namespace {

/// A size for each point.
void add_sizes(vtkPolyData& data) {
    vtkNew<vtkFloatArray> sizes;
    sizes->SetName("size");
    for (vtkIdType i = 0; i < data.GetNumberOfPoints(); ++i)
        sizes->InsertNextValue(0.5f + 0.1f * static_cast<float>(i % 11));
    data.GetPointData()->AddArray(sizes);
}

void add_actor(vtkRenderer& renderer, vtkMapper* mapper) {
    scenes::blend_in_order(renderer);
    vtkNew<vtkActor> actor;
    actor->SetMapper(mapper);
    actor->GetProperty()->LightingOff();
    renderer.AddActor(actor);
}

}  // namespace

/// Draws a knot of 20 000 Gaussian splats in VTK, as stored by VTK's own mapper, and from back to front. With
/// `--billboards`, billboards take the place of the splats.
int main(int argc, char** argv) {
    std::string path = "vtk_splats.png";
    bool billboards = false;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--billboards") {
            billboards = true;
        } else if (argument.rfind("-", 0) == 0) {
            std::puts(
                "Usage: vtk_splats [PICTURE] [--billboards]\n\nDraws 20 000 Gaussian splats, or billboards, and writes "
                "the picture (vtk_splats.png).");
            return argument == "--help" ? 0 : 2;
        } else {
            path = argument;
        }
    }
    const scenes::Data cloud = scenes::points(20000);
    add_sizes(*cloud);
    const vtkSmartPointer<vtkRenderWindow> window = scenes::make_window(1200, 540);
    const auto left = halves::add(*window, 0.0, "vtkPointGaussianMapper: as stored");
    vtkNew<vtkPointGaussianMapper> as_stored;
    as_stored->SetInputData(cloud);
    as_stored->SetScaleFactor(0.03);
    as_stored->EmissiveOff();
    const auto right = halves::add(*window, 0.5, "vtkGlsortSplatMapper: back to front");
    // [example]
    vtkNew<vtkGlsortSplatMapper> mapper;  // in place of a vtkPointGaussianMapper
    mapper->SetInputData(cloud);
    mapper->SetScaleFactor(0.03);
    if (billboards) {
        mapper->SetScaleArray("size");   // a size for each point
        mapper->SetTriangleScale(1.0f);  // GLSL for a square that ends at 1
        mapper->SetSplatShaderCode(R"(
            //VTK::Color::Impl
            float square = dot(offsetVCVSOutput, offsetVCVSOutput);
            if (square > 1.0 || square < 0.3) discard;
            ambientColor *= 1.2 - square;)");
    }
    // [end]
    if (billboards) {
        as_stored->SetScaleArray("size");
        as_stored->SetTriangleScale(1.0f);
        as_stored->SetSplatShaderCode(mapper->GetSplatShaderCode().c_str());
    }
    add_actor(*left, as_stored);
    add_actor(*right, mapper);
    window->Render();

    if (!halves::write(*window, path)) return std::fprintf(stderr, "vtk_splats: cannot write %s\n", path.c_str()), 1;
    std::printf("%s: 20000 %s, as stored and from back to front\n", path.c_str(), billboards ? "billboards" : "splats");
}
