#include <fmt/format.h>

#include <glsort/base/browser.h>
#include <glsort/error.h>
#include <glsort/exec/counted_text.h>
#include <glsort/exec/fragment_executor.h>
#include <glsort/exec/pieces.h>
#include <glsort/gl/capabilities.h>
#include <glsort/stream/validate.h>
#include <algorithm>
#include <numeric>
#include <utility>

namespace glsort {
namespace {

/// Sets the scissor box, or another box, to a rectangle.
template <class Set>
void set_box(const gl::Api& api, const Set& set, const Rectangle& box) {
    set(api, static_cast<GLint>(box.x0), static_cast<GLint>(box.y0), static_cast<GLsizei>(box.x1 - box.x0),
        static_cast<GLsizei>(box.y1 - box.y0));
}

void set_viewport(const gl::Api& api, const Viewport& viewport) {
    if (!viewport.mirrored) return set_box(api, gl::set_viewport, viewport.texels);
    const auto x = static_cast<GLint>(viewport.texels.x1);
    const auto y = static_cast<GLint>(viewport.texels.y1);
    gl::set_viewport(api, -x, -y, 2 * x, 2 * y);
}

bool has_memory_barrier(const gl::Api& api) {
    return api.at_least(42, 31);
}

/// Texels that hold the elements of a buffer.
std::uint64_t texels_of(const Stream& stream) {
    return stream.elements_per_record * std::uint64_t{stream.records};
}

}  // namespace

FragmentExecutor::Corners::Corners(const std::shared_ptr<const gl::Api>& api) : vertex_array(api), buffer(api) {
    api->BindVertexArray(vertex_array.name());
    api->BindBuffer(GL_ARRAY_BUFFER, buffer.name());
    api->EnableVertexAttribArray(0);
    api->VertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, nullptr);
    gl::set_label(*api, GL_VERTEX_ARRAY, vertex_array.name(), "corners");
    gl::set_label(*api, GL_BUFFER, buffer.name(), "corners");
}

FragmentExecutor::FragmentExecutor(std::shared_ptr<const gl::Api> api, const ExecutorOptions& options)
    : GlExecutor(std::move(api), options),
      hides_feedback_(gl::hides_feedback(*api_)),
      packs_aligned_slowly_(gl::packs_aligned_slowly(*api_)),
      captures_overtake_(gl::captures_overtake(*api_)),
      captures_(api_),
      places_(options.shared_scratch ? &options.shared_scratch->textures : nullptr),
      corners_(api_) {
    if (!options_.gpu_count) return;
    captures_.bind_feedback();
    gpu_count_ = std::make_unique<CountTexture>(api_, programs_);
}

gl::StateScope FragmentExecutor::scope() const {
    gl::StateScope scope = widest_scope;
    scope.texture_units = std::max<std::size_t>(slots_.textures, 1);
    scope.texture_buffers = !buffer_textures_.empty();
    scope.uniform = api_->updates_overtake_writes;
    scope.scissor = options_.max_elements_per_draw != 0;
    return scope;
}

void FragmentExecutor::issue(const StreamProgram& program, std::size_t number, const ExternalStreams& external) {
    captures_.bind_feedback();
    GlExecutor::issue(program, number, external);
}

/// Gives a storage its memory. Returns false if the memory was there.
bool FragmentExecutor::allocate(const StreamProgram& program, const Schedule& schedule, std::size_t storage) {
    const Stream stream = largest_stream(program, schedule.storages[storage].stream);
    if (stream.role != StreamRole::scratch || stream.records == 0) return false;
    const Rectangle box = bounding_box(stream.layout, stream.records);
    TexturePlace& place = places_[storage];
    if (place.width >= box.x1 && place.height >= box.y1 && place.texel_words == stream.texel_words() &&
        place.layers == stream.layers())
        return false;

    // The old texture stays until the new one has its memory: other sorters may share the place.
    TexturePlace larger{.texture = gl::Texture(place_owner()),
                        .width = std::max(place.width, box.x1),
                        .height = std::max(place.height, box.y1),
                        .texel_words = stream.texel_words(),
                        .layers = stream.layers()};
    allocate_texels(*api_, larger.texture.name(), larger.texel_words, larger.width, larger.height, larger.layers);
    gl::set_label(*api_, GL_TEXTURE, larger.texture.name(), stream.name);
    check_allocation(*api_, "the texture of stream " + stream.name, stream.texture_bytes());
    place = std::move(larger);
    places_.note_replacement();
    return true;
}

bool FragmentExecutor::allocate_next(const StreamProgram& program, const Schedule& schedule) {
    return places_.allocate_next(program, schedule,
                                 [&](std::size_t storage) { return allocate(program, schedule, storage); });
}

void FragmentExecutor::resolve(const StreamProgram& program, const Schedule& schedule) {
    begin_resolve(program, schedule);
    places_.follow(program, schedule);
    for (std::size_t storage = 0; storage < schedule.storages.size(); ++storage)
        allocate(program, schedule, storage);
    // Framebuffers may hold a texture that was replaced.
    if (framebuffers_of_ != places_.generation()) framebuffers_.clear();
    framebuffers_of_ = places_.generation();

    corners_.table.clear();
    resolved_.assign(program.ops.size(), {});
    for (std::size_t number = 0; number < program.ops.size(); ++number)
        resolve_op(number);
    bound_.resize(std::max<std::size_t>(slots_.textures, 1));
    allocate_corners();
    upload_corners();
    places_.note_resolved();
    if (gpu_count_) gpu_count_->set_capacity(program.n);
}

void FragmentExecutor::exchange(std::unique_ptr<Resolution>& other) {
    if (other == nullptr) other = std::make_unique<Aside>(api_);
    auto& aside = static_cast<Aside&>(*other);
    exchange_with(aside);
    places_.exchange(aside.places);
    std::swap(resolved_, aside.resolved);
    std::swap(corners_, aside.corners);
}

/// Textures and corners have room for all counts of the program, and the kernels of `resolve` serve all counts. Another
/// count changes only integers and corners.
void FragmentExecutor::recount(const StreamProgram& program, const Schedule&) {
    corners_.table.set_count(program.n);
    for (std::size_t number = 0; number < program.ops.size(); ++number) {
        const Op& op = program.ops[number];
        const Resolved& resolved = resolved_[number];
        if (resolved.kind != Resolved::Kind::draw && resolved.kind != Resolved::Kind::feedback) continue;
        for (std::size_t i = 0; i < op.parameters.size(); ++i)
            if (!op.parameters[i].is_constant()) set_parameter(program, number, i);
        choose_primitives(number);
    }
    upload_corners();
}

/// Transfers read the domain from the program.
void FragmentExecutor::set_domain(const StreamProgram&, std::size_t op) {
    if (resolved_[op].kind == Resolved::Kind::feedback) choose_points(op);
}

void FragmentExecutor::set_parameter(const StreamProgram& program, std::size_t number, std::size_t parameter) {
    const Op& op = program.ops[number];
    const Resolved& resolved = resolved_[number];
    const ShaderStage stage = resolved.kind == Resolved::Kind::draw ? ShaderStage::fragment : ShaderStage::vertex;
    const Texel value = parameter_value(op, parameter, stage, shader_layout(program, op, stage));
    std::uint32_t* const words = words_.data() + *resolved.first_word + 4 * parameter;
    words[0] = value.x;
    words[1] = value.y;
}

/// A program for fewer elements needs no more room, so nothing is allocated after the largest program.
void FragmentExecutor::allocate_corners() {
    const std::size_t room = corners_.table.room();
    if (corners_.room >= room) return;
    const std::uint64_t bytes = room * sizeof(float);
    corner_bytes_ += bytes - corners_.room * sizeof(float);
    corners_.room = room;
    api_->BindBuffer(GL_ARRAY_BUFFER, corners_.buffer.name());
    api_->BufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(bytes), nullptr, GL_DYNAMIC_DRAW);
    check_allocation(*api_, "the buffer of corners", bytes);
}

void FragmentExecutor::resolve_op(std::size_t number) {
    const Op& op = program_->ops[number];
    Resolved& resolved = resolved_[number];
    if (OpAnnounced::is_used(options_)) resolved.label = describe(op);
    resolved.most_instances = most_instances(*program_, op, options_.max_elements_per_draw);
    if (op.kernel->transfer)
        resolve_transfer(number);
    else if (program_->streams[op.writes.front().stream].medium == Medium::buffer)
        resolve_feedback(number);
    else
        resolve_draw(number);
}

void FragmentExecutor::resolve_transfer(std::size_t number) {
    Resolved& resolved = resolved_[number];
    const ScheduledOp& op = schedule_->ops[number];
    if (program_->streams[program_->ops[number].writes.front().stream].medium == Medium::buffer) {
        resolved.kind = Resolved::Kind::download;
        const StreamId source = program_->ops[number].reads.front().stream;
        const bool scratch = program_->streams[source].role == StreamRole::scratch;
        resolved.framebuffer = scratch ? framebuffer_of(op.reads) : external_framebuffer(source);
    } else {
        resolved.kind = Resolved::Kind::upload;
        resolved.units.resize(1);
        resolved.units[0].texture = places_[op.writes.front()].texture.name();
    }
}

void FragmentExecutor::resolve_reads(std::size_t number, const ShaderRequest& request, Resolved& resolved) {
    const ProgramCache::Entry& entry = program_of(request);
    resolved.program = entry.program.name();
    resolved.uniforms = entry.uniforms;
    resolved.uniform_count = place_uniforms(words_, resolved.first_word, request);

    const ScheduledOp& scheduled = schedule_->ops[number];
    resolved.units.resize(scheduled.reads.size());
    for (std::size_t i = 0; i < scheduled.reads.size(); ++i) {
        const Stream& stream = stream_of(scheduled.reads[i]);
        const bool scratch = stream.role == StreamRole::scratch;
        if (!in_browser && stream.medium == Medium::buffer) {
            const StreamId id = program_->ops[number].reads[i].stream;
            resolved.units[i] = {GL_TEXTURE_BUFFER, buffer_texture(id, stream.words)};
            continue;
        }
        resolved.units[i] = {static_cast<GLenum>(stream.layers() > 1 ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D),
                             scratch ? places_[scheduled.reads[i]].texture.name()
                                     : external_[schedule_->storages[scheduled.reads[i]].stream].texture.name};
    }
    for (std::size_t i = 0; i < request.inputs.size() && !in_browser; ++i)
        if (has_fours(request, request.inputs[i]))
            resolved.units.push_back({GL_TEXTURE_BUFFER, buffer_texture(program_->ops[number].reads[i].stream, 4)});
    if (gpu_count_) resolved.units.push_back({GL_TEXTURE_2D, gpu_count_->texture()});
    if (!in_browser) find_buffer_reads(request, resolved);
}

/// Finds the integers by which shaders know where in its buffer a stream begins. An op that is resolved anew, since a
/// texture of another shape was bound, keeps the buffers that were bound before.
void FragmentExecutor::find_buffer_reads(const ShaderRequest& request, Resolved& resolved) {
    resolved.buffers.clear();
    std::size_t word = *resolved.first_word + 4 * op_uniforms(request).ports;
    for (std::size_t i = 0; i < request.inputs.size(); ++i) {
        if (!has_element(request, request.inputs[i])) continue;
        if (request.inputs[i].medium == Medium::buffer) {
            const StreamId id = request.op->reads[i].stream;
            resolved.buffers.push_back({id, word});
            words_[word] = static_cast<std::uint32_t>(base_of(id));
        }
        word += 4;
    }
}

/// For a buffer of the caller's, which is attached while ops run. A texel has `words` words.
GLuint FragmentExecutor::buffer_texture(StreamId id, std::uint32_t words) {
    gl::Texture& texture = buffer_textures_[{id, words}];
    if (texture.name() != 0) return texture.name();
    texture = gl::Texture(api_);
    api_->ActiveTexture(GL_TEXTURE0);
    api_->BindTexture(GL_TEXTURE_BUFFER, texture.name());
    api_->GetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &most_texels_);
    if (api_->TexBufferRange != nullptr) {
        GLint alignment = 1;
        api_->GetIntegerv(GL_TEXTURE_BUFFER_OFFSET_ALIGNMENT, &alignment);
        // Shaders that read four words at once need a begin at a multiple of 16 bytes.
        range_alignment_ = std::lcm(std::uint64_t{16}, static_cast<std::uint64_t>(std::max(alignment, 1)));
    }
    gl::set_label(*api_, GL_TEXTURE, texture.name(), program_->streams[id].name);
    return texture.name();
}

void FragmentExecutor::resolve_draw(std::size_t number) {
    const Op& op = program_->ops[number];
    const ScheduledOp& scheduled = schedule_->ops[number];
    Resolved& resolved = resolved_[number];
    resolved.kind = Resolved::Kind::draw;
    const ShaderRequest request = request_of(op);
    resolve_reads(number, request, resolved);

    resolved.in_place = std::any_of(op.writes.begin(), op.writes.end(), [&](const StreamUse& use) {
        return reads_in_place(*program_, op, use.stream).has_value();
    });

    const StreamId target = op.writes.front().stream;
    if (program_->streams[target].role == StreamRole::scratch) {
        resolved.framebuffer = framebuffer_of(scheduled.writes);
        if (!gpu_count_) resolved.cover = corners_.table.cover(*program_, op);
    } else {
        resolved.framebuffer = external_framebuffer(target);
    }

    choose_primitives(number);
}

/// One point for each instance.
void FragmentExecutor::choose_points(std::size_t number) {
    const Substream& domain = program_->ops[number].domain;
    const Block block = domain.empty() ? Block{} : domain.blocks().front();
    resolved_[number].first_point = static_cast<GLint>(block.begin);
    resolved_[number].points = static_cast<GLsizei>(block.end - block.begin);
}

/// Chooses the triangles or the points of an op.
void FragmentExecutor::choose_primitives(std::size_t number) {
    const Op& op = program_->ops[number];
    Resolved& resolved = resolved_[number];
    if (resolved.kind == Resolved::Kind::feedback) return choose_points(number);
    if (gpu_count_) {
        resolved.triangles = counted_triangles(request_of(op));
        return;
    }
    const StreamId target = op.writes.front().stream;
    if (program_->streams[target].role == StreamRole::scratch) {
        resolved.triangles = corners_.table.triangles(resolved.cover);
        return;
    }
    const TextureView& texture = external_[target].texture;
    resolved.triangles = corners_.table.cover_anew(resolved.corners, *program_, op, {texture.layout, texture.width});
}

void FragmentExecutor::resolve_feedback(std::size_t number) {
    const Op& op = program_->ops[number];
    Resolved& resolved = resolved_[number];
    resolved.kind = Resolved::Kind::feedback;
    resolved.most_instances = std::min(resolved.most_instances, captures_.most_points());
    captures_.bind_feedback();
    resolve_reads(number, request_of(op), resolved);
    choose_points(number);
}

/// For a texture of the caller's, which is attached while ops run.
GLuint FragmentExecutor::external_framebuffer(StreamId id) {
    gl::Framebuffer& framebuffer = external_framebuffers_[id];
    if (framebuffer.name() == 0) framebuffer = gl::Framebuffer(api_);
    return framebuffer.name();
}

GLuint FragmentExecutor::framebuffer_of(const std::vector<std::size_t>& storages) {
    std::vector<GLuint> textures;
    textures.reserve(storages.size());
    for (std::size_t storage : storages)
        textures.push_back(places_[storage].texture.name());
    gl::Framebuffer& known = framebuffers_[textures];
    if (known.name() != 0) return known.name();

    gl::Framebuffer framebuffer(api_);
    api_->BindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer.name());
    std::vector<GLenum> buffers;
    for (std::size_t storage : storages) {
        const TexturePlace& place = places_[storage];
        for (std::uint32_t layer = 0; layer < place.layers; ++layer) {
            const GLenum attachment = GL_COLOR_ATTACHMENT0 + static_cast<GLenum>(buffers.size());
            if (place.layers > 1)
                api_->FramebufferTextureLayer(GL_DRAW_FRAMEBUFFER, attachment, place.texture.name(), 0,
                                              static_cast<GLint>(layer));
            else
                api_->FramebufferTexture2D(GL_DRAW_FRAMEBUFFER, attachment, GL_TEXTURE_2D, place.texture.name(), 0);
            buffers.push_back(attachment);
        }
    }
    api_->DrawBuffers(static_cast<GLsizei>(buffers.size()), buffers.data());
    if (api_->CheckFramebufferStatus(GL_DRAW_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        throw Error(fmt::format("the device makes no framebuffer of {} integer attachments", buffers.size()));
    known = std::move(framebuffer);
    return known.name();
}

void FragmentExecutor::upload_corners() {
    const CornerTable::Range changed = corners_.table.take_changes();
    if (changed.begin == changed.end) return;
    api_->BindBuffer(GL_ARRAY_BUFFER, corners_.buffer.name());
    const auto bytes = [](std::size_t floats) { return static_cast<GLsizeiptr>(floats * sizeof(float)); };
    // Draws of an earlier sort may still need their corners.
    gl::update_buffer(*api_, GL_ARRAY_BUFFER, corners_.buffer.name(), bytes(changed.begin),
                      bytes(changed.end - changed.begin), corners_.table.floats().data() + changed.begin);
}

/// The scissor box has no pixels, so a draw writes nothing. A feedback op writes one vertex to a stand-in.
void FragmentExecutor::warm_up(std::size_t number, StandIns& stand_ins) {
    const Resolved& resolved = resolved_[number];
    if (resolved.kind != Resolved::Kind::draw && resolved.kind != Resolved::Kind::feedback) return;
    if (!programs_->note_use(resolved.program)) return;
    const Op& op = program_->ops[number];
    std::vector<GLuint> textures;
    for (std::size_t unit = 0; unit < resolved.units.size(); ++unit) {
        const GLuint own = resolved.units[unit].texture;
        textures.push_back(own != 0 ? own : stand_ins.texture(program_->streams[op.reads[unit].stream]));
    }
    const Stream& target = program_->streams[op.writes.front().stream];
    const bool callers = target.role != StreamRole::scratch;
    const GLuint output = callers && target.medium == Medium::texture ? stand_ins.target(target) : 0;

    gl::set_state(*api_, {.draw = true, .draw_buffers = true});
    api_->BindVertexArray(corners_.vertex_array.name());
    api_->UseProgram(resolved.program);
    if (resolved.uniform_count > 0)
        api_->Uniform4uiv(resolved.uniforms, resolved.uniform_count, words_.data() + *resolved.first_word);
    for (std::size_t unit = 0; unit < textures.size(); ++unit) {
        api_->ActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
        api_->BindTexture(resolved.units[unit].target, textures[unit]);
        api_->BindSampler(static_cast<GLuint>(unit), sampler_.name());
    }
    if (resolved.kind == Resolved::Kind::feedback) return feed_back_one(op, stand_ins);
    api_->BindFramebuffer(GL_DRAW_FRAMEBUFFER, resolved.framebuffer);
    const auto attach_output = [&](GLuint texture) {
        api_->FramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    };
    if (output != 0) attach_output(output);
    if (resolved.in_place) api_->texture_barrier()();
    gl::enable_scissor(*api_, true);
    gl::set_scissor(*api_, 0, 0, 0, 0);
    api_->DrawArrays(GL_TRIANGLES, static_cast<GLint>(resolved.triangles.first),
                     static_cast<GLsizei>(resolved.triangles.corners));
    gl::enable_scissor(*api_, false);
    if (output != 0) attach_output(captures_.blank_texture());
}

void FragmentExecutor::feed_back_one(const Op& op, const StandIns& stand_ins) {
    constexpr GLsizeiptr room = 256;  // More than a vertex takes.
    captures_.begin();
    for (std::size_t i = 0; i < op.writes.size(); ++i)
        api_->BindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, static_cast<GLuint>(i), stand_ins.buffer(),
                              static_cast<GLintptr>(i) * room, room);
    captures_.points(0, 1);
    captures_.end(op.writes.size());
}

void FragmentExecutor::see_writes() {
    if (has_memory_barrier(*api_))
        api_->MemoryBarrier(GL_PIXEL_BUFFER_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT |
                            GL_FRAMEBUFFER_BARRIER_BIT | GL_TRANSFORM_FEEDBACK_BARRIER_BIT);
}

void FragmentExecutor::rebind(std::size_t number, StreamId id) {
    const Op& op = program_->ops[number];
    // Transfers and transform feedback look up the caller's buffer when they run.
    if (op.kernel->transfer) return;
    const Stream& stream = program_->streams[id];
    if (!in_browser && stream.medium == Medium::buffer) {
        for (const BufferRead& read : resolved_[number].buffers) {
            if (read.stream != id) continue;
            check_reach(id);
            words_[read.base_word] = static_cast<std::uint32_t>(base_of(id));
        }
        return;
    }
    for (std::size_t i = 0; i < op.reads.size(); ++i)
        if (op.reads[i].stream == id) resolved_[number].units[i].texture = external_[id].texture.name;
}

/// The byte of a caller's buffer at which its texture begins. 0 if a texture from byte 0 on has all elements, or
/// without glTexBufferRange. Otherwise the last possible begin before the elements.
std::uint64_t FragmentExecutor::begin_of(StreamId id) const {
    const Stream& stream = program_->streams[id];
    const std::uint64_t offset = external_[id].buffer.offset;
    const std::uint64_t end = offset / (std::uint64_t{4} * stream.words) + texels_of(stream);
    if (range_alignment_ == 0 || end <= static_cast<std::uint64_t>(most_texels_)) return 0;
    return offset / range_alignment_ * range_alignment_;
}

/// The texel of the first element, in a buffer that is read as a texture.
std::uint64_t FragmentExecutor::base_of(StreamId id) const {
    return (external_[id].buffer.offset - begin_of(id)) / (std::uint64_t{4} * program_->streams[id].words);
}

/// Throws `Error` if the buffer's texture ends before the last element. With glTexBufferRange, the texture always has
/// all elements.
void FragmentExecutor::check_reach(StreamId id) const {
    const Stream& stream = program_->streams[id];
    const auto most = static_cast<std::uint64_t>(most_texels_);
    if (base_of(id) + texels_of(stream) > most)
        throw Error(fmt::format(
            "{}: offset {} is too large: without glTexBufferRange (OpenGL 4.3), the sort reads the first {} "
            "elements of a buffer ({} bytes each, texture_buffer)",
            stream.name, external_[id].buffer.offset, most, 4 * stream.words));
}

/// Whether the current program has a stream `id` that is the caller's and lies in this medium.
bool FragmentExecutor::is_callers(StreamId id, Medium medium) const {
    return id < program_->streams.size() && program_->streams[id].role != StreamRole::scratch &&
           program_->streams[id].medium == medium;
}

/// Attaches the caller's buffers to the textures by which shaders read them, or detaches all buffers. While a buffer is
/// attached, OpenGL keeps its memory even after its deletion.
void FragmentExecutor::attach_buffers(bool callers) {
    if (in_browser || buffer_textures_.empty()) return;
    api_->ActiveTexture(GL_TEXTURE0);
    for (const auto& [key, texture] : buffer_textures_) {
        const auto [id, words] = key;
        const bool known = callers && is_callers(id, Medium::buffer);
        api_->BindTexture(GL_TEXTURE_BUFFER, texture.name());
        const GLenum format = integer_format(words).internal;
        const std::uint64_t begin = known ? begin_of(id) : 0;
        if (begin == 0)
            api_->TexBuffer(GL_TEXTURE_BUFFER, format, known ? external_[id].buffer.name : 0);
        else
            attach_from(begin, external_[id].buffer.name, format);
    }
}

/// Attaches a buffer from byte `begin` on to the bound buffer texture.
void FragmentExecutor::attach_from(std::uint64_t begin, GLuint buffer, GLenum format) {
    GLint64 bytes = 0;
    api_->BindBuffer(GL_PIXEL_PACK_BUFFER, buffer);
    api_->GetBufferParameteri64v(GL_PIXEL_PACK_BUFFER, GL_BUFFER_SIZE, &bytes);
    api_->BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    const auto offset = static_cast<GLintptr>(begin);
    api_->TexBufferRange(GL_TEXTURE_BUFFER, format, buffer, offset, static_cast<GLsizeiptr>(bytes) - offset);
}

/// Attaches the caller's textures, or the blank texture, to their framebuffers. A framebuffer stays complete even if it
/// remains bound.
void FragmentExecutor::attach(bool callers) {
    for (const auto& [id, framebuffer] : external_framebuffers_) {
        const bool known = callers && is_callers(id, Medium::texture);
        const GLuint texture = known ? external_[id].texture.name : captures_.blank_texture();
        api_->BindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer.name());
        api_->FramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    }
}

void FragmentExecutor::start() {
    attach(true);
    attach_buffers(true);
}

void FragmentExecutor::release() {
    attach(false);
    attach_buffers(false);
}

void FragmentExecutor::run(std::size_t first, std::size_t last) {
    if (first == last) return;
    gl::set_state(*api_, {.draw = true, .draw_buffers = true});
    api_->BindVertexArray(corners_.vertex_array.name());
    for (std::size_t unit = 0; unit < bound_.size(); ++unit)
        api_->BindSampler(static_cast<GLuint>(unit), sampler_.name());

    const PFNGLTEXTUREBARRIERPROC texture_barrier = api_->texture_barrier();
    // Avoids redundant bindings.
    GLuint program = 0;
    GLuint framebuffer = 0;
    std::fill(bound_.begin(), bound_.end(), 0);
    Viewport viewport;
    for (std::size_t number = first; number < last; ++number) {
        const Resolved& op = resolved_[number];
        const OpAnnounced announced(*api_, options_, op.label);
        if (op.kind == Resolved::Kind::upload) {
            run_upload(number);
            bound_[0] = 0;
            continue;
        }
        if (op.kind == Resolved::Kind::download) {
            run_download(number);
            framebuffer = 0;
            continue;
        }
        if (op.program != program) api_->UseProgram(op.program);
        program = op.program;
        if (op.uniform_count > 0) api_->Uniform4uiv(op.uniforms, op.uniform_count, words_.data() + *op.first_word);
        for (std::size_t unit = 0; unit < op.units.size(); ++unit) {
            if (op.units[unit].texture == bound_[unit]) continue;
            bound_[unit] = op.units[unit].texture;
            api_->ActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
            api_->BindTexture(op.units[unit].target, op.units[unit].texture);
        }
        if (op.kind == Resolved::Kind::feedback) {
            run_feedback(number);
            framebuffer = 0;
            continue;
        }
        if (op.framebuffer != framebuffer) {
            framebuffer = op.framebuffer;
            api_->BindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
        }
        if (op.in_place) texture_barrier();
        if (op.triangles.viewport != viewport) {
            viewport = op.triangles.viewport;
            set_viewport(*api_, viewport);
        }
        draw(op);
    }
}

/// Draws the triangles of an op: once, or once for each piece, cut out by the scissor test. A fragment reads no texel
/// that another fragment of its op writes, so a texture barrier before the op serves all its pieces.
void FragmentExecutor::draw(const Resolved& op) const {
    const auto draw_all = [&] {
        api_->DrawArrays(GL_TRIANGLES, static_cast<GLint>(op.triangles.first),
                         static_cast<GLsizei>(op.triangles.corners));
    };
    const Rectangle& box = op.triangles.box;
    const std::uint64_t texels = std::uint64_t{box.x1 - box.x0} * (box.y1 - box.y0);
    if (texels <= op.most_instances || op.most_instances == unlimited) return draw_all();
    gl::enable_scissor(*api_, true);
    for_pieces(box, op.most_instances, [&](const Rectangle& piece) {
        set_box(*api_, gl::set_scissor, piece);
        draw_all();
    });
    gl::enable_scissor(*api_, false);
}

PixelTransfer FragmentExecutor::transfer_of(std::size_t number, const StreamUse& texels,
                                            const StreamUse& buffer) const {
    const Stream& stream = program_->streams[texels.stream];
    return {.words = stream.words,
            .width = stream.layout.width,
            .count = program_->ops[number].domain.size(),
            .buffer = external_[buffer.stream].buffer,
            .most = resolved_[number].most_instances};
}

void FragmentExecutor::run_upload(std::size_t number) {
    const Op& op = program_->ops[number];
    unpack_pixels(*api_, transfer_of(number, op.writes.front(), op.reads.front()), resolved_[number].units[0].texture);
}

void FragmentExecutor::run_download(std::size_t number) {
    const Op& op = program_->ops[number];
    pack_pixels(*api_, transfer_of(number, op.reads.front(), op.writes.front()), resolved_[number].framebuffer,
                packs_aligned_slowly_);
}

void FragmentExecutor::run_feedback(std::size_t number) {
    const Op& op = program_->ops[number];
    const Resolved& resolved = resolved_[number];
    const Rectangle points{0, 0, static_cast<std::uint32_t>(resolved.points), 1};
    const auto run_piece = [&](const Rectangle& piece) {
        const std::uint64_t first = static_cast<std::uint32_t>(resolved.first_point) + std::uint64_t{piece.x0};
        const std::uint32_t size = piece.x1 - piece.x0;
        for (std::size_t i = 0; i < op.writes.size(); ++i) {
            const Stream& stream = program_->streams[op.writes[i].stream];
            const std::uint64_t stride = std::uint64_t{4} * stream.words * stream.elements_per_record;
            const BufferSlice& buffer = external_[op.writes[i].stream].buffer;
            api_->BindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, static_cast<GLuint>(i), buffer.name,
                                  static_cast<GLintptr>(buffer.offset + stride * first),
                                  static_cast<GLsizeiptr>(stride * size));
        }
        captures_.points(static_cast<GLint>(first), static_cast<GLsizei>(size));
    };
    captures_.begin();
    for_pieces(points, resolved.most_instances, run_piece);
    captures_.end(op.writes.size());
}

void FragmentExecutor::take_count(const BufferSlice& count) {
    gl::set_state(*api_, {.draw = true, .draw_buffers = true, .unpack = true});
    gpu_count_->take(count);
    gl::order_updates(*api_, count.name);
    write_status();
}

void FragmentExecutor::take_count(const TextureView& count) {
    for (Resolved& op : resolved_)
        if (op.kind == Resolved::Kind::draw || op.kind == Resolved::Kind::feedback)
            op.units.back().texture = count.name;
    gl::set_state(*api_, {.draw = true, .draw_buffers = true});
    api_->ActiveTexture(GL_TEXTURE0);
    api_->BindTexture(GL_TEXTURE_2D, count.name);
    write_status();
}

/// Unit 0 has the texture of the count.
void FragmentExecutor::write_status() {
    if (!options_.count_status) return;
    api_->BindVertexArray(corners_.vertex_array.name());
    api_->BindSampler(0, sampler_.name());
    gpu_count_->write_status(captures_);
}

/// OpenGL orders draws and transform feedback before later commands. Only a driver with a fault needs a barrier.
void FragmentExecutor::show_writes(Readers readers) {
    if (hides_feedback_ && (readers & Readers::storage)) api_->MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

void FragmentExecutor::finish(Readers readers) {
    order_updates();
    if (!in_browser && captures_overtake_ && !buffer_textures_.empty()) api_->Finish();
    show_writes(readers);
    release();
}

std::vector<std::uint32_t> FragmentExecutor::read(std::size_t storage, std::uint32_t records) {
    const Stream& stream = stream_of(storage);
    const StreamId id = schedule_->storages[storage].stream;
    const bool scratch = stream.role == StreamRole::scratch;
    if (stream.medium == Medium::buffer)
        return read_buffer(api_, external_[id].buffer,
                           std::size_t{records} * stream.elements_per_record * stream.words);
    const TextureView& external = external_[id].texture;
    const StreamLayout layout = scratch ? stream.layout : StreamLayout{external.layout, external.width};
    return read_texture(api_, scratch ? places_[storage].texture.name() : external.name, stream, layout, records);
}

bool FragmentExecutor::free_next() {
    if (places_.own().free_next()) return true;
    if (framebuffers_.empty()) return false;
    framebuffers_.erase(framebuffers_.begin());
    return true;
}

std::uint64_t FragmentExecutor::allocated_bytes() const {
    std::uint64_t bytes = corner_bytes_;
    places_.own().for_each([&bytes](const TexturePlace& place) { bytes += place.bytes(); });
    return bytes + (gpu_count_ ? CountTexture::bytes : 0);
}

}  // namespace glsort
