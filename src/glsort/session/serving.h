#pragma once

#include <glsort/base/browser.h>
#include <glsort/base/in_function.h>
#include <glsort/base/work.h>
#include <glsort/error.h>
#include <glsort/exec/executors.h>
#include <glsort/gl/state_guard.h>
#include <glsort/session/arguments.h>
#include <glsort/session/shared_context.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace glsort {

/// Calls `call(*owner)` for a public member function, which begins the message of an error. `owner`: the `Serving` of a
/// sorter, or the session of a stepper.
template <class Owner, class Call>
decltype(auto) in_member(const std::shared_ptr<Owner>& owner, const char* function, const Call& call) {
    return in_function(function, [&]() -> decltype(auto) {
        if (!owner || owner->abandoned()) throw Error("the sorter was moved from, or abandoned");
        return call(*owner);
    });
}

/// Owns the session of a sorter: makes the first session, hands the session to calls, and replaces the session by a
/// larger one. `Session` is the class `Session` or `SceneSession`.
///
/// A session is made in steps (`Work`). The constructor, `ready`, and calls that may wait run these steps. Calls use
/// the first session as soon as the session is made. Once a larger session is made (`reserve`), the next call uses the
/// larger session.
template <class Session>
class Serving {
  public:
    using Spec = typename Session::Spec;

    /// Makes the first session, or begins to, as `options` say.
    Serving(const Spec& spec, const GetProcAddress& get_proc_address, const SorterOptions& options)
        : spec_(spec), options_(options) {
        Session::check(spec, options);
        making_ = std::make_unique<Making>();
        context_ = open_context(get_proc_address, options, spec.backend != Backend::fragment, making_->work);
        start(*making_, spec_);
        if (options.construction == Construction::waits)
            run(std::nullopt);
        else
            require_no_errors();
    }

    bool abandoned() const { return context_->api->abandoned; }
    void abandon() {
        context_->api->abandoned = true;
        making_.reset();
    }
    const SorterOptions& options() const { return options_; }
    /// The specification of the largest session that was asked for.
    const Spec& spec() const { return spec_; }

    /// Continues the construction for about `time`. Returns whether nothing is left to be made.
    bool ready(std::chrono::microseconds time) {
        require_success();
        free_part();
        if (making_ == nullptr) return true;
        // The clock counts in smaller units, in which a long time may not be expressed.
        const Clock::time_point now = Clock::now();
        const auto longest = std::chrono::duration_cast<std::chrono::microseconds>(Clock::time_point::max() - now);
        run(now + std::clamp(time, std::chrono::microseconds(0), longest));
        return making_ == nullptr;
    }

    /// Throws why the construction has failed, if it has.
    void require_success() const {
        if (failure_ != nullptr) std::rethrow_exception(failure_);
    }

    /// Begins to make a session for `spec`. Call `require_success` before. A session that is being made comes first:
    /// otherwise an application that asks for more in every frame would never get a session.
    void reserve(const Spec& spec) {
        Session::check(spec, options_);
        // Whatever throws, throws before a member changes.
        Spec larger = spec;
        const bool waits = current_ == nullptr || (making_ != nullptr && making_->session != nullptr);
        std::unique_ptr<Making> making = waits ? nullptr : std::make_unique<Making>();
        if (making != nullptr) start(*making, spec);
        spec_ = std::move(larger);
        waiting_ = waits;
        if (making != nullptr) making_ = std::move(making);
    }

    std::optional<FinishedSort> finished() {
        if (!SharedContext::reports(options_)) throw Error("the sorter was made without report_finished");
        require_success();
        if (current_ == nullptr) return std::nullopt;
        check_context(*context_->api);
        return context_->finished->latest();
    }
    void* fence() const {
        if (!options_.fence) throw Error("the sorter was made without fence");
        return context_->fence.get();
    }

    /// Runs `call(session)` with the session for a call. `holds(spec)`: whether the call fits into a session of that
    /// specification. If only a session under construction is large enough, waits for that session or throws `Error`,
    /// as the options say. A call that throws leaves the results of the last call where they are.
    template <class Holds, class Call>
    void serve(const Holds& holds, const Call& call) {
        require_first();
        while (making_ != nullptr && !holds(current_->spec()) && holds(spec_)) {
            constexpr const char* why = "the call needs the larger capacity, which is not `ready`";
            refuse_if_asked(why);
            // A larger session may need more of the caller's memory than the caller has asked for.
            if (!in_browser && options_.caller_scratch) throw Error(why);
            run(std::nullopt);
        }
        free_part();
        call(*current_);
        note_call(current_);
    }
    /// Notes which session served the last call. This session has the results.
    void note_call(const std::shared_ptr<Session>& session) {
        if (last_ != session) retire(std::exchange(last_, session));
    }
    /// Whether the session has the results of the last call.
    bool served_last(const Session& session) const { return last_.get() == &session; }
    /// The session of the last call. Before the first call: the session of the next call. That session then stays until
    /// a call, since the caller knows its objects.
    Session& last() {
        require_first();
        if (last_ == nullptr) last_ = current_;
        return *last_;
    }
    /// The session of the next call.
    const std::shared_ptr<Session>& next() {
        require_first();
        return current_;
    }

  private:
    /// A session under construction.
    struct Making {
        Spec spec;
        Work work;
        std::shared_ptr<Session> session;
    };

    void start(Making& making, const Spec& spec) {
        making.spec = spec;
        making.work.add_once([this] {
            making_->session = std::make_shared<Session>(making_->spec, context_, options_);
            making_->session->make(making_->work);
        });
    }

    /// Runs steps until a time, or all of them.
    void run(std::optional<Clock::time_point> deadline) {
        check_context(*context_->api);
        require_no_errors();
        try {
            if (!has_run(deadline)) return;
        } catch (...) {
            making_.reset();
            context_->programs->drop_unfinished();
            if (current_ == nullptr) failure_ = std::current_exception();
            spec_ = made_;
            throw;
        }
        made_ = making_->spec;
        // Later calls use `retire`, too. The reservation is there because calls must not allocate.
        retired_.reserve(retired_.size() + 2);
        retire(std::exchange(current_, std::move(making_->session)));
        making_.reset();
        if (waiting_) reserve(spec_);
    }

    bool has_run(std::optional<Clock::time_point> deadline) {
        /// While this object lives, errors of allocations are read.
        struct Reading {
            explicit Reading(bool& reads_errors) : flag(reads_errors) { flag = true; }
            ~Reading() { flag = false; }
            bool& flag;
        };
        const Reading reading(context_->api->reads_errors);
        const gl::StateGuard guard(*context_->api, construction_scope(*context_->api));
        if (deadline) return making_->work.run_until(*deadline);
        making_->work.run_all();
        return true;
    }

    /// Takes over a session, unless a `Stepper` still uses the session. Later calls free the memory in parts: to free
    /// all memory at once would make one frame longer.
    void retire(std::shared_ptr<Session> session) {
        if (session.use_count() == 1) retired_.push_back(std::move(session));
    }

    void free_part() {
        // Without the context, the objects would stay.
        if (retired_.empty() || !context_->api->may_delete()) return;
        if (!retired_.back()->free_next()) retired_.pop_back();
    }

    /// A pending error may hide an error of the library, or be mistaken for one. OpenGL has no way to restore errors.
    void require_no_errors() const {
        if (const std::string errors = gl::take_errors(*context_->api); !errors.empty())
            throw Error("OpenGL errors were pending from before: " + errors +
                        "; they are read now, so that another attempt finds none");
    }

    void refuse_if_asked(const char* why) const {
        if (options_.construction == Construction::calls_refuse) throw Error(why);
    }

    void require_first() {
        require_success();
        if (current_ != nullptr) return;
        refuse_if_asked("the sorter is not `ready`: its shaders are being compiled");
        while (current_ == nullptr)
            run(std::nullopt);
    }

    Spec spec_;  ///< Of the largest session that was asked for.
    Spec made_;  ///< Of `current_`, as it was asked for.
    SorterOptions options_;
    std::shared_ptr<SharedContext> context_;
    std::shared_ptr<Session> current_;               ///< Null until the first one is made.
    std::shared_ptr<Session> last_;                  ///< Of the last call. Holds the results.
    std::vector<std::shared_ptr<Session>> retired_;  ///< Being freed, the last one first.
    std::unique_ptr<Making> making_;                 ///< Null if nothing is under construction.
    bool waiting_ = false;                           ///< Whether a session for `spec_` follows that of `making_`.
    std::exception_ptr failure_;                     ///< Why the first session cannot be made.
};

}  // namespace glsort
