#include <glsort/session/serving.h>
#include <glsort/session/session.h>
#include <glsort/sorter.h>

#include <string>

namespace glsort {
namespace {

/// Whether the arguments of a call fit into a sorter.
auto holds(const SortArguments& arguments) {
    return [&arguments](const SortSpec& spec) { return arguments.count <= spec.capacity; };
}

}  // namespace

Sorter::Sorter(const SortSpec& spec, const GetProcAddress& get_proc_address, const SorterOptions& options)
    : serving_(in_function("Sorter::Sorter",
                           [&] { return std::make_shared<Serving<Session>>(spec, get_proc_address, options); })) {}
Sorter::~Sorter() = default;
Sorter::Sorter(Sorter&&) noexcept = default;
Sorter& Sorter::operator=(Sorter&&) noexcept = default;

void Sorter::abandon() noexcept {
    if (serving_) serving_->abandon();
    serving_.reset();
}

bool Sorter::ready(std::chrono::microseconds time) {
    return in_member(serving_, "Sorter::ready", [&](Serving<Session>& serving) { return serving.ready(time); });
}

void Sorter::reserve(std::uint32_t capacity) {
    in_member(serving_, "Sorter::reserve", [&](Serving<Session>& serving) {
        serving.require_success();
        if (capacity <= serving.spec().capacity) return;
        SortSpec spec = serving.spec();
        spec.capacity = capacity;
        serving.reserve(spec);
    });
}

void Sorter::sort(const SortArguments& arguments, Readers readers) {
    in_member(serving_, "Sorter::sort", [&](Serving<Session>& serving) {
        serving.serve(holds(arguments), [&](Session& session) { session.sort(arguments, {}, readers); });
    });
}

std::optional<FinishedSort> Sorter::finished() {
    return in_member(serving_, "Sorter::finished", [](Serving<Session>& serving) { return serving.finished(); });
}

void* Sorter::fence() const {
    return in_member(serving_, "Sorter::fence", [](const Serving<Session>& serving) { return serving.fence(); });
}

TextureView Sorter::sort_to_texture(const SortArguments& arguments, Readers readers) {
    return in_member(serving_, "Sorter::sort_to_texture", [&](Serving<Session>& serving) {
        TextureView texture;
        serving.serve(holds(arguments), [&](Session& session) {
            texture = session.own_texture();
            session.sort(arguments, {}, readers);
        });
        return texture;
    });
}

void Sorter::merge(const SortArguments& arguments, std::span<const std::uint32_t> lists, Readers readers) {
    in_member(serving_, "Sorter::merge", [&](Serving<Session>& serving) {
        serving.serve(holds(arguments), [&](Session& session) { session.merge(arguments, lists, readers); });
    });
}

TextureView Sorter::merge_to_texture(const SortArguments& arguments, std::span<const std::uint32_t> lists,
                                     Readers readers) {
    return in_member(serving_, "Sorter::merge_to_texture", [&](Serving<Session>& serving) {
        TextureView texture;
        serving.serve(holds(arguments), [&](Session& session) {
            texture = session.own_texture();
            session.merge(arguments, lists, readers);
        });
        return texture;
    });
}

TextureView Sorter::own_texture() const {
    return in_member(serving_, "Sorter::own_texture",
                     [](Serving<Session>& serving) { return serving.last().own_texture(); });
}

StreamProgram Sorter::program(std::uint32_t count, std::span<const std::uint32_t> lists) const {
    return in_member(serving_, "Sorter::program",
                     [&](Serving<Session>& serving) { return serving.next()->program(count, lists); });
}

TextureView Sorter::texture_for(std::uint32_t count) const {
    return in_member(serving_, "Sorter::texture_for",
                     [&](Serving<Session>& serving) { return serving.next()->texture_for(count); });
}

const SortSpec& Sorter::spec() const {
    return in_member(serving_, "Sorter::spec",
                     [](Serving<Session>& serving) -> const SortSpec& { return serving.next()->spec(); });
}

const SorterOptions& Sorter::options() const {
    return in_member(serving_, "Sorter::options",
                     [](const Serving<Session>& serving) -> const SorterOptions& { return serving.options(); });
}

std::uint64_t Sorter::scratch_bytes() const {
    return in_member(serving_, "Sorter::scratch_bytes",
                     [](Serving<Session>& serving) { return serving.next()->scratch_bytes(); });
}

std::uint64_t Sorter::caller_scratch_bytes() const {
    return in_member(serving_, "Sorter::caller_scratch_bytes",
                     [](Serving<Session>& serving) { return serving.next()->caller_scratch_bytes(); });
}

BufferSlice Sorter::status() const {
    return in_member(serving_, "Sorter::status", [](Serving<Session>& serving) { return serving.last().status(); });
}

Stepper::Stepper(const Sorter& sorter) : serving_(sorter.serving_) {
    session_ = in_member(sorter.serving_, "Stepper::Stepper", [](Serving<Session>& serving) {
        serving.next()->require_own_scratch();
        return serving.next();
    });
}
Stepper::~Stepper() = default;
Stepper::Stepper(Stepper&&) noexcept = default;
Stepper& Stepper::operator=(Stepper&&) noexcept = default;

/// Calls `call(session)` if the sort that this stepper began may continue.
template <class Call>
decltype(auto) Stepper::in_sort(const char* function, const Call& call) const {
    return in_member(session_, function, [&](Session& session) -> decltype(auto) {
        // After a growth, another session may have served a later call.
        const std::shared_ptr<Serving<Session>> serving = serving_.lock();
        const bool is_last = serving == nullptr || serving->served_last(session);
        if (begun_ == 0 || begun_ != session.begun() || !is_last) throw Error("no sort has begun");
        return call(session);
    });
}

void Stepper::begin(const SortArguments& arguments, std::span<const std::uint32_t> lists) {
    in_member(session_, "Stepper::begin", [&](Session& session) {
        session.begin(arguments, lists);
        begun_ = session.begun();
        if (const std::shared_ptr<Serving<Session>> serving = serving_.lock()) serving->note_call(session_);
    });
}

bool Stepper::step() {
    return in_sort("Stepper::step", [](Session& session) { return session.step(); });
}

std::size_t Stepper::steps_done() const {
    return in_sort("Stepper::steps_done", [](const Session& session) { return session.steps_done(); });
}

std::vector<std::uint32_t> Stepper::read(StreamId stream) {
    return in_sort("Stepper::read", [&](Session& session) { return session.read(stream); });
}

std::string Stepper::source(std::size_t number) const {
    return in_sort("Stepper::source", [&](const Session& session) { return session.source(number); });
}

}  // namespace glsort
