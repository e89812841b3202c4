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
    auto operator<=>(const ContextId&) const = default;  // NOLINT(modernize-use-nullptr): taken for a null pointer

    Tier tier;
    bool extensions;  ///< Of an old version: whether the driver's extensions are visible.
};

/// A name such as "gl33" or "gl33 with extensions".
std::string name_of(ContextId context);

/// The properties of a context that rounds depend on.
struct Offer {
    Tier tier = Tier::gl45;
    bool extensions = false;
    std::vector<Backend> backends;
    Backend automatic = Backend::fragment;
    Limits limits;
    Limits least;             ///< Like `limits`, but every limit is the least that the version guarantees.
    bool persistent = false;  ///< Buffers may stay mapped: OpenGL 4.4, EXT_buffer_storage.
    /// Buffers that stay mapped are written by the mapping and by compute shaders alone: ANGLE (docs/driver-faults.md).
    bool strict_mappings = false;
    /// Queries are active during few passes: zink (docs/driver-faults.md).
    bool strict_queries = false;

    ContextId context() const { return {tier, extensions}; }
};

/// Makes a context report the least limits of its version. The number of draw buffers stays: glEnable(GL_BLEND) affects
/// all of them, and the state of any draw buffer can make a draw fail.
void limit_to_least(TestContext& context);

/// One context of each tier, for the lifetime of this object, on hardware if possible. A tier that hides extensions has
/// two contexts.
class Contexts {
  public:
    struct Missing {
        Tier tier;
        std::string reason;
    };

    /// Makes contexts of all `tiers` that the driver supports. The library loads its functions through `below`. Only a
    /// test of this self-test passes another loader than TestContext::get_proc_address().
    explicit Contexts(const std::vector<Tier>& tiers, demo::GetProcAddress below = TestContext::get_proc_address());

    /// The available contexts, in the requested order.
    const std::vector<Offer>& offers() const { return offers_; }
    const Offer& offer(ContextId context) const;
    const std::vector<Missing>& missing() const { return missing_; }
    const ContextReport& report(ContextId context) const { return reports_.at(context); }

    /// Makes the context current.
    TestContext& use(ContextId context);
    /// Makes a context current that shares objects with the context `context`. The state is that of a new context.
    TestContext& use_sharing(ContextId context);
    /// Makes a different context current. If there is only one, makes the context current that shares objects with it.
    TestContext& use_other(ContextId context);
    /// The loader for the library. The loader counts objects (check_objects.h).
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
