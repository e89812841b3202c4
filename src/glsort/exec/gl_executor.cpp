#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <glsort/exec/gl_executor.h>
#include <glsort/gl/state_guard.h>
#include <glsort/stream/validate.h>

namespace glsort {
namespace {

std::vector<PortBinding> bind_ports(const StreamProgram& program, const std::vector<Port>& ports,
                                    const std::vector<StreamUse>& uses,
                                    const std::vector<ForeignStream>& foreign, bool compute) {
    std::vector<PortBinding> bindings;
    for (std::size_t i = 0; i < uses.size(); ++i) {
        const Stream& stream = program.streams[uses[i].stream];
        PortBinding binding{.port = ports[i],
                            .medium = stream.medium,
                            .words = stream.words,
                            .elements_per_record = stream.elements_per_record,
                            .layout = stream.layout,
                            .gaps = stream.gaps,
                            .shared_block = {}};
        if (stream.role != StreamRole::scratch) {
            if (stream.medium == Medium::texture) {
                const TextureView& texture = foreign[uses[i].stream].texture;
                binding.layout = {texture.layout, texture.width};
                // The program's own layout is known to the shader; the width of Z-order is nothing.
                binding.foreign = compute || binding.layout.kind != program.layout.kind ||
                                  (binding.layout.kind == Layout::row_wise &&
                                   binding.layout.width != program.layout.width);
                if (!binding.foreign) binding.layout = program.layout;
            } else {
                binding.foreign = compute;
            }
        }
        bindings.push_back(std::move(binding));
    }
    return bindings;
}

gl::Program build(const std::shared_ptr<const gl::Api>& api, const ShaderRequest& request,
                  const ComposedShader& shader) {
    switch (request.stage) {
        case ShaderStage::fragment:
            return gl::Program::graphics(api, corner_vertex_shader(request), shader.source);
        case ShaderStage::vertex:
            return gl::Program::graphics(api, shader.source, empty_fragment_shader(request.es),
                                         shader.varyings);
        case ShaderStage::compute:
            break;
    }
    return gl::Program::compute(api, shader.source);
}

/// Throws `Error` where the caller's comparison does not compile by itself. In the whole shader the
/// compiler may find that only lines later, in a file of the library's. Called where that does not
/// compile.
void check_comparison(const std::shared_ptr<const gl::Api>& api, const ShaderRequest& request) {
    const Kernel& kernel = *request.op->kernel;
    const auto& [name, glsl] = kernel.prelude;
    if (glsl.empty()) return;
    std::string type = "uint";
    for (const auto& [define, words] : kernel.defines)
        if (define == "GLSORT_KEY_WORDS" && words != "1") type = "uvec" + words;
    const std::string declaration = fmt::format("bool comes_before({0} a, {0} b)", type);
    // The comparison last: what it does not end, the end of its text shows.
    gl::ShaderSource source = empty_fragment_shader(request.es);
    source.parts = {
        {fmt::format("the call of comparison {}", name),
         fmt::format(
             "{0}{1};\n{2} glsort_key() {{ return {2}(gl_FragCoord.x); }}\n"
             "out vec4 glsort_result;\n"
             "void main() {{ glsort_result = vec4(comes_before(glsort_key(), glsort_key())); }}\n",
             request.es ? "precision highp float;\nprecision highp int;\n" : "", declaration,
             type)},
        {name, glsl}};
    gl::ShaderSource vertex = empty_fragment_shader(request.es);
    vertex.parts.front() = {"a vertex shader", "void main() { gl_Position = vec4(0.0); }\n"};
    try {
        gl::Program::graphics(api, vertex, source);
    } catch (const Error& error) {
        throw Error(fmt::format("comparison {}: its GLSL does not compile, or defines no {}: {}",
                                name, declaration, error.what()));
    }
}

}  // namespace

void order_updates(const gl::Api& api, const StreamProgram& program, const std::vector<ForeignStream>& foreign) {
    if (!api.updates_overtake_writes) return;
    bool any = false;
    for (StreamId id = 0; id < program.streams.size(); ++id) {
        const GLuint buffer = foreign[id].buffer.name;
        // What another program left of a stream that is no buffer of the caller's in this one does not count.
        const Stream& stream = program.streams[id];
        if (stream.role == StreamRole::scratch || stream.medium != Medium::buffer || buffer == 0) continue;
        api.BindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
        any = true;
    }
    if (any) api.BindBufferBase(GL_UNIFORM_BUFFER, 0, 0);
}

const ProgramCache::Entry& ProgramCache::get(const ShaderRequest& request) {
    const std::string key = shader_key(request);
    const auto found = entries_.find(key);
    if (found != entries_.end()) return found->second;

    const ComposedShader shader = compose_shader(request);
    gl::Program program;
    try {
        program = build(api_, request, shader);
    } catch (const Error&) {
        check_comparison(api_, request);
        throw;
    }
    api_->UseProgram(program.name());
    for (std::size_t unit = 0; unit < shader.samplers.size(); ++unit)
        api_->Uniform1i(program.uniform(shader.samplers[unit].c_str()), static_cast<GLint>(unit));
    const GLint uniforms = program.uniform("glsort_op");
    return entries_.emplace(key, Entry{std::move(program), uniforms}).first->second;
}

ShaderRequest shader_request(const StreamProgram& program, const Op& op, ShaderStage stage, bool es,
                             const std::vector<ForeignStream>& foreign) {
    ShaderRequest request;
    request.op = &op;
    request.stage = stage;
    request.es = es;
    request.layout = program.layout;
    const bool compute = stage == ShaderStage::compute;
    // What an op draws to decides which texels its indexes are.
    if (stage == ShaderStage::fragment) {
        const Stream& target = program.streams[op.writes.front().stream];
        if (target.role == StreamRole::scratch) request.layout = target.layout;
    }
    request.inputs = bind_ports(program, input_ports(op), op.reads, foreign, compute);
    request.outputs = bind_ports(program, output_ports(op), op.writes, foreign, compute);
    for (std::size_t i = 0; compute && i < op.writes.size(); ++i) {
        const auto read = reads_in_place(program, op, op.writes[i].stream);
        if (!read || request.outputs[i].medium != Medium::buffer) continue;
        const std::string name = request.inputs[*read].port.name;
        request.inputs[*read].shared_block = request.outputs[i].shared_block = name;
    }
    return request;
}

void append_uniforms(std::vector<std::uint32_t>& words, const ShaderRequest& request) {
    const Op& op = *request.op;
    const auto add = [&words](std::uint32_t x, std::uint32_t y) {
        words.insert(words.end(), {x, y, 0u, 0u});
    };
    for (std::size_t i = 0; i < op.parameters.size(); ++i) {
        const bool texel = op.kernel->parameters[i].kind == Parameter::Kind::index &&
                           request.stage != ShaderStage::compute;
        const Texel value = texel ? texel_of(request.layout, op.parameters[i])
                                  : Texel{op.parameters[i], 0};
        add(value.x, value.y);
    }
    for (const auto* bindings : {&request.inputs, &request.outputs})
        for (const PortBinding& binding : *bindings)
            if (binding.foreign) add(0, binding.layout.width);
    const OpUniforms uniforms = op_uniforms(request);
    const bool compute = request.stage == ShaderStage::compute;
    if (compute) add(op.domain.size(), static_cast<std::uint32_t>(op.domain.blocks().size()));
    if (uniforms.block_size == 0) return;
    const auto& parameters = op.kernel->block_parameters;
    std::uint32_t first_instance = 0;
    // Of the array's last elements, those of blocks that are not there, nobody reads.
    for (std::size_t b = 0; b < op.domain.blocks().size(); ++b) {
        const std::size_t end = words.size() + 4 * uniforms.block_size;
        const Block& block = op.domain.blocks()[b];
        if (compute) words.insert(words.end(), {block.begin, first_instance});
        first_instance += block.end - block.begin;
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            const std::uint32_t value = op.blocks[b].parameters[i];
            const bool texel = !compute && parameters[i].kind == Parameter::Kind::index;
            const Texel place = texel ? texel_of(request.layout, value) : Texel{value, 0};
            words.push_back(place.x);
            if (!compute) words.push_back(place.y);
        }
        words.resize(end);
    }
}

GLsizei place_uniforms(std::vector<std::uint32_t>& words, std::optional<std::size_t>& first,
                       const ShaderRequest& request) {
    std::vector<std::uint32_t> own;
    append_uniforms(own, request);
    if (!first) {
        first = words.size();
        // One element more for each port that is not foreign yet.
        words.resize(words.size() + own.size() +
                     4 * (request.inputs.size() + request.outputs.size()));
    }
    std::copy(own.begin(), own.end(), words.begin() + static_cast<std::ptrdiff_t>(*first));
    return static_cast<GLsizei>(own.size() / 4);
}

void check_allocation(const gl::Api& api, const std::string& what, std::uint64_t bytes) {
    if (!api.reads_errors) return;
    const std::string errors = gl::take_errors(api);
    if (errors.find("GL_OUT_OF_MEMORY") != std::string::npos)
        throw Error(fmt::format("the device cannot hold {} of {} bytes ({})", what, bytes, errors));
}

std::vector<std::uint32_t> read_buffer(const std::shared_ptr<const gl::Api>& shared_api, const BufferSlice& buffer,
                                       std::size_t words) {
    const gl::Api& api = *shared_api;
    std::vector<std::uint32_t> out(words);
    if (words == 0) return out;
    if (api.at_least(42, 31)) api.MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    api.BindBuffer(GL_COPY_READ_BUFFER, buffer.name);
    const auto bytes = static_cast<GLsizeiptr>(words * 4);
    // A copy is read. The caller may have mapped the buffer, or made a buffer that cannot be mapped. NVIDIA's driver
    // loses updates of a buffer that was mapped or read back before (docs/driver-faults.md).
    const gl::Buffer copy(shared_api);
    api.BindBuffer(GL_COPY_WRITE_BUFFER, copy.name());
    api.BufferData(GL_COPY_WRITE_BUFFER, bytes, nullptr, GL_STREAM_READ);
    api.CopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, static_cast<GLintptr>(buffer.offset), 0, bytes);
    const void* mapped = api.MapBufferRange(GL_COPY_WRITE_BUFFER, 0, bytes, GL_MAP_READ_BIT);
    if (mapped == nullptr)
        throw Error(fmt::format("Sorter::read: buffer {} cannot be read", buffer.name));
    std::memcpy(out.data(), mapped, words * 4);
    api.UnmapBuffer(GL_COPY_WRITE_BUFFER);
    return out;
}

std::vector<std::uint32_t> read_texture(const std::shared_ptr<const gl::Api>& api, GLuint texture,
                                        const Stream& stream, const StreamLayout& layout,
                                        std::uint32_t records) {
    const std::uint32_t words = stream.words;
    const std::uint32_t per_record = stream.elements_per_record;
    std::vector<std::uint32_t> out(std::size_t{records} * per_record * words);
    if (records == 0) return out;
    if (api->at_least(42, 31)) api->MemoryBarrier(GL_FRAMEBUFFER_BARRIER_BIT);
    const Rectangle box = bounding_box(layout, records);
    // Integer attachments are read as four channels: the only format that OpenGL ES promises.
    std::vector<std::uint32_t> texels(std::size_t{4} * box.x1 * box.y1);
    const gl::Framebuffer framebuffer(api);
    api->BindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer.name());
    api->BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    gl::set_state(*api, {.pack = true});
    const std::uint32_t words_apart = words == 3 ? 4 : words;
    for (std::uint32_t layer = 0; layer < stream.layers(); ++layer) {
        if (stream.layers() > 1)
            api->FramebufferTextureLayer(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0,
                                         static_cast<GLint>(layer));
        else
            api->FramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                                      texture, 0);
        api->ReadBuffer(GL_COLOR_ATTACHMENT0);
        api->ReadPixels(0, 0, static_cast<GLsizei>(box.x1), static_cast<GLsizei>(box.y1),
                        GL_RGBA_INTEGER, GL_UNSIGNED_INT, texels.data());
        for (std::uint32_t record = 0; record < records; ++record) {
            const Texel texel = texel_of(layout, record);
            const std::uint32_t* channel =
                texels.data() + 4 * (std::size_t{texel.y} * box.x1 + texel.x);
            for (std::uint32_t i = 0; i < 4; ++i) {
                const std::uint32_t place = layer * 4 + i;
                const std::uint32_t element = place / words_apart;
                const std::uint32_t word = place % words_apart;
                if (element < per_record && word < words)
                    out[(std::size_t{record} * per_record + element) * words + word] = channel[i];
            }
        }
    }
    return out;
}

IntegerFormat integer_format(std::uint32_t words) {
    switch (words) {
        case 1:
            return {GL_R32UI, GL_RED_INTEGER};
        case 2:
            return {GL_RG32UI, GL_RG_INTEGER};
        default:
            return {GL_RGBA32UI, GL_RGBA_INTEGER};
    }
}

gl::Sampler nearest_sampler(const std::shared_ptr<const gl::Api>& api) {
    gl::Sampler sampler(api);
    api->SamplerParameteri(sampler.name(), GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    api->SamplerParameteri(sampler.name(), GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return sampler;
}

DebugGroup::DebugGroup(const gl::Api& api, bool active, std::string_view text)
    : api_(api), active_(active && api.PushDebugGroup != nullptr) {
    if (!active_) return;
    // Behind a push that fails, the pop would end a group of the application's.
    GLint depth = 0;
    GLint most = 0;
    GLint longest = 0;
    api_.GetIntegerv(GL_DEBUG_GROUP_STACK_DEPTH, &depth);
    api_.GetIntegerv(GL_MAX_DEBUG_GROUP_STACK_DEPTH, &most);
    api_.GetIntegerv(GL_MAX_DEBUG_MESSAGE_LENGTH, &longest);
    active_ = depth < most;
    if (active_)
        api_.PushDebugGroup(
            GL_DEBUG_SOURCE_THIRD_PARTY, 0,
            std::min(static_cast<GLsizei>(text.size()), static_cast<GLsizei>(longest) - 1),
            text.data());
}

DebugGroup::~DebugGroup() {
    if (active_) api_.PopDebugGroup();
}

}  // namespace glsort
