#include <glsort/vtk_splat_mapper.h>
#include <vtkDataObject.h>
#include <vtkObjectFactory.h>
#include <vtkOpenGLCamera.h>
#include <vtkOpenGLHelper.h>
#include <vtkRenderer.h>
#include <vtkShader.h>
#include <vtkShaderProgram.h>

namespace {

constexpr const char* gaussian =
    "//VTK::Color::Impl\n"
    "  float splatSquare = dot(offsetVCVSOutput, offsetVCVSOutput);\n"
    "  if (splatSquare > 9.0) discard;\n"
    "  opacity = opacity * exp(-0.5 * splatSquare);\n";

/// VTK replaces the comments. In the fragment shader, VTK renames each output of the vertex shader to that of this one.
constexpr const char* geometry_shader =
    "//VTK::System::Dec\n"
    "//VTK::PrimID::Dec\n"
    "//VTK::Color::Dec\n"
    "//VTK::Normal::Dec\n"
    "//VTK::Light::Dec\n"
    "//VTK::TCoord::Dec\n"
    "//VTK::Picking::Dec\n"
    "//VTK::DepthPeeling::Dec\n"
    "//VTK::Clip::Dec\n"
    "layout(points) in;\n"
    "layout(triangle_strip, max_vertices = 4) out;\n"
    "uniform mat4 VCDCMatrix;\n"
    "uniform float triangleScale;\n"
    "in vec4 vertexVCVSOutput[];\n"
    "in float radiusVCVSOutput[];\n"
    "out vec4 vertexVCGSOutput;\n"
    "out vec2 offsetVCGSOutput;\n"
    "void main() {\n"
    "  int i = 0;\n"
    "  //VTK::Normal::Start\n"
    "  for (int corner = 0; corner < 4; ++corner) {\n"
    "    //VTK::PrimID::Impl\n"
    "    //VTK::Clip::Impl\n"
    "    //VTK::Color::Impl\n"
    "    //VTK::Normal::Impl\n"
    "    //VTK::Light::Impl\n"
    "    //VTK::TCoord::Impl\n"
    "    //VTK::DepthPeeling::Impl\n"
    "    //VTK::Picking::Impl\n"
    "    offsetVCGSOutput = triangleScale * (vec2(corner % 2, corner / 2) * 2.0 - 1.0);\n"
    "    vertexVCGSOutput = vertexVCVSOutput[0] + vec4(radiusVCVSOutput[0] * offsetVCGSOutput, 0.0, 0.0);\n"
    "    gl_Position = VCDCMatrix * vertexVCGSOutput;\n"
    "    EmitVertex();\n"
    "  }\n"
    "  EndPrimitive();\n"
    "}\n";

/// Replaces a comment of a template of VTK, and so keeps VTK from doing so.
void substitute(vtkShader& shader, const std::string& comment, const std::string& text) {
    std::string source = shader.GetSource();
    vtkShaderProgram::Substitute(source, comment, text);
    shader.SetSource(source);
}

}  // namespace

vtkStandardNewMacro(vtkGlsortSplatMapper);

vtkGlsortSplatMapper::vtkGlsortSplatMapper() : SplatShaderCode(gaussian) {}

void vtkGlsortSplatMapper::SetScaleFactor(double factor) {
    this->ScaleFactor = factor;
    this->Modified();
}

void vtkGlsortSplatMapper::SetScaleArray(const std::string& name) {
    this->ScaleArray = name;
    this->RemoveVertexAttributeMapping("splatScale");
    if (!name.empty())
        this->MapDataArrayToVertexAttribute("splatScale", name.c_str(), vtkDataObject::FIELD_ASSOCIATION_POINTS, 0);
    this->Modified();
}

void vtkGlsortSplatMapper::SetTriangleScale(float scale) {
    this->TriangleScale = scale;
    this->Modified();
}

void vtkGlsortSplatMapper::SetSplatShaderCode(const std::string& code) {
    this->SplatShaderCode = code;
    this->Modified();
}

void vtkGlsortSplatMapper::GetShaderTemplate(std::map<vtkShader::Type, vtkShader*> shaders, vtkRenderer* renderer,
                                             vtkActor* actor) {
    this->Superclass::GetShaderTemplate(shaders, renderer, actor);
    if (this->LastBoundBO->PrimitiveType != PrimitivePoints) return;
    shaders[vtkShader::Geometry]->SetSource(geometry_shader);
    vtkShader& vertex = *shaders[vtkShader::Vertex];
    const bool sized = !this->ScaleArray.empty();
    substitute(vertex, "//VTK::PositionVC::Dec",
               std::string("out vec4 vertexVCVSOutput;\n"
                           "out float radiusVCVSOutput;\n"
                           "uniform mat4 MCVCMatrix;\n"
                           "uniform float scaleFactor;\n") +
                   (sized ? "in float splatScale;\n" : ""));
    substitute(vertex, "//VTK::PositionVC::Impl",
               std::string("vertexVCVSOutput = MCVCMatrix * vertexMC;\n"
                           "  gl_Position = vertexVCVSOutput;\n"
                           "  radiusVCVSOutput = scaleFactor") +
                   (sized ? " * splatScale;\n" : ";\n"));
    substitute(vertex, "//VTK::Camera::Dec", "");
    vtkShader& fragment = *shaders[vtkShader::Fragment];
    substitute(fragment, "//VTK::PositionVC::Dec", "in vec4 vertexVCVSOutput;\nin vec2 offsetVCVSOutput;\n");
    substitute(fragment, "//VTK::PositionVC::Impl", "vec4 vertexVC = vertexVCVSOutput;\n");
    substitute(fragment, "//VTK::Color::Impl", this->SplatShaderCode);
}

void vtkGlsortSplatMapper::SetMapperShaderParameters(vtkOpenGLHelper& cells, vtkRenderer* renderer, vtkActor* actor) {
    this->Superclass::SetMapperShaderParameters(cells, renderer, actor);
    if (cells.PrimitiveType != PrimitivePoints) return;
    vtkMatrix4x4* view = nullptr;
    vtkMatrix4x4* view_to_clip = nullptr;
    vtkMatrix4x4* clip = nullptr;
    vtkMatrix3x3* normals = nullptr;
    static_cast<vtkOpenGLCamera*>(renderer->GetActiveCamera())
        ->GetKeyMatrices(renderer, view, normals, view_to_clip, clip);
    cells.Program->SetUniformMatrix("VCDCMatrix", view_to_clip);
    cells.Program->SetUniformf("scaleFactor", static_cast<float>(this->ScaleFactor));
    cells.Program->SetUniformf("triangleScale", this->TriangleScale);
}
