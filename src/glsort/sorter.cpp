#include <glsort/base/in_function.h>
#include <glsort/session/session.h>
#include <glsort/sorter.h>

#include <string>

namespace glsort {
namespace {

/// Calls `call(session)` for a member function of a sorter or stepper.
template <class Call>
decltype(auto) in_session(const std::shared_ptr<Session>& session, const char* function, const Call& call) {
    return in_function(function, [&]() -> decltype(auto) {
        if (!session || session->abandoned()) throw Error("the sorter was moved from, or abandoned");
        return call(*session);
    });
}

}  // namespace

Sorter::Sorter(const SortSpec& spec, const GetProcAddress& get_proc_address, const SorterOptions& options)
    : session_(
          in_function("Sorter::Sorter", [&] { return std::make_shared<Session>(spec, get_proc_address, options); })) {}
Sorter::~Sorter() = default;
Sorter::Sorter(Sorter&&) noexcept = default;
Sorter& Sorter::operator=(Sorter&&) noexcept = default;

void Sorter::abandon() noexcept {
    if (session_) session_->abandon();
    session_.reset();
}

void Sorter::sort(const SortArguments& arguments, Readers readers) {
    in_session(session_, "Sorter::sort", [&](Session& session) { session.sort(arguments, {}, readers); });
}

TextureView Sorter::sort_to_texture(const SortArguments& arguments, Readers readers) {
    return in_session(session_, "Sorter::sort_to_texture", [&](Session& session) {
        const TextureView texture = session.own_texture();
        session.sort(arguments, {}, readers);
        return texture;
    });
}

void Sorter::merge(const SortArguments& arguments, std::span<const std::uint32_t> lists, Readers readers) {
    in_session(session_, "Sorter::merge", [&](Session& session) { session.merge(arguments, lists, readers); });
}

TextureView Sorter::merge_to_texture(const SortArguments& arguments, std::span<const std::uint32_t> lists,
                                     Readers readers) {
    return in_session(session_, "Sorter::merge_to_texture", [&](Session& session) {
        const TextureView texture = session.own_texture();
        session.merge(arguments, lists, readers);
        return texture;
    });
}

TextureView Sorter::own_texture() const {
    return in_session(session_, "Sorter::own_texture", [](const Session& session) { return session.own_texture(); });
}

StreamProgram Sorter::program(std::uint32_t count, std::span<const std::uint32_t> lists) const {
    return in_session(session_, "Sorter::program",
                      [&](const Session& session) { return session.program(count, lists); });
}

TextureView Sorter::texture_for(std::uint32_t count) const {
    return in_session(session_, "Sorter::texture_for",
                      [&](const Session& session) { return session.texture_for(count); });
}

const SortSpec& Sorter::spec() const {
    return in_session(session_, "Sorter::spec",
                      [](const Session& session) -> const SortSpec& { return session.spec(); });
}

const SorterOptions& Sorter::options() const {
    return in_session(session_, "Sorter::options",
                      [](const Session& session) -> const SorterOptions& { return session.options(); });
}

std::uint64_t Sorter::scratch_bytes() const {
    return in_session(session_, "Sorter::scratch_bytes",
                      [](const Session& session) { return session.scratch_bytes(); });
}

std::uint64_t Sorter::caller_scratch_bytes() const {
    return in_session(session_, "Sorter::caller_scratch_bytes",
                      [](const Session& session) { return session.caller_scratch_bytes(); });
}

BufferSlice Sorter::status() const {
    return in_session(session_, "Sorter::status", [](const Session& session) { return session.status(); });
}

Stepper::Stepper(const Sorter& sorter) {
    in_session(sorter.session_, "Stepper::Stepper", [](const Session& session) { session.require_own_scratch(); });
    session_ = sorter.session_;
}
Stepper::~Stepper() = default;
Stepper::Stepper(Stepper&&) noexcept = default;
Stepper& Stepper::operator=(Stepper&&) noexcept = default;

/// Calls `call(session)` if the sort that this stepper began may continue.
template <class Call>
decltype(auto) Stepper::in_sort(const char* function, const Call& call) const {
    return in_session(session_, function, [&](Session& session) -> decltype(auto) {
        if (begun_ == 0 || begun_ != session.begun()) throw Error("no sort has begun");
        return call(session);
    });
}

void Stepper::begin(const SortArguments& arguments, std::span<const std::uint32_t> lists) {
    in_session(session_, "Stepper::begin", [&](Session& session) {
        session.begin(arguments, lists);
        begun_ = session.begun();
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
