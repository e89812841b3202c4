#pragma once

#include <glsort/context_sorters.h>

#include <osg/Array>
#include <osg/BufferObject>
#include <osg/ContextData>
#include <osg/GLExtensions>
#include <osg/Geometry>
#include <osg/Notify>
#include <osg/PrimitiveSet>
#include <osg/RenderInfo>
#include <osg/State>
#include <osg/VertexArrayState>
#include <osg/observer_ptr>
#include <osg/ref_ptr>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// Points and triangles of OpenSceneGraph 3.6, drawn from back to front. The GPU sorts, in the context that draws.

namespace glsort_osg {

namespace detail {

/// What is sorted of a geometry: points in a run of the vertex array, or points or triangles by indices.
struct Elements {
    GLenum mode = GL_POINTS;                            ///< GL_POINTS or GL_TRIANGLES.
    std::uint32_t count = 0;                            ///< Points or triangles.
    std::uint32_t first = 0;                            ///< The first vertex of the run.
    osg::ref_ptr<const osg::DrawElementsUInt> indices;  ///< Null for a run.
};

inline std::uint32_t corners_of(GLenum mode) {
    return mode == GL_TRIANGLES ? 3 : 1;
}

[[noreturn]] inline void refuse(const std::string& what) {
    throw std::invalid_argument("glsort_osg::draw_back_to_front: " + what);
}

/// Throws `std::invalid_argument` for a geometry that has nothing to sort by.
inline void check_arrays(const osg::Geometry& geometry) {
    const osg::Array* const positions = geometry.getVertexArray();
    if (!positions) refuse("the geometry has no vertex array");
    if (positions->getDataType() != GL_FLOAT || positions->getDataSize() < 2)
        refuse("the vertex array is a " + std::string(positions->className()) +
               "; it must be a Vec2Array, Vec3Array or Vec4Array");
    if (!geometry.getUseVertexBufferObjects()) refuse("the geometry does not use vertex buffer objects");
    osg::Geometry::ArrayList arrays;
    geometry.getArrayList(arrays);
    for (const auto& array : arrays)
        if (array->getBinding() == osg::Array::BIND_PER_PRIMITIVE_SET)
            refuse("an array is bound for each primitive set; all sets become one order, so bind for each vertex");
}

/// The mode of all primitive sets, 0 without sets.
inline GLenum mode_of(const osg::Geometry& geometry) {
    GLenum mode = 0;
    bool known = false;
    for (unsigned i = 0; i < geometry.getNumPrimitiveSets(); ++i) {
        const osg::PrimitiveSet& set = *geometry.getPrimitiveSet(i);
        const std::string name = "primitive set " + std::to_string(i);
        if (set.getMode() != GL_POINTS && set.getMode() != GL_TRIANGLES)
            refuse(name + " has mode " + std::to_string(set.getMode()) + "; it must be GL_POINTS or GL_TRIANGLES");
        if (known && set.getMode() != mode) refuse(name + " mixes points and triangles");
        if (set.getType() != osg::PrimitiveSet::DrawArraysPrimitiveType && !set.getDrawElements())
            refuse(name + " is a " + set.className() + "; it must be DrawArrays or DrawElements");
        if (set.getType() > osg::PrimitiveSet::DrawElementsUIntPrimitiveType)
            refuse(name + " is a " + set.className() + ", whose numbers are on the GPU");
        if (set.getNumInstances() > 0) refuse(name + " has instances");
        if (set.getMode() == GL_TRIANGLES && set.getNumIndices() % 3 != 0)
            refuse(name + " has " + std::to_string(set.getNumIndices()) + " corners; triangles have three each");
        mode = set.getMode();
        known = true;
    }
    return mode;
}

inline void check_run(const osg::Geometry& geometry, const Elements& elements) {
    const unsigned vertices = geometry.getVertexArray()->getNumElements();
    if (std::uint64_t(elements.first) + elements.count > vertices)
        refuse("the points reach past the " + std::to_string(vertices) + " vertices");
}

/// Points of `DrawArrays` that follow each other, which need no look at each. Otherwise an empty run.
inline Elements run_of(const osg::Geometry& geometry) {
    Elements elements;
    for (unsigned i = 0; i < geometry.getNumPrimitiveSets(); ++i) {
        const osg::PrimitiveSet& set = *geometry.getPrimitiveSet(i);
        if (set.getNumIndices() == 0) continue;
        const std::uint32_t first = set.index(0);
        if (elements.count == 0) elements.first = first;
        if (set.getType() != osg::PrimitiveSet::DrawArraysPrimitiveType || first != elements.first + elements.count)
            return {};
        elements.count += set.getNumIndices();
    }
    check_run(geometry, elements);
    return elements;
}

/// All sets as one, by indices.
inline Elements indexed(const osg::Geometry& geometry, GLenum mode) {
    Elements elements;
    elements.mode = mode;
    elements.indices = dynamic_cast<const osg::DrawElementsUInt*>(geometry.getPrimitiveSet(0));
    if (geometry.getNumPrimitiveSets() != 1 || !elements.indices) {
        osg::ref_ptr<osg::DrawElementsUInt> joined = new osg::DrawElementsUInt(mode);
        for (unsigned i = 0; i < geometry.getNumPrimitiveSets(); ++i)
            for (unsigned j = 0; j < geometry.getPrimitiveSet(i)->getNumIndices(); ++j)
                joined->push_back(geometry.getPrimitiveSet(i)->index(j));
        joined->setElementBufferObject(new osg::ElementBufferObject);
        elements.indices = joined;
    }
    elements.count = elements.indices->getNumIndices() / corners_of(mode);
    const unsigned vertices = geometry.getVertexArray()->getNumElements();
    for (const GLuint index : *elements.indices)
        if (index >= vertices)
            refuse("an index is " + std::to_string(index) + "; there are " + std::to_string(vertices) + " vertices");
    return elements;
}

/// Throws `std::invalid_argument` for primitive sets that have no order by depth.
inline Elements elements_of(const osg::Geometry& geometry) {
    check_arrays(geometry);
    const GLenum mode = mode_of(geometry);
    if (mode == GL_TRIANGLES) return indexed(geometry, mode);
    unsigned points = 0;
    for (unsigned i = 0; i < geometry.getNumPrimitiveSets(); ++i)
        points += geometry.getPrimitiveSet(i)->getNumIndices();
    if (points == 0) return {};
    const Elements run = run_of(geometry);
    return run.count > 0 ? run : indexed(geometry, mode);
}

/// The sorters of all contexts with one number: OpenSceneGraph gives one number to contexts that share objects.
/// OpenSceneGraph owns the object, and says when a context is closed. The number may serve another context afterwards.
class ContextsOfNumber : public osg::GraphicsObjectManager {
  public:
    explicit ContextsOfNumber(unsigned number) : GraphicsObjectManager("glsort_osg", number) {}

    /// Sorts in the current context, which is that of `state`. Returns a buffer with the order: an element array of
    /// u32. The buffer is valid until the next call for `state`, and belongs to all objects of the context.
    GLuint sort(osg::State& state, glsort::Backend backend, const glsort::integrations::DrawnObject& object) {
        Context& context = context_of(state);
        const std::uint32_t indices =
            object.corners.name == 0 ? object.vertices : std::max(3 * object.triangles, object.points);
        if (context.room < indices) {
            state.unbindVertexBufferObject();
            context.room = std::bit_ceil(indices);
            extensions_->glBindBuffer(GL_ARRAY_BUFFER_ARB, context.order);
            extensions_->glBufferData(GL_ARRAY_BUFFER_ARB, GLsizeiptr(4) * context.room, nullptr, GL_DYNAMIC_COPY);
            extensions_->glBindBuffer(GL_ARRAY_BUFFER_ARB, 0);
        }
        context.sorters.try_emplace(backend, get_proc_address, backend)
            .first->second.sort(object, {.name = context.order});
        return context.order;
    }

    /// The last context of the number is current, and about to be closed.
    void deleteAllGLObjects() override {
        const std::lock_guard lock(mutex_);
        for (auto& [state, context] : contexts_)
            extensions_->glDeleteBuffers(1, &context.order);
        contexts_.clear();
    }
    /// The last context of the number is gone, or cannot be made current.
    void discardAllGLObjects() override {
        const std::lock_guard lock(mutex_);
        for (auto& [state, context] : contexts_)
            context.abandon();
        contexts_.clear();
    }
    void flushDeletedGLObjects(double, double&) override {}
    void flushAllDeletedGLObjects() override {}

  private:
    struct Context {
        osg::observer_ptr<osg::State> state;
        std::map<glsort::Backend, glsort::integrations::ContextSorters> sorters = {};
        GLuint order = 0;        ///< A buffer. One serves all objects: each is sorted right before its draw.
        std::uint32_t room = 0;  ///< Indices in the buffer.

        void abandon() {
            for (auto& [backend, of_backend] : sorters)
                of_backend.abandon();
        }
    };

    ~ContextsOfNumber() override { discardAllGLObjects(); }

    static glsort::GlProcedure get_proc_address(const char* name) {
        return reinterpret_cast<glsort::GlProcedure>(osg::getGLExtensionFuncPtr(name));
    }

    Context& context_of(osg::State& state) {
        const std::lock_guard lock(mutex_);
        const auto found = contexts_.find(&state);
        if (found != contexts_.end() && found->second.state.valid()) return found->second;
        extensions_ = state.get<osg::GLExtensions>();
        for (auto context = contexts_.begin(); context != contexts_.end();) {
            if (context->second.state.valid()) {
                ++context;
            } else {  // gone, while another context of its number lived on
                context->second.abandon();
                extensions_->glDeleteBuffers(1, &context->second.order);
                context = contexts_.erase(context);
            }
        }
        Context& context = contexts_[&state];
        context.state = &state;
        extensions_->glGenBuffers(1, &context.order);
        return context;
    }

    std::mutex mutex_;  // guards the map: contexts that share objects may draw in threads of their own
    std::map<const osg::State*, Context> contexts_;
    osg::ref_ptr<osg::GLExtensions> extensions_;
};

}  // namespace detail

/// Draws the points or triangles of a geometry from back to front, as the camera sees them that draws. Use
/// `draw_back_to_front`, which makes one.
///
/// Every draw computes depths and sorts, on the GPU. Changes of the geometry therefore need no call: new positions,
/// more vertices, other primitive sets. As always, call `dirty()` for arrays and elements, and mark a geometry that
/// changes as `osg::Object::DYNAMIC`.
///
/// What cannot be sorted is drawn in its own order, and OpenSceneGraph warns (`osg::notify`): a geometry that
/// `draw_back_to_front` would refuse now, a context before OpenGL 3.3, or a sorter that cannot be made. Nothing throws
/// while drawing.
///
/// All objects of a context share sorters, and memory for one order. An object takes no GPU memory of its own if its
/// primitive sets are one `osg::DrawElementsUInt`, or points in `osg::DrawArrays` that follow each other. Otherwise: 4
/// bytes a point, 12 bytes a triangle.
class BackToFront : public osg::Drawable::DrawCallback {
  public:
    explicit BackToFront(glsort::Backend backend = glsort::Backend::automatic) : backend_(backend) {}
    BackToFront(const BackToFront& other, const osg::CopyOp& copy_op)
        : osg::Object(other, copy_op), DrawCallback(other, copy_op), backend_(other.backend_) {}
    META_Object(glsort_osg, BackToFront);

    void drawImplementation(osg::RenderInfo& info, const osg::Drawable* drawable) const override {
        const osg::Geometry* const geometry = drawable->asGeometry();
        if (!geometry) return drawable->drawImplementation(info);
        detail::Elements elements;
        GLuint order = 0;
        try {
            elements = current_elements(*geometry);
            if (elements.count == 0) return;
            order = sort(*info.getState(), *geometry, elements);
        } catch (const std::exception& error) {
            warn(error.what());
            return drawable->drawImplementation(info);
        }
        draw(info, *geometry, elements, order);
    }

    /// Sorts as a draw does, without drawing: for measurements. Called while drawing, with the geometry that has this
    /// callback. Throws what a draw would warn of.
    void sort_only(osg::RenderInfo& info, const osg::Geometry& geometry) const {
        if (const detail::Elements elements = current_elements(geometry); elements.count > 0)
            sort(*info.getState(), geometry, elements);
    }

    void resizeGLObjectBuffers(unsigned contexts) override {
        const std::lock_guard lock(mutex_);
        if (elements_.indices) const_cast<osg::DrawElementsUInt&>(*elements_.indices).resizeGLObjectBuffers(contexts);
    }
    void releaseGLObjects(osg::State* state) const override {
        const std::lock_guard lock(mutex_);
        if (elements_.indices) elements_.indices->releaseGLObjects(state);
    }

  protected:
    ~BackToFront() override = default;

  private:
    /// A primitive set as it was when `elements_` was made. The reference keeps the address from being used again.
    struct Part {
        osg::ref_ptr<const osg::PrimitiveSet> set;
        unsigned modified;
        GLenum mode;
        unsigned count;
        unsigned first;

        bool operator==(const Part&) const = default;
    };

    static std::vector<Part> parts_of(const osg::Geometry& geometry) {
        std::vector<Part> parts;
        for (unsigned i = 0; i < geometry.getNumPrimitiveSets(); ++i) {
            const osg::PrimitiveSet& set = *geometry.getPrimitiveSet(i);
            const unsigned count = set.getNumIndices();
            parts.push_back({&set, set.getModifiedCount(), set.getMode(), count, count > 0 ? set.index(0) : 0});
        }
        return parts;
    }

    /// Looks through the indices only if primitive sets or the number of vertices have changed.
    detail::Elements current_elements(const osg::Geometry& geometry) const {
        detail::check_arrays(geometry);
        const std::lock_guard lock(mutex_);
        std::vector<Part> parts = parts_of(geometry);
        const unsigned vertices = geometry.getVertexArray()->getNumElements();
        if (parts != parts_ || vertices != vertices_) {
            parts_.clear();  // if the next line throws, the next draw shall throw, too
            elements_ = detail::elements_of(geometry);
            parts_ = std::move(parts);
            vertices_ = vertices;
        }
        return elements_;
    }

    /// The buffer of a vertex array or of elements, on the GPU with its newest data.
    static glsort::BufferSlice slice_of(osg::State& state, const osg::BufferData& data) {
        osg::GLBufferObject* const buffer = data.getOrCreateGLBufferObject(state.getContextID());
        if (!buffer) detail::refuse("the geometry does not use buffer objects");
        // Uploads what has changed. Both targets are unbound again, for the vertex array state must know.
        osg::VertexArrayState& arrays = *state.getCurrentVertexArrayState();
        if (data.asArray()) {
            arrays.bindVertexBufferObject(buffer);
            arrays.unbindVertexBufferObject();
        } else {
            arrays.bindElementBufferObject(buffer);
            arrays.unbindElementBufferObject();
        }
        return {.name = buffer->getGLObjectID(), .offset = std::uint64_t(buffer->getOffset(data.getBufferIndex()))};
    }

    GLuint sort(osg::State& state, const osg::Geometry& geometry, const detail::Elements& elements) const {
        const osg::Array& positions = *geometry.getVertexArray();
        glsort::integrations::DrawnObject object;
        object.positions = slice_of(state, positions);
        object.components = std::uint32_t(positions.getDataSize());
        object.stride = positions.getElementSize();
        if (elements.indices) {
            object.vertices = positions.getNumElements();
            object.corners = slice_of(state, *elements.indices);
            (elements.mode == GL_TRIANGLES ? object.triangles : object.points) = elements.count;
        } else {
            object.positions.offset += std::uint64_t(elements.first) * object.stride;
            object.vertices = elements.count;
        }
        std::copy_n(state.getModelViewMatrix().ptr(), 16, object.model_view.begin());
        return osg::get<detail::ContextsOfNumber>(state.getContextID())->sort(state, backend_, object);
    }

    /// As `osg::Geometry::drawImplementation`, with the order in place of the primitive sets.
    static void draw(osg::RenderInfo& info, const osg::Geometry& geometry, const detail::Elements& elements,
                     GLuint order) {
        osg::State& state = *info.getState();
        osg::GLExtensions& extensions = *state.get<osg::GLExtensions>();
        osg::VertexArrayState& arrays = *state.getCurrentVertexArrayState();
        // Drawables share the flag. A drawable that compiles a display list leaves false here.
        arrays.setVertexBufferObjectSupported(state.useVertexBufferObject(geometry.getUseVertexBufferObjects()));
        geometry.drawVertexArraysImplementation(info);
        arrays.unbindElementBufferObject();
        extensions.glBindBuffer(GL_ELEMENT_ARRAY_BUFFER_ARB, order);
        extensions.glDrawElementsBaseVertex(elements.mode, GLsizei(detail::corners_of(elements.mode) * elements.count),
                                            GL_UNSIGNED_INT, nullptr, GLint(elements.first));
        extensions.glBindBuffer(GL_ELEMENT_ARRAY_BUFFER_ARB, 0);
        arrays.unbindVertexBufferObject();
    }

    /// Once for each cause, not once a frame.
    void warn(const std::string& message) const {
        const std::lock_guard lock(mutex_);
        if (message == warned_) return;
        warned_ = message;
        OSG_WARN << "Drawn without sorting: " << message << std::endl;
    }

    glsort::Backend backend_;
    mutable std::mutex mutex_;  // guards what follows: several contexts may draw at once
    mutable std::vector<Part> parts_;
    mutable unsigned vertices_ = 0;
    mutable detail::Elements elements_;
    mutable std::string warned_;
};

/// Lets the points or triangles of `geometry` be drawn from back to front from now on. Give the geometry blending, no
/// depth writes, and the transparent bin; glsort changes none of these. `geometry.setDrawCallback(nullptr)` ends the
/// sorting.
///
/// - *Points*: `osg::DrawArrays` and `osg::DrawElements` of GL_POINTS. A vertex may be drawn several times.
/// - *Triangles*: those of GL_TRIANGLES. Keys are the depths of centroids.
///
/// All primitive sets of the geometry become one order. Elements of equal depth keep the order of the sets. The
/// primitive sets themselves stay as they are, so intersections and statistics work as before. Vertices are 2 to 4
/// floats.
///
/// Turns display lists off and vertex buffer objects on. Replaces a draw callback. `backend` must be automatic, compute
/// or fragment. Needs no context. Each context that draws needs OpenGL 3.3, and is made known by its first draw, which
/// compiles shaders.
///
/// Throws `std::invalid_argument` for other geometries: other primitives, positions that are not floats, instances,
/// indices behind the vertices, and arrays bound for each primitive set.
///
/// Cost of a draw: those of `glsort::SceneSorter` on the GPU. On the CPU some 100 us, and after a change of elements a
/// look at all indices.
inline void draw_back_to_front(osg::Geometry& geometry, glsort::Backend backend = glsort::Backend::automatic) {
    geometry.setUseDisplayList(false);  // a sort in a display list would be recorded, and not run
    geometry.setUseVertexBufferObjects(true);
    detail::elements_of(geometry);
    geometry.setDrawCallback(new BackToFront(backend));
}

}  // namespace glsort_osg
