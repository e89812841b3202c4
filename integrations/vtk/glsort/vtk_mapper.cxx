#include <glsort/context_sorters.h>
#include <glsort/error.h>
#include <glsort/vtk_mapper.h>
#include <vtkActor.h>
#include <vtkCellArray.h>
#include <vtkMatrix4x4.h>
#include <vtkObjectFactory.h>
#include <vtkOpenGLActor.h>
#include <vtkOpenGLCamera.h>
#include <vtkOpenGLVertexBufferObject.h>
#include <vtkOpenGLVertexBufferObjectGroup.h>
#include <vtkPolyData.h>
#include <vtkProperty.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

#ifndef _WIN32
#include <dlfcn.h>
#endif

using glsort::integrations::ContextSorters;
using glsort::integrations::DrawnObject;

namespace {

/// VTK is built for one of these, and has loaded it.
glsort::GlProcedure find_procedure([[maybe_unused]] const char* name) {
#ifndef _WIN32
    for (const char* finder : {"glXGetProcAddressARB", "eglGetProcAddress", "OSMesaGetProcAddress"})
        if (void* const found = dlsym(RTLD_DEFAULT, finder))
            return reinterpret_cast<glsort::GlProcedure (*)(const char*)>(found)(name);
    return reinterpret_cast<glsort::GlProcedure>(dlsym(RTLD_DEFAULT, name));
#else
    return nullptr;
#endif
}

/// The sorters of a window, which has one context. Mappers own them. VTK makes every mapper release its resources while
/// the context is current, and before the context ends. A window that opens again therefore gets new sorters.
std::shared_ptr<ContextSorters> sorters_of(const vtkWindow* window, glsort::Backend backend,
                                           const glsort::GetProcAddress& get_proc_address) {
    static std::mutex mutex;  // windows may draw in threads of their own
    static std::map<std::pair<const vtkWindow*, glsort::Backend>, std::weak_ptr<ContextSorters>> all;
    const std::lock_guard lock(mutex);
    std::erase_if(all, [](const auto& entry) { return entry.second.expired(); });
    std::weak_ptr<ContextSorters>& entry = all[{window, backend}];
    std::shared_ptr<ContextSorters> sorters = entry.lock();
    if (!sorters)
        entry = sorters =
            std::make_shared<ContextSorters>(get_proc_address ? get_proc_address : find_procedure, backend);
    return sorters;
}

/// Whether the cells are points 0, 1, 2 and so on.
bool are_in_order(vtkCellArray& cells) {
    const auto examine = [](const auto* ids, vtkIdType count) {
        for (vtkIdType i = 0; i < count; ++i)
            if (ids[i] != i) return false;
        return true;
    };
    const vtkIdType count = cells.GetNumberOfConnectivityIds();
    return cells.IsStorage64Bit() ? examine(cells.GetConnectivityArray64()->GetPointer(0), count)
                                  : examine(cells.GetConnectivityArray32()->GetPointer(0), count);
}

glsort::BufferSlice slice_of(const vtkOpenGLBufferObject& buffer) {
    return {static_cast<std::uint32_t>(buffer.GetHandle())};
}

}  // namespace

vtkStandardNewMacro(vtkGlsortMapper);

vtkGlsortMapper::vtkGlsortMapper() = default;

vtkGlsortMapper::~vtkGlsortMapper() {
    // The destructor of the base class no longer reaches what this class holds.
    this->vtkGlsortMapper::ReleaseGraphicsResources(nullptr);
}

void vtkGlsortMapper::SetGetProcAddress(glsort::GetProcAddress find) {
    this->GetProcAddress = std::move(find);
}

void vtkGlsortMapper::ReleaseGraphicsResources(vtkWindow* window) {
    // Unless VTK has made the context current already, the base class does so, and calls this function again.
    this->Superclass::ReleaseGraphicsResources(window);
    for (SortedIndices* const indices : {&this->Points, &this->Triangles}) {
        indices->Buffer->ReleaseGraphicsResources();
        indices->Buffer->IndexCount = 0;
    }
    this->PointsExamined = vtkTimeStamp();
    this->Sorters.reset();
}

void vtkGlsortMapper::RenderPieceDraw(vtkRenderer* renderer, vtkActor* actor) {
    this->Points.Ready = this->Triangles.Ready = false;
    try {
        if (this->WantsOrder(renderer, actor)) this->SortPrimitives(renderer, actor);
    } catch (const glsort::Error& error) {
        if (this->Warned != error.what()) vtkErrorMacro(<< "not sorted: " << error.what());
        this->Warned = error.what();
    }
    vtkOpenGLIndexBufferObject*& points = this->Primitives[PrimitivePoints].IBO;
    vtkOpenGLIndexBufferObject*& triangles = this->Primitives[PrimitiveTris].IBO;
    const std::pair own{points, triangles};
    if (this->Points.Ready) points = this->Points.Buffer;
    if (this->Triangles.Ready) triangles = this->Triangles.Buffer;
    this->Superclass::RenderPieceDraw(renderer, actor);
    std::tie(points, triangles) = own;
}

bool vtkGlsortMapper::WantsOrder(vtkRenderer* renderer, vtkActor* actor) {
    if (renderer->GetSelector() || !actor->HasTranslucentPolygonalGeometry()) return false;
    if (!this->HaveCellScalars && !this->HaveCellNormals && this->EdgeValues.empty()) return true;
    this->WarnOnce(this->HaveCellScalars   ? "not sorted: colours of cells depend on the order of cells"
                   : this->HaveCellNormals ? "not sorted: normals of cells depend on the order of cells"
                                           : "not sorted: visible edges depend on the order of cells");
    return false;
}

void vtkGlsortMapper::SortPrimitives(vtkRenderer* renderer, vtkActor* actor) {
    vtkOpenGLVertexBufferObject* const positions = this->VBOs->GetVBO("vertexMC");
    if (!positions) return;
    if (!this->Sorters || this->SortersBackend != this->Backend) {
        this->Sorters = sorters_of(renderer->GetRenderWindow(), this->Backend, this->GetProcAddress);
        this->SortersBackend = this->Backend;
    }
    DrawnObject object;
    object.positions = slice_of(*positions);
    object.stride = positions->GetStride();
    object.model_view = this->ModelView(renderer, actor);

    if (const std::size_t count = this->Primitives[PrimitivePoints].IBO->IndexCount; count != 0) {
        if (this->PointsExamined < this->VBOBuildTime) {
            this->PointsAreInOrder = are_in_order(*this->CurrentInput->GetVerts());
            this->PointsExamined.Modified();
        }
        if (this->PointsAreInOrder) {
            object.vertices = static_cast<std::uint32_t>(count);
        } else {
            object.vertices = positions->GetNumberOfTuples();
            object.corners = slice_of(*this->Primitives[PrimitivePoints].IBO);
            object.points = static_cast<std::uint32_t>(count);
        }
        this->Sort(PrimitivePoints, object);
    }
    if (const vtkOpenGLIndexBufferObject& corners = *this->Primitives[PrimitiveTris].IBO;
        corners.IndexCount != 0 && actor->GetProperty()->GetRepresentation() == VTK_SURFACE) {
        object.vertices = positions->GetNumberOfTuples();
        object.points = 0;
        object.corners = slice_of(corners);
        object.triangles = static_cast<std::uint32_t>(corners.IndexCount / 3);
        this->Sort(PrimitiveTris, object);
    }
}

void vtkGlsortMapper::Sort(PrimitiveTypes type, const DrawnObject& object) {
    SortedIndices& sorted = type == PrimitivePoints ? this->Points : this->Triangles;
    const std::size_t count = this->Primitives[type].IBO->IndexCount;
    if (sorted.Buffer->IndexCount != count) {
        sorted.Buffer->Upload(std::vector<unsigned int>(count), vtkOpenGLBufferObject::ElementArrayBuffer);
        sorted.Buffer->Release();
        sorted.Buffer->IndexCount = count;
    }
    this->Sorters->sort(object, slice_of(*sorted.Buffer));
    sorted.Ready = true;
}

/// From the buffer of positions to the camera. VTK keeps transposed matrices for OpenGL, whose rows are columns here.
std::array<float, 16> vtkGlsortMapper::ModelView(vtkRenderer* renderer, vtkActor* actor) {
    vtkMatrix4x4* view = nullptr;
    vtkMatrix4x4* view_to_clip = nullptr;
    vtkMatrix4x4* clip = nullptr;
    vtkMatrix3x3* normals = nullptr;
    static_cast<vtkOpenGLCamera*>(renderer->GetActiveCamera())
        ->GetKeyMatrices(renderer, view, normals, view_to_clip, clip);
    vtkNew<vtkMatrix4x4> product;
    product->DeepCopy(view);
    if (!actor->GetIsIdentity()) {
        vtkMatrix4x4* model = nullptr;
        static_cast<vtkOpenGLActor*>(actor)->GetKeyMatrices(model, normals);
        vtkMatrix4x4::Multiply4x4(model, product, product);
    }
    // VTK shifts and scales positions that lie far from the origin.
    if (this->VBOs->GetVBO("vertexMC")->GetCoordShiftAndScaleEnabled())
        vtkMatrix4x4::Multiply4x4(this->VBOShiftScale, product, product);
    std::array<float, 16> columns{};
    std::transform(product->GetData(), product->GetData() + columns.size(), columns.begin(),
                   [](double x) { return static_cast<float>(x); });
    return columns;
}

void vtkGlsortMapper::WarnOnce(const std::string& text) {
    if (this->Warned != text) vtkWarningMacro(<< text);
    this->Warned = text;
}
