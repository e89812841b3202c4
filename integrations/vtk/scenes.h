#pragma once

#include <vtkActor.h>
#include <vtkCamera.h>
#include <vtkCellArray.h>
#include <vtkCubeSource.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderStepsPass.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkShaderProperty.h>
#include <vtkSmartPointer.h>
#include <vtkUnsignedCharArray.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "knot.h"

/// What the example and the test draw: a translucent knot around opaque boxes.

namespace scenes {

using Data = vtkSmartPointer<vtkPolyData>;

/// A polydata without cells.
inline Data data_of(const knot::Vertices& vertices, double far = 0) {
    vtkNew<vtkPoints> points;
    if (far != 0) points->SetDataTypeToDouble();
    for (const auto& [x, y, z] : vertices.positions)
        points->InsertNextPoint(far + x, far + y, far + z);
    vtkNew<vtkUnsignedCharArray> colors;
    colors->SetNumberOfComponents(4);
    for (const knot::Color& color : vertices.colors)
        colors->InsertNextTypedTuple(color.data());
    Data data = Data::New();
    data->SetPoints(points);
    data->GetPointData()->SetScalars(colors);
    return data;
}

inline void add_points(vtkPolyData& data, vtkIdType count) {
    vtkNew<vtkCellArray> cells;
    for (vtkIdType id = 0; id < count; ++id)
        cells->InsertNextCell(1, &id);
    data.SetVerts(cells);
}

/// The triangles of the tube. The tube begins at the vertex `first`.
inline void add_tube(vtkPolyData& data, vtkIdType first) {
    vtkNew<vtkCellArray> cells;
    const std::vector<std::uint32_t> corners = knot::tube_triangles();
    for (std::size_t i = 0; i < corners.size(); i += 3) {
        cells->InsertNextCell(3);
        for (std::size_t corner = 0; corner < 3; ++corner)
            cells->InsertCellPoint(first + corners[i + corner]);
    }
    data.SetPolys(cells);
}

/// `far` moves all points away from the origin, along each axis.
inline Data points(std::uint32_t count, double far = 0) {
    Data data = data_of(knot::points(count), far);
    add_points(*data, count);
    return data;
}

inline Data tube() {
    Data data = data_of(knot::tube());
    add_tube(*data, 0);
    return data;
}

/// Points and triangles in one.
inline Data points_and_tube(std::uint32_t count) {
    knot::Vertices vertices = knot::points(count);
    const knot::Vertices behind = knot::tube();
    vertices.positions.insert(vertices.positions.end(), behind.positions.begin(), behind.positions.end());
    vertices.colors.insert(vertices.colors.end(), behind.colors.begin(), behind.colors.end());
    Data data = data_of(vertices);
    add_points(*data, count);
    add_tube(*data, count);
    return data;
}

/// Without lights, so that colours are those of the data.
inline vtkSmartPointer<vtkActor> actor_of(vtkMapper* mapper) {
    vtkSmartPointer<vtkActor> actor = vtkSmartPointer<vtkActor>::New();
    actor->SetMapper(mapper);
    actor->ForceTranslucentOn();
    actor->GetProperty()->LightingOff();
    return actor;
}

/// Points become shaded discs.
inline void draw_discs(vtkActor& actor, float pixels) {
    actor.GetProperty()->SetPointSize(pixels);
    actor.GetShaderProperty()->AddFragmentShaderReplacement("//VTK::Light::Impl", true,
                                                            "//VTK::Light::Impl\n"
                                                            "  vec2 place = 2.0 * gl_PointCoord - 1.0;\n"
                                                            "  float distance = dot(place, place);\n"
                                                            "  if (distance > 1.0) discard;\n"
                                                            "  gl_FragData[0].rgb *= 1.0 - 0.5 * distance;\n",
                                                            false);
}

inline void add_boxes(vtkRenderer& renderer) {
    for (int i = -1; i <= 1; ++i) {
        vtkNew<vtkCubeSource> cube;
        cube->SetCenter(1.5 * i, 0, 0);
        cube->SetXLength(0.5);
        cube->SetYLength(0.5);
        cube->SetZLength(0.5);
        vtkNew<vtkPolyDataMapper> mapper;
        mapper->SetInputConnection(cube->GetOutputPort());
        vtkNew<vtkActor> actor;
        actor->SetMapper(mapper);
        actor->GetProperty()->SetColor(0.9, 0.6 + 0.3 * i, 0.3);
        renderer.AddActor(actor);
    }
}

inline void aim(vtkCamera& camera, double angle, double far = 0) {
    camera.SetPosition(far + 6 * std::cos(angle), far + 6 * std::sin(angle), far + 2.2);
    camera.SetFocalPoint(far, far, far);
    camera.SetViewUp(0, 0, 1);
    camera.SetViewAngle(40);
    camera.SetClippingRange(0.1, 100);
}

/// Blends what is translucent in the order of the draw, which VTK 9.1 does not do by itself.
inline void blend_in_order(vtkRenderer& renderer) {
    vtkNew<vtkRenderStepsPass> passes;
    renderer.SetPass(passes);
}

inline void set_up(vtkRenderer& renderer) {
    renderer.SetBackground(0.06, 0.06, 0.09);
    add_boxes(renderer);
    aim(*renderer.GetActiveCamera(), 0.5);
}

/// A window that no screen shows.
inline vtkSmartPointer<vtkRenderWindow> make_window(int width, int height) {
    vtkSmartPointer<vtkRenderWindow> window = vtkSmartPointer<vtkRenderWindow>::New();
    window->OffScreenRenderingOn();
    window->SetMultiSamples(0);
    window->SetSize(width, height);
    return window;
}

}  // namespace scenes
