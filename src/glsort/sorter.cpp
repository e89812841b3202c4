#include <fmt/format.h>

#include <glsort/exec/executors.h>
#include <glsort/gl/capabilities.h>
#include <glsort/plan/algorithm.h>
#include <glsort/sorter.h>
#include <glsort/stream/scheduler.h>
#include <glsort/stream/validate.h>
#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <optional>
#include <tuple>
#include <variant>

namespace glsort {
namespace {

using gl::StateGuard;

const char* text(const GLubyte* string) {
    return reinterpret_cast<const char*>(string);
}

/// `probe`: whether subgroups are of interest.
ContextReport report_on(const std::shared_ptr<const gl::Api>& api, bool probe) {
    ContextReport report;
    report.renderer = text(api->GetString(GL_RENDERER));
    report.version = text(api->GetString(GL_VERSION));
    report.shading_language = text(api->GetString(GL_SHADING_LANGUAGE_VERSION));
    report.limits = gl::query_limits(api, probe);
    std::string compute_reason;
    bool compute = gl::has_compute(*api, compute_reason);
    if (!is_built(Backend::compute)) {
        compute = false;
        compute_reason = why_not_built(Backend::compute);
    }
    const bool fragment = is_built(Backend::fragment);
    report.offers = {{Backend::fragment, fragment,
                      fragment ? fmt::format("{} integer attachments, textures up to {}x{}", report.limits.attachments,
                                             report.limits.texture_size, report.limits.texture_size)
                               : why_not_built(Backend::fragment)},
                     {Backend::compute, compute, compute_reason},
                     {Backend::cpu, true, "CpuSorter, over host memory"}};
    report.automatic = compute || !fragment ? Backend::compute : Backend::fragment;
    report.automatic_reason = compute ? "compute shaders are there, and write buffers in place" : compute_reason;
    return report;
}

/// Part of a buffer that a sort touches.
struct Range {
    const char* name = "";
    BufferSlice buffer;
    std::uint64_t bytes = 0;
};

/// `element_bytes` are moved by the largest of 16, 8 and 4 bytes that divides them, which must divide the
/// offset as well.
void check_slice(const char* function, const Range& range, std::uint32_t element_bytes) {
    const std::uint32_t alignment = std::gcd(element_bytes, 16u);
    if (range.buffer.offset % alignment != 0)
        throw Error(fmt::format("Sorter::{}: {}.offset {} is not a multiple of {} bytes", function, range.name,
                                range.buffer.offset, alignment));
    if (range.buffer.name == 0) throw Error(fmt::format("Sorter::{}: {}.name 0 is not a buffer", function, range.name));
}

/// A name that is gone must reach no op: shaders that find no buffer can hang a GPU.
void check_name(const gl::Api& api, const char* function, const Range& range) {
    if (api.IsBuffer(range.buffer.name) == GL_FALSE)
        throw Error(fmt::format("Sorter::{}: {}.name {} is not a buffer", function, range.name, range.buffer.name));
}

/// Asks OpenGL whether the buffer is large enough, and OpenGL's to use.
void check_buffer(const gl::Api& api, const char* function, const Range& range) {
    const StateGuard guard(api, {.copy = true});
    api.BindBuffer(GL_COPY_READ_BUFFER, range.buffer.name);
    GLint64 size = 0;
    api.GetBufferParameteri64v(GL_COPY_READ_BUFFER, GL_BUFFER_SIZE, &size);
    const auto there = static_cast<std::uint64_t>(size);
    if (range.bytes > there || range.buffer.offset > there - range.bytes)
        throw Error(
            fmt::format("Sorter::{}: {} at offset {} with {} bytes reaches past the end of "
                        "buffer {}, which has {}",
                        function, range.name, range.buffer.offset, range.bytes, range.buffer.name, size));
    GLint64 mapped = GL_FALSE;
    api.GetBufferParameteri64v(GL_COPY_READ_BUFFER, GL_BUFFER_MAPPED, &mapped);
    if (mapped == GL_FALSE) return;
    GLint64 access = 0;
    api.GetBufferParameteri64v(GL_COPY_READ_BUFFER, GL_BUFFER_ACCESS_FLAGS, &access);
    if ((access & GL_MAP_PERSISTENT_BIT) == 0)
        throw Error(fmt::format("Sorter::{}: {}.name {} is mapped, and not persistently: unmap the buffer before",
                                function, range.name, range.buffer.name));
}

void check_view(const gl::Api& api, const char* function, const char* name, const TextureView& view,
                std::uint32_t count) {
    if (view.name == 0) throw Error(fmt::format("Sorter::{}: {}.name 0 is not a texture", function, name));
    if (view.layout != Layout::row_wise && view.layout != Layout::z_order)
        throw Error(fmt::format("Sorter::{}: {}.layout {} is none; the last one is {} (z_order)", function, name,
                                static_cast<int>(view.layout), static_cast<int>(Layout::z_order)));
    if (view.width == 0 || view.height == 0)
        throw Error(fmt::format("Sorter::{}: {} has a size of {}x{} texels", function, name, view.width, view.height));
    const Rectangle box = bounding_box({view.layout, view.width}, count);
    if (box.x1 > view.width || box.y1 > view.height)
        throw Error(
            fmt::format("Sorter::{}: {} of {}x{} texels is too small for {} elements in {} "
                        "layout, which take {}x{}",
                        function, name, view.width, view.height, count, to_string(view.layout), box.x1, box.y1));
    if (api.IsTexture(view.name) == GL_FALSE)
        throw Error(fmt::format("Sorter::{}: {}.name {} is not a texture", function, name, view.name));
}

/// Asks OpenGL whether the texture is what the view says. OpenGL ES 3.0 cannot be asked for size and
/// format: there only its target is checked.
///
/// `least` and `most`: the words that a texel may have, of 1, 2 and 4.
void check_texture(const gl::Api& api, const char* function, const char* name, const TextureView& view,
                   std::uint32_t least, std::uint32_t most) {
    const StateGuard guard(api, {.textures = true});
    api.ActiveTexture(GL_TEXTURE0);
    api.BindTexture(GL_TEXTURE_2D, 0);
    api.BindTexture(GL_TEXTURE_2D, view.name);
    GLint bound = 0;
    api.GetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
    if (static_cast<GLuint>(bound) != view.name) {
        // The failed binding left an error that is ours. What was pending before goes with it.
        throw Error(fmt::format("Sorter::{}: {}.name {} is not a GL_TEXTURE_2D (OpenGL errors, also those pending: {})",
                                function, name, view.name, gl::take_errors(api)));
    }
    if (!api.at_least(33, 31)) return;
    GLint width = 0;
    GLint height = 0;
    GLint format = 0;
    api.GetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_WIDTH, &width);
    api.GetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_HEIGHT, &height);
    api.GetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_INTERNAL_FORMAT, &format);
    if (static_cast<std::uint32_t>(width) != view.width || static_cast<std::uint32_t>(height) != view.height)
        throw Error(fmt::format("Sorter::{}: {} is given as {}x{} texels, but texture {} has {}x{}", function, name,
                                view.width, view.height, view.name, width, height));
    std::string accepted;
    for (const auto& [words, internal, text] :
         {std::tuple<std::uint32_t, GLint, const char*>{1, GL_R32UI, "GL_R32UI (0x8236)"},
          {2, GL_RG32UI, "GL_RG32UI (0x823c)"},
          {4, GL_RGBA32UI, "GL_RGBA32UI (0x8d70)"}}) {
        if (words < least || words > most) continue;
        if (format == internal) return;
        accepted += (accepted.empty() ? "" : " or ") + std::string(text);
    }
    throw Error(
        fmt::format("Sorter::{}: {} has internal format {:#06x}; it must be {}", function, name, format, accepted));
}

/// Calls `make`; what it throws begins with the constructor's name.
template <class Make>
auto in_constructor(const std::string& what, const Make& make) {
    try {
        return make();
    } catch (const Error& error) {
        throw Error("Sorter::Sorter: " + what + error.what());
    }
}

/// What the fragment backend refuses `request` with: the message ends in what it takes instead.
std::string why_not_fragment(PlanRequest request) {
    request.spec.backend = Backend::fragment;
    try {
        plan(request);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace

class Sorter::Implementation {
  public:
    using Lists = std::span<const std::uint32_t>;

    Implementation(const SortSpec& spec, GetProcAddress get_proc_address, const SorterOptions& options)
        : api_(gl::load_api(get_proc_address, "Sorter::Sorter")), spec_(spec), options_(options) {
        // One that is pending may hide one of ours, or be taken for ours; none can be put back.
        if (const std::string errors = gl::take_errors(*api_); !errors.empty())
            throw Error("Sorter::Sorter: OpenGL errors were pending from before: " + errors +
                        "; they are read now, so that another attempt finds none");
        api_->reads_errors = true;
        const ContextReport report = report_on(api_, spec.backend != Backend::fragment);
        limits_ = report.limits;
        choose(report);
        const StateGuard guard(*api_, construction_scope());
        executor_ = make_executor(spec_.backend, api_, options_.debug_groups);
        scheduler_.emplace(*executor_);
        StreamProgram largest = in_constructor("", [&] { return plan(request(spec_.capacity)); });
        std::vector<Variant> variants;
        in_constructor(fmt::format("capacity {}: ", spec_.capacity), [&] {
            if (spec_.max_lists > 0) validate(plan(request(spec_.capacity, most_even_lists())), limits_);
            validate(largest, limits_);
            // All that is to be compiled goes to the driver before anything waits for it.
            variants = plan_variants();
            for (const Variant& variant : variants)
                issue(variant.program);
            // Lists take more places than there are elements.
            if (spec_.max_lists > 0) prepare(spec_.capacity, most_even_lists());
            scheduler_->prepare(std::move(largest), limits_);
            set_prepared({});
            if (spec_.own_output) allocate_output();
        });
        for (Variant& variant : variants)
            resolve(variant);
        prepare(spec_.capacity, {});
        api_->reads_errors = false;
    }

    /// Sorts, or merges lists where there are any. `function` is what the caller called.
    void sort(const char* function, const SortArguments& arguments, Lists lists, Readers readers) {
        check(function, arguments);
        begun_ = false;
        if (arguments.count == 0) return;
        const StateGuard guard = this->guard();
        if (barrier_before() || stepped_) executor_->see_writes();
        stepped_ = false;
        load(arguments, lists);
        executor_->start();
        scheduler_->run();
        executor_->finish(barrier_before() ? readers : readers | own_readers());
        leave_no_program();
    }

    void merge(const char* function, const SortArguments& arguments, Lists lists, Readers readers) {
        check_count(function, arguments.count);
        check_lists(function, arguments.count, lists);
        sort(function, arguments, lists, readers);
    }

    void begin(const SortArguments& arguments, Lists lists) {
        if (!lists.empty()) check_lists("begin", arguments.count, lists);
        check("begin", arguments);
        const StateGuard guard = this->guard();
        begun_ = false;
        if (arguments.count == 0) {
            prepare(0, {});
        } else {
            executor_->see_writes();
            load(arguments, lists);
        }
        scheduler_->restart();
        arguments_ = arguments;
        begun_ = stepped_ = true;
    }

    bool step() {
        if (!begun_) throw Error("Sorter::step: no sort has begun");
        require_current("step");
        const std::size_t ops = scheduler_->program().ops.size();
        if (scheduler_->done() == ops) return false;
        // What `begin` was given may be gone.
        check("step", arguments_);
        const StateGuard guard = this->guard();
        executor_->start();
        scheduler_->step();
        if (scheduler_->done() == ops) {
            executor_->finish(Readers::all);
        } else {
            executor_->release();
            executor_->order_updates();
        }
        leave_no_program();
        return true;
    }

    std::string source(std::size_t number) const {
        if (!begun_) throw Error("Sorter::source: no sort has begun");
        if (number >= scheduler_->program().ops.size())
            throw Error(fmt::format("Sorter::source: op {} of {}", number, scheduler_->program().ops.size()));
        return executor_->source(number);
    }

    std::vector<std::uint32_t> read(StreamId stream) {
        if (!begun_) throw Error("Sorter::read: no sort has begun");
        if (stream >= scheduler_->program().streams.size())
            throw Error(fmt::format("Sorter::read: stream {} of {}", stream, scheduler_->program().streams.size()));
        require_current("read");
        if (scheduler_->program().streams[stream].role != StreamRole::scratch) check("read", arguments_);
        const StateGuard guard(*api_, {.pack = true, .copy = true});
        return scheduler_->read(stream);
    }

    std::size_t steps_done() const { return scheduler_->done(); }

    PlanRequest request(std::uint32_t count, Lists lists = {}) const {
        PlanRequest request{.spec = spec_, .n = count, .limits = limits_, .lists = {lists.begin(), lists.end()}};
        if (!lists.empty() && !list_algorithm_.empty()) request.spec.algorithm = list_algorithm_;
        return request;
    }

    TextureView texture_for(std::uint32_t count) const {
        const StreamLayout layout = stream_layout(*spec_.layout, spec_.capacity);
        const Rectangle box = bounding_box(layout, std::max(count, 1u));
        const bool rows = layout.kind == Layout::row_wise;
        return {.name = 0, .width = rows ? layout.width : box.x1, .height = box.y1, .layout = layout.kind};
    }

    /// The fragment backend makes it always: beside a draw it costs nothing.
    bool barrier_before() const { return options_.barrier_before || spec_.backend == Backend::fragment; }

    /// The next sort, which must not begin before the ops of this one are done.
    Readers own_readers() const {
        return spec_.output == Medium::texture ? Readers::storage | Readers::texture : Readers::storage;
    }

    bool has_payload() const { return spec_.payload.kind != Payload::Kind::none; }
    bool moves_values() const { return spec_.payload.kind == Payload::Kind::bytes; }

    std::uint32_t key_bytes() const { return glsort::key_bytes(spec_.order); }

    /// 32-bit words of a texel that holds a key, or a key and a value.
    std::uint32_t texel_words(bool value) const { return std::bit_ceil(key_bytes() / 4 + (value ? 1 : 0)); }

    const SortSpec& spec() const { return spec_; }
    const SorterOptions& options() const { return options_; }

    TextureView own_texture(const char* function) const {
        if (!spec_.own_output) throw Error(fmt::format("Sorter::{}: the sorter was made without own_output", function));
        return own_output_;
    }

    /// From here on nothing is deleted.
    void abandon() { api_->abandoned = true; }

    std::uint64_t scratch_bytes() const {
        const std::uint64_t texels = std::uint64_t{own_output_.width} * own_output_.height;
        return executor_->allocated_bytes() + texels * 4 * texel_words(has_payload());
    }

    void check_count(const char* function, std::uint32_t count) const {
        if (count > spec_.capacity)
            throw Error(
                fmt::format("Sorter::{}: count {} exceeds the capacity {} given at "
                            "construction",
                            function, count, spec_.capacity));
    }

    void check_lists(const char* function, std::uint32_t count, Lists lists) const {
        if (spec_.max_lists == 0)
            throw Error(fmt::format("Sorter::{}: the sorter was made without max_lists", function));
        if (lists.size() > spec_.max_lists)
            throw Error(fmt::format("Sorter::{}: {} lists exceed max_lists {} given at construction", function,
                                    lists.size(), spec_.max_lists));
        std::uint64_t sum = 0;
        for (const std::uint32_t length : lists)
            sum += length;
        if (sum != count)
            throw Error(fmt::format("Sorter::{}: lists add up to {} elements; count is {}", function, sum, count));
    }

  private:
    void require_current(const char* function) const {
        if (api_->is_current()) {
            const std::string why = gl::state_refusal(*api_);
            if (why.empty()) return;
            throw Error(fmt::format("Sorter::{}: {}", function, why));
        }
        throw Error(fmt::format("Sorter::{}: {}", function,
                                api_->current_context() == nullptr
                                    ? "no OpenGL context is current on this thread"
                                    : "another OpenGL context is current than at construction"));
    }

    /// Resolves what the specification leaves open, and refuses what cannot be.
    void choose(const ContextReport& report) {
        const auto fail = [](const std::string& what) { throw Error("Sorter::Sorter: " + what); };
        if (options_.state != StatePolicy::restore && options_.state != StatePolicy::caller_resets)
            fail(fmt::format("state {} is none; the last one is {} (caller_resets)", static_cast<int>(options_.state),
                             static_cast<int>(StatePolicy::caller_resets)));
        if (spec_.capacity == 0) fail("capacity 0; it must be 1 or more");
        if (spec_.backend == Backend::cpu) fail("backend cpu sorts host memory; that is CpuSorter's");
        if (spec_.max_lists > max_merge_lists)
            fail(fmt::format("max_lists {} exceeds the limit of {}", spec_.max_lists, max_merge_lists));
        if (spec_.own_output && spec_.output != Medium::texture) fail("own_output needs output to be a texture");
        PlanRequest largest = request(spec_.capacity);
        if (spec_.max_lists > 0) largest.lists = most_even_lists();
        const Described choice = in_constructor("", [&] { return chosen(largest); });
        const bool portable = choice.variant->takes.fragment;
        if (spec_.backend == Backend::fragment && !portable) fail(why_not_fragment(largest));
        spec_.layout = spec_.layout.value_or(choice.variant->layout);
        const bool automatic = spec_.backend == Backend::automatic;
        // Images of two channels, which pairs are written to, are OpenGL's alone.
        const bool no_images = api_->es && spec_.output == Medium::texture;
        if (automatic) {
            spec_.backend = portable ? report.automatic : Backend::compute;
            // What compute cannot write or hold, textures may.
            if (portable && spec_.backend == Backend::compute && is_built(Backend::fragment) &&
                (no_images || !fits(Backend::compute)) && fits(Backend::fragment))
                spec_.backend = Backend::fragment;
        }
        if (!is_built(spec_.backend)) fail(why_not_built(spec_.backend));
        if (spec_.backend == Backend::compute) {
            for (const ContextReport::Offer& offer : report.offers)
                if (offer.backend == Backend::compute && !offer.available)
                    fail((portable || !automatic ? "backend compute " : why_not_fragment(largest) + ", which ") +
                         offer.reason);
            if (no_images) fail("backend compute writes textures in OpenGL only, not in OpenGL ES");
        }
        // Sorts and merges of lists may be of different variants, where none is named.
        if (spec_.max_lists > 0) {
            list_algorithm_ = name_for(most_even_lists());
            if (spec_.algorithm == "automatic") spec_.algorithm = choice.algorithm->name;
        }
        spec_.algorithm = name_for({});
    }

    /// What merges lists, where there are any, or sorts. Throws `Error` where that takes none.
    Described chosen(const PlanRequest& asked) const {
        check_kinds(asked.spec);
        const Described choice = describe_choice(asked);
        if (asked.lists.empty() || choice.variant->takes.lists) return choice;
        try {
            check_takes(asked, choice);
        } catch (const Error& error) {
            throw Error(fmt::format("max_lists {}: {}", spec_.max_lists, error.what()));
        }
        return choice;
    }

    /// The algorithm and the variant for lists, or for sorts.
    std::string name_for(Lists lists) const { return describe_choice(request(spec_.capacity, lists)).name(); }

    /// Whether a program for the whole capacity is within the limits of the device on `backend`.
    bool fits(Backend backend) const {
        PlanRequest largest = request(spec_.capacity);
        largest.spec.backend = backend;
        try {
            validate(plan(largest), limits_);
            if (spec_.max_lists > 0) {
                largest.lists = most_even_lists();
                validate(plan(largest), limits_);
            }
            return true;
        } catch (const Error&) {
            return false;
        }
    }

    StateGuard guard() const { return StateGuard(*api_, executor_->scope(), options_.state == StatePolicy::restore); }

    void prepare(std::uint32_t count, Lists lists) {
        const auto same_lists = [&] { return std::equal(lists.begin(), lists.end(), lists_.begin(), lists_.end()); };
        if (prepared_ && scheduler_->program().n == count && same_lists()) return;
        if (prepared_ && lists.empty() && lists_.empty() && scheduler_->set_count(count)) return;
        // Where this throws, the scheduler may be left with a program that was not resolved.
        prepared_ = false;
        scheduler_->prepare(plan(request(count, lists)), limits_);
        set_prepared(lists);
    }

    void set_prepared(Lists lists) {
        lists_.assign(lists.begin(), lists.end());
        prepared_ = true;
    }

    /// `max_lists` lists of the capacity. No others take more memory.
    std::vector<std::uint32_t> most_even_lists() const {
        std::vector<std::uint32_t> lists(spec_.max_lists, spec_.capacity / spec_.max_lists);
        for (std::uint32_t i = 0; i < spec_.capacity % spec_.max_lists; ++i)
            ++lists[i];
        return lists;
    }

    /// A program with kernels of its own.
    struct Variant {
        StreamProgram program;
        std::vector<std::uint32_t> lists;
    };

    /// Those that together have all kernels that any later call needs: the algorithm says which counts, and which
    /// lists, have kernels of their own.
    std::vector<Variant> plan_variants() const {
        std::vector<Variant> variants;
        const auto add = [&](std::uint32_t count, const std::vector<std::uint32_t>& lists) {
            variants.push_back({plan(request(count, lists)), lists});
        };
        for (const std::uint32_t count : kernel_counts(request(spec_.capacity)))
            add(count, {});
        if (spec_.max_lists == 0) return variants;
        const PlanRequest merges = request(spec_.capacity, std::array{spec_.capacity});
        for (const std::vector<std::uint32_t>& lists : kernel_lists(merges, spec_.max_lists))
            add(spec_.capacity, lists);
        add(spec_.capacity, most_even_lists());
        return variants;
    }

    /// Calls `bind(stream, texture)` with the caller's textures in every shape that has shaders of its own.
    template <class Bind>
    void bind_all_shapes(const StreamProgram& program, const Bind& bind) const {
        if (spec_.input != Medium::texture && spec_.output != Medium::texture) return;
        const TextureView own = texture_for(program.n);
        const TextureView shapes[] = {
            {0, own.width + 1, own.height, Layout::row_wise}, {0, own.width, own.height, Layout::z_order}, own};
        // Where one op reads and writes the caller's textures, every pair is a program.
        for (const TextureView& input : shapes) {
            if (program.caller.input) bind(*program.caller.input, input);
            if (!program.caller.output || spec_.own_output) continue;
            for (const TextureView& output : shapes)
                bind(*program.caller.output, output);
        }
    }

    void issue(const StreamProgram& program) {
        ExternalStreams external(program);
        executor_->issue(program, external);
        bind_all_shapes(program, [&](StreamId stream, const TextureView& texture) {
            external.bind(stream, texture);
            executor_->issue(program, external);
        });
    }

    void resolve(Variant& variant) {
        scheduler_->prepare(std::move(variant.program), limits_);
        set_prepared(variant.lists);
        bind_all_shapes(scheduler_->program(),
                        [&](StreamId stream, const TextureView& texture) { executor_->bind(stream, texture); });
    }

    void allocate_output() {
        own_output_ = texture_for(spec_.capacity);
        // The program's limits do not cover it: its own streams hold two elements a texel, or are buffers.
        if (std::max(own_output_.width, own_output_.height) > limits_.texture_size)
            throw Error(fmt::format("the output takes a texture of {}x{} texels; the limit is {}", own_output_.width,
                                    own_output_.height, limits_.texture_size));
        own_texture_ = gl::Texture(api_);
        own_output_.name = own_texture_.name();
        const std::uint32_t words = texel_words(has_payload());
        const IntegerFormat format = integer_format(words);
        api_->ActiveTexture(GL_TEXTURE0);
        api_->BindTexture(GL_TEXTURE_2D, own_output_.name);
        for (const auto& [parameter, value] : {std::pair<GLenum, GLint>{GL_TEXTURE_MAX_LEVEL, 0},
                                               {GL_TEXTURE_MIN_FILTER, GL_NEAREST},
                                               {GL_TEXTURE_MAG_FILTER, GL_NEAREST}})
            api_->TexParameteri(GL_TEXTURE_2D, parameter, value);
        api_->BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
        api_->TexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format.internal), static_cast<GLsizei>(own_output_.width),
                         static_cast<GLsizei>(own_output_.height), 0, format.format, GL_UNSIGNED_INT, nullptr);
        check_allocation(*api_, "the output texture",
                         std::uint64_t{4} * words * own_output_.width * own_output_.height);
    }

    /// Refuses what cannot be sorted, before any call of OpenGL that changes something.
    void check(const char* function, const SortArguments& arguments) const {
        require_current(function);
        check_count(function, arguments.count);
        if (arguments.count == 0) return;
        check_members(function, arguments);
        const bool ask = options_.state == StatePolicy::restore;
        if (const auto* buffers = std::get_if<Buffers>(&arguments.input))
            check_buffers(function, *buffers, arguments.count, ask);
        const TextureView& output = spec_.own_output ? own_output_ : arguments.output;
        const auto* input = std::get_if<TextureView>(&arguments.input);
        if (input != nullptr) {
            check_view(*api_, function, "input", *input, arguments.count);
            if (ask) check_texture(*api_, function, "input", *input, texel_words(moves_values()), texel_words(true));
        }
        if (spec_.output == Medium::texture && !spec_.own_output) {
            check_view(*api_, function, "output", output, arguments.count);
            if (ask)
                check_texture(*api_, function, "output", output, texel_words(has_payload()),
                              texel_words(has_payload()));
        }
        if (input != nullptr && input->name == output.name)
            throw Error(fmt::format("Sorter::{}: input and output are both texture {}", function, output.name));
    }

    /// Whether what is given is what the specification uses.
    void check_members(const char* function, const SortArguments& arguments) const {
        const bool textures = std::holds_alternative<TextureView>(arguments.input);
        if (textures != (spec_.input == Medium::texture))
            throw Error(fmt::format("Sorter::{}: input is given as {}, but the specification's input is {}", function,
                                    textures ? "a texture" : "buffers", textures ? "buffers" : "a texture"));
        if (arguments.output.name != 0 && (spec_.output != Medium::texture || spec_.own_output))
            throw Error(fmt::format(
                "Sorter::{}: output.name {} is given, but {}", function, arguments.output.name,
                spec_.own_output ? "the sorter has its own output" : "the specification's output is buffers"));
        const auto* buffers = std::get_if<Buffers>(&arguments.input);
        if (buffers != nullptr && buffers->values.name != 0 && !uses_value_buffer())
            throw Error(fmt::format("Sorter::{}: values.name {} is given, but the payload is {}", function,
                                    buffers->values.name, to_string(spec_.payload)));
    }

    /// Into a texture, an index needs no buffer of values.
    bool uses_value_buffer() const { return moves_values() || (has_payload() && spec_.output == Medium::buffer); }

    void check_buffers(const char* function, const Buffers& buffers, std::uint64_t count, bool ask) const {
        const Range keys{"keys", buffers.keys, count * key_bytes()};
        const Range values{"values", buffers.values, count * spec_.payload.size};
        check_slice(function, keys, key_bytes());
        check_name(*api_, function, keys);
        if (ask) check_buffer(*api_, function, keys);
        if (!uses_value_buffer()) return;
        check_slice(function, values, spec_.payload.size);
        check_name(*api_, function, values);
        if (ask) check_buffer(*api_, function, values);
        if (keys.buffer.name == values.buffer.name && keys.buffer.offset < values.buffer.offset + values.bytes &&
            values.buffer.offset < keys.buffer.offset + keys.bytes)
            throw Error(
                fmt::format("Sorter::{}: keys and values overlap in buffer {}: bytes {} to "
                            "{} and {} to {}",
                            function, keys.buffer.name, keys.buffer.offset, keys.buffer.offset + keys.bytes,
                            values.buffer.offset, values.buffer.offset + values.bytes));
    }

    /// A program of ours must not stay current: the sorter may go before the caller binds another.
    void leave_no_program() const {
        if (options_.state == StatePolicy::caller_resets) api_->UseProgram(0);
    }

    /// Makes the program ready and hands it the caller's streams.
    void load(const SortArguments& arguments, Lists lists) {
        prepare(arguments.count, lists);
        const CallerStreams& caller = scheduler_->program().caller;
        if (const auto* input = std::get_if<TextureView>(&arguments.input)) executor_->bind(*caller.input, *input);
        if (caller.output) executor_->bind(*caller.output, spec_.own_output ? own_output_ : arguments.output);
        if (const auto* buffers = std::get_if<Buffers>(&arguments.input)) {
            executor_->bind(*caller.keys, buffers->keys);
            if (caller.values) executor_->bind(*caller.values, buffers->values);
        }
    }

    std::shared_ptr<gl::Api> api_;
    SortSpec spec_;
    SorterOptions options_;
    std::string list_algorithm_;  ///< What merges lists, once that is resolved.
    Limits limits_;
    std::unique_ptr<GlExecutor> executor_;
    std::optional<Scheduler> scheduler_;
    gl::Texture own_texture_;
    TextureView own_output_;
    std::vector<std::uint32_t> lists_;  ///< Of the program that is prepared; none for a sort.
    bool prepared_ = false;
    SortArguments arguments_;  ///< Of the sort begun.
    bool begun_ = false;
    bool stepped_ = false;  ///< Steps may have been left early: there was no barrier behind them.
};

Sorter::Sorter(const SortSpec& spec, GetProcAddress get_proc_address, const SorterOptions& options)
    : implementation_(std::make_unique<Implementation>(spec, get_proc_address, options)) {}
Sorter::~Sorter() = default;
Sorter::Sorter(Sorter&&) noexcept = default;
Sorter& Sorter::operator=(Sorter&&) noexcept = default;

void Sorter::abandon() noexcept {
    if (implementation_) implementation_->abandon();
    implementation_.reset();
}

Sorter::Implementation& Sorter::get(const char* function) const {
    if (!implementation_) throw Error(fmt::format("Sorter::{}: the sorter was moved from, or abandoned", function));
    return *implementation_;
}

void Sorter::sort(const SortArguments& arguments, Readers readers) {
    get("sort").sort("sort", arguments, {}, readers);
}

TextureView Sorter::sort_to_texture(const SortArguments& arguments, Readers readers) {
    Implementation& implementation = get("sort_to_texture");
    const TextureView texture = implementation.own_texture("sort_to_texture");
    implementation.sort("sort_to_texture", arguments, {}, readers);
    return texture;
}

void Sorter::merge(const SortArguments& arguments, std::span<const std::uint32_t> lists, Readers readers) {
    get("merge").merge("merge", arguments, lists, readers);
}

TextureView Sorter::merge_to_texture(const SortArguments& arguments, std::span<const std::uint32_t> lists,
                                     Readers readers) {
    Implementation& implementation = get("merge_to_texture");
    const TextureView texture = implementation.own_texture("merge_to_texture");
    implementation.merge("merge_to_texture", arguments, lists, readers);
    return texture;
}

TextureView Sorter::own_texture() const {
    return get("own_texture").own_texture("own_texture");
}

void Sorter::begin(const SortArguments& arguments, std::span<const std::uint32_t> lists) {
    get("begin").begin(arguments, lists);
}

bool Sorter::step() {
    return get("step").step();
}

std::size_t Sorter::steps_done() const {
    return get("steps_done").steps_done();
}

std::vector<std::uint32_t> Sorter::read(StreamId stream) {
    return get("read").read(stream);
}

std::string Sorter::source(std::size_t number) const {
    return get("source").source(number);
}

StreamProgram Sorter::program(std::uint32_t count, std::span<const std::uint32_t> lists) const {
    const Implementation& implementation = get("program");
    implementation.check_count("program", count);
    if (!lists.empty()) implementation.check_lists("program", count, lists);
    return plan(implementation.request(count, lists));
}

TextureView Sorter::texture_for(std::uint32_t count) const {
    return get("texture_for").texture_for(count);
}

const SortSpec& Sorter::spec() const {
    return get("spec").spec();
}

const SorterOptions& Sorter::options() const {
    return get("options").options();
}

std::uint64_t Sorter::scratch_bytes() const {
    return get("scratch_bytes").scratch_bytes();
}

ContextReport describe_context(GetProcAddress get_proc_address) {
    return report_on(gl::load_api(get_proc_address, "describe_context"), true);
}

}  // namespace glsort
