#pragma once

#include <glad/gl.h>

#include <glsort/scene.h>
#include <cstdint>
#include <memory>
#include <vector>

#include "cpu_keys.h"
#include "elements.h"
#include "gl_objects.h"
#include "marked_order.h"
#include "settings.h"
#include "support/headless_context.h"

namespace glsort::demo {

/// Orders what the camera sees, from back to front: a glsort::SceneSorter with a source for each emitter.
///
/// glsort computes the keys from the places, leaves out what is outside of the frustum, and sorts the rest as one
/// order. For KeyMaker::cpu, keys and the decision come from the CPU, and glsort reads them.
class DrawOrder {
  public:
    /// For these elements. Throws std::runtime_error and glsort::Error.
    DrawOrder(const GladGLContext& gl, Api api, GetProcAddress get_proc_address, const Elements& elements,
              const Method& method);

    /// Whether draws take the count from the GPU. Otherwise they draw all elements, and the order has marks.
    bool is_indirect() const { return marks_ == nullptr; }
    const SceneSorter& sorter() const { return sorter_; }

    /// Copies the keys of KeyMaker::cpu, one for each element.
    void upload(const std::vector<CpuKey>& keys);
    /// Writes the order to the indices of the elements. A complete framebuffer must be bound.
    void sort(const Elements& elements, const View& view);
    /// Draws what is visible, in the order of the last sort(), with the vertex array of the elements.
    void draw(const Elements& elements) const;

    /// What the last sort made. Waits for the GPU.
    struct Result {
        std::vector<std::uint32_t> order;  ///< Of the visible items.
        std::uint32_t drawn = 0;           ///< The number of items that draw() draws.
    };
    Result read_back(const Elements& elements) const;

  private:
    const GladGLContext* gl_;
    bool es_;
    Method method_;
    std::unique_ptr<MarkedOrder> marks_;  // Null where draws are indirect.
    GlBuffer command_;
    GlBuffer keys_;
    SceneSorter sorter_;
};

}  // namespace glsort::demo
