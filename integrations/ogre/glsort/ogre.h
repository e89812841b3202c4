#pragma once

#include <Ogre.h>
#include <OgreGL3PlusHardwareIndexBuffer.h>
#include <OgreGL3PlusHardwareVertexBuffer.h>
#include <OgreGLRenderSystemCommon.h>
#include <glsort/context_sorters.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

/// Draws translucent points and triangles of OGRE from back to front. The sort runs in the context of the draw, on the
/// GPU. Needs OGRE 1.12 with the render system GL3Plus, whose contexts are OpenGL 3.3 at least.

#if defined(__linux__)
// GLX, which GL3Plus uses here. Its header would bring another header of OpenGL.
extern "C" void (*glXGetProcAddressARB(const unsigned char*))();
#endif

namespace glsort_ogre {

namespace detail {

using Sorters = glsort::integrations::ContextSorters;

/// The sorters of all contexts. Objects hold them: they live as long as an object that was drawn in their context.
struct Registry {
    std::mutex mutex;  // contexts may be drawn by threads of their own
    std::map<std::pair<Ogre::GLContext*, glsort::Backend>, std::weak_ptr<Sorters>> sorters;

    static Registry& get() {
        static Registry registry;
        return registry;
    }
};

inline Ogre::GLContext* current_context() {
    auto* const system = Ogre::Root::getSingleton().getRenderSystem();
    return static_cast<Ogre::GLRenderSystemCommon*>(system)->_getCurrentContext();
}

[[noreturn]] inline void refuse(const std::string& text) {
    OGRE_EXCEPT(Ogre::Exception::ERR_INVALIDPARAMS, text, "glsort_ogre::DepthSort::sort");
}

}  // namespace detail

#if defined(__linux__)
inline glsort::GetProcAddress default_loader() {
    return glXGetProcAddressARB;
}
#else
/// On other systems, give the constructor a function that finds the functions of the context.
inline glsort::GetProcAddress default_loader() {
    return nullptr;
}
#endif

/// Call before a window is destroyed while objects that were drawn there live on. A new window may get the address of
/// the old context, and the sorters of the old context must not serve there. No context needs to be current.
inline void forget(Ogre::RenderWindow& window) {
    Ogre::GLContext* context = nullptr;
    window.getCustomAttribute("GLCONTEXT", &context);
    detail::Registry& registry = detail::Registry::get();
    const std::lock_guard lock(registry.mutex);
    for (auto entry = registry.sorters.begin(); entry != registry.sorters.end();) {
        if (entry->first.first != context) {
            ++entry;
            continue;
        }
        if (const auto sorters = entry->second.lock()) sorters->abandon();
        entry = registry.sorters.erase(entry);
    }
}

/// Sorts the points or triangles of one renderable. Make one DepthSort for each, as a member beside its render
/// operation. All objects drawn in a context share one sorter for each format of vertices.
class DepthSort {
  public:
    /// `backend` is fragment, compute or automatic. `get_proc_address` finds the functions of OpenGL; the default is
    /// right for GLX.
    explicit DepthSort(glsort::Backend backend = glsort::Backend::automatic,
                       glsort::GetProcAddress get_proc_address = default_loader())
        : backend_(backend), get_proc_address_(std::move(get_proc_address)) {}

    /// Call in `Ogre::Renderable::preRender`. Sorts from back to front, as `camera` sees the operation's points
    /// (OT_POINT_LIST) or triangles (OT_TRIANGLE_LIST). `model` is the world transform of the renderable.
    ///
    /// The operation then draws by an index buffer of this object, with 32-bit indices, in place of its own. Points
    /// are all vertices. Triangles are those that the operation had when its index buffer was last set. To draw others,
    /// set an index buffer, start and count in `operation.indexData` again. Points need no index data: the operation
    /// gets some, which belong to the operation.
    ///
    /// Positions are 2 to 4 floats in a buffer of GL3Plus. Their buffer may change from call to call.
    ///
    /// OGRE calls `preRender` for each pass of a material, and for each window: each time the call sorts.
    ///
    /// Throws `Ogre::InvalidParametersException` for other operations and positions, and `glsort::Error` as
    /// `glsort::SceneSorter` does. The first call in a context compiles, and so does a call with more than twice the
    /// elements.
    ///
    /// Memory: 4 bytes for each point, 12 for each triangle, and for a context about 32 bytes for each element of the
    /// largest object. Cost: docs/guide/in-ogre.md.
    void sort(Ogre::RenderOperation& operation, const Ogre::Matrix4& model, const Ogre::Camera& camera) {
        glsort::integrations::DrawnObject object = vertices_of(operation);
        const Ogre::Matrix4 model_view = camera.getViewMatrix(true) * model;
        for (std::size_t row = 0; row < 4; ++row)
            for (std::size_t column = 0; column < 4; ++column)
                object.model_view[4 * column + row] = static_cast<float>(model_view[row][column]);
        if (operation.operationType == Ogre::RenderOperation::OT_TRIANGLE_LIST)
            add_triangles(object, operation);
        else if (operation.operationType != Ogre::RenderOperation::OT_POINT_LIST)
            detail::refuse("the operation has type " + std::to_string(operation.operationType) +
                           "; it must be OT_POINT_LIST or OT_TRIANGLE_LIST");
        draw_by_own_indices(operation, object.corners.name != 0 ? 3 * object.triangles : object.vertices);
        sorters()->sort(object, {name_of(*sorted_), 0});
    }

  private:
    static std::uint32_t name_of(Ogre::HardwareIndexBuffer& buffer) {
        return static_cast<Ogre::GL3PlusHardwareIndexBuffer&>(buffer).getGLBufferId();
    }

    /// Positions, as GL3Plus binds them.
    static glsort::integrations::DrawnObject vertices_of(const Ogre::RenderOperation& operation) {
        const Ogre::VertexData& data = *operation.vertexData;
        const auto* const element = data.vertexDeclaration->findElementBySemantic(Ogre::VES_POSITION);
        if (element == nullptr) detail::refuse("the operation has no positions");
        const Ogre::VertexElementType type = element->getType();
        if (type != Ogre::VET_FLOAT2 && type != Ogre::VET_FLOAT3 && type != Ogre::VET_FLOAT4)
            detail::refuse("positions have type " + std::to_string(type) + "; they must be 2 to 4 floats");
        const auto buffer = data.vertexBufferBinding->getBuffer(element->getSource());
        const auto& gl_buffer = static_cast<const Ogre::GL3PlusHardwareVertexBuffer&>(*buffer);
        glsort::integrations::DrawnObject object;
        object.components = Ogre::VertexElement::getTypeCount(type);
        object.stride = static_cast<std::uint32_t>(buffer->getVertexSize());
        object.vertices = static_cast<std::uint32_t>(data.vertexCount);
        object.positions = {gl_buffer.getGLBufferId(),
                            std::uint64_t{data.vertexStart} * object.stride + element->getOffset()};
        return object;
    }

    /// Keeps the index buffer that the operation came with.
    void add_triangles(glsort::integrations::DrawnObject& object, const Ogre::RenderOperation& operation) {
        const Ogre::IndexData* const data = operation.indexData;
        if (data == nullptr || !data->indexBuffer) detail::refuse("triangles need an index buffer");
        if (data->indexBuffer != sorted_) first_ = {data->indexBuffer, data->indexStart, data->indexCount};
        const bool is_short = first_.buffer->getType() == Ogre::HardwareIndexBuffer::IT_16BIT;
        object.corner_type = is_short ? glsort::SceneInput::Type::u16 : glsort::SceneInput::Type::u32;
        object.triangles = static_cast<std::uint32_t>(first_.count / 3);
        object.corners = {name_of(*first_.buffer), std::uint64_t{first_.start} * (is_short ? 2 : 4)};
        if (object.corners.offset % 4 != 0) detail::refuse("indexStart is odd; with 16-bit indices it must be even");
    }

    void draw_by_own_indices(Ogre::RenderOperation& operation, std::size_t count) {
        if (!sorted_ || sorted_->getNumIndexes() < count)
            sorted_ = Ogre::HardwareBufferManager::getSingleton().createIndexBuffer(
                Ogre::HardwareIndexBuffer::IT_32BIT, std::max<std::size_t>(count, 1),
                Ogre::HardwareBuffer::HBU_STATIC_WRITE_ONLY);
        if (operation.indexData == nullptr) operation.indexData = OGRE_NEW Ogre::IndexData;
        operation.useIndexes = true;
        operation.indexData->indexBuffer = sorted_;
        operation.indexData->indexStart = 0;
        operation.indexData->indexCount = count;
    }

    /// Those of the current context.
    std::shared_ptr<detail::Sorters> sorters() {
        Ogre::GLContext* const context = detail::current_context();
        detail::Registry& registry = detail::Registry::get();
        const std::lock_guard lock(registry.mutex);
        std::weak_ptr<detail::Sorters>& shared = registry.sorters[{context, backend_}];
        auto found = shared.lock();
        if (!found) shared = found = std::make_shared<detail::Sorters>(get_proc_address_, backend_);
        return held_[context] = found;
    }

    struct Indices {
        Ogre::HardwareIndexBufferSharedPtr buffer;
        std::size_t start = 0;
        std::size_t count = 0;
    };

    glsort::Backend backend_;
    glsort::GetProcAddress get_proc_address_;
    std::map<Ogre::GLContext*, std::shared_ptr<detail::Sorters>> held_;
    Indices first_;                              ///< Of triangles, as OGRE made them.
    Ogre::HardwareIndexBufferSharedPtr sorted_;  ///< What is drawn.
};

}  // namespace glsort_ogre
