#include "support/clobbered_names.h"

#include <glsort/sorter.h>

namespace glsort::trial {

namespace {

std::vector<Clobbered> make_names() {
    std::vector<std::string_view> units;
    for (const char* name : {"unit 0 GL_TEXTURE_2D", "unit 1 GL_TEXTURE_2D", "unit 2 GL_TEXTURE_2D",
                             "unit 3 GL_TEXTURE_2D", "unit 0 GL_SAMPLER", "unit 1 GL_SAMPLER",
                             "unit 2 GL_SAMPLER", "unit 3 GL_SAMPLER"})
        units.emplace_back(name);
    return {
        {"current program", {"GL_CURRENT_PROGRAM"}},
        // With another vertex array, everything it holds looks different.
        {"vertex array",
         {"GL_VERTEX_ARRAY_BINDING", "vertex attribute[", "vertex binding[",
          "GL_ELEMENT_ARRAY_BUFFER_BINDING"}},
        {"array buffer", {"GL_ARRAY_BUFFER_BINDING"}},
        // Queries of the reference values are clamped to the stencil bits of the framebuffer.
        {"draw framebuffer",
         {"GL_DRAW_FRAMEBUFFER_BINDING", "GL_DRAW_BUFFER[", "GL_STENCIL_REF",
          "GL_STENCIL_BACK_REF"}},
        {"viewport 0", {"GL_VIEWPORT"}},
        {"scissor test", {"GL_SCISSOR_TEST"}},
        {"face culling", {"GL_CULL_FACE"}},
        {"rasterizer discard", {"GL_RASTERIZER_DISCARD"}},
        {"logic operation", {"GL_COLOR_LOGIC_OP"}},
        {"primitive restart", {"GL_PRIMITIVE_RESTART"}},
        {"polygon mode", {"GL_POLYGON_MODE"}},
        {"clip distances", {"GL_CLIP_DISTANCE["}},
        {"clip control", {"GL_CLIP_ORIGIN", "GL_CLIP_DEPTH_MODE"}},
        {"colour masks", {"GL_COLOR_WRITEMASK"}},
        {"active texture", {"GL_ACTIVE_TEXTURE"}},
        {"samplers", units},
        {"2D textures", units},
        {"pixel unpack and pack buffers",
         {"GL_PIXEL_UNPACK_BUFFER_BINDING", "GL_UNPACK_", "GL_PIXEL_PACK_BUFFER_BINDING", "GL_PACK_",
          "GL_READ_FRAMEBUFFER_BINDING", "GL_READ_BUFFER"}},
        {"transform feedback", {"GL_TRANSFORM_FEEDBACK_BINDING", "GL_TRANSFORM_FEEDBACK_BUFFER"}},
        {"storage buffers 0 to 4",
         {"GL_SHADER_STORAGE_BUFFER[0]", "GL_SHADER_STORAGE_BUFFER[1]",
          "GL_SHADER_STORAGE_BUFFER[2]", "GL_SHADER_STORAGE_BUFFER[3]",
          "GL_SHADER_STORAGE_BUFFER[4]",
          "GL_SHADER_STORAGE_BUFFER_BINDING"}},
        {"image units 0 to 3",
         {"image unit[0]", "image unit[1]", "image unit[2]", "image unit[3]"}},
    };
}

}  // namespace

const std::vector<Clobbered>& clobbered_names() {
    static const std::vector<Clobbered> names = make_names();
    return names;
}

bool is_clobbered(Backend backend, std::string_view difference) {
    for (const std::string_view item : clobbered_state(backend))
        for (const Clobbered& clobbered : clobbered_names()) {
            if (item.find(clobbered.words) == std::string_view::npos) continue;
            for (const std::string_view name : clobbered.names)
                if (difference.starts_with(name)) return true;
        }
    return false;
}

}  // namespace glsort::trial
