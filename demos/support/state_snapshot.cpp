#include <array>
#include <iomanip>
#include <map>
#include <span>
#include <sstream>

#include "support/hostile_state.h"
#include "support/state_settings.h"

namespace glsort::trial {

namespace {

using namespace settings;

// Collects values under names.
class Recorder {
  public:
    explicit Recorder(const GladGLContext& gl) : gl_(gl) {}

    StateSnapshot take() {
        entries_.reserve(4096);
        for (const Setting& setting : plain_settings)
            if (has(gl_, setting.since)) record(setting);
        capability_values();
        polygon_modes();
        draw_buffers();
        viewports();
        extensions();
        buffers();
        textures();
        images();
        vertex_array();
        for (const PixelStore& store : pixel_stores)
            if (has(gl_, store.since)) add(store.name, integer(gl_, store.value));
        queries();
        sample_masks();
        return std::move(entries_);
    }

  private:
    // Most values are one number. A stream would take long for so little.
    void add(std::string name, GLint value) { entries_.emplace_back(std::move(name), std::to_string(value)); }

    template <typename... Values>
    void add(std::string name, const Values&... values) {
        std::ostringstream text;
        text << std::setprecision(9);
        const char* separator = "";
        ((text << separator << values, separator = " "), ...);
        entries_.emplace_back(std::move(name), text.str());
    }

    static std::string element(const char* name, GLuint index) {
        return std::string(name) + "[" + std::to_string(index) + "]";
    }

    static std::string hexadecimal(GLint value) {
        std::ostringstream text;
        text << "0x" << std::hex << static_cast<GLuint>(value);
        return text.str();
    }

    void record(const Setting& setting) {
        constexpr int most = 16;
        std::ostringstream text;
        text << std::setprecision(9);
        const auto join = [&](const auto& values, const auto& print) {
            for (int i = 0; i < setting.count; ++i)
                text << (i == 0 ? "" : " ") << print(values[static_cast<std::size_t>(i)]);
        };
        const auto as_it_is = [](auto value) { return value; };
        switch (setting.kind) {
            case Kind::floating: {
                std::array<GLfloat, most> values{};
                gl_.GetFloatv(setting.value, values.data());
                join(values, as_it_is);
                break;
            }
            case Kind::boolean: {
                std::array<GLboolean, most> values{};
                gl_.GetBooleanv(setting.value, values.data());
                join(values, [](GLboolean value) { return static_cast<int>(value); });
                break;
            }
            case Kind::enumerant: {
                std::array<GLint, most> values{};
                gl_.GetIntegerv(setting.value, values.data());
                join(values, [](GLint value) { return hexadecimal(value); });
                break;
            }
            case Kind::integer: {
                std::array<GLint, most> values{};
                gl_.GetIntegerv(setting.value, values.data());
                join(values, as_it_is);
                break;
            }
        }
        entries_.emplace_back(setting.name, text.str());
    }

    /// The polygon mode of back faces. Core profiles have one mode.
    void polygon_modes() {
        if (!is_compatibility(gl_)) return;
        std::array<GLint, 2> modes{};
        gl_.GetIntegerv(GL_POLYGON_MODE, modes.data());
        add(element("GL_POLYGON_MODE", 1), hexadecimal(modes[1]));
    }

    void capability_values() {
        for (const Capability& capability : capabilities)
            if (has(gl_, capability.since)) add(capability.name, static_cast<int>(gl_.IsEnabled(capability.value)));
        if (!has(gl_, desktop)) return;
        const GLuint planes = count_of(gl_, GL_MAX_CLIP_DISTANCES);
        for (GLuint i = 0; i < planes; ++i)
            add(element("GL_CLIP_DISTANCE", i), static_cast<int>(gl_.IsEnabled(GL_CLIP_DISTANCE0 + i)));
    }

    void draw_buffers() {
        const GLuint count = count_of(gl_, GL_MAX_DRAW_BUFFERS);
        for (GLuint i = 0; i < count; ++i) {
            add(element("GL_DRAW_BUFFER", i), hexadecimal(integer(gl_, GL_DRAW_BUFFER0 + i)));
            if (const auto enabled = is_enabled_indexed(gl_)) {
                add(element("GL_BLEND", i), static_cast<int>(enabled(GL_BLEND, i)));
                std::array<GLint, 4> mask{};
                gl_.GetIntegeri_v(GL_COLOR_WRITEMASK, i, mask.data());
                add(element("GL_COLOR_WRITEMASK", i), mask[0], mask[1], mask[2], mask[3]);
            }
            if (blend_function_indexed(gl_) != nullptr) {
                for (const auto& [name, factor] : {std::pair{"GL_BLEND_SRC_RGB", GL_BLEND_SRC_RGB},
                                                   {"GL_BLEND_DST_RGB", GL_BLEND_DST_RGB},
                                                   {"GL_BLEND_SRC_ALPHA", GL_BLEND_SRC_ALPHA},
                                                   {"GL_BLEND_DST_ALPHA", GL_BLEND_DST_ALPHA}})
                    add(element(name, i), indexed_enumerant(factor, i));
            }
            if (has(gl_, indexed_blending)) {
                add(element("GL_BLEND_EQUATION", i), indexed_enumerant(GL_BLEND_EQUATION_RGB, i),
                    indexed_enumerant(GL_BLEND_EQUATION_ALPHA, i));
            }
        }
    }

    void viewports() {
        const ViewportArray array(gl_);
        if (!array) return;
        const GLuint count = count_of(gl_, GL_MAX_VIEWPORTS);
        for (GLuint i = 0; i < count; ++i) {
            std::array<GLfloat, 4> viewport{};
            std::array<GLfloat, 2> range{};
            std::array<GLint, 4> scissor{};
            array.get_floats(GL_VIEWPORT, i, viewport.data());
            array.get_floats(GL_DEPTH_RANGE, i, range.data());
            gl_.GetIntegeri_v(GL_SCISSOR_BOX, i, scissor.data());
            add(element("GL_VIEWPORT", i), viewport[0], viewport[1], viewport[2], viewport[3]);
            add(element("GL_DEPTH_RANGE", i), range[0], range[1]);
            add(element("GL_SCISSOR_BOX", i), scissor[0], scissor[1], scissor[2], scissor[3]);
            add(element("GL_SCISSOR_TEST", i), static_cast<int>(array.is_enabled(GL_SCISSOR_TEST, i)));
        }
    }

    void extensions() {
        for (const ExtensionState& state : extension_states()) {
            if (!state.is_there(gl_)) continue;
            std::ostringstream text;
            state.record(gl_, text);
            entries_.emplace_back(state.name, text.str());
        }
    }

    void buffers() {
        for (const BufferTarget& target : buffer_targets)
            if (has(gl_, target.since)) add(std::string(target.name) + "_BINDING", integer(gl_, target.binding));
        for (const IndexedBufferTarget& target : indexed_buffer_targets) {
            if (!has(gl_, target.since)) continue;
            const GLuint count = count_of(gl_, target.count);
            for (GLuint i = 0; i < count; ++i) {
                GLint64 start = 0;
                GLint64 size = 0;
                gl_.GetInteger64i_v(target.start, i, &start);
                gl_.GetInteger64i_v(target.size, i, &size);
                add(element(target.name, i), "buffer", indexed_integer(target.binding, i), "offset", start, "size",
                    size);
            }
        }
    }

    void textures() {
        const GLint active = integer(gl_, GL_ACTIVE_TEXTURE);
        add("GL_ACTIVE_TEXTURE", hexadecimal(active));
        const GLuint count = count_of(gl_, GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS);
        for (GLuint unit = 0; unit < count; ++unit) {
            gl_.ActiveTexture(GL_TEXTURE0 + unit);
            for (const TextureTarget& target : texture_targets)
                if (has(gl_, target.since)) add(element(target.binding_name, unit), integer(gl_, target.binding));
            add(element("GL_SAMPLER_BINDING", unit), integer(gl_, GL_SAMPLER_BINDING));
        }
        gl_.ActiveTexture(static_cast<GLenum>(active));
    }

    void images() {
        if (!has(gl_, image_units)) return;
        const GLuint count = count_of(gl_, GL_MAX_IMAGE_UNITS);
        for (GLuint i = 0; i < count; ++i) {
            GLboolean layered = GL_FALSE;
            gl_.GetBooleani_v(GL_IMAGE_BINDING_LAYERED, i, &layered);
            add(element("GL_IMAGE_BINDING", i), "texture", indexed_integer(GL_IMAGE_BINDING_NAME, i), "level",
                indexed_integer(GL_IMAGE_BINDING_LEVEL, i), "layered", static_cast<int>(layered), "layer",
                indexed_integer(GL_IMAGE_BINDING_LAYER, i), "access", indexed_enumerant(GL_IMAGE_BINDING_ACCESS, i),
                "format", indexed_enumerant(GL_IMAGE_BINDING_FORMAT, i));
        }
    }

    void vertex_array() {
        // A core profile has no vertex array 0 to query.
        const bool bound = is_es(gl_) || integer(gl_, GL_VERTEX_ARRAY_BINDING) != 0;
        const GLuint count = count_of(gl_, GL_MAX_VERTEX_ATTRIBS);
        // In a compatibility profile attribute 0 makes a vertex, and has no current value.
        const bool compatible = is_compatibility(gl_);
        for (GLuint i = 0; i < count; ++i) {
            if (!compatible || i > 0) {
                std::array<GLfloat, 4> current{};
                gl_.GetVertexAttribfv(i, GL_CURRENT_VERTEX_ATTRIB, current.data());
                add(element("current vertex attribute", i), current[0], current[1], current[2], current[3]);
            }
            if (!bound) continue;
            void* pointer = nullptr;
            gl_.GetVertexAttribPointerv(i, GL_VERTEX_ATTRIB_ARRAY_POINTER, &pointer);
            add(element("vertex attribute", i), "enabled", attribute(i, GL_VERTEX_ATTRIB_ARRAY_ENABLED), "size",
                attribute(i, GL_VERTEX_ATTRIB_ARRAY_SIZE), "type",
                hexadecimal(attribute(i, GL_VERTEX_ATTRIB_ARRAY_TYPE)), "normalized",
                attribute(i, GL_VERTEX_ATTRIB_ARRAY_NORMALIZED), "integer",
                attribute(i, GL_VERTEX_ATTRIB_ARRAY_INTEGER), "stride", attribute(i, GL_VERTEX_ATTRIB_ARRAY_STRIDE),
                "divisor", attribute(i, GL_VERTEX_ATTRIB_ARRAY_DIVISOR), "buffer",
                attribute(i, GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING), "pointer", pointer);
        }
        if (!bound || !has(gl_, vertex_bindings)) return;
        const GLuint bindings = count_of(gl_, GL_MAX_VERTEX_ATTRIB_BINDINGS);
        for (GLuint i = 0; i < bindings; ++i) {
            GLint64 offset = 0;
            gl_.GetInteger64i_v(GL_VERTEX_BINDING_OFFSET, i, &offset);
            add(element("vertex binding", i), "buffer", indexed_integer(GL_VERTEX_BINDING_BUFFER, i), "offset", offset,
                "stride", indexed_integer(GL_VERTEX_BINDING_STRIDE, i), "divisor",
                indexed_integer(GL_VERTEX_BINDING_DIVISOR, i));
        }
    }

    void queries() {
        for (const QueryTarget& target : query_targets) {
            if (!has(gl_, target.since)) continue;
            GLint query = 0;
            gl_.GetQueryiv(target.target, GL_CURRENT_QUERY, &query);
            add(std::string("active query ") + target.name, query);
        }
    }

    void sample_masks() {
        if (!has(gl_, {33, 31})) return;
        const GLuint words = count_of(gl_, GL_MAX_SAMPLE_MASK_WORDS);
        for (GLuint i = 0; i < words; ++i)
            add(element("GL_SAMPLE_MASK_VALUE", i), indexed_enumerant(GL_SAMPLE_MASK_VALUE, i));
    }

    GLint indexed_integer(GLenum name, GLuint index) {
        GLint value = 0;
        gl_.GetIntegeri_v(name, index, &value);
        return value;
    }
    std::string indexed_enumerant(GLenum name, GLuint index) { return hexadecimal(indexed_integer(name, index)); }
    GLint attribute(GLuint index, GLenum name) {
        GLint value = 0;
        gl_.GetVertexAttribiv(index, name, &value);
        return value;
    }

    const GladGLContext& gl_;
    StateSnapshot entries_;
};

}  // namespace

StateSnapshot take_snapshot(const GladGLContext& gl) {
    return Recorder(gl).take();
}

std::vector<std::string> diff(const StateSnapshot& before, const StateSnapshot& after) {
    std::vector<std::string> lines;
    // There are thousands of names, nearly always equal names in equal order. After the first different name, the rest
    // is looked up by name.
    std::size_t same = 0;
    for (; same < before.size() && same < after.size(); ++same) {
        const auto& [name, value] = before[same];
        if (name != after[same].first) break;
        if (value != after[same].second) lines.push_back(name + ": " + value + " -> " + after[same].second);
    }
    const auto from = static_cast<std::ptrdiff_t>(same);
    std::map<std::string, std::string> rest(after.begin() + from, after.end());
    for (const auto& [name, value] : std::span(before).subspan(same)) {
        const auto found = rest.find(name);
        if (found == rest.end()) {
            lines.push_back(name + ": " + value + " -> (not there)");
            continue;
        }
        if (found->second != value) lines.push_back(name + ": " + value + " -> " + found->second);
        rest.erase(found);
    }
    for (const auto& [name, value] : std::span(after).subspan(same))
        if (rest.contains(name)) lines.push_back(name + ": (not there) -> " + value);
    return lines;
}

}  // namespace glsort::trial
