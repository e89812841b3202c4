#pragma once

#include <glsort/gl_types.h>
#include <glsort/spec.h>
#include <vtkNew.h>
#include <vtkOpenGLBufferObject.h>
#include <vtkOpenGLIndexBufferObject.h>
#include <vtkOpenGLPolyDataMapper.h>
#include <vtkTimeStamp.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>

namespace glsort::integrations {
class ContextSorters;
struct DrawnObject;
}  // namespace glsort::integrations

/// A mapper of VTK that draws translucent points and triangles from back to front. The sort runs on the GPU, in the
/// context of the window. Needs VTK 9.1 with its OpenGL 2 backend, and OpenGL 3.3.
///
/// Sorted is what a translucent actor draws of its `vtkPolyData`:
/// - vertices: VTK draws these as points. Cells come in any order, may leave out points, and may have points several
///   times;
/// - polygons of actors that draw surfaces: their triangles, by the centroid.
///
/// Both kinds may be in one `vtkPolyData`. VTK draws all triangles after all points. Each kind is then sorted by
/// itself.
///
/// Drawn as VTK draws, without a sort: opaque actors, lines, strips, wireframe, and the passes of a
/// `vtkHardwareSelector`. Colours and normals of cells, and visible edges, too: VTK looks these up by `gl_PrimitiveID`,
/// the place of a cell in the draw. A warning names the reason, once.
///
/// The order only shows if the renderer blends what is drawn, as `vtkRenderStepsPass` does. Without a pass, VTK 9.1
/// averages translucent colours.
///
/// All mappers of a window share one sorter for each format of vertices. The first draw in a window compiles, and so
/// does a draw of more than twice the elements. The sorters live until the last of these mappers releases its graphics
/// resources. As all mappers of VTK, a mapper belongs to one window at a time. Windows may draw in threads of their
/// own.
///
/// An error of a sort goes to VTK's `vtkErrorMacro`, and the picture then comes without a sort.
///
/// Memory: 4 bytes more for each point, 12 for each triangle, and for a window what `ContextSorters` holds. Cost:
/// docs/guide/in-vtk.md.
class vtkGlsortMapper : public vtkOpenGLPolyDataMapper {
  public:
    static vtkGlsortMapper* New();
    vtkTypeMacro(vtkGlsortMapper, vtkOpenGLPolyDataMapper);

    /// fragment, compute (OpenGL 4.3), or automatic, which is the default. Holds from the next draw on.
    void SetBackend(glsort::Backend backend) { this->Backend = backend; }
    glsort::Backend GetBackend() const { return this->Backend; }

    /// Finds the functions of the context. Without a call, GLX, EGL or OSMesa finds the functions, whichever the
    /// process has loaded; Windows needs a call. The first mapper that draws in a window decides.
    void SetGetProcAddress(glsort::GetProcAddress find);

    /// Called by VTK, with the context current.
    void ReleaseGraphicsResources(vtkWindow* window) override;

  protected:
    vtkGlsortMapper();
    ~vtkGlsortMapper() override;
    void RenderPieceDraw(vtkRenderer* renderer, vtkActor* actor) override;
    /// Sorts what this draw needs. Throws `glsort::Error`.
    virtual void SortPrimitives(vtkRenderer* renderer, vtkActor* actor);

  private:
    /// Indices of the points or of the triangles, from back to front. VTK draws them in place of its own.
    struct SortedIndices {
        vtkNew<vtkOpenGLIndexBufferObject> Buffer;
        bool Ready = false;  ///< Whether this draw uses the buffer.
    };

    vtkGlsortMapper(const vtkGlsortMapper&) = delete;
    void operator=(const vtkGlsortMapper&) = delete;

    bool WantsOrder(vtkRenderer* renderer, vtkActor* actor);
    std::array<float, 16> ModelView(vtkRenderer* renderer, vtkActor* actor);
    void Sort(PrimitiveTypes type, const glsort::integrations::DrawnObject& object);
    void WarnOnce(const std::string& text);

    glsort::Backend Backend = glsort::Backend::automatic;
    glsort::GetProcAddress GetProcAddress;
    std::shared_ptr<glsort::integrations::ContextSorters> Sorters;
    glsort::Backend SortersBackend = glsort::Backend::automatic;
    SortedIndices Points;
    SortedIndices Triangles;
    vtkTimeStamp PointsExamined;
    bool PointsAreInOrder = false;  ///< Whether the cells of points are those of point 0, 1, 2 and so on.
    std::string Warned;             ///< The last warning or error.
};
