#pragma once

#include <glsort/sorter.h>

#include <compare>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "support/tier_context.h"

/// The contexts that the self-test sorts in.

namespace glsort::check {

using trial::TestContext;
using trial::Tier;

/// One of the self-test's contexts.
struct ContextId {
    ContextId(Tier of_tier, bool all_extensions = false) : tier(of_tier), extensions(all_extensions) {}
    auto operator<=>(const ContextId&) const = default;

    Tier tier;
    bool extensions;  ///< Of an old version: all extensions of the driver are there to be seen.
};

/// "gl33", "gl33 with extensions".
std::string name_of(ContextId context);

/// What a context offers: all that a round depends on.
struct Offer {
    Tier tier = Tier::gl45;
    bool extensions = false;
    std::vector<Backend> backends;
    Backend automatic = Backend::fragment;
    Limits limits;
    Limits least;             ///< The same where every limit is the least that the version guarantees.
    bool persistent = false;  ///< Buffers may stay mapped: OpenGL 4.4, EXT_buffer_storage.

    ContextId context() const { return {tier, extensions}; }
};

/// Lets a context report the least limits of its version. Draw buffers stay as many as there are: glEnable(GL_BLEND)
/// concerns all of them, and a draw fails by the state of any.
void limit_to_least(TestContext& context);

/// Contexts that live as long as this does, one of each tier, on hardware where there is some. Of a tier that hides
/// extensions there are two.
class Contexts {
  public:
    struct Missing {
        Tier tier;
        std::string reason;
    };

    /// Makes those of `tiers` that the driver has. What is tested is loaded through `below`, which is
    /// TestContext::get_proc_address() but for a test of this self-test.
    explicit Contexts(const std::vector<Tier>& tiers, demo::GetProcAddress below = TestContext::get_proc_address());

    /// Those that are there, in the order asked for, with what each offers.
    const std::vector<Offer>& offers() const { return offers_; }
    const Offer& offer(ContextId context) const;
    const std::vector<Missing>& missing() const { return missing_; }
    const ContextReport& report(ContextId context) const { return reports_.at(context); }

    /// Makes the context current.
    TestContext& use(ContextId context);
    /// Makes a context current that shares objects with it. Its state is that of a new context.
    TestContext& use_sharing(ContextId context);
    /// Makes one of the others current; where there is none, that which shares objects.
    TestContext& use_other(ContextId context);
    /// The loader for what is tested. It counts objects (check_objects.h).
    demo::GetProcAddress loader() const { return loader_; }

  private:
    void add_offer(ContextId id);

    demo::GetProcAddress loader_;
    std::map<ContextId, std::unique_ptr<TestContext>> contexts_;
    std::map<ContextId, std::unique_ptr<TestContext>> sharing_;
    std::map<ContextId, ContextReport> reports_;
    std::vector<Offer> offers_;
    std::vector<Missing> missing_;
};

}  // namespace glsort::check
