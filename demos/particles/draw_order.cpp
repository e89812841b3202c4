#include "draw_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <glm/vec2.hpp>
#include <iterator>
#include <utility>

#include "emitters.h"
#include "read_buffer.h"

namespace glsort::demo {

namespace {

bool has_indirect_draws(const GladGLContext& gl, Api api) {
    return (api == Api::gl ? gl.VERSION_4_0 : gl.ES_VERSION_3_1) != 0;
}

ViewKeys view_keys(const KeyOptions& keys) {
    return {.measure = keys.by == SortKey::depth ? ViewKeys::Measure::depth : ViewKeys::Measure::distance,
            .radius = keys.frustum ? "radius" : "",
            .frustum = keys.frustum};
}

SceneSource source_of(const KeyOptions& keys, std::uint32_t emitter, std::uint32_t capacity) {
    SceneSource source{.name = fmt::format("emitter {}", emitter + 1), .capacity = capacity};
    if (keys.maker == KeyMaker::cpu) {
        source.inputs = {{.name = "made", .components = 2}};
        source.sort_key =
            "bool sort_key(uint element, out float key) {\n"
            "    vec4 made = made_at(element);\n"
            "    key = made.x;\n"
            "    return made.y > 0.5;\n"
            "}\n";
        return source;
    }
    source.inputs = {{.name = "position", .components = 3, .stride = sizeof(Place)}};
    if (keys.frustum)
        source.inputs.push_back(
            {.name = "radius", .components = 1, .stride = sizeof(Place), .offset = offsetof(Place, radius)});
    compute_view_keys(source, view_keys(keys));
    return source;
}

// `indirect`: the sort writes the command of the draw.
SceneSpec scene_spec(const Method& method, bool splats, bool indirect) {
    SceneSpec spec{.direction = Direction::descending,  // The farthest first.
                   .algorithm = method.algorithm,
                   .backend = method.backend};
    for (std::uint32_t emitter = 0; emitter < method.emitters; ++emitter)
        spec.sources.push_back(source_of(method.keys, emitter,
                                         first_of_emitter(emitter + 1, method.emitters, method.count) -
                                             first_of_emitter(emitter, method.emitters, method.count)));
    if (!indirect) return spec;
    if (splats)  // Each splat is an instance of four vertices.
        spec.commands = {{.kind = SceneCommand::Kind::arrays, .per_item = 4, .instanced = true}};
    else
        spec.commands = {{.kind = SceneCommand::Kind::elements}};
    return spec;
}

}  // namespace

DrawOrder::DrawOrder(const GladGLContext& gl, Api api, GetProcAddress get_proc_address, const Elements& elements,
                     const Method& method)
    : gl_(&gl),
      es_(api == Api::gles),
      method_(method),
      marks_(has_indirect_draws(gl, api) ? nullptr : std::make_unique<MarkedOrder>(gl, api, elements.count())),
      command_(gl),
      keys_(gl),
      sorter_(scene_spec(method, elements.are_splats(), is_indirect()), get_proc_address) {
    gl.BindBuffer(GL_COPY_WRITE_BUFFER, command_.name());
    gl.BufferData(GL_COPY_WRITE_BUFFER, command_bytes(SceneCommand::Kind::elements), nullptr, GL_DYNAMIC_COPY);
    gl.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
}

void DrawOrder::upload(const std::vector<CpuKey>& keys) {
    std::vector<glm::vec2> made;
    made.reserve(keys.size());
    for (const CpuKey& key : keys)
        made.emplace_back(key.key, key.inside >= 0.0f ? 1.0f : 0.0f);
    gl_->BindBuffer(GL_COPY_WRITE_BUFFER, keys_.name());
    // Replaces the whole buffer: a driver loses updates of a part (docs/driver-faults.md).
    gl_->BufferData(GL_COPY_WRITE_BUFFER, static_cast<GLsizeiptr>(made.size() * sizeof(glm::vec2)), made.data(),
                    GL_DYNAMIC_COPY);
    gl_->BindBuffer(GL_COPY_WRITE_BUFFER, 0);
}

void DrawOrder::sort(const Elements& elements, const View& view) {
    const bool on_cpu = method_.keys.maker == KeyMaker::cpu;
    SceneArguments arguments{.order = {.name = is_indirect() ? elements.indices() : marks_->order()}};
    const auto values = on_cpu ? std::vector<std::array<float, 4>>() : view_values(view_keys(method_.keys), view);
    const std::vector<SceneSource>& sources = sorter_.spec().sources;
    for (std::size_t i = 0; i < sources.size(); ++i) {
        const std::size_t first = base_of(sources, i);
        const BufferSlice slice = on_cpu ? BufferSlice{keys_.name(), first * sizeof(glm::vec2)}
                                         : BufferSlice{elements.places(), first * sizeof(Place)};
        arguments.sources.push_back({.inputs = std::vector<BufferSlice>(sources[i].inputs.size(), slice),
                                     .count = sources[i].capacity,
                                     .values = values});
    }
    if (is_indirect()) arguments.commands = {{.name = command_.name()}};
    sorter_.sort(arguments, Readers::index | Readers::vertex | Readers::indirect | Readers::transfer);
    if (!is_indirect()) marks_->write(sorter_.status(), elements.indices());
}

void DrawOrder::draw(const Elements& elements) const {
    const auto n = static_cast<GLsizei>(elements.count());
    gl_->BindVertexArray(elements.vertices());
    if (is_indirect()) {
        gl_->BindBuffer(GL_DRAW_INDIRECT_BUFFER, command_.name());
        if (elements.are_splats())
            gl_->DrawArraysIndirect(GL_TRIANGLE_STRIP, nullptr);
        else
            gl_->DrawElementsIndirect(GL_POINTS, GL_UNSIGNED_INT, nullptr);
        gl_->BindBuffer(GL_DRAW_INDIRECT_BUFFER, 0);
    } else if (elements.are_splats()) {
        gl_->DrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, n);
    } else {
        const GLenum restart = es_ ? GL_PRIMITIVE_RESTART_FIXED_INDEX : GL_PRIMITIVE_RESTART;
        gl_->Enable(restart);
        if (!es_) gl_->PrimitiveRestartIndex(MarkedOrder::mark);
        gl_->DrawElements(GL_POINTS, n, GL_UNSIGNED_INT, nullptr);
        gl_->Disable(restart);
    }
    gl_->BindVertexArray(0);
}

DrawOrder::Result DrawOrder::read_back(const Elements& elements) const {
    const BufferSlice status = sorter_.status();
    const std::uint32_t visible = read_buffer<std::uint32_t>(*gl_, status.name, 1, status.offset).front();
    Result result;
    result.order = read_buffer<std::uint32_t>(*gl_, elements.indices(), elements.count());
    if (is_indirect()) {
        const std::size_t word = elements.are_splats() ? 1 : 0;  // Instances, or indices.
        result.drawn = read_buffer<std::uint32_t>(*gl_, command_.name(), 2)[word];
    } else {
        result.drawn = static_cast<std::uint32_t>(std::count_if(
            result.order.begin(), result.order.end(), [](std::uint32_t item) { return item != MarkedOrder::mark; }));
    }
    result.order.resize(std::min(visible, elements.count()));
    return result;
}

}  // namespace glsort::demo
