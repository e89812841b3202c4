#include <fmt/format.h>

#include <glsort/error.h>
#include <glsort/exec/counted_text.h>
#include <glsort/exec/gl_executor.h>
#include <glsort/gl/capabilities.h>
#include <glsort/gl/state_guard.h>
#include <glsort/stream/validate.h>
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace glsort {
namespace {

std::vector<PortBinding> bind_ports(const StreamProgram& program, const std::vector<Port>& ports,
                                    const std::vector<StreamUse>& uses, const ExternalStreams& external, bool compute,
                                    bool inputs) {
    std::vector<PortBinding> bindings;
    for (std::size_t i = 0; i < uses.size(); ++i) {
        const Stream& stream = program.streams[uses[i].stream];
        PortBinding binding{.port = ports[i],
                            .medium = stream.medium,
                            .words = stream.words,
                            .elements_per_record = stream.elements_per_record,
                            .layout = stream.layout,
                            .padding = stream.padding,
                            .floats = stream.floats,
                            .shared_block = {}};
        if (stream.role != StreamRole::scratch) {
            if (stream.medium == Medium::texture) {
                const TextureView& texture = external[uses[i].stream].texture;
                binding.layout = {texture.layout, texture.width};
                // The shader knows the program's own layout. Z-order has no width.
                binding.external =
                    compute || stream.any_width || binding.layout.kind != program.layout.kind ||
                    (binding.layout.kind == Layout::row_wise && binding.layout.width != program.layout.width);
                if (!binding.external) binding.layout = program.layout;
            } else {
                // Captures begin at the offset of the buffer. Everything else adds the offset in the shader.
                binding.external = compute || inputs;
            }
        }
        bindings.push_back(std::move(binding));
    }
    return bindings;
}

/// For each stream, the numbers of the ops that use the stream.
std::vector<std::vector<std::size_t>> users_of_streams(const StreamProgram& program) {
    std::vector<std::vector<std::size_t>> users(program.streams.size());
    for (std::size_t number = 0; number < program.ops.size(); ++number)
        for (const auto* uses : {&program.ops[number].reads, &program.ops[number].writes})
            for (const StreamUse& use : *uses) {
                std::vector<std::size_t>& numbers = users[use.stream];
                if (numbers.empty() || numbers.back() != number) numbers.push_back(number);
            }
    return users;
}

}  // namespace

GlExecutor::GlExecutor(std::shared_ptr<const gl::Api> api, const ExecutorOptions& options)
    : api_(std::move(api)),
      options_(options),
      programs_(options.programs ? options.programs : std::make_shared<ProgramCache>(api_)),
      sampler_(nearest_sampler(api_)),
      hide_uniforms_(gl::mistakes_uniforms(*api_)),
      index_by_constants_(gl::mistakes_indices(*api_)),
      uploads_overtake_(gl::uploads_overtake(*api_)) {}

void GlExecutor::order_updates() const {
    external_.order_updates(*api_);
    if (uploads_overtake_ && (external_.has_textures() || options_.gpu_count == Medium::texture)) api_->Finish();
}

ShaderRequest GlExecutor::request_of(const StreamProgram& program, const Op& op,
                                     const ExternalStreams& external) const {
    ShaderRequest request = shader_request(program, op, stage_of(program, op), api_->es, external);
    request.hide_uniforms = hide_uniforms_ && is_compute(request.stage);
    request.index_by_constants = index_by_constants_ && !is_compute(request.stage);
    request.gpu_count = options_.gpu_count.has_value();
    request.reads_count = is_compute(request.stage) && reads_count(program, op);
    request.capacity = program.n;
    request.viewport_size = static_cast<std::uint32_t>(api_->viewport_size);
    return request;
}

void GlExecutor::issue(const StreamProgram& program, std::size_t number, const ExternalStreams& external) {
    const Op& op = program.ops[number];
    if (op.kernel->transfer) return;
    const ShaderRequest request = request_of(program, op, external);
    programs_->issue(request);
    count_slots(request);
}

const ProgramCache::Entry& GlExecutor::program_of(const ShaderRequest& request) {
    count_slots(request);
    return programs_->get(request);
}

void GlExecutor::count_slots(const ShaderRequest& request) {
    const auto textures_in = [](const std::vector<PortBinding>& bindings) {
        return static_cast<std::size_t>(std::count_if(bindings.begin(), bindings.end(), [](const PortBinding& binding) {
            return binding.medium == Medium::texture;
        }));
    };
    const std::size_t count = evaluates_count(request) ? 1 : 0;
    if (!is_compute(request.stage)) {
        const auto fours = static_cast<std::size_t>(
            std::count_if(request.inputs.begin(), request.inputs.end(),
                          [&](const PortBinding& input) { return has_fours(request, input); }));
        slots_.textures = std::max(slots_.textures, request.inputs.size() + fours + count);
        return;
    }
    slots_.textures = std::max(slots_.textures, textures_in(request.inputs));
    slots_.images = std::max(slots_.images, textures_in(request.outputs));
    slots_.blocks = std::max(slots_.blocks, storage_blocks(request) + count);
}

void GlExecutor::begin_resolve(const StreamProgram& program, const Schedule& schedule) {
    program_ = &program;
    schedule_ = &schedule;
    external_.follow(program);
    users_ = users_of_streams(program);
    words_.clear();
}

void GlExecutor::exchange_with(GlResolution& other) {
    std::swap(external_, other.external);
    std::swap(users_, other.users);
    std::swap(words_, other.words);
}

void GlExecutor::bind(StreamId id, const BufferSlice& buffer) {
    external_.bind(id, buffer);
    for (const std::size_t number : users_[id])
        rebind(number, id);
}

void GlExecutor::bind(StreamId id, const TextureView& texture) {
    const bool same_shape = external_.bind(id, texture);
    for (const std::size_t number : users_[id]) {
        if (!same_shape) resolve_op(number);
        rebind(number, id);
    }
    if (!same_shape) reshaped();
}

std::string GlExecutor::source(std::size_t number) const {
    const Op& op = program_->ops[number];
    return op.kernel->transfer ? std::string() : compose_shader(request_of(op)).source.text();
}

ShaderStage stage_of(const StreamProgram& program, const Op& op) {
    if (program.backend == Backend::compute) return ShaderStage::compute;
    const bool captured = program.streams[op.writes.front().stream].medium == Medium::buffer;
    return captured ? ShaderStage::vertex : ShaderStage::fragment;
}

// The target of an op determines the texels of the op's indices.
const StreamLayout& shader_layout(const StreamProgram& program, const Op& op, ShaderStage stage) {
    const Stream& target = program.streams[op.writes.front().stream];
    return stage == ShaderStage::fragment && target.role == StreamRole::scratch ? target.layout : program.layout;
}

ShaderRequest shader_request(const StreamProgram& program, const Op& op, ShaderStage stage, bool es,
                             const ExternalStreams& external) {
    ShaderRequest request;
    request.op = &op;
    request.stage = stage;
    request.es = es;
    request.layout = shader_layout(program, op, stage);
    const bool compute = is_compute(stage);
    request.inputs = bind_ports(program, input_ports(op), op.reads, external, compute, true);
    request.outputs = bind_ports(program, output_ports(op), op.writes, external, compute, false);
    for (std::size_t i = 0; compute && i < op.writes.size(); ++i) {
        const auto read = reads_in_place(program, op, op.writes[i].stream);
        if (!read || request.outputs[i].medium != Medium::buffer) continue;
        const std::string name = request.inputs[*read].port.name;
        request.inputs[*read].shared_block = request.outputs[i].shared_block = name;
    }
    return request;
}

Texel parameter_value(const Op& op, std::size_t number, ShaderStage stage, const StreamLayout& layout) {
    const bool texel = op.kernel->parameters[number].kind == Parameter::Kind::index && !is_compute(stage);
    return texel ? texel_of(layout, op.parameters[number]) : Texel{op.parameters[number], 0};
}

void append_uniforms(std::vector<std::uint32_t>& words, const ShaderRequest& request) {
    const Op& op = *request.op;
    const std::size_t begin = words.size();
    const auto add = [&words](std::uint32_t x, std::uint32_t y) { words.insert(words.end(), {x, y, 0u, 0u}); };
    const auto add_rows = [&add](const StreamLayout& layout) {
        add(static_cast<std::uint32_t>(std::countr_zero(layout.width)), layout.width - 1);
    };
    for (std::size_t i = 0; i < op.parameters.size(); ++i) {
        const Texel value = parameter_value(op, i, request.stage, request.layout);
        add(value.x, value.y);
    }
    if (has_rows(request)) add_rows(request.layout);
    for (const auto* bindings : {&request.inputs, &request.outputs})
        for (const PortBinding& binding : *bindings) {
            if (binding.external)
                add(0, binding.layout.width);
            else if (has_element(request, binding))
                add_rows(binding.layout);
        }
    const OpUniforms uniforms = op_uniforms(request);
    const bool compute = is_compute(request.stage);
    if (compute) add(op.domain.size(), static_cast<std::uint32_t>(op.domain.blocks().size()));
    if (uniforms.block_size == 0) return append_rules(words, request);
    const auto& parameters = op.kernel->block_parameters;
    std::uint32_t first_instance = 0;
    // No shader reads the last elements of the array, which belong to blocks that do not exist.
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
    if (!evaluates_count(request)) return;
    words.resize(begin + 4 * uniforms.rules);
    append_rules(words, request);
}

GLsizei place_uniforms(std::vector<std::uint32_t>& words, std::optional<std::size_t>& first,
                       const ShaderRequest& request) {
    std::vector<std::uint32_t> own;
    append_uniforms(own, request);
    if (!first) {
        first = words.size();
        // One more element for each port that may become external.
        words.resize(words.size() + own.size() + 4 * (request.inputs.size() + request.outputs.size()));
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
    // Reads a copy. The caller may have mapped the buffer, or made it unmappable. NVIDIA's driver loses updates of a
    // buffer that was mapped or read back before (docs/driver-faults.md).
    const gl::Buffer copy(shared_api);
    api.BindBuffer(GL_COPY_WRITE_BUFFER, copy.name());
    api.BufferData(GL_COPY_WRITE_BUFFER, bytes, nullptr, GL_STREAM_READ);
    api.CopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, static_cast<GLintptr>(buffer.offset), 0, bytes);
    const void* mapped = api.MapBufferRange(GL_COPY_WRITE_BUFFER, 0, bytes, GL_MAP_READ_BIT);
    if (mapped == nullptr) throw Error(fmt::format("buffer {} cannot be read", buffer.name));
    std::memcpy(out.data(), mapped, words * 4);
    api.UnmapBuffer(GL_COPY_WRITE_BUFFER);
    return out;
}

std::vector<std::uint32_t> read_texture(const std::shared_ptr<const gl::Api>& api, GLuint texture, const Stream& stream,
                                        const StreamLayout& layout, std::uint32_t records) {
    const std::uint32_t words = stream.words;
    const std::uint32_t per_record = stream.elements_per_record;
    std::vector<std::uint32_t> out(std::size_t{records} * per_record * words);
    if (records == 0) return out;
    if (api->at_least(42, 31)) api->MemoryBarrier(GL_FRAMEBUFFER_BARRIER_BIT);
    const Rectangle box = bounding_box(layout, records);
    // Integer attachments are read as four channels, the only format that OpenGL ES guarantees.
    std::vector<std::uint32_t> texels(std::size_t{4} * box.x1 * box.y1);
    const gl::Framebuffer framebuffer(api);
    bind_to_read(*api, framebuffer.name());
    api->BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    gl::set_state(*api, {.draw_buffers = true, .pack = true});
    const std::uint32_t words_apart = words == 3 ? 4 : words;
    for (std::uint32_t layer = 0; layer < stream.layers(); ++layer) {
        if (stream.layers() > 1)
            api->FramebufferTextureLayer(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0,
                                         static_cast<GLint>(layer));
        else
            api->FramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
        api->ReadBuffer(GL_COLOR_ATTACHMENT0);
        api->ReadPixels(0, 0, static_cast<GLsizei>(box.x1), static_cast<GLsizei>(box.y1), GL_RGBA_INTEGER,
                        GL_UNSIGNED_INT, texels.data());
        for (std::uint32_t record = 0; record < records; ++record) {
            const Texel texel = texel_of(layout, record);
            const std::uint32_t* channel = texels.data() + 4 * (std::size_t{texel.y} * box.x1 + texel.x);
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

void bind_to_read(const gl::Api& api, GLuint framebuffer) {
    api.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
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

void allocate_texels(const gl::Api& api, GLuint texture, std::uint32_t words, std::uint32_t width, std::uint32_t height,
                     std::uint32_t layers) {
    const GLenum target = layers > 1 ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D;
    api.ActiveTexture(GL_TEXTURE0);
    api.BindTexture(target, texture);
    api.TexParameteri(target, GL_TEXTURE_MAX_LEVEL, 0);
    api.TexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    api.TexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    // With a bound unpack buffer, a null pointer would be an offset into the buffer.
    api.BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    const IntegerFormat format = integer_format(words);
    const auto internal = static_cast<GLint>(format.internal);
    const auto columns = static_cast<GLsizei>(width);
    const auto rows = static_cast<GLsizei>(height);
    if (layers > 1)
        api.TexImage3D(target, 0, internal, columns, rows, static_cast<GLsizei>(layers), 0, format.format,
                       GL_UNSIGNED_INT, nullptr);
    else
        api.TexImage2D(target, 0, internal, columns, rows, 0, format.format, GL_UNSIGNED_INT, nullptr);
}

void allocate_buffer(const gl::Api& api, const gl::Buffer& buffer, const std::string& what, std::uint64_t bytes,
                     const void* data) {
    api.BindBuffer(GL_COPY_WRITE_BUFFER, buffer.name());
    api.BufferData(GL_COPY_WRITE_BUFFER, static_cast<GLsizeiptr>(bytes), data, GL_DYNAMIC_COPY);
    check_allocation(api, what, bytes);
}

gl::Sampler nearest_sampler(const std::shared_ptr<const gl::Api>& api) {
    gl::Sampler sampler(api);
    api->SamplerParameteri(sampler.name(), GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    api->SamplerParameteri(sampler.name(), GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return sampler;
}

OpAnnounced::OpAnnounced(const gl::Api& api, const ExecutorOptions& options, const std::string& label)
    : api_(api),
      options_(options),
      group_(options.debug_groups && api.PushDebugGroup != nullptr && api.PopDebugGroup != nullptr) {
    if (group_) {
        // If a push failed, the pop would end a group of the application. The push therefore happens only if there is
        // room.
        GLint depth = 0;
        GLint limit = 0;
        GLint longest = 0;
        api_.GetIntegerv(GL_DEBUG_GROUP_STACK_DEPTH, &depth);
        api_.GetIntegerv(GL_MAX_DEBUG_GROUP_STACK_DEPTH, &limit);
        api_.GetIntegerv(GL_MAX_DEBUG_MESSAGE_LENGTH, &longest);
        group_ = depth < limit;
        if (group_)
            api_.PushDebugGroup(GL_DEBUG_SOURCE_THIRD_PARTY, 0,
                                std::min(static_cast<GLsizei>(label.size()), static_cast<GLsizei>(longest) - 1),
                                label.data());
    }
    if (options_.hook.begin) options_.hook.begin(label);
}

OpAnnounced::~OpAnnounced() {
    if (options_.hook.end) options_.hook.end();
    if (group_) api_.PopDebugGroup();
}

}  // namespace glsort
