#pragma once

#include <Ogre.h>
#include <OgreGL3PlusHardwareIndexBuffer.h>
#include <OgreGL3PlusHardwareVertexBuffer.h>
#include <OgreGLContext.h>
#include <OgreGLNativeSupport.h>
#include <OgreGLRenderSystemCommon.h>
#include <glsort/context_sorters.h>

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

/// Draws translucent points and triangles of OGRE from back to front. The sort runs on the GPU, in the context that
/// draws. Needs OGRE 1.12 with its render system GL3Plus, and contexts of OpenGL 3.3 or later.
///
/// The headers of GL3Plus turn names such as `glClear` and `glXSwapBuffers` into macros that do not link. Files that
/// include this header therefore cannot call OpenGL or GLX.

namespace glsort_ogre {

namespace detail {

using Sorters = glsort::integrations::ContextSorters;

// OGRE keeps these two to itself. A derived class may name them.
struct SystemAccess : Ogre::GLRenderSystemCommon {
    static constexpr auto support = &SystemAccess::mGLSupport;
};
struct ContextAccess : Ogre::GLContext {
    static constexpr auto cache = &ContextAccess::mStateCacheManager;
};

inline Ogre::GLRenderSystemCommon& render_system() {
    const auto* const root = Ogre::Root::getSingletonPtr();
    auto* const system = root != nullptr ? Ogre::Root::getSingleton().getRenderSystem() : nullptr;
    if (system == nullptr || system->getName() != "OpenGL 3+ Rendering Subsystem")
        throw glsort::Error("glsort_ogre: the render system is " +
                            (system != nullptr ? system->getName() : std::string("none")) + "; it must be GL3Plus");
    return static_cast<Ogre::GLRenderSystemCommon&>(*system);
}

inline Ogre::GLContext& current_context() {
    Ogre::GLContext* const context = render_system()._getCurrentContext();
    if (context == nullptr) throw glsort::Error("glsort_ogre: OGRE has no context; create a window first");
    return *context;
}

/// A context of OGRE's, known by the state cache that OGRE destroys with the context. Addresses and numbers of contexts
/// come again, caches do not.
class ContextLife {
  public:
    explicit ContextLife(Ogre::GLContext& context)
        : cache_(new std::weak_ptr<void>(
              static_cast<const std::shared_ptr<Ogre::GLStateCacheManagerCommon>&>(context.*ContextAccess::cache))) {}
    bool ended() const { return cache_->expired(); }
    bool is(const ContextLife& other) const {
        return !cache_->owner_before(*other.cache_) && !other.cache_->owner_before(*cache_);
    }

  private:
    friend class Registry;
    void drop() { delete cache_; }

    // Code of the render system's plugin would release the last pointer. OGRE may have unloaded the plugin by then. So
    // the pointer to a context that has ended stays: some 60 bytes for each context.
    std::weak_ptr<void>* cache_;
};

/// The sorters of all contexts.
class Registry {
  public:
    static Registry& get() {
        static Registry registry;
        return registry;
    }
    ~Registry() { forget_ended(); }

    /// The sorters of the current context. Valid as long as the context, and until `release_current`.
    Sorters& of_current(glsort::Backend backend, const glsort::GetProcAddress& get_proc_address) {
        ContextLife life(current_context());
        const std::lock_guard lock(mutex_);
        // First, for the new context may have the address of one that has ended.
        forget_ended();
        for (Serving& serving : servings_)
            if (serving.backend == backend && serving.life.is(life)) {
                life.drop();
                return serving.sorters;
            }
        return servings_.emplace_back(Serving{life, backend, Sorters(get_proc_address, backend)}).sorters;
    }

    void release_current() {
        ContextLife life(current_context());
        const std::lock_guard lock(mutex_);
        forget_ended();
        servings_.remove_if([&](Serving& serving) {
            if (!serving.life.is(life)) return false;
            serving.life.drop();
            return true;
        });
        life.drop();
    }

  private:
    struct Serving {
        ContextLife life;
        glsort::Backend backend;
        Sorters sorters;
    };

    void forget_ended() {
        servings_.remove_if([](Serving& serving) {
            if (!serving.life.ended()) return false;
            serving.sorters.abandon();
            return true;
        });
    }

    std::mutex mutex_;             // contexts may be drawn by threads of their own
    std::list<Serving> servings_;  // a list, for users hold references
};

inline std::uint32_t name_of(Ogre::HardwareIndexBuffer& buffer) {
    return static_cast<Ogre::GL3PlusHardwareIndexBuffer&>(buffer).getGLBufferId();
}

inline Ogre::HardwareIndexBufferSharedPtr make_indices(Ogre::HardwareIndexBuffer::IndexType type, std::size_t count) {
    return Ogre::HardwareBufferManager::getSingleton().createIndexBuffer(type, count,
                                                                         Ogre::HardwareBuffer::HBU_STATIC_WRITE_ONLY);
}

}  // namespace detail

/// Finds functions of OpenGL as OGRE does: by GLX or EGL, whichever OGRE was built for. Throws `glsort::Error` unless
/// the render system is GL3Plus. Valid as long as the render system.
inline glsort::GetProcAddress ogre_functions() {
    const Ogre::GLNativeSupport* const support = detail::render_system().*detail::SystemAccess::support;
    return [support](const char* name) { return support->getProcAddress(name); };
}

/// Frees the sorters of the current context. The next sort there makes new ones. Without this call, sorters live as
/// long as their context, and keep the room of the largest object that they have sorted. Throws `glsort::Error` if OGRE
/// has no context. Not during a sort of the context.
inline void release_sorters() {
    detail::Registry::get().release_current();
}

/// Sorts the points or triangles of one object. All DepthSort objects that draw in one context share one sorter for
/// each format of vertices.
///
/// May be destroyed in any context of OGRE's, before or after the windows that the object was drawn in, but before
/// `Ogre::Root`: the rule of all buffers of OGRE. Different objects may be sorted by different threads, each with a
/// context of its own.
class DepthSort {
  public:
    /// `get_proc_address` finds the functions of the contexts. Null: `ogre_functions`. Objects that share a context and
    /// a backend share the function of the first one. Calls no OpenGL.
    explicit DepthSort(glsort::Backend backend = glsort::Backend::automatic,
                       glsort::GetProcAddress get_proc_address = nullptr)
        : backend_(backend), get_proc_address_(std::move(get_proc_address)) {}
    DepthSort(const DepthSort&) = delete;
    DepthSort& operator=(const DepthSort&) = delete;

    /// Sorts the elements of `operation` from back to front, as `camera` sees them, and points the operation at the
    /// sorted indices. Call in `Ogre::Renderable::preRender`, where the context of the draw is current.
    ///
    /// - `operation`: points (OT_POINT_LIST), or triangles (OT_TRIANGLE_LIST). Both with 16-bit or 32-bit indices, or
    ///   without. Indices of points may come several times, and leave out vertices. Positions (VES_POSITION) are 2 to 4
    ///   floats. Their offset and the size of a vertex are multiples of 4. Buffers are buffers of GL3Plus.
    /// - `model`: from positions to the world, as `Renderable::getWorldTransforms` returns it.
    ///
    /// The camera's view counts, whatever the renderable says. For an identity view or projection, call `sort` with one
    /// matrix.
    ///
    /// Afterwards `operation.indexData` belongs to this object. The index data and the buffers that the operation had
    /// stay as they are, and each call reads them anew. They must live until `restore`, or until the operation has
    /// other index data. No vertices: restores the operation.
    ///
    /// Throws `glsort::Error` for another operation, and as `glsort::SceneSorter` does.
    ///
    /// Memory: 4 bytes for each point, 12 bytes for each triangle, for each context that draws the object. Cost: one
    /// sort of the scene for each call. OGRE calls `preRender` once for each pass and each viewport. The first call in
    /// a context compiles, and so may a call with another format, or with many more elements.
    void sort(Ogre::RenderOperation& operation, const Ogre::Matrix4& model, const Ogre::Camera& camera) {
        sort(operation, camera.getViewMatrix(true) * model);
    }

    /// As the other `sort`, by one matrix: from positions to a space where a smaller z is farther. For a renderable
    /// with an identity view, this matrix is the world transform. For an identity projection, the third row of the
    /// matrix has the opposite sign, for OpenGL takes a greater z for farther.
    void sort(Ogre::RenderOperation& operation, const Ogre::Matrix4& model_view) {
        restore(operation);
        glsort::integrations::DrawnObject object = vertices_of(operation);
        for (std::size_t row = 0; row < 4; ++row)
            for (std::size_t column = 0; column < 4; ++column)
                object.model_view[4 * column + row] = static_cast<float>(model_view[row][column]);
        const glsort::GetProcAddress get_proc_address = get_proc_address_ ? get_proc_address_ : ogre_functions();
        const bool is_mesh = operation.operationType == Ogre::RenderOperation::OT_TRIANGLE_LIST;
        if (!is_mesh && operation.operationType != Ogre::RenderOperation::OT_POINT_LIST)
            throw glsort::Error("glsort_ogre::DepthSort::sort: operationType " +
                                std::to_string(operation.operationType) + " must be OT_POINT_LIST or OT_TRIANGLE_LIST");
        std::size_t indices = object.vertices;
        if (is_mesh || operation.useIndexes) {
            add_corners(object, operation, is_mesh ? 3 : 1, get_proc_address);
            indices = is_mesh ? std::size_t{3} * object.triangles : object.points;
        }
        if (indices == 0) return;
        // Each context has a buffer of its own. Another context may still draw while this one sorts.
        Ogre::HardwareIndexBufferSharedPtr& sorted = sorted_[&detail::current_context()];
        if (!sorted || sorted->getNumIndexes() < indices)
            sorted = detail::make_indices(Ogre::HardwareIndexBuffer::IT_32BIT, indices);
        detail::Registry::get()
            .of_current(backend_, get_proc_address)
            .sort(object, {.name = detail::name_of(*sorted), .offset = 0});
        drawn_.indexBuffer = sorted;
        drawn_.indexStart = 0;
        drawn_.indexCount = indices;
        original_ = operation.indexData;
        original_indexed_ = operation.useIndexes;
        operation.indexData = &drawn_;
        operation.useIndexes = true;
    }

    /// Gives the operation back the index data that it had before the first sort. Call before you delete
    /// `operation.indexData`, or set its members. Leaves an operation alone that has other index data.
    void restore(Ogre::RenderOperation& operation) const {
        if (operation.indexData != &drawn_) return;
        operation.indexData = original_;
        operation.useIndexes = original_indexed_;
    }

  private:
    static glsort::integrations::DrawnObject vertices_of(const Ogre::RenderOperation& operation) {
        const Ogre::VertexData& data = *operation.vertexData;
        const Ogre::VertexElement* const element = data.vertexDeclaration->findElementBySemantic(Ogre::VES_POSITION);
        if (element == nullptr) throw glsort::Error("glsort_ogre::DepthSort::sort: the vertices have no VES_POSITION");
        const Ogre::VertexElementType type = element->getType();
        if (type != Ogre::VET_FLOAT2 && type != Ogre::VET_FLOAT3 && type != Ogre::VET_FLOAT4)
            throw glsort::Error("glsort_ogre::DepthSort::sort: VES_POSITION has type " + std::to_string(type) +
                                "; it must be VET_FLOAT2, VET_FLOAT3 or VET_FLOAT4");
        const auto buffer = data.vertexBufferBinding->getBuffer(element->getSource());
        glsort::integrations::DrawnObject object;
        object.components = Ogre::VertexElement::getTypeCount(type);
        object.stride = static_cast<std::uint32_t>(buffer->getVertexSize());
        object.vertices = static_cast<std::uint32_t>(data.vertexCount);
        object.positions = {.name = static_cast<const Ogre::GL3PlusHardwareVertexBuffer&>(*buffer).getGLBufferId(),
                            .offset = std::uint64_t{data.vertexStart} * object.stride + element->getOffset()};
        return object;
    }

    /// `each`: indices of an element, 3 for triangles and 1 for points.
    void add_corners(glsort::integrations::DrawnObject& object, const Ogre::RenderOperation& operation,
                     std::uint32_t each, const glsort::GetProcAddress& get_proc_address) {
        if (!operation.useIndexes) {
            object.triangles = object.vertices / 3;
            if (object.triangles > 0) object.corners = {.name = numbers(std::size_t{3} * object.triangles)};
            return;
        }
        const Ogre::IndexData& data = *operation.indexData;
        const auto count = static_cast<std::uint32_t>(data.indexCount / each);
        if (count == 0) return;
        (each == 3 ? object.triangles : object.points) = count;
        const std::uint64_t size = data.indexBuffer->getIndexSize();
        object.corner_type = size == 2 ? glsort::SceneInput::Type::u16 : glsort::SceneInput::Type::u32;
        object.corners = {.name = detail::name_of(*data.indexBuffer), .offset = size * data.indexStart};
        const std::uint64_t bytes = size * each * count;
        // The library reads whole words. Some buffers of 16-bit indices end within a word.
        const std::uint64_t end = (object.corners.offset + bytes + 3) / 4 * 4;
        if (end > data.indexBuffer->getSizeInBytes())
            object.corners = {.name = whole_words(object.corners, bytes, get_proc_address)};
    }

    /// A buffer with the numbers from 0 on.
    std::uint32_t numbers(std::size_t count) {
        if (!numbers_ || numbers_->getNumIndexes() < count) {
            std::vector<std::uint32_t> values(count);
            for (std::size_t i = 0; i < count; ++i)
                values[i] = static_cast<std::uint32_t>(i);
            numbers_ = detail::make_indices(Ogre::HardwareIndexBuffer::IT_32BIT, count);
            numbers_->writeData(0, numbers_->getSizeInBytes(), values.data(), true);
        }
        return detail::name_of(*numbers_);
    }

    /// A copy that begins a buffer and ends with a whole word. `copyData` of OGRE's buffers cannot make the copy: it
    /// shortens the buffer to the bytes that it copies.
    std::uint32_t whole_words(const glsort::BufferSlice& slice, std::uint64_t bytes,
                              const glsort::GetProcAddress& get_proc_address) {
        const std::size_t indices = (bytes + 3) / 4 * 2;
        if (!words_ || words_->getNumIndexes() < indices)
            words_ = detail::make_indices(Ogre::HardwareIndexBuffer::IT_16BIT, indices);
        const auto bind = reinterpret_cast<PFNGLBINDBUFFERPROC>(get_proc_address("glBindBuffer"));
        const auto copy = reinterpret_cast<PFNGLCOPYBUFFERSUBDATAPROC>(get_proc_address("glCopyBufferSubData"));
        const auto get = reinterpret_cast<PFNGLGETINTEGERVPROC>(get_proc_address("glGetIntegerv"));
        GLint from = 0;
        GLint to = 0;
        get(GL_COPY_READ_BUFFER_BINDING, &from);
        get(GL_COPY_WRITE_BUFFER_BINDING, &to);
        bind(GL_COPY_READ_BUFFER, slice.name);
        bind(GL_COPY_WRITE_BUFFER, detail::name_of(*words_));
        copy(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, static_cast<GLintptr>(slice.offset), 0,
             static_cast<GLsizeiptr>(bytes));
        bind(GL_COPY_READ_BUFFER, static_cast<GLuint>(from));
        bind(GL_COPY_WRITE_BUFFER, static_cast<GLuint>(to));
        return detail::name_of(*words_);
    }

    glsort::Backend backend_;
    glsort::GetProcAddress get_proc_address_;
    Ogre::IndexData drawn_;                ///< What a sorted operation draws.
    Ogre::IndexData* original_ = nullptr;  ///< What the operation had.
    bool original_indexed_ = false;
    /// By context. The address of an ended context may come again: its buffer serves then, for OGRE's contexts share
    /// buffers.
    std::map<Ogre::GLContext*, Ogre::HardwareIndexBufferSharedPtr> sorted_;
    Ogre::HardwareIndexBufferSharedPtr numbers_;
    Ogre::HardwareIndexBufferSharedPtr words_;
};

/// A renderable that is drawn from back to front: `class Cloud : public BackToFront<Ogre::SimpleRenderable>`. Sorts in
/// `preRender`, and hands out the sorted indices only while OGRE draws. The operation of `Base` keeps its index data.
///
/// `Base` is an `Ogre::Renderable` with one world transform. If `Base` or a class derived from this one overrides
/// `preRender`, `postRender` or `getRenderOperation`, the override calls the one above. An identity view or projection
/// of the renderable counts in the sort as in the draw. Errors and cost are those of `DepthSort::sort`.
template <class Base, glsort::Backend backend = glsort::Backend::automatic>
class BackToFront : public Base {
  public:
    using Base::Base;

    bool preRender(Ogre::SceneManager* scene, Ogre::RenderSystem* system) override {
        if (!Base::preRender(scene, system)) return false;
        if (this->getNumWorldTransforms() != 1)
            throw glsort::Error("glsort_ogre::BackToFront: " + std::to_string(this->getNumWorldTransforms()) +
                                " world transforms; there must be one");
        Base::getRenderOperation(sorted_);
        Ogre::Matrix4 model_view;
        this->getWorldTransforms(&model_view);
        if (!this->getUseIdentityView())
            model_view = scene->getCurrentViewport()->getCamera()->getViewMatrix(true) * model_view;
        // Without a projection, z is the depth: OpenGL takes a greater z for farther. A camera looks along -z.
        if (this->getUseIdentityProjection())
            for (std::size_t column = 0; column < 4; ++column)
                model_view[2][column] = -model_view[2][column];
        depth_sort_.sort(sorted_, model_view);
        drawn_ = true;
        return true;
    }
    void postRender(Ogre::SceneManager* scene, Ogre::RenderSystem* system) override {
        drawn_ = false;
        Base::postRender(scene, system);
    }
    void getRenderOperation(Ogre::RenderOperation& operation) override {
        Base::getRenderOperation(operation);
        if (!drawn_) return;
        operation.indexData = sorted_.indexData;
        operation.useIndexes = sorted_.useIndexes;
    }

  private:
    DepthSort depth_sort_{backend};
    Ogre::RenderOperation sorted_;
    bool drawn_ = false;
};

}  // namespace glsort_ogre
