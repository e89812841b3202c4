#include <fmt/format.h>

#include <glsort/base/browser.h>
#include <glsort/error.h>
#include <glsort/exec/executors.h>
#include <glsort/gl/capabilities.h>
#include <glsort/plan/scene/key_form.h>
#include <glsort/plan/scene/pyramid_streams.h>
#include <glsort/plan/scene/scene_access.h>
#include <glsort/plan/scene/scene_sort.h>
#include <glsort/session/choices.h>
#include <glsort/session/scene_arguments.h>
#include <glsort/session/scene_numbers.h>
#include <glsort/session/scene_session.h>
#include <glsort/stream/validate.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace glsort {

using gl::StateGuard;

namespace {

constexpr std::uint64_t status_bytes = 4 * scene::status_words;

/// Throws `Error` if the context has too few storage blocks, or texture units, for the inputs that an op reads.
/// `owner`: the source or the result that has the inputs.
void check_inputs(const StreamProgram& program, std::size_t number, const std::vector<SceneInput>& inputs,
                  const std::string& owner, const Limits& limits) {
    const Op& op = program.ops[number];
    const auto check = [&owner](std::size_t given, std::size_t used, std::size_t there, const char* what) {
        if (used <= there) return;
        const std::size_t own = used - given;
        throw Error(fmt::format("{}: {} inputs exceed the limit of {}; of {} {}, the library takes {}", owner, given,
                                there - std::min(there, own), there, what, own));
    };
    if (in_browser || program.backend == Backend::fragment)
        return check(inputs.size(), op.reads.size(), limits.textures_read, "textures");
    const auto textures = static_cast<std::size_t>(std::count_if(inputs.begin(), inputs.end(), scene::in_texture));
    const auto is_texture = [&](const StreamUse& use) { return program.streams[use.stream].medium == Medium::texture; };
    check(inputs.size() - textures, storage_blocks(program, op), limits.storage_blocks, "storage blocks");
    // State is saved for as many units as this. The compute backend needs none for a count of its own.
    check(textures, static_cast<std::size_t>(std::count_if(op.reads.begin(), op.reads.end(), is_texture)),
          limits.textures_read + 1, "textures");
}

/// Throws `Error` if the compute backend cannot run the program, or if a buffer is too large for a storage block.
/// `validate` knows the blocks of scratch memory only.
void validate_blocks(const StreamProgram& program, const Limits& limits) {
    validate(program, limits);
    for (StreamId id = 0; id < program.streams.size(); ++id)
        if (const Stream stream = largest_stream(program, id);
            stream.medium == Medium::buffer && stream.bytes() > limits.storage_bytes)
            throw Error(stream.name);
}

/// Whether the compute backend can hold the scene: enough storage blocks, which are large enough.
bool fits_compute(SceneSpec spec, const Limits& limits, bool es) {
    if (spec.texture && es) return false;  // Writable images of two channels are missing.
    spec.backend = Backend::compute;
    try {
        validate_blocks(scene::plan_scene(spec, limits).program, limits);
        validate_blocks(scene::plan_sinks(spec, limits).program, limits);
        const SortSpec sort = scene::sort_spec(spec, limits);
        validate_blocks(
            make_program(
                {.spec = sort, .n = sort.capacity, .limits = limits, .source = scene::source_of_sort(spec, limits)}),
            limits);
        return true;
    } catch (const Error&) {
        return false;
    }
}

/// `SceneSession::Phase::movers`.
std::vector<std::optional<std::size_t>> movers_of(const StreamProgram& program) {
    std::vector<std::optional<std::size_t>> movers(program.streams.size());
    for (std::size_t number = 0; number < program.ops.size(); ++number) {
        const Op& op = program.ops[number];
        const auto note = [&](const std::vector<StreamUse>& uses, StreamRole role) {
            for (const StreamUse& use : uses) {
                const Stream& stream = program.streams[use.stream];
                if (stream.role == role && stream.medium == Medium::buffer) movers[use.stream] = number;
            }
        };
        if (op.kernel->transfer) note(op.reads, StreamRole::input);
        note(op.writes, StreamRole::output);
    }
    return movers;
}

}  // namespace

void SceneSession::Phase::set_records(StreamId stream, std::uint32_t records) {
    if (movers[stream]) scheduler->set_domain(*movers[stream], records);
}

/// Binds the caller's buffers and textures, which come in two lists.
void SceneSession::Phase::bind_inputs(const std::vector<StreamId>& streams, const std::vector<SceneInput>& inputs,
                                      const std::vector<BufferSlice>& slices, const std::vector<TextureView>& textures,
                                      scene::InputSizes sizes) {
    std::size_t slice = 0;
    std::size_t texture = 0;
    for (std::size_t i = 0; i < streams.size(); ++i) {
        const std::uint32_t elements = sizes.next(inputs[i]);
        if (inputs[i].medium == Medium::texture) {
            executor->bind(streams[i], textures[texture++]);
            continue;
        }
        executor->bind(streams[i], slices[slice++]);
        set_records(streams[i], static_cast<std::uint32_t>(scene::words_for(inputs[i], elements)));
    }
}

void SceneSession::check(const SceneSpec& spec, const SorterOptions& options) {
    if (options.caller_scratch) throw Error("caller_scratch is not supported; use shared_scratch");
    check_options(options);
    scene::check_spec(spec);
    if (spec.backend == Backend::cpu) throw Error("backend cpu; a scene needs fragment or compute");
}

SceneSession::SceneSession(const SceneSpec& spec, std::shared_ptr<SharedContext> context, const SorterOptions& options)
    : context_(std::move(context)),
      api_(context_->api),
      spec_(spec),
      options_(options),
      limits_(context_->report.limits) {
    const ContextReport& report = context_->report;
    if (spec_.backend == Backend::automatic) {
        spec_.backend = report.automatic;
        if (!in_browser && spec_.backend == Backend::compute && is_built(Backend::fragment) &&
            !fits_compute(spec_, limits_, api_->es))
            spec_.backend = Backend::fragment;
    }
    if (spec_.backend == Backend::compute && spec_.texture && api_->es)
        throw Error("texture: backend compute writes textures in OpenGL only, not in OpenGL ES");
    // The session of the sort makes the remaining choices, and names what a context lacks for the backend.
    SortSpec sort = scene::sort_spec(spec_, limits_);
    const std::shared_ptr<const ElementSource> source = scene::source_of_sort(spec_, limits_);
    // The count is in a texture that the sort reads anyway. A copy from a buffer would take one more op.
    if (source && is_fragment()) sort.gpu_count_medium = Medium::texture;
    Session::check(sort, sort_options());
    keeps_keys_ = stores_keys(source);
    sort_.emplace(sort, context_, sort_options(), source);
    sort_->expect_usual_input();
    spec_.algorithm = sort_->spec().algorithm;
    plan_ = scene::plan_scene(spec_, limits_, true);
    if (plan_.sort_numbers) sort_->expect_count_table();
    sink_plan_ = scene::plan_sinks(spec_, limits_);
    check_inputs();
}

/// The driver gets the shaders of all phases before the library waits for the first of them.
void SceneSession::make(Work& work) {
    work.add_once([this] {
        begin(keys_, std::move(plan_.program));
        if (!sink_plan_.program.ops.empty()) begin(sinks_, std::move(sink_plan_.program));
    });
    issue(keys_, work);
    issue(sinks_, work);
    sort_->issue(work);
    work.add([programs = context_->programs](bool may_wait) { return programs->finish_next(may_wait); });
    sort_->resolve(work);
    work.add_once([this] { size_sort_numbers(); });
    prepare(keys_, work);
    allocate_all(work);
    prepare(sinks_, work);
    work.add([programs = context_->programs](bool) { return programs->store_next(); });
}

void SceneSession::check_inputs() const {
    for (const scene::ScenePlan::Source& planned : plan_.sources) {
        const SceneSource& source = spec_.sources[planned.number];
        glsort::check_inputs(plan_.program, planned.op, source.inputs,
                             fmt::format("source {} ({})", planned.number, source.name), limits_);
    }
    for (std::size_t i = 0; i < sink_plan_.results.size(); ++i)
        glsort::check_inputs(sink_plan_.program, sink_plan_.results[i].op, spec_.results[i].inputs,
                             fmt::format("result {} ({})", i, spec_.results[i].name), limits_);
}

void SceneSession::begin(Phase& phase, StreamProgram program) const {
    phase.executor = make_executor(spec_.backend, api_, context_->executor_options(options_));
    phase.scheduler.emplace(*phase.executor);
    phase.planned = std::move(program);
}

void SceneSession::issue(Phase& phase, Work& work) {
    work.add([&phase, number = std::size_t{0}](bool) mutable {
        if (number == phase.planned.ops.size()) return Progress::done;
        phase.executor->issue(phase.planned, number++, ExternalStreams(phase.planned));
        return Progress::more;
    });
}

void SceneSession::prepare(Phase& phase, Work& work) const {
    work.add_once([this, &phase] {
        if (!phase.executor) return;
        phase.movers = movers_of(phase.planned);
        phase.scheduler->begin_prepare(std::exchange(phase.planned, {}), limits_);
    });
    work.add([&phase](bool) { return !phase.executor || phase.scheduler->go_on() ? Progress::done : Progress::more; });
    work.add([this, &phase, stand_ins = std::shared_ptr<StandIns>(), number = std::size_t{0}](bool) mutable {
        if (!phase.executor || number == phase.scheduler->program().ops.size()) return Progress::done;
        if (stand_ins == nullptr) stand_ins = std::make_shared<StandIns>(api_);
        phase.executor->warm_up(number++, *stand_ins);
        return Progress::more;
    });
}

/// Allocates one stream that the key program writes and the sort reads. There are such streams only if the key program
/// does not move the visible items together.
void SceneSession::allocate_unsorted(StreamId id) {
    const Stream& stream = key_program().streams[id];
    if (in_browser || stream.medium == Medium::texture)
        unsorted_.emplace_back(allocate(unsorted_textures_.emplace_back(api_), stream, stream.name,
                                        "the texture of stream " + stream.name));
    else
        allocate_unsorted_buffer(stream);
}

void SceneSession::allocate_unsorted_buffer(const Stream& stream) {
    const gl::Buffer& buffer = unsorted_buffers_.emplace_back(api_);
    unsorted_.emplace_back(BufferSlice{buffer.name(), 0});
    allocate(buffer, stream.name.c_str(), stream.bytes());
    const std::vector<std::byte> zeros(static_cast<std::size_t>(stream.begins_zero ? stream.bytes() : 0));
    if (!zeros.empty())
        api_->BufferSubData(GL_COPY_WRITE_BUFFER, 0, static_cast<GLsizeiptr>(zeros.size()), zeros.data());
}

/// Adds steps that allocate what the key program writes and the sort reads.
void SceneSession::allocate_all(Work& work) {
    work.add_once([this] {
        status_ = gl::Buffer(api_);
        allocate(status_, "the status", status_bytes);
    });
    work.add([this, number = std::size_t{0}](bool) mutable {
        if (number == plan_.unsorted.size()) return Progress::done;
        allocate_unsorted(plan_.unsorted[number++]);
        return Progress::more;
    });
    work.add_once([this] { sort_->set_source(unsorted_); });
    if (is_fragment()) {
        if (plan_.visible)
            work.add_once([this] {
                visible_texture_ = gl::Texture(api_);
                visible_ = allocate(visible_texture_, key_program().streams[*plan_.visible], "visible items",
                                    "the texture of the visible items");
            });
        return;
    }
    work.add_once([this] {
        if (!keeps_keys_) return;
        visible_keys_ = gl::Buffer(api_);
        allocate(visible_keys_, "the keys of the visible items", visible_bytes());
    });
    work.add_once([this] {
        if (!keeps_items()) return;
        items_ = gl::Buffer(api_);
        allocate(items_, "the numbers of the visible items", item_bytes());
    });
}

/// The sort saves no state: the guard of this session saves and restores the state of all three programs. The options
/// ask for no barrier in front of the sort, because the key program ends with that barrier.
SorterOptions SceneSession::sort_options() const {
    SorterOptions options = options_;
    options.state = StatePolicy::caller_resets;
    options.barrier_before = false;
    options.report_finished = options.fence = false;
    return options;
}

void SceneSession::allocate(const gl::Buffer& buffer, const char* what, std::uint64_t bytes) const {
    api_->BindBuffer(GL_COPY_WRITE_BUFFER, buffer.name());
    api_->BufferData(GL_COPY_WRITE_BUFFER, static_cast<GLsizeiptr>(bytes), nullptr, GL_DYNAMIC_COPY);
    gl::set_label(*api_, GL_BUFFER, buffer.name(), what);
    check_allocation(*api_, what, bytes);
}

/// Allocates a texture for a stream of the key program. `what`: the texture in error messages.
TextureView SceneSession::allocate(const gl::Texture& texture, const Stream& stream, const std::string& label,
                                   const std::string& what) const {
    const Rectangle box = bounding_box(stream.layout, stream.records);
    const TextureView view{texture.name(), stream.layout.width, box.y1, stream.layout.kind};
    allocate_texels(*api_, view.name, stream.texel_words(), view.width, view.height);
    gl::set_label(*api_, GL_TEXTURE, view.name, label);
    check_allocation(*api_, what, stream.texture_bytes());
    return view;
}

std::uint64_t SceneSession::visible_bytes() const {
    if (!is_fragment()) return keeps_keys_ ? std::uint64_t{key_bytes(spec_.key)} * scene::items_of(spec_) : 0;
    return plan_.visible ? key_program().streams[*plan_.visible].texture_bytes() : 0;
}

std::uint64_t SceneSession::item_bytes() const {
    return std::uint64_t{4} * scene::items_of(spec_);
}

std::uint64_t SceneSession::scratch_bytes() const {
    const std::uint64_t sinks = sinks_.executor ? sinks_.executor->allocated_bytes() : 0;
    return keys_.executor->allocated_bytes() + sort_->scratch_bytes() + sinks + status_bytes + visible_bytes() +
           (keeps_items() ? item_bytes() : 0) + unsorted_bytes();
}

std::uint64_t SceneSession::unsorted_bytes() const {
    std::uint64_t bytes = 0;
    for (const StreamId id : plan_.unsorted) {
        const Stream& stream = key_program().streams[id];
        bytes += stream.medium == Medium::texture ? stream.texture_bytes() : stream.bytes();
    }
    return bytes;
}

bool SceneSession::free_next() {
    if (sort_->free_next()) return true;
    for (Phase* phase : {&keys_, &sinks_}) {
        if (!phase->executor) continue;
        if (phase->executor->free_next()) return true;
        phase->scheduler.reset();
        phase->executor.reset();
        return true;
    }
    for (gl::Buffer* buffer : {&visible_keys_, &items_}) {
        if (buffer->name() == 0) continue;
        *buffer = {};
        return true;
    }
    if (!unsorted_buffers_.empty()) {
        unsorted_buffers_.pop_back();
        return true;
    }
    if (!unsorted_textures_.empty()) {
        unsorted_textures_.pop_back();
        return true;
    }
    if (visible_texture_.name() == 0) return false;
    visible_texture_ = {};
    return true;
}

const StreamProgram& SceneSession::sink_program() const {
    return sinks_.scheduler ? sinks_.scheduler->program() : sink_plan_.program;
}

gl::StateScope SceneSession::scope() const {
    const gl::StateScope both = united(keys_.executor->scope(), sort_->scope());
    return sinks_.executor ? united(both, sinks_.executor->scope()) : both;
}

/// Other sorters may have replaced shared scratch memory.
void SceneSession::refresh(Phase& phase) {
    if (!phase.executor->is_current()) phase.executor->resolve(phase.scheduler->program(), phase.scheduler->schedule());
}

void SceneSession::load_keys(const SceneArguments& arguments) {
    refresh(keys_);
    GlExecutor& executor = *keys_.executor;
    scene::DepthRange range;
    if (spec_.quantisation) range = scene::depth_range(*spec_.quantisation, arguments.nearest, arguments.farthest);
    for (const scene::ScenePlan::Source& planned : plan_.sources) {
        const SceneArguments::Source& given = arguments.sources[planned.number];
        const SceneSource& source = spec_.sources[planned.number];
        keys_.bind_inputs(planned.inputs, source.inputs, given.inputs, given.textures,
                          {scene::most_elements(source, given.count), given.table_elements});
        if (planned.count && source.gpu_count_medium == Medium::texture)
            executor.bind(*planned.count, given.gpu_count_texture);
        else if (planned.count)
            executor.bind(*planned.count, given.gpu_count);
        else
            scene::set_source_count(*keys_.scheduler, planned, given.count);
        scene::set_source_values(*keys_.scheduler, planned, given.values);
        if (spec_.quantisation) scene::set_depths(*keys_.scheduler, planned, range);
    }
    if (is_fragment()) {
        if (plan_.visible) executor.bind(*plan_.visible, visible_);
    } else {
        if (keeps_keys_) executor.bind(plan_.keys, BufferSlice{visible_keys_.name(), 0});
        if (plan_.items) executor.bind(*plan_.items, items_for(arguments));
    }
    for (std::size_t i = 0; i < plan_.commands.size() && !in_browser; ++i)
        executor.bind(plan_.commands[i], arguments.commands[i]);
    executor.bind(plan_.status, status());
    for (std::size_t i = 0; i < unsorted_.size(); ++i)
        std::visit([&](const auto& object) { executor.bind(plan_.unsorted[i], object); }, unsorted_[i]);
    if (plan_.sort_numbers) load_sort_numbers(arguments);
}

/// How many numbers the program of the sort has is known only after the session of the sort is made.
void SceneSession::size_sort_numbers() {
    if (!plan_.sort_numbers) return;
    const CountTable table = sort_->count_table();
    scene::set_rules(keys_.planned, *plan_.sort_numbers, table.rule_count, table.words);
}

/// The key program writes the numbers of the sort: the sort then needs no dispatch that reads the count.
void SceneSession::load_sort_numbers(const SceneArguments& arguments) {
    const scene::ScenePlan::SortNumbers& numbers = *plan_.sort_numbers;
    const CountTable table = sort_->bind_for_counts(sort_arguments(arguments));
    keys_.executor->bind(numbers.rules, table.rules);
    keys_.executor->bind(numbers.numbers, table.numbers);
    std::size_t parameter = numbers.first_parameter;
    const auto set = [&](std::uint32_t value) { keys_.scheduler->set_parameter(numbers.op, parameter++, value); };
    set(table.rule_count);
    set(table.most_columns);
    for (const std::uint32_t base : table.bases)
        set(base);
}

SortArguments SceneSession::sort_arguments(const SceneArguments& arguments) const {
    SortArguments sort;
    if (sort_->spec().gpu_count_medium == Medium::texture)
        sort.gpu_count_texture = std::get<TextureView>(unsorted_[scene::found_items]);
    else
        sort.gpu_count = status();
    if (!sort_->spec().own_output && is_fragment()) sort.output = arguments.texture;
    if (is_fragment())
        sort.input = visible_;
    else
        sort.input = Buffers{{visible_keys_.name(), 0}, plan_.items ? items_for(arguments) : BufferSlice{}};
    return sort;
}

/// Where the sort writes the order: the caller's buffer if there is one.
BufferSlice SceneSession::items_for(const SceneArguments& arguments) const {
    return keeps_items() ? BufferSlice{items_.name(), 0} : arguments.order;
}

void SceneSession::sort(const SceneArguments& arguments, Readers readers) {
    check_scene_arguments({*api_, spec_, options_, status()}, arguments);
    const StateGuard guard(*api_, scope(), options_.state == StatePolicy::restore);
    if (options_.barrier_before || options_.shared_scratch || is_fragment()) keys_.executor->see_writes();
    load_keys(arguments);
    if (sinks_.executor) load_sink_arguments(arguments);
    // All arguments have been accepted. A scene that is refused is not counted.
    FinishedSorts* const finished = context_->reports_of(options_);
    if (finished != nullptr) {
        finished->begin();
        readers = readers | Readers::transfer;
    }
    keys_.executor->start();
    keys_.scheduler->run();
    // Dispatches of the sort take their arguments and integers from the numbers of the sort.
    keys_.executor->finish(plan_.sort_numbers ? Readers::storage | Readers::uniform | Readers::indirect
                                              : Readers::storage);
    // A barrier holds for all earlier writes, so the barrier of the last program serves the caller's readers.
    const Readers readers_of_sort = sinks_.executor ? Readers::storage : readers;
    if (plan_.sort_numbers)
        sort_->sort_bound(readers_of_sort);
    else
        sort_->sort(sort_arguments(arguments), {}, readers_of_sort);
    if (sinks_.executor) write_sinks(arguments, readers);
    // As after every sort: no program of the library stays current.
    if (options_.state == StatePolicy::caller_resets) api_->UseProgram(0);
    if (finished != nullptr) finished->end(status());
    if (options_.fence) context_->fence = gl::Sync(api_);
}

/// Binds what the caller gives the sinks, and so refuses wrong offsets before anything runs.
void SceneSession::load_sink_arguments(const SceneArguments& arguments) {
    refresh(sinks_);
    GlExecutor& executor = *sinks_.executor;
    const std::uint32_t items = scene::most_items(spec_, arguments);
    const auto bind_result = [&](StreamId stream, const BufferSlice& target) {
        executor.bind(stream, target);
        sinks_.set_records(stream, items);
    };
    if (sink_plan_.order) bind_result(*sink_plan_.order, arguments.order);
    if (sink_plan_.texture) executor.bind(*sink_plan_.texture, arguments.texture);
    if (!in_browser && sink_plan_.triangles) {
        executor.bind(*sink_plan_.indices, arguments.indices);
        const std::uint32_t per_word = spec_.triangles->type == SceneInput::Type::u16 ? 2 : 1;
        sinks_.set_records(*sink_plan_.indices, records_for(scene::index_count(spec_, arguments), per_word));
        bind_result(*sink_plan_.triangles, arguments.triangles);
        for (std::size_t i = 0; i < arguments.sources.size(); ++i)
            scene::set_corners(*sinks_.scheduler, sink_plan_.triangles_op, i, arguments.sources[i].first_index,
                               arguments.sources[i].base_vertex);
    }
    for (std::size_t i = 0; i < sink_plan_.results.size(); ++i) {
        const scene::SinkPlan::Result& planned = sink_plan_.results[i];
        const SceneArguments::Result& given = arguments.results[i];
        sinks_.bind_inputs(planned.inputs, spec_.results[i].inputs, given.inputs, given.textures,
                           {0, given.table_elements});
        bind_result(planned.target, given.target);
        scene::set_values(*sinks_.scheduler, planned.op, 0, given.values);
    }
}

/// Binds what the sort has written.
void SceneSession::load_sorted(const SceneArguments& arguments) {
    GlExecutor& executor = *sinks_.executor;
    if (is_fragment())
        executor.bind(sink_plan_.sorted, sort_->own_texture());
    else if (plan_.items)
        executor.bind(sink_plan_.sorted, items_for(arguments));
    else
        executor.bind(sink_plan_.sorted, BufferSlice{visible_keys_.name(), 0});
    executor.bind(sink_plan_.status, status());
    if (sink_plan_.keys) executor.bind(*sink_plan_.keys, BufferSlice{visible_keys_.name(), 0});
}

void SceneSession::write_sinks(const SceneArguments& arguments, Readers readers) {
    refresh(sinks_);
    load_sorted(arguments);
    sinks_.executor->start();
    sinks_.scheduler->run();
    // The next call may begin without a barrier. Its ops read and write what these ops wrote.
    if (!options_.barrier_before) readers = readers | Readers::storage;
    if (!options_.barrier_before && sink_plan_.texture) readers = readers | Readers::texture;
    sinks_.executor->finish(readers);
}

}  // namespace glsort
