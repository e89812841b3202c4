#include <fmt/format.h>

#include <glsort/error.h>
#include <glsort/exec/executors.h>
#include <glsort/gl/capabilities.h>
#include <glsort/plan/scene/scene_access.h>
#include <glsort/session/arguments.h>
#include <glsort/session/context_report.h>
#include <glsort/session/ranges.h>
#include <glsort/session/scene_session.h>
#include <glsort/session/scratch.h>
#include <glsort/stream/validate.h>

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <utility>
#include <vector>

namespace glsort {

using gl::StateGuard;

namespace {

constexpr std::uint64_t status_bytes = 16;

std::string name_of(std::size_t source, const std::string& member) {
    return fmt::format("sources[{}].{}", source, member);
}

/// Throws `Error` if the context has too few storage blocks, or texture units, for the inputs of a source.
void check_inputs(const SceneSpec& spec, const scene::ScenePlan& plan, const Limits& limits) {
    const bool fragment = spec.backend == Backend::fragment;
    const std::size_t there = fragment ? limits.textures_read : limits.storage_blocks;
    for (const scene::ScenePlan::Source& planned : plan.sources) {
        const Op& op = plan.program.ops[planned.op];
        const std::size_t used = fragment ? op.reads.size() : storage_blocks(plan.program, op);
        if (used <= there) continue;
        const SceneSource& source = spec.sources[planned.number];
        const std::size_t own = used - source.inputs.size();
        throw Error(fmt::format("source {} ({}): {} inputs exceed the limit of {}; of {} {}, the library takes {}",
                                planned.number, source.name, source.inputs.size(), there - std::min(there, own), there,
                                fragment ? "textures" : "storage blocks", own));
    }
}

/// Whether the compute backend can hold the scene: enough storage blocks, which are large enough.
bool fits_compute(SceneSpec spec, const Limits& limits) {
    spec.backend = Backend::compute;
    try {
        validate(scene::plan_scene(spec, limits).program, limits);
        return true;
    } catch (const Error&) {
        return false;
    }
}

}  // namespace

SceneSession::SceneSession(const SceneSpec& spec, const GetProcAddress& get_proc_address, const SorterOptions& options)
    : api_(gl::load_api(get_proc_address)), spec_(spec), options_(options) {
    if (const std::string errors = gl::take_errors(*api_); !errors.empty())
        throw Error("OpenGL errors were pending from before: " + errors +
                    "; they are read now, so that another attempt finds none");
    if (options_.caller_scratch) throw Error("caller_scratch is not supported; use shared_scratch");
    scene::check_spec(spec_);
    const ContextReport report = report_on(api_, spec_.backend != Backend::fragment);
    limits_ = report.limits;
    if (spec_.backend == Backend::automatic) {
        spec_.backend = report.automatic;
        if (spec_.backend == Backend::compute && is_built(Backend::fragment) && !fits_compute(spec_, limits_))
            spec_.backend = Backend::fragment;
    }
    if (spec_.backend == Backend::cpu) throw Error("backend cpu; a scene needs fragment or compute");
    // The session of the sort makes the remaining choices, and names what a context lacks for the backend.
    sort_.emplace(sort_spec(), get_proc_address, sort_options());
    spec_.algorithm = sort_->spec().algorithm;

    api_->reads_errors = true;
    plan_ = scene::plan_scene(spec_, limits_);
    check_inputs(spec_, plan_, limits_);
    const StateGuard guard(*api_, construction_scope());
    prepare(keys_, std::move(plan_.program), false);
    status_ = gl::Buffer(api_);
    allocate(status_, "the status", status_bytes);
    allocate_visible();
    if (is_fragment()) {
        order_plan_ = scene::plan_order(spec_);
        prepare(order_, std::move(order_plan_.program), true);
    }
    api_->reads_errors = false;
}

void SceneSession::prepare(Phase& phase, StreamProgram program, bool gpu_count) const {
    phase.executor = make_executor(spec_.backend, api_,
                                   {.debug_groups = options_.debug_groups,
                                    .shared_scratch = shared_memory(options_.shared_scratch.get(), *api_),
                                    .gpu_count = gpu_count});
    phase.scheduler.emplace(*phase.executor);
    phase.executor->issue(program, ExternalStreams(program));
    phase.scheduler->prepare(std::move(program), limits_);
}

/// Allocates what the key program writes and the sort reads.
void SceneSession::allocate_visible() {
    if (!is_fragment()) {
        visible_keys_ = gl::Buffer(api_);
        return allocate(visible_keys_, "the keys of the visible items", visible_bytes());
    }
    visible_texture_ = gl::Texture(api_);
    visible_ = sort_->texture_for(scene::items_of(spec_));
    visible_.name = visible_texture_.name();
    const IntegerFormat format = integer_format(key_bytes(spec_.key) / 4 + 1);
    api_->ActiveTexture(GL_TEXTURE0);
    api_->BindTexture(GL_TEXTURE_2D, visible_.name);
    api_->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    api_->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    api_->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    api_->BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    api_->TexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format.internal), static_cast<GLsizei>(visible_.width),
                     static_cast<GLsizei>(visible_.height), 0, format.format, GL_UNSIGNED_INT, nullptr);
    check_allocation(*api_, "the texture of the visible items", visible_bytes());
}

SortSpec SceneSession::sort_spec() const {
    SortSpec spec{.order = {.key = spec_.key, .direction = spec_.direction},
                  .payload = Payload::bytes(4),
                  .capacity = scene::items_of(spec_),
                  .algorithm = spec_.algorithm,
                  .backend = spec_.backend,
                  .gpu_count = true};
    if (!is_fragment()) return spec;
    spec.layout = Layout::row_wise;
    spec.input = spec.output = Medium::texture;
    spec.own_output = true;
    return spec;
}

/// The guard of this session saves and restores for both programs. The key program ends with the barrier that the sort
/// needs.
SorterOptions SceneSession::sort_options() const {
    SorterOptions options = options_;
    options.state = StatePolicy::caller_resets;
    options.barrier_before = false;
    return options;
}

void SceneSession::allocate(const gl::Buffer& buffer, const char* what, std::uint64_t bytes) const {
    api_->BindBuffer(GL_COPY_WRITE_BUFFER, buffer.name());
    api_->BufferData(GL_COPY_WRITE_BUFFER, static_cast<GLsizeiptr>(bytes), nullptr, GL_DYNAMIC_COPY);
    check_allocation(*api_, what, bytes);
}

std::uint64_t SceneSession::visible_bytes() const {
    const std::uint64_t key = key_bytes(spec_.key);
    if (!is_fragment()) return key * scene::items_of(spec_);
    return (key == 4 ? 8 : 16) * std::uint64_t{visible_.width} * visible_.height;
}

std::uint64_t SceneSession::scratch_bytes() const {
    const std::uint64_t order = order_.executor ? order_.executor->allocated_bytes() : 0;
    return keys_.executor->allocated_bytes() + sort_->scratch_bytes() + order + status_bytes + visible_bytes();
}

void SceneSession::abandon() {
    api_->abandoned = true;
    sort_->abandon();
}

gl::StateScope SceneSession::scope() const {
    const gl::StateScope both = united(keys_.executor->scope(), sort_->scope());
    return order_.executor ? united(both, order_.executor->scope()) : both;
}

void SceneSession::check(const SceneArguments& arguments) const {
    check_context(*api_);
    const bool ask = options_.state == StatePolicy::restore;
    if (arguments.sources.size() != spec_.sources.size())
        throw Error(fmt::format("{} sources are given; the specification has {}", arguments.sources.size(),
                                spec_.sources.size()));
    const Range order{"order", arguments.order, std::uint64_t{4} * scene::items_of(spec_)};
    check_range(*api_, order, 4, ask);
    if (arguments.commands.size() != spec_.commands.size())
        throw Error(fmt::format("{} commands are given; the specification has {}", arguments.commands.size(),
                                spec_.commands.size()));
    // No result may overlap another one, or what the sources read.
    std::vector<Range> results{order};
    results.push_back({"status()", status(), status_bytes});
    check_apart(results.back(), order);
    for (std::size_t i = 0; i < spec_.commands.size(); ++i) {
        const Range command{fmt::format("commands[{}]", i), arguments.commands[i],
                            command_bytes(spec_.commands[i].kind)};
        check_range(*api_, command, 4, ask);
        for (const Range& other : results)
            check_apart(command, other);
        results.push_back(command);
    }
    for (std::size_t i = 0; i < spec_.sources.size(); ++i) {
        const SceneSource& source = spec_.sources[i];
        const SceneArguments::Source& given = arguments.sources[i];
        if (given.inputs.size() != source.inputs.size())
            throw Error(fmt::format("{} has {} slices; the source has {} inputs", name_of(i, "inputs"),
                                    given.inputs.size(), source.inputs.size()));
        if (given.count > source.capacity)
            throw Error(fmt::format("{} {} exceeds the capacity {} given at construction", name_of(i, "count"),
                                    given.count, source.capacity));
        if (source.gpu_count && given.count != 0)
            throw Error(fmt::format("{} {} is given, but the source was made with gpu_count", name_of(i, "count"),
                                    given.count));
        if (!source.gpu_count && given.gpu_count.name != 0)
            throw Error(fmt::format("{} {} is given, but the source was made without gpu_count",
                                    name_of(i, "gpu_count.name"), given.gpu_count.name));
        if (given.values.size() != source.values.size())
            throw Error(fmt::format("{} has {} values; the source has {}", name_of(i, "values"), given.values.size(),
                                    source.values.size()));
        if (source.capacity == 0) continue;
        const auto check_slice = [&](const std::string& member, const BufferSlice& slice, std::uint64_t bytes) {
            const Range range{name_of(i, member), slice, bytes};
            check_range(*api_, range, 4, ask);
            for (const Range& result : results)
                check_apart(range, result);
        };
        for (std::size_t j = 0; j < source.inputs.size(); ++j)
            check_slice(fmt::format("inputs[{}] ({})", j, source.inputs[j].name), given.inputs[j],
                        4 * scene::words_of(source.inputs[j], source.capacity));
        if (source.gpu_count) check_slice("gpu_count", given.gpu_count, 4);
    }
}

/// Other sorters may have replaced shared scratch memory.
void SceneSession::refresh(Phase& phase) {
    if (!phase.executor->is_current()) phase.executor->resolve(phase.scheduler->program(), phase.scheduler->schedule());
}

void SceneSession::load(const SceneArguments& arguments) {
    refresh(keys_);
    GlExecutor& executor = *keys_.executor;
    for (const scene::ScenePlan::Source& planned : plan_.sources) {
        const SceneArguments::Source& given = arguments.sources[planned.number];
        for (std::size_t i = 0; i < planned.inputs.size(); ++i)
            executor.bind(planned.inputs[i], given.inputs[i]);
        if (planned.count)
            executor.bind(*planned.count, given.gpu_count);
        else
            keys_.scheduler->set_parameter(planned.op, scene::ScenePlan::count_parameter, given.count);
        std::size_t parameter = scene::ScenePlan::first_value_parameter;
        for (const std::array<float, 4>& value : given.values)
            for (const float component : value)
                keys_.scheduler->set_parameter(planned.op, parameter++, std::bit_cast<std::uint32_t>(component));
    }
    if (is_fragment()) {
        executor.bind(plan_.visible, visible_);
    } else {
        executor.bind(plan_.keys, BufferSlice{visible_keys_.name(), 0});
        executor.bind(plan_.items, arguments.order);
    }
    for (std::size_t i = 0; i < plan_.commands.size(); ++i)
        executor.bind(plan_.commands[i], arguments.commands[i]);
    executor.bind(plan_.status, status());
}

void SceneSession::sort(const SceneArguments& arguments, Readers readers) {
    check(arguments);
    const StateGuard guard(*api_, scope(), options_.state == StatePolicy::restore);
    if (options_.barrier_before || options_.shared_scratch || is_fragment()) keys_.executor->see_writes();
    load(arguments);
    keys_.executor->start();
    keys_.scheduler->run();
    keys_.executor->finish(Readers::storage);
    SortArguments visible{.gpu_count = status()};
    if (is_fragment()) {
        visible.input = visible_;
        sort_->sort(visible, {}, Readers::none);
        write_order(arguments.order, readers);
        // As after every sort: no program of the library stays current.
        if (options_.state == StatePolicy::caller_resets) api_->UseProgram(0);
    } else {
        visible.input = Buffers{{visible_keys_.name(), 0}, arguments.order};
        sort_->sort(visible, {}, readers);
    }
}

void SceneSession::write_order(const BufferSlice& order, Readers readers) {
    refresh(order_);
    GlExecutor& executor = *order_.executor;
    executor.bind(order_plan_.sorted, sort_->own_texture());
    executor.bind(order_plan_.order, order);
    executor.take_count(status());
    executor.start();
    order_.scheduler->run();
    executor.finish(readers);
}

}  // namespace glsort
