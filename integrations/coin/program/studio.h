#pragma once

#include <Inventor/C/tidbits.h>
#include <Inventor/SoSceneManager.h>
#include <Inventor/actions/SoGLRenderAction.h>
#include <Inventor/elements/SoGLCacheContextElement.h>
#include <Inventor/errors/SoDebugError.h>
#include <Inventor/misc/SoContextHandler.h>

#include <EGL/egl.h>
#include <GL/gl.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "timing.h"

/// Where Coin draws without a window, and what Coin reports.

constexpr short width = 600;
constexpr short height = 600;

using Picture = std::vector<unsigned char>;  ///< RGB, the lowest row first.

/// Who decides about the order of triangles. The last two are backends of glsort.
enum class Order { arrays, coin, fragment, compute };

inline const char* name_of(Order order) {
    constexpr const char* names[] = {"arrays", "coin", "fragment", "compute"};
    return names[int(order)];
}

inline const char* description_of(Order order) {
    constexpr const char* texts[] = {timing::not_sorted, "sorted by Coin", timing::by_fragment, timing::by_compute};
    return texts[int(order)];
}

/// Reports since the last `clear`.
struct Reports {
    int sorts = 0;  ///< Objects that glsort sorted.
    std::string warnings;

    void clear() { *this = {}; }

    static void add(const SoError* error, void* reports) {
        auto& all = *static_cast<Reports*>(reports);
        const std::string text = error->getDebugString().getString();
        const bool is_sort = text.find("SoGlsortTriangles") != std::string::npos &&
                             static_cast<const SoDebugError*>(error)->getSeverity() == SoDebugError::INFO;
        // A context of EGL has no GLX. Coin says so, and goes on.
        const bool about_glx = text.find("glxglue_isdirect") != std::string::npos;
        if (is_sort) ++all.sorts;
        if (!is_sort && !about_glx) all.warnings += text;
    }
};

/// A context with the functions of old OpenGL, which Coin calls. Coin draws into a framebuffer there.
class Studio {
  public:
    SoSceneManager manager;
    Reports reports;

    /// `shares`: a context to share objects with, which lives longer. Coin gives one number to such contexts.
    explicit Studio(const Studio* shares = nullptr)
        : context_(std::in_place, width, height, shares ? &*shares->context_ : nullptr),
          shares_(shares != nullptr),
          number_(shares ? shares->number_ : SoGLCacheContextElement::getUniqueCacheContext()) {
        manager.getGLRenderAction()->setCacheContext(number_);
        manager.setWindowSize(SbVec2s(width, height));
        manager.setViewportRegion(SbViewportRegion(width, height));
        manager.setBackgroundColor(SbColor(0.95f, 0.95f, 0.93f));
    }
    ~Studio() {
        context_->make_current();
        manager.setSceneGraph(nullptr);
        if (!shares_) SoContextHandler::destructingContext(number_);
    }
    void* handle() {
        context_->make_current();
        return eglGetCurrentContext();
    }
    /// Closes the context, and opens another one, which shares objects with that of `shares`.
    void reopen(const Studio& shares) {
        context_.reset();
        context_.emplace(width, height, &*shares.context_);
    }
    /// As a program calls that tells Coin of each context that it closes.
    void end_number() {
        context_->make_current();
        SoContextHandler::destructingContext(number_);
    }
    Studio(const Studio&) = delete;

    void order_by(Order order) {
        manager.getGLRenderAction()->setTransparencyType(order == Order::arrays
                                                             ? SoGLRenderAction::SORTED_OBJECT_BLEND
                                                             : SoGLRenderAction::SORTED_OBJECT_SORTED_TRIANGLE_BLEND);
        if (order == Order::fragment || order == Order::compute)
            coin_setenv("COIN_GLSORT", name_of(order), 1);
        else
            coin_unsetenv("COIN_GLSORT");
    }

    void draw(SoNode* scene) {
        context_->make_current();
        coin_setenv("COIN_DEBUG_GLSORT", "1", 1);
        SoDebugError::setHandlerCallback(Reports::add, &reports);
        if (manager.getSceneGraph() != scene) manager.setSceneGraph(scene);
        manager.render();
    }

    Picture picture() const {
        Picture pixels(std::size_t(width) * height * 3);
        glPixelStorei(GL_PACK_ALIGNMENT, 1);
        glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, pixels.data());
        return pixels;
    }

  private:
    std::optional<timing::Offscreen> context_;
    bool shares_;
    std::uint32_t number_;
};
