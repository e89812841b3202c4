#pragma once

#include <glsort/vtk_mapper.h>

#include <map>
#include <string>

/// A mapper of VTK that draws points as splats or billboards, from back to front.
///
/// Each vertex of the data becomes a square that is parallel to the image. So all squares of a draw are parallel, and
/// the order by depth is exact. Setters have the names and the meaning of `vtkPointGaussianMapper`, which does not
/// sort. With a scale factor of 0, VTK's mapper draws simple points. This mapper then draws nothing.
///
/// A splat is always translucent, whatever the actor says: sorted is as `vtkGlsortMapper` says. Triangles in the data
/// are drawn as that mapper draws translucent triangles. Picking finds the whole square.
class vtkGlsortSplatMapper : public vtkGlsortMapper {
  public:
    static vtkGlsortSplatMapper* New();
    vtkTypeMacro(vtkGlsortSplatMapper, vtkGlsortMapper);

    /// The size of a splat in units of the world, 1 by default: the standard deviation of the Gaussian. The transform
    /// of an actor moves splats, and does not scale them.
    void SetScaleFactor(double factor);
    double GetScaleFactor() const { return this->ScaleFactor; }

    /// An array of the points, by name. Its component 0 is multiplied with the scale factor, for each point. An empty
    /// name, the default: all splats have one size.
    void SetScaleArray(const std::string& name);
    const std::string& GetScaleArray() const { return this->ScaleArray; }

    /// Half of the edge of a square, in sizes of a splat: 3 by default, where the Gaussian is nearly 0.
    void SetTriangleScale(float scale);
    float GetTriangleScale() const { return this->TriangleScale; }

    /// GLSL in the fragment shader that draws a splat. The default is a Gaussian in a circle. The text begins with the
    /// line `//VTK::Color::Impl`, which VTK replaces by the colour of the point. Behind this line, the text may read
    /// and write `opacity` (float), `diffuseColor` and `ambientColor` (vec3). The text may read `offsetVCVSOutput`, a
    /// vec2: the place from the centre, in sizes of a splat.
    void SetSplatShaderCode(const std::string& code);
    const std::string& GetSplatShaderCode() const { return this->SplatShaderCode; }

    bool HasOpaqueGeometry() override { return false; }
    bool HasTranslucentPolygonalGeometry() override { return true; }

  protected:
    vtkGlsortSplatMapper();
    ~vtkGlsortSplatMapper() override = default;
    void GetShaderTemplate(std::map<vtkShader::Type, vtkShader*> shaders, vtkRenderer* renderer,
                           vtkActor* actor) override;
    void SetMapperShaderParameters(vtkOpenGLHelper& cells, vtkRenderer* renderer, vtkActor* actor) override;

  private:
    vtkGlsortSplatMapper(const vtkGlsortSplatMapper&) = delete;
    void operator=(const vtkGlsortSplatMapper&) = delete;

    double ScaleFactor = 1.0;
    float TriangleScale = 3.0f;
    std::string ScaleArray;
    std::string SplatShaderCode;
};
