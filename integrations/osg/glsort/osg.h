#pragma once

#include <glsort/context_sorters.h>
#include <osg/BufferObject>
#include <osg/ContextData>
#include <osg/GLExtensions>
#include <osg/Geometry>
#include <osg/TriangleIndexFunctor>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

/// Draws translucent geometries of OpenSceneGraph from back to front: points, and triangles. The sort runs in the
/// context of the draw, on the GPU. Needs OpenSceneGraph 3.6, and OpenGL 3.3 or OpenGL ES 3.0.

namespace glsort_osg {

/// The sorters of a context. OpenSceneGraph makes one object for each context, and tells it when the context ends.
class Sorters : public osg::GraphicsObjectManager {
  public:
    explicit Sorters(unsigned int context) : osg::GraphicsObjectManager("glsort", context) {}

    glsort::integrations::ContextSorters& of(glsort::Backend backend) {
        const auto get_proc_address = [](const char* name) { return osg::getGLExtensionFuncPtr(name); };
        return by_backend_.try_emplace(backend, get_proc_address, backend).first->second;
    }

    void flushDeletedGLObjects(double, double&) override {}
    void flushAllDeletedGLObjects() override {}
    /// The context is current, and about to end.
    void deleteAllGLObjects() override { by_backend_.clear(); }
    /// The context cannot be made current any more.
    void discardAllGLObjects() override {
        for (auto& [backend, sorters] : by_backend_)
            sorters.abandon();
        by_backend_.clear();
    }

  private:
    std::map<glsort::Backend, glsort::integrations::ContextSorters> by_backend_;
};

/// The draw callback of a sorted geometry. `draw_back_to_front` makes one.
class SortedDraw : public osg::Drawable::DrawCallback {
  public:
    /// `indices` is what is drawn, and what each draw sorts. `corners`: the triangles in their first order; null for
    /// points.
    SortedDraw(osg::DrawElementsUInt* indices, osg::DrawElementsUInt* corners, glsort::Backend backend)
        : indices_(indices), corners_(corners), backend_(backend) {}

    void drawImplementation(osg::RenderInfo& info, const osg::Drawable* drawable) const override {
        sort(*info.getState(), *drawable->asGeometry());
        drawable->drawImplementation(info);
    }

    const osg::DrawElementsUInt* indices() const { return indices_; }
    void resizeGLObjectBuffers(unsigned int contexts) override {
        if (corners_) corners_->resizeGLObjectBuffers(contexts);
    }
    void releaseGLObjects(osg::State* state = nullptr) const override {
        if (corners_) corners_->releaseGLObjects(state);
    }

  private:
    /// The data in the buffer of the context. Uploads what has changed.
    static glsort::BufferSlice uploaded(const osg::BufferData& data, unsigned int context) {
        osg::GLBufferObject* const buffer = data.getOrCreateGLBufferObject(context);
        if (buffer->isDirty()) buffer->compileBuffer();
        return {buffer->getGLObjectID(), static_cast<std::uint64_t>(buffer->getOffset(data.getBufferIndex()))};
    }

    void sort(osg::State& state, const osg::Geometry& geometry) const {
        const unsigned int context = state.getContextID();
        const osg::Array& positions = *geometry.getVertexArray();
        glsort::integrations::DrawnObject object;
        object.positions = uploaded(positions, context);
        object.components = static_cast<std::uint32_t>(positions.getDataSize());
        object.stride = positions.getElementSize();
        object.vertices = positions.getNumElements();
        if (corners_) {
            object.corners = uploaded(*corners_, context);
            object.triangles = corners_->getNumIndices() / 3;
        }
        // Both have columns one after the other.
        std::copy_n(state.getModelViewMatrix().ptr(), object.model_view.size(), object.model_view.begin());
        const glsort::BufferSlice order = uploaded(*indices_, context);
        // The uploads have bound buffers behind the back of the vertex array state.
        state.unbindVertexBufferObject();
        state.unbindElementBufferObject();
        osg::get<Sorters>(context)->of(backend_).sort(object, order);
    }

    osg::ref_ptr<osg::DrawElementsUInt> indices_;
    osg::ref_ptr<osg::DrawElementsUInt> corners_;
    glsort::Backend backend_;
};

namespace detail {

inline bool are_points(const osg::Geometry& geometry) {
    for (const auto& set : geometry.getPrimitiveSetList())
        if (set->getMode() != GL_POINTS) return false;
    return true;
}

inline void check(const osg::Geometry& geometry) {
    const osg::Array* const positions = geometry.getVertexArray();
    if (positions == nullptr) throw std::invalid_argument("draw_back_to_front: the geometry has no vertex array");
    if (positions->getDataType() != GL_FLOAT || positions->getDataSize() < 2)
        throw std::invalid_argument("draw_back_to_front: the vertex array must hold 2 to 4 floats for each vertex");
    if (are_points(geometry)) return;
    for (const auto& set : geometry.getPrimitiveSetList())
        if (set->getMode() == GL_POINTS || set->getMode() == GL_LINES || set->getMode() == GL_LINE_STRIP ||
            set->getMode() == GL_LINE_LOOP || set->getMode() >= GL_LINES_ADJACENCY)
            throw std::invalid_argument("draw_back_to_front: a primitive set has mode " +
                                        std::to_string(set->getMode()) +
                                        "; all sets must be points, or all must be made of triangles");
}

/// Triangles of strips, fans, quads and polygons, too.
struct CollectTriangles {
    osg::ref_ptr<osg::DrawElementsUInt> corners = new osg::DrawElementsUInt(GL_TRIANGLES);
    void operator()(unsigned int a, unsigned int b, unsigned int c) {
        for (const unsigned int corner : {a, b, c})
            corners->push_back(corner);
    }
};

}  // namespace detail

/// From now on, each draw of `geometry` sorts its points or triangles from back to front, as the camera of the draw
/// sees them. Points are all vertices of the vertex array. Triangles are those of all primitive sets, which become one
/// set of indices; strips, fans, quads and polygons are taken apart.
///
/// Call again after the vertex array has got more or fewer points, or after the geometry has got other primitive sets.
/// Vertices that move need no call.
///
/// Turns display lists off: a sort inside of one would be recorded and never run. Turns vertex buffer objects on.
/// Replaces the draw callback of the geometry. `backend` is fragment, compute or automatic.
///
/// All geometries of a context share one sorter for each format of vertices. The first draw in a context compiles, and
/// so does a draw of more than twice the elements. A draw throws `glsort::Error` as `glsort::SceneSorter` does.
///
/// Throws `std::invalid_argument` for a vertex array that is not of 2 to 4 floats, and for primitives that are neither
/// all points nor all made of triangles.
///
/// Memory: 4 bytes more for each point, 24 for each triangle, and for a context about 32 bytes for each element of the
/// largest geometry. Cost: docs/guide/in-osg.md.
inline void draw_back_to_front(osg::Geometry& geometry, glsort::Backend backend = glsort::Backend::automatic) {
    detail::check(geometry);
    osg::ref_ptr<osg::DrawElementsUInt> indices;
    osg::ref_ptr<osg::DrawElementsUInt> corners;
    if (detail::are_points(geometry)) {
        indices = new osg::DrawElementsUInt(GL_POINTS, geometry.getVertexArray()->getNumElements());
        std::iota(indices->begin(), indices->end(), 0u);
    } else {
        osg::TriangleIndexFunctor<detail::CollectTriangles> collect;
        geometry.accept(collect);
        corners = collect.corners;
        indices = new osg::DrawElementsUInt(GL_TRIANGLES, corners->begin(), corners->end());
        corners->setElementBufferObject(new osg::ElementBufferObject);
    }
    geometry.setUseDisplayList(false);
    geometry.setUseVertexBufferObjects(true);
    geometry.removePrimitiveSet(0, geometry.getNumPrimitiveSets());
    geometry.addPrimitiveSet(indices);
    geometry.setDrawCallback(new SortedDraw(indices, corners, backend));
}

}  // namespace glsort_osg
