#include <fmt/format.h>

#include <glsort/error.h>
#include <glsort/exec/executors.h>
#include <glsort/gl/capabilities.h>
#include <glsort/plan/scene/scene_access.h>
#include <glsort/plan/scene/scene_kernels.h>
#include <glsort/session/arguments.h>
#include <glsort/session/context_report.h>
#include <glsort/session/ranges.h>
#include <glsort/session/scene_session.h>
#include <glsort/session/scratch.h>
#include <glsort/stream/validate.h>

#include <algorithm>
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

/// Throws `Error` if the context has too few storage blocks for the inputs of a source.
void check_inputs(const SceneSpec& spec, const scene::ScenePlan& plan, const Limits& limits) {
    const std::size_t there =
        std::min<std::size_t>(limits.storage_blocks, gl::max_indices(&gl::StateScope::storage_blocks));
    for (std::size_t i = 0; i < plan.sources.size(); ++i) {
        const std::uint32_t blocks = storage_blocks(plan.program, plan.program.ops[plan.sources[i].op]);
        if (blocks <= there) continue;
        const SceneSource& source = spec.sources[plan.numbers[i]];
        const std::size_t own = blocks - source.inputs.size();
        throw Error(fmt::format("source {} ({}): {} inputs exceed the limit of {}; of {} storage blocks, the library "
                                "takes {}",
                                plan.numbers[i], source.name, source.inputs.size(), there - std::min(there, own), there,
                                own));
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
    const ContextReport report = report_on(api_, true);
    limits_ = report.limits;
    if (spec_.backend == Backend::automatic) spec_.backend = Backend::compute;
    if (spec_.backend != Backend::compute)
        throw Error(fmt::format("backend {}; a scene needs the compute backend", to_string(spec_.backend)));
    // The session of the sort makes the remaining choices, and names what a context lacks for the compute backend.
    sort_.emplace(sort_spec(), get_proc_address, sort_options());
    spec_.algorithm = sort_->spec().algorithm;

    api_->reads_errors = true;
    plan_ = scene::plan_scene(spec_, limits_);
    check_inputs(spec_, plan_, limits_);
    const StateGuard guard(*api_, construction_scope());
    executor_ = make_executor(Backend::compute, api_,
                              {.debug_groups = options_.debug_groups,
                               .shared_scratch = shared_memory(options_.shared_scratch.get(), *api_)});
    scheduler_.emplace(*executor_);
    executor_->issue(plan_.program, ExternalStreams(plan_.program));
    scheduler_->prepare(std::move(plan_.program), limits_);
    keys_ = gl::Buffer(api_);
    status_ = gl::Buffer(api_);
    allocate(keys_, "the keys of the visible items", std::uint64_t{key_bytes(spec_.key)} * scene::items_of(spec_));
    allocate(status_, "the status", status_bytes);
    api_->reads_errors = false;
}

SortSpec SceneSession::sort_spec() const {
    return {.order = {.key = spec_.key, .direction = spec_.direction},
            .payload = Payload::bytes(4),
            .capacity = scene::items_of(spec_),
            .algorithm = spec_.algorithm,
            .backend = spec_.backend,
            .gpu_count = true};
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

std::uint64_t SceneSession::scratch_bytes() const {
    return executor_->allocated_bytes() + sort_->scratch_bytes() + status_bytes +
           std::uint64_t{key_bytes(spec_.key)} * scene::items_of(spec_);
}

void SceneSession::abandon() {
    api_->abandoned = true;
    sort_->abandon();
}

gl::StateScope SceneSession::scope() const {
    return united(executor_->scope(), sort_->scope());
}

void SceneSession::check(const SceneArguments& arguments) const {
    check_context(*api_);
    const bool ask = options_.state == StatePolicy::restore;
    if (arguments.sources.size() != spec_.sources.size())
        throw Error(fmt::format("{} sources are given; the specification has {}", arguments.sources.size(),
                                spec_.sources.size()));
    const Range order{"order", arguments.order, std::uint64_t{4} * scene::items_of(spec_)};
    check_range(*api_, order, 4, ask);
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
        if (source.capacity == 0) continue;
        const auto check_slice = [&](const std::string& member, const BufferSlice& slice, std::uint64_t bytes) {
            const Range range{name_of(i, member), slice, bytes};
            check_range(*api_, range, 4, ask);
            check_apart(range, order);
        };
        for (std::size_t j = 0; j < source.inputs.size(); ++j)
            check_slice(fmt::format("inputs[{}] ({})", j, source.inputs[j].name), given.inputs[j],
                        4 * scene::words_of(source.inputs[j], source.capacity));
        if (source.gpu_count) check_slice("gpu_count", given.gpu_count, 4);
    }
}

void SceneSession::load(const SceneArguments& arguments) {
    for (std::size_t i = 0; i < plan_.sources.size(); ++i) {
        const scene::ScenePlan::Source& planned = plan_.sources[i];
        const SceneArguments::Source& given = arguments.sources[plan_.numbers[i]];
        for (std::size_t j = 0; j < planned.inputs.size(); ++j)
            executor_->bind(planned.inputs[j], given.inputs[j]);
        if (planned.count)
            executor_->bind(*planned.count, given.gpu_count);
        else
            scheduler_->set_parameter(planned.op, scene::count_parameter, given.count);
    }
    executor_->bind(plan_.keys, BufferSlice{keys_.name(), 0});
    executor_->bind(plan_.items, arguments.order);
    executor_->bind(plan_.status, status());
    scheduler_->parameters_changed();
}

void SceneSession::sort(const SceneArguments& arguments, Readers readers) {
    check(arguments);
    const StateGuard guard(*api_, scope(), options_.state == StatePolicy::restore);
    executor_->see_writes();
    load(arguments);
    executor_->start();
    scheduler_->run();
    executor_->finish(Readers::storage);
    sort_->sort({.input = Buffers{{keys_.name(), 0}, arguments.order}, .gpu_count = status()}, {}, readers);
}

}  // namespace glsort
