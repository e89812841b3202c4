#pragma once

#include <glad/gl.h>

#include <glsort/sorter.h>
#include <cstdint>
#include <glm/mat4x4.hpp>
#include <optional>
#include <vector>

#include "camera.h"
#include "gl_objects.h"
#include "scenes.h"
#include "settings.h"
#include "sort_timer.h"
#include "support/picture.h"

namespace glsort::demo {

/// Draws translucent particles back to front. Nothing of a frame passes through the CPU:
///
/// 1. write_keys(): a vertex shader moves every particle, and transform feedback writes its depth
///    to the buffer of keys;
/// 2. sort(): a glsort::Sorter sorts the keys, and writes which particle each belongs to to the
///    buffer of indices;
/// 3. draw(): that buffer is the index buffer of glDrawElements();
/// 4. show(): the picture goes to a framebuffer.
///
/// Needs OpenGL 3.3 or OpenGL ES 3.0.
class Renderer {
  public:
    /// Makes the sorter, for the count that load() will bring. Throws glsort::Error for what the
    /// sorter cannot do here, std::runtime_error for what the driver cannot.
    Renderer(const GladGLContext& gl, const Settings& settings, std::uint32_t count,
             glsort::GetProcAddress get_proc_address);

    void load(const ParticleScene& scene);
    /// Size of the picture in pixels. Throws std::runtime_error where it is above the driver's
    /// limit.
    void resize(int width, int height);
    float aspect() const { return static_cast<float>(width_) / static_cast<float>(height_); }

    void write_keys(double seconds, const Camera& camera);
    void sort();
    /// In sorted order, or in that of the scene's particles. At the time and from the camera of the
    /// last write_keys().
    void draw(bool sorted);
    /// 0: the window's.
    void show(GLuint framebuffer);

    /// What show() shows. Waits for the GPU.
    Picture picture();
    /// The keys; after sort() they are sorted. Waits for the GPU.
    std::vector<float> keys();
    /// The order that sort() found. Waits for the GPU.
    std::vector<std::uint32_t> indices();

    const Sorter& sorter() const { return sorter_; }
    SortTimer& timer() { return timer_; }

  private:
    void set_motion(const GlProgram& program);
    template <typename T>
    std::vector<T> read(const GlBuffer& buffer);

    const GladGLContext& gl_;
    bool es_;
    std::uint32_t count_;
    Sorter sorter_;
    SortTimer timer_;
    GlProgram key_program_;
    GlProgram sprite_program_;
    GlProgram picture_program_;
    GlBuffer particles_;
    GlBuffer keys_;
    GlBuffer indices_;
    GlVertexArray key_vertices_;
    GlVertexArray sprite_vertices_;  // its element buffer is indices_
    GlVertexArray no_vertices_;
    GlTexture sprites_;
    GlFramebuffer framebuffer_;
    float largest_sprite_ = 1.0f;  // pixels
    int width_ = 0;
    int height_ = 0;

    // Of the scene and of the frame.
    Motion motion_;
    float ring_radius_ = 0.0f;
    float roll_speed_ = 0.0f;
    bool silk_ = false;
    double seconds_ = 0.0;
    glm::mat4 view_{1.0f};
    glm::mat4 projection_{1.0f};
    float distance_ = 1.0f;
};

}  // namespace glsort::demo
