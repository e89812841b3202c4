#include <fmt/format.h>

#include <glsort/exec/executors.h>
#include <glsort/gl/capabilities.h>
#include <glsort/plan/element_source.h>
#include <glsort/session/arguments.h>
#include <glsort/session/choices.h>
#include <glsort/session/session.h>
#include <glsort/stream/validate.h>
#include <algorithm>
#include <array>
#include <utility>
#include <variant>

namespace glsort {

using gl::StateGuard;

void Session::check(const SortSpec& spec, const SorterOptions& options) {
    check_options(options);
    check_spec(spec);
}

Session::Session(const SortSpec& spec, std::shared_ptr<SharedContext> context, const SorterOptions& options,
                 std::shared_ptr<const ElementSource> source)
    : context_(std::move(context)),
      api_(context_->api),
      options_(options),
      limits_(context_->report.limits),
      source_(std::move(source)) {
    Choices choices = make_choices(spec, options, *api_, context_->report);
    spec_ = std::move(choices.spec);
    list_algorithm_ = std::move(choices.list_algorithm);
    ExecutorOptions executor_options = context_->executor_options(options_);
    executor_options.caller_scratch = options_.caller_scratch;
    if (spec_.gpu_count) executor_options.gpu_count = spec_.gpu_count_medium;
    executor_options.count_status = source_ == nullptr;
    executor_ = make_executor(spec_.backend, api_, executor_options);
    scheduler_.emplace(*executor_);
}

void Session::make(Work& work) {
    issue(work);
    work.add([programs = context_->programs](bool may_wait) { return programs->finish_next(may_wait); });
    resolve(work);
    work.add([programs = context_->programs](bool) { return programs->store_next(); });
}

/// The driver gets all shaders before the library waits for the first of them. The steps are short: a frame may have
/// time for one of them.
void Session::issue(Work& work) {
    making_ = std::make_unique<Making>();
    if (spec_.max_lists > 0) work.add_once([this] { validate_largest(most_even_lists()); });
    work.add_once([this] { validate_largest({}); });
    work.add_once([this] { with_capacity([this] { making_->variants = list_variants(); }); });
    work.add([this, variant = std::size_t{0}, number = std::size_t{0}, shape = std::size_t{0},
              planned = false](bool) mutable {
        if (variant == making_->variants.size()) return Progress::done;
        Variant& next = making_->variants[variant];
        if (!std::exchange(planned, true)) {
            with_capacity([&] { next.program = make_program(request(next)); });
            making_->shapes = shapes_of(next.program);
        } else if (number < next.program.ops.size()) {
            with_capacity([&] { issue(next.program, number, making_->shapes[shape]); });
            if (++shape < making_->shapes.size()) return Progress::more;
            shape = 0;
            ++number;
        }
        if (number < next.program.ops.size()) return Progress::more;
        ++variant;
        number = 0;
        planned = false;
        return Progress::more;
    });
}

void Session::resolve(Work& work) {
    work.add_once([this] { making_->stand_ins.emplace(api_); });
    // The streams of a merge may have more places than there are elements, so merges are allocated first.
    if (spec_.max_lists > 0) allocate(work, most_even_lists());
    allocate(work, {});
    if (spec_.own_output) work.add_once([this] { with_capacity([this] { allocate_output(); }); });
    warm_up_variants(work);
    prepare_ranges(work);
    work.add_once([this] {
        // Calls plan merges anew. Those merges find the memory of this largest merge.
        if (spec_.max_lists > 0) prepare(spec_.capacity, most_even_lists());
        prepare(spec_.capacity, {});
        making_.reset();
    });
}

/// Adds steps that allocate what the largest program needs, one buffer or texture at a time.
void Session::allocate(Work& work, std::vector<std::uint32_t> lists) {
    work.add([this, lists = std::move(lists), begun = false](bool) mutable {
        if (!std::exchange(begun, true)) {
            begin_prepare(make_program(request(spec_.capacity, lists)));
            return Progress::more;
        }
        bool more = false;
        with_capacity([&] { more = scheduler_->allocate_next(); });
        return more ? Progress::more : Progress::done;
    });
}

void Session::warm_up_variants(Work& work) {
    enum class Stage { begins, allocates, warms_up };
    work.add([this, variant = std::size_t{0}, number = std::size_t{0}, stage = Stage::begins](bool) mutable {
        if (variant == making_->variants.size()) return Progress::done;
        Variant& next = making_->variants[variant];
        if (stage == Stage::begins) {
            begin_prepare(std::move(next.program));
            stage = Stage::allocates;
        } else if (stage == Stage::allocates) {
            if (!go_on(next.lists)) return Progress::more;
            // The shaders of each shape are there then. Only those of the usual shape, which comes last, are warmed up:
            // software rasterisers need long for each shader.
            for (const Shapes& shapes : shapes_of(scheduler_->program()))
                bind_shapes(scheduler_->program(), shapes, *executor_);
            stage = Stage::warms_up;
        } else if (number < scheduler_->program().ops.size()) {
            executor_->warm_up(number++, *making_->stand_ins);
        } else {
            // With a count on the GPU, programs of fewer elements never run. They are planned only to compile their
            // kernels.
            if (!spec_.gpu_count || next.count == spec_.capacity) keep_range();
            ++variant;
            number = 0;
            stage = Stage::begins;
        }
        return Progress::more;
    });
}

void Session::begin_prepare(StreamProgram program) {
    prepared_ = false;
    with_capacity([&] { scheduler_->begin_prepare(std::move(program), limits_); });
}

/// The next step after `begin_prepare`. Returns true if the program is prepared.
bool Session::go_on(Lists lists) {
    bool done = false;
    with_capacity([&] { done = scheduler_->go_on(); });
    if (done) set_prepared(lists);
    return done;
}

/// Prepares a program for each count, so that no call plans. Programs of some algorithms serve only one count. Calls
/// plan these, and merges of lists, in the memory of the largest.
void Session::prepare_ranges(Work& work) {
    work.add([this, count = spec_.capacity, begun = false](bool) mutable {
        if (begun) {
            if (!go_on({})) return Progress::more;
            keep_range();
        } else if (!range_of(count)) {
            begin_prepare(make_program(request(count)));
            begun = true;
            return Progress::more;
        }
        begun = false;
        const std::optional<std::size_t> range = range_of(count);
        // If the GPU knows the count, one program serves all counts.
        if (!range || spec_.gpu_count) return Progress::done;
        count = ranges_[*range].counts.first - 1;
        return Progress::more;
    });
    work.add([this, number = std::size_t{0}](bool) mutable {
        if (number == ranges_.size()) return Progress::done;
        follow_memory(ranges_[number++]);
        return Progress::more;
    });
}

/// Puts the prepared program of a sort aside, for calls with its counts.
void Session::keep_range() {
    const std::optional<CountRange> counts = scheduler_->program().counts;
    if (!counts || !lists_.empty() || range_of(counts->last)) return;
    bind_usual_shape();
    ranges_.push_back({*counts, {}});
    scheduler_->exchange(ranges_.back().prepared);
    prepared_ = false;
}

std::optional<std::size_t> Session::range_of(std::uint32_t count) const {
    for (std::size_t i = 0; i < ranges_.size(); ++i)
        if (ranges_[i].counts.contains(count)) return i;
    return std::nullopt;
}

/// A program for fewer elements may need more memory of a kind, which earlier programs must use, too.
void Session::follow_memory(Range& range) {
    scheduler_->exchange(range.prepared);
    if (!executor_->is_current()) scheduler_->resolve_again();
    scheduler_->exchange(range.prepared);
}

/// Errors of `step` name the capacity.
template <class Step>
void Session::with_capacity(const Step& step) const {
    try {
        step();
    } catch (const Error& error) {
        throw Error(fmt::format("capacity {}: {}", spec_.capacity, error.what()));
    }
}

void Session::validate_largest(Lists lists) const {
    const StreamProgram largest = make_program(request(spec_.capacity, lists));
    with_capacity([&] { validate(largest, limits_); });
}

void Session::sort(const SortArguments& given, Lists lists, Readers readers) {
    const SortArguments arguments = checked(given);
    is_begun_ = false;
    if (arguments.count == 0) {
        // On compute, a sort of no elements still issues the barrier. The barrier also covers writes of the
        // application's own shaders.
        executor_->show_writes(readers);
        set_fence();
        return;
    }
    run(arguments.count, readers, [&] { load(arguments, lists); });
}

void Session::sort_bound(Readers readers) {
    is_begun_ = false;
    run(spec_.capacity, readers, [this] { take_count(bound_); });
}

/// `load`: binds what the program needs.
template <class Load>
void Session::run(std::uint32_t count, Readers readers, const Load& load) {
    const StateGuard guard = this->guard();
    if (barrier_before()) executor_->see_writes();
    drop_steps();
    load();
    // A sort that `load` refuses is not counted.
    FinishedSorts* const finished = context_->reports_of(options_);
    if (finished != nullptr) finished->begin();
    executor_->start();
    scheduler_->run();
    if (!barrier_before()) readers = readers | own_readers();
    if (finished != nullptr && spec_.gpu_count) readers = readers | Readers::transfer;
    executor_->finish(readers);
    leave_no_program();
    if (finished != nullptr && spec_.gpu_count) finished->end(executor_->count_status());
    if (finished != nullptr && !spec_.gpu_count) finished->end(count);
    set_fence();
}

void Session::set_fence() {
    if (options_.fence) context_->fence = gl::Sync(api_);
}

void Session::merge(const SortArguments& arguments, Lists lists, Readers readers) {
    check_count(spec_, arguments.count);
    check_lists(spec_, arguments.count, lists);
    sort(arguments, lists, readers);
}

void Session::require_own_scratch() const {
    if (options_.shared_scratch || options_.caller_scratch)
        throw Error("the sorter was made with shared_scratch or caller_scratch; steps need scratch memory of its own");
}

void Session::begin(const SortArguments& given, Lists lists) {
    if (!lists.empty()) check_lists(spec_, given.count, lists);
    const SortArguments arguments = checked(given);
    const StateGuard guard = this->guard();
    is_begun_ = false;
    drop_steps();
    ++begun_;
    if (arguments.count == 0) {
        prepare(0, {});
    } else {
        executor_->see_writes();
        load(arguments, lists);
        executor_->finish_count();
        leave_no_program();
    }
    scheduler_->restart();
    arguments_ = given;
    is_begun_ = true;
}

/// A sort begins. The sort before may have begun with steps, and may lack its last ones.
void Session::drop_steps() {
    if (std::exchange(is_partly_run_, false)) executor_->zero_again();
}

void Session::require_begun() const {
    if (!is_begun_) throw Error("no sort has begun");
}

bool Session::step() {
    require_begun();
    check_context(*api_);
    const std::size_t ops = scheduler_->program().ops.size();
    if (scheduler_->done() == ops) return false;
    // The caller may have deleted the objects in the arguments of `begin`.
    checked(arguments_);
    const StateGuard guard = this->guard();
    executor_->start();
    is_partly_run_ = true;
    scheduler_->step();
    is_partly_run_ = scheduler_->done() < ops;
    // The application may go on with its own shaders after any step, and may never take the next one.
    executor_->finish(Readers::all);
    leave_no_program();
    return true;
}

std::size_t Session::steps_done() const {
    require_begun();
    return scheduler_->done();
}

std::string Session::source(std::size_t number) const {
    require_begun();
    const std::size_t ops = scheduler_->program().ops.size();
    if (number >= ops) throw Error(fmt::format("op {} of {}", number, ops));
    return executor_->source(number);
}

std::vector<std::uint32_t> Session::read(StreamId stream) {
    require_begun();
    const std::vector<Stream>& streams = scheduler_->program().streams;
    check_context(*api_);
    if (stream < streams.size() && streams[stream].role != StreamRole::scratch) checked(arguments_);
    const StateGuard guard(*api_, {.draw_buffers = true, .pack = true, .copy = true});
    return scheduler_->read(stream);
}

bool Session::free_next() {
    if (executor_->free_next()) return true;
    if (own_texture_.name() != 0) {
        own_texture_ = {};
        return true;
    }
    if (ranges_.empty()) return false;
    ranges_.pop_back();
    return true;
}

StreamProgram Session::program(std::uint32_t count, Lists lists) const {
    check_count(spec_, count);
    if (!lists.empty()) check_lists(spec_, count, lists);
    return make_program(request(count, lists));
}

PlanRequest Session::request(std::uint32_t count, Lists lists) const {
    PlanRequest request{
        .spec = spec_, .n = count, .limits = limits_, .lists = {lists.begin(), lists.end()}, .source = source_};
    if (!lists.empty() && !list_algorithm_.empty()) request.spec.algorithm = list_algorithm_;
    return request;
}

TextureView Session::texture_for(std::uint32_t count) const {
    const StreamLayout layout = stream_layout(*spec_.layout, spec_.capacity);
    const Rectangle box = bounding_box(layout, std::max(count, 1u));
    const bool rows = layout.kind == Layout::row_wise;
    return {.name = 0, .width = rows ? layout.width : box.x1, .height = box.y1, .layout = layout.kind};
}

TextureView Session::own_texture() const {
    if (!spec_.own_output) throw Error("the sorter was made without own_output");
    return own_output_;
}

/// Words of a texel of the own texture.
std::uint32_t Session::output_words() const {
    return stores_keys(source_) ? texel_words(spec_, has_payload(spec_)) : 1;
}

std::uint64_t Session::scratch_bytes() const {
    const std::uint64_t texels = std::uint64_t{own_output_.width} * own_output_.height;
    return executor_->allocated_bytes() + texels * 4 * output_words();
}

BufferSlice Session::status() const {
    if (!spec_.gpu_count) throw Error("the sorter was made without gpu_count");
    return executor_->count_status();
}

SortArguments Session::checked(SortArguments arguments) const {
    check_arguments({.api = *api_,
                     .spec = spec_,
                     .options = options_,
                     .own_output = own_output_,
                     .scratch_bytes = executor_->caller_scratch_bytes(),
                     .scratch_alignment = executor_->caller_scratch_alignment(),
                     .input = source_ == nullptr,
                     .keys = stores_keys(source_)},
                    arguments);
    if (spec_.gpu_count) arguments.count = spec_.capacity;
    return arguments;
}

bool Session::barrier_before() const {
    // Compared with a draw, a barrier costs nothing.
    return options_.barrier_before || options_.shared_scratch || options_.caller_scratch ||
           spec_.backend == Backend::fragment;
}

Readers Session::own_readers() const {
    return spec_.output == Medium::texture ? Readers::storage | Readers::texture : Readers::storage;
}

StateGuard Session::guard() const {
    return StateGuard(*api_, executor_->scope(), options_.state == StatePolicy::restore);
}

void Session::prepare(std::uint32_t count, Lists lists) {
    if (lists.empty() && take_range(count)) return;
    leave_range();
    if (prepared_ && executor_->is_current()) {
        const bool same_lists = std::equal(lists.begin(), lists.end(), lists_.begin(), lists_.end());
        if (scheduler_->program().n == count && same_lists) return;
        if (lists.empty() && lists_.empty() && scheduler_->set_count(count)) return;
    }
    // If the next calls throw, the scheduler may be left with a program that was not resolved.
    prepared_ = false;
    scheduler_->prepare(make_program(request(count, lists)), limits_);
    set_prepared(lists);
}

/// Takes up the program that serves a count. Returns false if there is none.
bool Session::take_range(std::uint32_t count) {
    if (!range_ || !ranges_[*range_].counts.contains(count)) {
        const std::optional<std::size_t> found = range_of(count);
        if (!found) return false;
        leave_range();
        scheduler_->exchange(ranges_[*found].prepared);
        range_ = found;
    }
    if (scheduler_->program().n != count) scheduler_->set_count(count);
    if (!executor_->is_current()) scheduler_->resolve_again();
    return true;
}

/// Gives the scheduler back what it had before `take_range`.
void Session::leave_range() {
    if (range_) scheduler_->exchange(ranges_[*range_].prepared);
    range_.reset();
}

void Session::set_prepared(Lists lists) {
    lists_.assign(lists.begin(), lists.end());
    prepared_ = true;
}

std::vector<std::uint32_t> Session::most_even_lists() const {
    return glsort::most_even_lists(spec_);
}

/// The programs to plan at construction. Their kernels together are the kernels of all later calls. The algorithm names
/// the counts and the lists whose programs have further kernels.
std::vector<Session::Variant> Session::list_variants() const {
    std::vector<Variant> variants;
    PlanRequest sorts = request(spec_.capacity);
    // If the GPU knows the count, only the program of the capacity runs. On fragments, kernels of this program may be
    // kernels of smaller counts in a larger sorter. All are compiled here, so a growth compiles nothing.
    if (spec_.backend == Backend::fragment) sorts.spec.gpu_count = false;
    for (const std::uint32_t count : kernel_counts(sorts))
        variants.push_back({count, {}});
    if (spec_.max_lists == 0) return variants;
    const PlanRequest merges = request(spec_.capacity, std::array{spec_.capacity});
    for (std::vector<std::uint32_t>& lists : kernel_lists(merges, spec_.max_lists))
        variants.push_back({spec_.capacity, std::move(lists)});
    variants.push_back({spec_.capacity, most_even_lists()});
    return variants;
}

PlanRequest Session::request(const Variant& variant) const {
    PlanRequest request = this->request(variant.count, variant.lists);
    // With a count on the GPU, programs of fewer elements never run. They are planned only to compile their kernels.
    if (variant.count != spec_.capacity) request.spec.gpu_count = false;
    return request;
}

/// The shapes of the caller's textures that have shaders of their own. Of the pairs of an input and an output, the last
/// has the shape of `texture_for`. Without textures, there is one pair.
std::vector<Session::Shapes> Session::shapes_of(const StreamProgram& program) const {
    const TextureView own = texture_for(program.n);
    const TextureView shapes[] = {
        {0, own.width + 1, own.height, Layout::row_wise}, {0, own.width, own.height, Layout::z_order}, own};
    const auto some = [&](bool all) { return std::span(shapes).last(all ? std::size(shapes) : 1); };
    std::vector<Shapes> pairs;
    // If one op reads and writes the caller's textures, every pair of shapes has its own shader.
    for (const TextureView& input : some(program.caller.input && !usual_input_))
        for (const TextureView& output : some(program.caller.output && !spec_.own_output)) {
            const bool refused = spec_.gpu_count && output.layout == Layout::z_order;
            if (!refused || spec_.backend == Backend::compute) pairs.push_back({input, output});
        }
    return pairs;
}

/// Binds textures of these shapes to the caller's streams, in an executor or in `ExternalStreams`.
template <class Target>
void Session::bind_shapes(const StreamProgram& program, const Shapes& shapes, Target& target) const {
    if (program.caller.input) target.bind(*program.caller.input, shapes.input);
    if (program.caller.output && !spec_.own_output) target.bind(*program.caller.output, shapes.output);
}

/// The shape of the textures that `texture_for` suggests. A call with other shapes resolves ops once more.
void Session::bind_usual_shape() {
    const CallerStreams& caller = scheduler_->program().caller;
    if (caller.input) executor_->bind(*caller.input, texture_for(spec_.capacity));
    if (caller.output) executor_->bind(*caller.output, spec_.own_output ? own_output_ : texture_for(spec_.capacity));
}

void Session::issue(const StreamProgram& program, std::size_t number, const Shapes& shapes) {
    ExternalStreams external(program);
    bind_shapes(program, shapes, external);
    executor_->issue(program, number, external);
}

void Session::allocate_output() {
    own_output_ = texture_for(spec_.capacity);
    // The checks of the program do not cover this texture. Streams of the program hold two elements per texel, or are
    // buffers.
    if (std::max(own_output_.width, own_output_.height) > limits_.texture_size)
        throw Error(fmt::format("the output takes a texture of {}x{} texels; the limit is {}", own_output_.width,
                                own_output_.height, limits_.texture_size));
    own_texture_ = gl::Texture(api_);
    own_output_.name = own_texture_.name();
    const std::uint32_t words = output_words();
    allocate_texels(*api_, own_output_.name, words, own_output_.width, own_output_.height);
    gl::set_label(*api_, GL_TEXTURE, own_output_.name, "output");
    check_allocation(*api_, "the output texture", std::uint64_t{4} * words * own_output_.width * own_output_.height);
}

/// No program of the library may stay current: a sorter may be destroyed before the caller binds another program.
void Session::leave_no_program() const {
    if (options_.state == StatePolicy::caller_resets) api_->UseProgram(0);
}

CountTable Session::bind_for_counts(const SortArguments& given) {
    bound_ = checked(given);
    bind(bound_, {});
    return executor_->count_table();
}

void Session::bind(const SortArguments& arguments, Lists lists) {
    prepare(arguments.count, lists);
    const CallerStreams& caller = scheduler_->program().caller;
    if (caller.input) executor_->bind(*caller.input, std::get<TextureView>(arguments.input));
    if (caller.output) executor_->bind(*caller.output, spec_.own_output ? own_output_ : arguments.output);
    if (const auto* buffers = std::get_if<Buffers>(&arguments.input)) {
        if (caller.keys) executor_->bind(*caller.keys, buffers->keys);
        if (caller.values) executor_->bind(*caller.values, buffers->values);
    }
    for (std::size_t i = 0; i < caller.source.size(); ++i)
        std::visit([&](const auto& object) { executor_->bind(caller.source[i], object); }, source_objects_[i]);
    if (options_.caller_scratch) executor_->bind_scratch(arguments.scratch);
}

void Session::load(const SortArguments& arguments, Lists lists) {
    bind(arguments, lists);
    take_count(arguments);
}

void Session::take_count(const SortArguments& arguments) {
    if (!spec_.gpu_count) return;
    if (spec_.gpu_count_medium == Medium::texture)
        executor_->take_count(arguments.gpu_count_texture);
    else
        executor_->take_count(arguments.gpu_count);
}

}  // namespace glsort
