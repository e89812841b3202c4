#pragma once

#include <glsort/sorter.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "support/tier_context.h"

/// The contexts that the self-test sorts in.

namespace glsort::check {

using trial::TestContext;
using trial::Tier;

/// What a context offers: all that a round depends on.
struct Offer {
    Tier tier = Tier::gl45;
    std::vector<Backend> backends;
    Backend automatic = Backend::fragment;
    Limits limits;
    Limits least;  ///< The same where every limit is the least that the version guarantees.
    bool persistent = false;  ///< Buffers may stay mapped: OpenGL 4.4, EXT_buffer_storage.
    /// glBufferSubData is lost on buffers that were mapped or read back before (docs/driver-faults.md).
    bool loses_updates = false;
};

/// Lets a context report the least limits of its version. Draw buffers stay as many as there are: glEnable(GL_BLEND)
/// concerns all of them, and a draw fails by the state of any.
void limit_to_least(TestContext& context);

/// Contexts that live as long as this does, one of each tier, on hardware where there is some.
class Contexts {
  public:
    struct Missing {
        Tier tier;
        std::string reason;
    };

    /// Makes those of `tiers` that the driver has. What is tested is loaded through `below`, which is
    /// TestContext::get_proc_address() but for a test of this self-test.
    explicit Contexts(const std::vector<Tier>& tiers,
                      GetProcAddress below = TestContext::get_proc_address());

    /// Those that are there, in the order asked for, with what each offers.
    const std::vector<Offer>& offers() const { return offers_; }
    const Offer& offer(Tier tier) const;
    const std::vector<Missing>& missing() const { return missing_; }
    const ContextReport& report(Tier tier) const { return reports_.at(tier); }

    /// Makes the context current.
    TestContext& use(Tier tier);
    /// The loader for what is tested. It counts objects (check_objects.h).
    GetProcAddress loader() const { return loader_; }

  private:
    GetProcAddress loader_;
    std::map<Tier, std::unique_ptr<TestContext>> contexts_;
    std::map<Tier, ContextReport> reports_;
    std::vector<Offer> offers_;
    std::vector<Missing> missing_;
};

}  // namespace glsort::check
