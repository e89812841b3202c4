#include <fmt/format.h>

#include <glsort/error.h>
#include <glsort/exec/compute_executor.h>
#include <glsort/exec/pieces.h>
#include <glsort/gl/capabilities.h>
#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

namespace glsort {
namespace {

/// The barrier bits that make shader writes visible to each kind of reader.
GLbitfield barrier_bits(Readers readers) {
    GLbitfield bits = 0;
    if (readers & Readers::vertex) bits |= GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT;
    if (readers & Readers::index) bits |= GL_ELEMENT_ARRAY_BARRIER_BIT;
    if (readers & Readers::storage) bits |= GL_SHADER_STORAGE_BARRIER_BIT;
    if (readers & Readers::uniform) bits |= GL_UNIFORM_BARRIER_BIT;
    if (readers & Readers::texture) bits |= GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT;
    if (readers & Readers::indirect) bits |= GL_COMMAND_BARRIER_BIT;
    if (readers & Readers::transfer)
        bits |= GL_BUFFER_UPDATE_BARRIER_BIT | GL_PIXEL_BUFFER_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT |
                GL_FRAMEBUFFER_BARRIER_BIT | GL_TRANSFORM_FEEDBACK_BARRIER_BIT;
    return bits;
}

}  // namespace

ComputeExecutor::ComputeExecutor(std::shared_ptr<const gl::Api> api, const ExecutorOptions& options)
    : GlExecutor(std::move(api), options),
      loses_bound_storage_(gl::loses_bound_storage(*api_)),
      most_idle_groups_(gl::is_software(*api_) ? 16 : 1024),
      places_(options.shared_scratch ? &options.shared_scratch->buffers : nullptr) {
    GLint alignment = 256;
    api_->GetIntegerv(GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT, &alignment);
    offset_alignment_ = static_cast<std::uint64_t>(std::max(alignment, 1));
    GLint64 bytes = 0;
    api_->GetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &bytes);
    most_block_bytes_ = static_cast<std::uint64_t>(std::max<GLint64>(bytes, 0));
    GLint groups = 65535;
    api_->GetIntegeri_v(GL_MAX_COMPUTE_WORK_GROUP_COUNT, 0, &groups);
    max_groups_ = static_cast<std::uint64_t>(groups);
    GLint blocks = 0;
    api_->GetIntegerv(GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS, &blocks);
    max_blocks_ = static_cast<std::size_t>(blocks);
    GLint page = 0;
    if (gl::has_large_sparse_pages(*api_)) api_->GetIntegerv(GL_SPARSE_BUFFER_PAGE_SIZE_ARB, &page);
    sparse_page_ = static_cast<std::uint64_t>(std::max(page, 0));
    if (options_.gpu_count) gpu_count_ = std::make_unique<GpuCount>(api_, programs_, *options_.gpu_count, max_groups_);
}

gl::StateScope ComputeExecutor::scope() const {
    gl::StateScope scope = widest_scope;
    scope.images = slots_.textures + slots_.images > 0;
    scope.textures = scope.images || options_.gpu_count == Medium::texture;
    scope.texture_units = std::max<std::size_t>(slots_.textures, 1);
    scope.image_units = slots_.images;
    scope.storage_blocks = gpu_count_ ? std::max(slots_.blocks, GpuCount::blocks) : slots_.blocks;
    scope.uniform = gpu_count_ != nullptr || api_->updates_overtake_writes;
    scope.indirect = gpu_count_ != nullptr;
    return scope;
}

/// Gives a storage its memory. Returns false if the memory was there, or is the caller's.
bool ComputeExecutor::allocate(const StreamProgram& program, const Schedule& schedule, std::size_t storage) {
    const Stream stream = largest_stream(program, schedule.storages[storage].stream);
    if (stream.role != StreamRole::scratch) return false;
    BufferPlace& place = places_[storage];
    const std::uint64_t bytes = stream.buffer_bytes();
    if (place.bytes >= bytes) return false;
    if (is_callers(stream)) {
        place.bytes = bytes;
        return false;
    }
    // The old buffer stays until the new one has its memory: other sorters may share the place.
    BufferPlace larger;
    // Below this size large pages make no difference.
    constexpr std::uint64_t min_of_large_pages = std::uint64_t{128} << 20;
    if (bytes < min_of_large_pages || stream.begins_zero || !allocate_large_pages(larger, bytes)) {
        larger.buffer = gl::Buffer(stream.begins_zero ? api_ : place_owner());
        const std::vector<std::byte> zeros(stream.begins_zero ? bytes : 0);
        allocate_buffer(*api_, larger.buffer, "the buffer of stream " + stream.name, bytes,
                        stream.begins_zero ? zeros.data() : nullptr);
    }
    gl::set_label(*api_, GL_BUFFER, larger.buffer.name(), stream.name);
    larger.bytes = bytes;
    place = std::move(larger);
    places_.note_replacement();
    return true;
}

/// Binds to GL_SHADER_STORAGE_BUFFER, because this binding is among the state that every sort may change.
void ComputeExecutor::zero_again() {
    for (std::size_t storage = 0; storage < schedule_->storages.size(); ++storage) {
        if (!stream_of(storage).begins_zero) continue;
        const BufferPlace& place = places_[storage];
        const std::vector<std::byte> zeros(place.bytes);
        api_->BindBuffer(GL_SHADER_STORAGE_BUFFER, place.buffer.name());
        api_->BufferData(GL_SHADER_STORAGE_BUFFER, static_cast<GLsizeiptr>(place.bytes), zeros.data(), GL_DYNAMIC_COPY);
    }
}

bool ComputeExecutor::allocate_next(const StreamProgram& program, const Schedule& schedule) {
    return places_.allocate_next(program, schedule,
                                 [&](std::size_t storage) { return allocate(program, schedule, storage); });
}

/// Allocates a sparse buffer and commits all its pages. If an allocation fails, returns false and tries no further
/// sparse buffer. Only OpenGL errors tell.
bool ComputeExecutor::allocate_large_pages(BufferPlace& place, std::uint64_t bytes) {
    if (sparse_page_ == 0 || !api_->reads_errors) return false;
    place.buffer = gl::Buffer(place_owner());
    api_->BindBuffer(GL_COPY_WRITE_BUFFER, place.buffer.name());
    const auto pages = static_cast<GLsizeiptr>((bytes + sparse_page_ - 1) / sparse_page_ * sparse_page_);
    api_->BufferStorage(GL_COPY_WRITE_BUFFER, pages, nullptr, GL_SPARSE_STORAGE_BIT_ARB);
    api_->BufferPageCommitmentARB(GL_COPY_WRITE_BUFFER, 0, pages, GL_TRUE);
    const bool done = gl::take_errors(*api_).empty();
    if (!done) sparse_page_ = 0;
    return done;
}

void ComputeExecutor::resolve(const StreamProgram& program, const Schedule& schedule) {
    begin_resolve(program, schedule);
    places_.follow(program, schedule);
    for (std::size_t storage = 0; storage < schedule.storages.size(); ++storage)
        allocate(program, schedule, storage);
    if (options_.caller_scratch) lay_out_caller_scratch();
    filters_.reserve(program.streams.size());
    resolved_.assign(program.ops.size(), {});
    for (std::size_t number = 0; number < program.ops.size(); ++number)
        resolve_op(number);
    places_.note_resolved();
    if (gpu_count_) follow_count();
}

void ComputeExecutor::exchange(std::unique_ptr<Resolution>& other) {
    if (other == nullptr) other = std::make_unique<Aside>();
    auto& aside = static_cast<Aside&>(*other);
    exchange_with(aside);
    places_.exchange(aside.places);
    std::swap(resolved_, aside.resolved);
    if (gpu_count_ && !resolved_.empty()) follow_count();
}

void ComputeExecutor::resolve_op(std::size_t number) {
    const Op& op = program_->ops[number];
    const ScheduledOp& scheduled = schedule_->ops[number];
    const ShaderRequest request = request_of(op);
    const ProgramCache::Entry& entry = program_of(request);
    Resolved resolved;
    resolved.program = entry.program.name();
    resolved.uniforms = entry.uniforms;
    resolved.first_word = resolved_[number].first_word;
    resolved.uniform_count = place_uniforms(words_, resolved.first_word, request);
    resolved.barrier = scheduled.barrier;
    if (OpAnnounced::is_used(options_)) resolved.label = describe(op);

    std::size_t next_element = op_uniforms(request).ports;
    const auto bind_uses = [&](const std::vector<std::size_t>& storages, const std::vector<PortBinding>& bindings,
                               std::vector<TextureBinding>& textures) {
        for (std::size_t i = 0; i < storages.size(); ++i) {
            const StreamId id = schedule_->storages[storages[i]].stream;
            const std::size_t word = *resolved.first_word + 4 * next_element;
            if (has_element(request, bindings[i])) ++next_element;
            const bool bound = !bindings[i].shared_block.empty() && bindings[i].shared_block != bindings[i].port.name;
            if (bound) continue;
            if (bindings[i].medium == Medium::texture)
                textures.push_back({id, external_[id].texture.name});
            else if (bindings[i].external)
                resolved.blocks.push_back({.stream = id, .external = true, .base_word = word});
            else if (is_callers(program_->streams[id]))
                resolved.blocks.push_back({.stream = id, .place = &places_[storages[i]]});
            else
                resolved.blocks.push_back({.buffer = places_[storages[i]].buffer.name(), .stream = id});
        }
    };
    bind_uses(scheduled.reads, request.inputs, resolved.samplers);
    bind_uses(scheduled.writes, request.outputs, resolved.images);
    for (BlockBinding& block : resolved.blocks)
        place_block(block);
    if (!resolved.images.empty())
        resolved.image_format = integer_format(program_->streams[resolved.images.front().stream].words).internal;

    if (request.reads_count) {
        resolved.blocks.push_back({.of_count = true});
        resolved.rules_element = op_uniforms(request).rules;
    }
    resolved.domain_element = op_uniforms(request).domain;
    resolved.groups = groups_of(op);
    resolved.most_groups = most_groups_of(op);
    resolved_[number] = std::move(resolved);
    count_followed_ = false;
}

std::uint32_t ComputeExecutor::groups_of(const Op& op) {
    return op.kernel->group_size > 1 ? op.domain.size() : records_for(op.domain.size(), default_group_size);
}

std::uint32_t ComputeExecutor::most_groups_of(const Op& op) const {
    const std::uint32_t most = most_instances(*program_, op, options_.max_elements_per_draw);
    if (most == unlimited) return most;
    return op.kernel->group_size > 1 ? most : std::max(most / default_group_size, 1u);
}

std::uint32_t ComputeExecutor::within_one_dimension(std::uint32_t groups) const {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(groups, max_groups_));
}

/// Calls `dispatch(first group, groups)` for each dispatch of an op. If there are several, each fits one dimension. A
/// dispatch in two dimensions may start surplus groups, and these would run groups of the next dispatch, too.
template <class Dispatch>
void ComputeExecutor::for_dispatches(const Resolved& op, const Dispatch& dispatch) const {
    if (op.groups <= op.most_groups) return dispatch(0u, op.groups);
    const std::uint32_t most = within_one_dimension(op.most_groups);
    for (std::uint32_t first = 0; first < op.groups; first += std::min(most, op.groups - first))
        dispatch(first, std::min(most, op.groups - first));
}

/// Buffers have room for all counts of the program, and the kernels of `resolve` serve all counts. Another count
/// changes only integers.
void ComputeExecutor::recount(const StreamProgram& program, const Schedule&) {
    for (std::size_t number = 0; number < program.ops.size(); ++number) {
        const Op& op = program.ops[number];
        std::uint32_t* const words = words_.data() + *resolved_[number].first_word;
        for (std::size_t i = 0; i < op.parameters.size(); ++i)
            words[4 * i] = op.parameters[i];
        set_domain(program, number);
    }
}

void ComputeExecutor::set_domain(const StreamProgram& program, std::size_t op) {
    Resolved& resolved = resolved_[op];
    words_[*resolved.first_word + 4 * resolved.domain_element] = program.ops[op].domain.size();
    resolved.groups = groups_of(program.ops[op]);
}

void ComputeExecutor::set_parameter(const StreamProgram& program, std::size_t op, std::size_t parameter) {
    words_[*resolved_[op].first_word + 4 * parameter] = program.ops[op].parameters[parameter];
}

void ComputeExecutor::set_block_parameters(const StreamProgram& program, std::size_t number, std::size_t block,
                                           std::size_t first, std::size_t count) {
    const Resolved& resolved = resolved_[number];
    const std::vector<std::uint32_t>& parameters = program.ops[number].blocks[block].parameters;
    const std::size_t element =
        resolved.domain_element + 1 + block * block_elements(ShaderStage::compute, parameters.size());
    const auto from = parameters.begin() + static_cast<std::ptrdiff_t>(first);
    std::copy_n(from, count,
                words_.begin() + static_cast<std::ptrdiff_t>(*resolved.first_word + 4 * element + 2 + first));
}

/// An image can be written only if its texture is complete. An integer texture with a linear filter, which is the
/// default, is incomplete. `release` restores the caller's filters.
void ComputeExecutor::complete_outputs() {
    filters_.clear();
    for (StreamId id = 0; id < program_->streams.size(); ++id) {
        const Stream& stream = program_->streams[id];
        if (stream.role != StreamRole::output || stream.medium != Medium::texture) continue;
        Filters filters{.texture = external_[id].texture.name};
        api_->ActiveTexture(GL_TEXTURE0);
        api_->BindTexture(GL_TEXTURE_2D, filters.texture);
        api_->GetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, &filters.minify);
        api_->GetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, &filters.magnify);
        if (filters.minify == GL_NEAREST && filters.magnify == GL_NEAREST) continue;
        api_->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        api_->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        filters_.push_back(filters);
    }
}

/// With a domain of 0 instances, one group of invocations does nothing.
void ComputeExecutor::warm_up(std::size_t number, StandIns& stand_ins) {
    const Resolved& op = resolved_[number];
    if (gpu_count_ && number == 0) warm_up_count(stand_ins);
    const auto is_own = [](const BlockBinding& block) {
        return !block.external && !block.of_count && block.place == nullptr;
    };
    // NVIDIA's driver takes the memory of a buffer at its first use, which lasts 40 us for each MiB.
    bool first_use = programs_->note_use(op.program);
    for (const BlockBinding& block : op.blocks)
        if (is_own(block) && used_buffers_.insert(block.buffer).second) first_use = true;
    if (!first_use) return;
    api_->UseProgram(op.program);
    if (gpu_count_ && !op.rules_element) {
        api_->BindBufferRange(GL_UNIFORM_BUFFER, 0, stand_ins.buffer(), 0, 16 * op.uniform_count);
    } else {
        const auto first = words_.begin() + static_cast<std::ptrdiff_t>(*op.first_word);
        std::vector<std::uint32_t> words(first, first + 4 * op.uniform_count);
        words[4 * op.domain_element] = 0;
        // The rule of the domain, with scale and offset 0: no instances, whatever the count is.
        if (op.rules_element) words[4 * (*op.rules_element + 1)] = words[4 * (*op.rules_element + 1) + 2] = 0;
        api_->Uniform4uiv(op.uniforms, op.uniform_count, words.data());
    }
    for (std::size_t i = 0; i < op.blocks.size(); ++i) {
        api_->BindBufferBase(GL_SHADER_STORAGE_BUFFER, static_cast<GLuint>(i),
                             is_own(op.blocks[i]) ? op.blocks[i].buffer : stand_ins.buffer());
    }
    for (std::size_t unit = 0; unit < op.samplers.size(); ++unit) {
        const GLuint texture = stand_ins.texture(program_->streams[op.samplers[unit].stream]);
        api_->ActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
        api_->BindTexture(GL_TEXTURE_2D, texture);
        api_->BindSampler(static_cast<GLuint>(unit), sampler_.name());
    }
    for (std::size_t unit = 0; unit < op.images.size(); ++unit)
        api_->BindImageTexture(static_cast<GLuint>(unit), stand_ins.texture(program_->streams[op.images[unit].stream]),
                               0, GL_FALSE, 0, GL_WRITE_ONLY, op.image_format);
    api_->DispatchCompute(1, 1, 1);
}

/// Warms up `gpu_count_`, with a count of 0.
void ComputeExecutor::warm_up_count(StandIns& stand_ins) {
    if (options_.gpu_count == Medium::buffer) {
        api_->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, stand_ins.buffer());
    } else {
        api_->ActiveTexture(GL_TEXTURE0);
        api_->BindTexture(GL_TEXTURE_2D, stand_ins.texture(1));
        api_->BindSampler(0, sampler_.name());
    }
    gpu_count_->run();
    gpu_count_->show_numbers();
}

void ComputeExecutor::see_writes() {
    api_->MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT |
                        GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
}

void ComputeExecutor::show_writes(Readers readers) {
    const GLbitfield bits = barrier_bits(readers);
    if (bits != 0) api_->MemoryBarrier(bits);
}

void ComputeExecutor::start() {
    complete_outputs();
}

void ComputeExecutor::place_block(BlockBinding& block) {
    if (block.place != nullptr) {
        block.buffer = caller_scratch_.name;
        block.offset = static_cast<GLintptr>(caller_scratch_.offset + block.place->offset);
        block.size = static_cast<GLsizeiptr>(block.place->bytes);
    }
    if (!block.external) return;
    const Stream& stream = program_->streams[block.stream];
    const BufferSlice& buffer = external_[block.stream].buffer;
    // A storage block begins at a multiple of the alignment, and the shader adds the elements between. Elements of
    // three words are addressed as single words and may begin at any word.
    const std::uint32_t unit = stream.words == 3 ? 1 : stream.words;
    const std::uint64_t aligned = buffer.offset / offset_alignment_ * offset_alignment_;
    block.buffer = buffer.name;
    block.offset = static_cast<GLintptr>(aligned);
    const std::uint64_t bytes = buffer.offset - aligned + stream.bytes();
    if (bytes > most_block_bytes_)
        throw Error(fmt::format("{} at offset {} needs a storage block of {} bytes; the limit is {} (storage_bytes)",
                                stream.name, buffer.offset, bytes, most_block_bytes_));
    block.size = static_cast<GLsizeiptr>(bytes);
    words_[block.base_word] = static_cast<std::uint32_t>((buffer.offset - aligned) / (4u * unit));
}

/// Places without a buffer lie one after the other in the caller's buffer.
void ComputeExecutor::lay_out_caller_scratch() {
    caller_scratch_bytes_ = 0;
    places_.own().for_each([this](BufferPlace& place) {
        if (place.buffer.name() != 0) return;
        place.offset = caller_scratch_bytes_;
        caller_scratch_bytes_ += (place.bytes + offset_alignment_ - 1) / offset_alignment_ * offset_alignment_;
    });
}

void ComputeExecutor::bind_scratch(const BufferSlice& buffer) {
    caller_scratch_ = buffer;
    for (Resolved& op : resolved_)
        for (BlockBinding& block : op.blocks)
            if (block.place != nullptr) place_block(block);
}

void ComputeExecutor::rebind(std::size_t number, StreamId id) {
    Resolved& resolved = resolved_[number];
    for (BlockBinding& block : resolved.blocks)
        if (block.stream == id && !block.of_count) place_block(block);
    for (auto* textures : {&resolved.samplers, &resolved.images})
        for (TextureBinding& binding : *textures)
            if (binding.stream == id) binding.texture = external_[id].texture.name;
}

/// Throws `Error` if the pieces of all ops take more numbers than `gpu_count_` can write.
void ComputeExecutor::check_numbers() const {
    std::uint64_t numbers = 0;
    for (std::size_t number = 0; number < resolved_.size(); ++number) {
        const Resolved& resolved = resolved_[number];
        if (resolved.rules_element) continue;
        const std::uint32_t most = within_one_dimension(resolved.most_groups);
        const std::uint64_t dispatches =
            resolved.groups <= resolved.most_groups ? 1 : records_for(resolved.groups, most);
        numbers += dispatches * (program_->ops[number].parameters.size() + resolved.blocks.size() + 2);
    }
    if (numbers > gpu_count_->most_numbers())
        throw Error(
            fmt::format("max_elements_per_draw {} makes too many dispatches for gpu_count: they take {} "
                        "numbers; the limit is {}",
                        options_.max_elements_per_draw, numbers, gpu_count_->most_numbers()));
}

/// Hands `gpu_count_` all numbers of the program.
void ComputeExecutor::follow_count() {
    check_numbers();
    gpu_count_->begin(program_->n);
    begins_all_groups_ = std::all_of(resolved_.begin(), resolved_.end(),
                                     [this](const Resolved& op) { return op.groups <= most_idle_groups_; });
    std::size_t entries = 0;
    for (std::size_t number = 0; number < program_->ops.size(); ++number) {
        const Op& op = program_->ops[number];
        Resolved& resolved = resolved_[number];
        const std::size_t first = *resolved.first_word;
        resolved.first_entry = entries;
        resolved.entries = 0;
        if (resolved.rules_element) continue;
        for_dispatches(resolved, [&](std::uint32_t first_group, std::uint32_t groups) {
            words_[first + 4 * resolved.domain_element + 2] = first_group;
            gpu_count_->add_op(std::span(words_).subspan(first, 4 * static_cast<std::size_t>(resolved.uniform_count)),
                               op.domain.counted_size(), op.kernel->group_size > 1 ? 1 : default_group_size,
                               first_group, groups);
            for (std::size_t i = 0; i < op.parameters.size(); ++i)
                gpu_count_->add_number(4 * i, op.parameters[i]);
            gpu_count_->add_number(4 * resolved.domain_element, op.domain.counted_size());
            for (const BlockBinding& block : resolved.blocks)
                if (block.external) gpu_count_->add_base(block.base_word - first, block.stream);
            ++entries;
        });
        resolved.entries = entries - resolved.first_entry;
    }
    gpu_count_->upload();
    count_followed_ = true;
    // The upload has replaced all numbers.
    count_is_ahead_ = false;
}

/// The first op reads a count in a buffer itself, so that the op does not wait until `gpu_count_` has written its
/// integers. The dispatch of the op starts all groups that the capacity takes.
bool ComputeExecutor::reads_count(const StreamProgram& program, const Op& op) const {
    return options_.gpu_count == Medium::buffer && !expects_count_table_ && &op == &program.ops.front() &&
           groups_of(op) <= most_idle_groups_ && op.reads.size() + op.writes.size() < max_blocks_;
}

/// Hands `gpu_count_` what may differ from the last sort.
void ComputeExecutor::update_count() {
    if (!count_followed_) follow_count();
    for (const Resolved& op : resolved_)
        for (const BlockBinding& block : op.blocks)
            if (block.external) gpu_count_->set_base(block.stream, words_[block.base_word]);
}

CountTable ComputeExecutor::count_table() {
    if (!expects_count_table_) throw Error("a table of the count was not announced");
    update_count();
    count_is_ahead_ = true;
    return gpu_count_->table();
}

void ComputeExecutor::take_count(const BufferSlice& count) {
    if (std::exchange(count_is_ahead_, false)) return;
    update_count();
    const std::uint64_t aligned = count.offset / offset_alignment_ * offset_alignment_;
    const BlockBinding block{.buffer = count.name,
                             .offset = static_cast<GLintptr>(aligned),
                             .size = static_cast<GLsizeiptr>(count.offset - aligned + 4),
                             .of_count = true};
    unread_count_ = {block, static_cast<std::uint32_t>((count.offset - aligned) / 4)};
    if (resolved_.empty() || !resolved_.front().rules_element) return write_numbers();
    let_first_read(*unread_count_);
}

void ComputeExecutor::let_first_read(const CountPlace& count) {
    Resolved& first = resolved_.front();
    first.blocks.back() = count.block;
    words_[*first.first_word + 4 * *first.rules_element] = count.word;
}

void ComputeExecutor::take_count(const TextureView& count) {
    update_count();
    api_->ActiveTexture(GL_TEXTURE0);
    api_->BindTexture(GL_TEXTURE_2D, count.name);
    api_->BindSampler(0, sampler_.name());
    gpu_count_->run();
    gpu_count_->show_numbers();
}

void ComputeExecutor::write_numbers() {
    if (!unread_count_) return;
    const auto& [block, word] = *unread_count_;
    api_->BindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, block.buffer, block.offset, block.size);
    gpu_count_->run(word);
    gpu_count_->show_numbers();
    gl::order_updates(*api_, block.buffer);
    unread_count_.reset();
    if (bound_.size() < GpuCount::blocks) bound_.resize(GpuCount::blocks);
    std::fill_n(bound_.begin(), GpuCount::blocks, BoundBlock{});
}

/// The caller may change the count before the first op runs. This op then reads the count from the status.
void ComputeExecutor::finish_count() {
    if (!unread_count_) return;
    write_numbers();
    if (resolved_.empty() || !resolved_.front().rules_element) return;
    api_->MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    const BufferSlice status = count_status();
    let_first_read({{.buffer = status.name, .size = 4 * count_status_words, .of_count = true}, 0});
}

BufferSlice ComputeExecutor::count_status() const {
    return gpu_count_ ? gpu_count_->status() : BufferSlice{};
}

void ComputeExecutor::bind_blocks(const std::vector<BlockBinding>& blocks) {
    if (bound_.size() < blocks.size()) bound_.resize(blocks.size());
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const BlockBinding& block = blocks[i];
        BoundBlock& bound = bound_[i];
        if (block.buffer == bound.buffer && block.offset == bound.offset && block.size == bound.size) continue;
        bound = {block.buffer, block.offset, block.size};
        if (block.size == 0)
            api_->BindBufferBase(GL_SHADER_STORAGE_BUFFER, static_cast<GLuint>(i), block.buffer);
        else
            api_->BindBufferRange(GL_SHADER_STORAGE_BUFFER, static_cast<GLuint>(i), block.buffer, block.offset,
                                  block.size);
    }
}

void ComputeExecutor::run(std::size_t first, std::size_t last) {
    GLuint program = 0;
    bound_.clear();
    if (gpu_count_) gpu_count_->bind_arguments();
    for (std::size_t number = first; number < last; ++number) {
        const Resolved& op = resolved_[number];
        if (unread_count_ && !op.rules_element) {
            // The barrier behind the first op comes only later. So the GPU may run the first op and this dispatch side
            // by side.
            write_numbers();
            program = 0;
        }
        const OpAnnounced announced(*api_, options_, op.label);
        if (op.barrier) api_->MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
        if (op.program != program) api_->UseProgram(op.program);
        program = op.program;
        bind_blocks(op.blocks);
        for (std::size_t unit = 0; unit < op.samplers.size(); ++unit) {
            api_->ActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
            api_->BindTexture(GL_TEXTURE_2D, op.samplers[unit].texture);
            api_->BindSampler(static_cast<GLuint>(unit), sampler_.name());
        }
        for (std::size_t unit = 0; unit < op.images.size(); ++unit)
            api_->BindImageTexture(static_cast<GLuint>(unit), op.images[unit].texture, 0, GL_FALSE, 0, GL_WRITE_ONLY,
                                   op.image_format);
        dispatch(op);
    }
    unbind_blocks();
}

/// Also under `caller_resets`: a driver with this fault loses writes of the next sort to mapped buffers that stay
/// bound.
void ComputeExecutor::unbind_blocks() {
    for (std::size_t i = 0; loses_bound_storage_ && i < bound_.size(); ++i)
        api_->BindBufferBase(GL_SHADER_STORAGE_BUFFER, static_cast<GLuint>(i), 0);
}

/// Runs all dispatches of an op. No barrier is between them: groups of one op depend on earlier groups at the most, and
/// use atomics for that.
void ComputeExecutor::dispatch(const Resolved& op) {
    std::size_t entry = op.first_entry;
    for_dispatches(op, [&](std::uint32_t first_group, std::uint32_t groups) {
        if (gpu_count_ && !op.rules_element) {
            const std::size_t own = entry++;
            gpu_count_->bind_numbers(own);
            if (!begins_all_groups_) return gpu_count_->dispatch(own);
        } else {
            words_[*op.first_word + 4 * op.domain_element + 2] = first_group;
            api_->Uniform4uiv(op.uniforms, op.uniform_count, words_.data() + *op.first_word);
        }
        const std::uint32_t x = within_one_dimension(groups);
        api_->DispatchCompute(x, records_for(groups, x), 1);
    });
}

void ComputeExecutor::release() {
    for (const Filters& filters : filters_) {
        api_->ActiveTexture(GL_TEXTURE0);
        api_->BindTexture(GL_TEXTURE_2D, filters.texture);
        api_->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filters.minify);
        api_->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filters.magnify);
    }
    filters_.clear();
}

void ComputeExecutor::finish(Readers readers) {
    release();
    if (unread_count_) {
        write_numbers();
        unbind_blocks();
    }
    show_writes(readers);
    order_updates();
    if (caller_scratch_.name != 0) gl::order_updates(*api_, caller_scratch_.name);
}

std::vector<std::uint32_t> ComputeExecutor::read(std::size_t storage, std::uint32_t records) {
    const Stream& stream = stream_of(storage);
    const ExternalStream& external = external_[schedule_->storages[storage].stream];
    if (stream.medium == Medium::texture)
        return read_texture(api_, external.texture.name, stream, {external.texture.layout, external.texture.width},
                            records);
    const BufferSlice buffer =
        stream.role == StreamRole::scratch ? BufferSlice{places_[storage].buffer.name(), 0} : external.buffer;
    const std::size_t elements = std::size_t{records} * stream.elements_per_record;
    const auto place = [&stream](std::size_t element) {
        return static_cast<std::size_t>(stream.padding.place(element));
    };
    const std::size_t words = elements == 0 ? 0 : (place(elements - 1) + 1) * stream.words;
    std::vector<std::uint32_t> read = read_buffer(api_, buffer, words);
    for (std::size_t run = stream.padding.run; run > 0 && run < elements; run += stream.padding.run) {
        const auto begin = read.begin() + static_cast<std::ptrdiff_t>(place(run) * stream.words);
        const std::size_t length = std::min<std::size_t>(stream.padding.run, elements - run) * stream.words;
        std::copy_n(begin, length, read.begin() + static_cast<std::ptrdiff_t>(run * stream.words));
    }
    read.resize(elements * stream.words);
    return read;
}

std::uint64_t ComputeExecutor::allocated_bytes() const {
    std::uint64_t bytes = 0;
    places_.own().for_each([&bytes](const BufferPlace& place) { bytes += place.buffer.name() != 0 ? place.bytes : 0; });
    return bytes + (gpu_count_ ? gpu_count_->bytes() : 0);
}

}  // namespace glsort
