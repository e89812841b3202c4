#pragma once

#include <glsort/planner.h>
#include <glsort/sorter.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "check_contexts.h"
#include "check_sample.h"
#include "check_ways.h"

/// A round of the self-test: a value that says all that is done. What a round does depends on its seed and on the
/// choices alone, so that a seed brings it back.

namespace glsort::check {

struct Call {
    std::size_t slot = 0;
    std::size_t sample = 0;
    Upload upload = Upload::sub_data;
    bool junk = false;  ///< An output texture gets junk before.
    Action action = Action::sort;
    std::uint32_t steps = 0;  ///< abandon: so many, or as many as there are.
    bool all_readers = true;  ///< Readers::all; else those that read.
    Keep keep = Keep::now;
    Reading reading = Reading::map;
    Between between = Between::nothing;
    std::uint32_t number = 0;  ///< Of what `between` may choose from.
};

/// A state other than that of a new context.
struct State {
    std::uint64_t seed = 0;
    double share = 1;
    bool feedback = false;
    bool query = false;
    bool compiled_in = true;  ///< Of trial::DirtyOptions.
};

/// Calls of one sorter, one after the other, in one state.
struct Visit {
    std::size_t sorter = 0;
    std::optional<State> state;
    bool compare = false;  ///< The state before and after.
    bool leave = false;    ///< Results kept for later stay unread until another visit.
    std::vector<Call> calls;
};

/// The caller's objects of one place.
struct SlotPlan {
    std::uint32_t before_keys = 0, before_values = 0, behind = 1;  ///< Words of another's.
    bool one_buffer = false;
    Storage storage = Storage::plain;
    bool immutable_textures = false;           ///< Of glTexStorage2D.
    bool wide_input = false;                   ///< A texture with room for a value though there is none.
    std::optional<TextureView> input, output;  ///< Shapes; else those of `Sorter::texture_for`.
};

struct SorterPlan {
    Tier tier = Tier::gl45;
    bool extensions = false;  ///< The context shows all extensions.
    SortSpec spec;
    SorterOptions options;        ///< Without `shared_scratch`, which is made when the round runs.
    bool shared_scratch = false;  ///< The sorter shares scratch memory with others of its context.
    int comparison = -1;          ///< A number into comparisons().
    bool least_limits = false;
    bool may_persist = false;      ///< Whether buffers may stay mapped.
    bool compiled_in = true;       ///< Whether its states may have what drivers compile into shaders.
    std::uint32_t most_calls = 1;  ///< Of a visit: what is sorted soon is sorted often.
    std::optional<State> born;     ///< The state at construction.
    bool born_with_error = false;  ///< Before, a construction with an error pending is refused.
    Farewell farewell = Farewell::own_context;
    std::vector<SlotPlan> slots;
    std::vector<SamplePlan> samples;

    ContextId context() const { return {tier, extensions}; }
    /// Whether sorts can be left between two steps.
    bool can_step() const { return !shared_scratch && !options.caller_scratch; }
    const KnownComparison* known() const {
        return comparison < 0 ? nullptr : &comparisons()[static_cast<std::size_t>(comparison)];
    }
};

struct Round {
    std::uint64_t seed = 0;
    std::vector<SorterPlan> sorters;
    std::vector<Visit> visits;
};

/// What rounds may choose from.
struct Choices {
    std::vector<Offer> offers;  ///< With the backends that are asked for; none without.
    bool automatic = true;      ///< Whether the library may choose the backend.
    bool large = false;         ///< More of the large sizes.

    bool software() const { return !offers.empty() && offers.front().limits.software; }
};

/// The round of a seed. `choices` has an offer.
Round make_round(std::uint64_t seed, const Choices& choices);

/// Whether a sorter can be made: the planner takes the specification, and its programs fit the limits.
bool is_possible(const SortSpec& spec, const Offer& offer, const Limits& limits);

/// What the specification asks of the planner, for `count` elements or for lists.
PlanRequest request_of(const SortSpec& spec, const Limits& limits, std::uint32_t count,
                       const std::vector<std::uint32_t>& lists = {});

}  // namespace glsort::check
