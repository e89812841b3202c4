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

/// A round of the self-test, as a value that describes all actions. A round depends only on its seed and on the
/// choices, so a seed reproduces the round.

namespace glsort::check {

struct Call {
    std::size_t slot = 0;
    std::size_t sample = 0;
    Upload upload = Upload::sub_data;
    bool junk = false;  ///< Whether the output texture gets random words before the call.
    Action action = Action::sort;
    std::uint32_t steps = 0;  ///< For `abandon`: max steps.
    bool all_readers = true;  ///< Readers::all. Otherwise only the readers of `reading`.
    Keep keep = Keep::now;
    Reading reading = Reading::map;
    Between between = Between::nothing;
    std::uint32_t number = 0;  ///< Chooses among the possibilities of `between`.
};

/// A state that differs from the state of a new context.
struct State {
    std::uint64_t seed = 0;
    double share = 1;
    bool feedback = false;
    bool query = false;
    bool compiled_in = true;  ///< As in trial::DirtyOptions.
};

/// Successive calls of one sorter, in one state.
struct Visit {
    std::size_t sorter = 0;
    std::optional<State> state;
    bool compare = false;  ///< Whether the state is compared before and after.
    bool leave = false;    ///< Results with Keep::later stay unread until another visit.
    std::vector<Call> calls;
};

/// The caller's objects for one place. A sorter has several places.
struct SlotPlan {
    std::uint32_t before_keys = 0, before_values = 0, behind = 1;  ///< Words around the elements that belong to others.
    bool one_buffer = false;
    Storage storage = Storage::plain;
    bool immutable_textures = false;           ///< Made by glTexStorage2D.
    bool wide_input = false;                   ///< The texture has room for a value, but the sort moves no values.
    std::optional<TextureView> input, output;  ///< Shapes. Empty: the shape of `Sorter::texture_for`.
};

struct SorterPlan {
    Tier tier = Tier::gl45;
    bool extensions = false;  ///< Whether the context shows all extensions.
    SortSpec spec;
    SorterOptions options;        ///< Without `shared_scratch`: the run adds it.
    bool shared_scratch = false;  ///< Whether the sorter shares scratch memory with others of its context.
    int comparison = -1;          ///< An index into comparisons(). -1: none.
    bool least_limits = false;
    bool may_persist = false;      ///< Whether buffers may stay mapped.
    bool strict_mappings = false;  ///< As in Offer.
    bool compiled_in = true;       ///< Whether states may include settings that drivers compile into shaders.
    std::uint32_t most_calls = 1;  ///< Max calls of a visit. Fast sorts have many calls.
    std::uint32_t most_query_calls = ~std::uint32_t{0};  ///< Max calls of a visit while a query is active.
    std::optional<State> born;                           ///< The state at construction.
    bool born_with_error = false;  ///< Whether a construction with a pending error comes first, and fails.
    Farewell farewell = Farewell::own_context;
    std::vector<SlotPlan> slots;
    std::vector<SamplePlan> samples;

    ContextId context() const { return {tier, extensions}; }
    /// Whether a sort may stop between two steps.
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

/// The largest capacity of any sorter.
inline constexpr std::uint32_t largest_count = 1u << 20;

/// The choices that rounds have.
struct Choices {
    std::vector<Offer> offers;  ///< With the requested backends only. Contexts without such a backend are left out.
    bool automatic = true;      ///< Whether the library may choose the backend.
    bool large = false;         ///< Whether large sizes are more frequent.
    std::uint32_t max_count = largest_count;  ///< The largest capacity of a sorter.

    bool software() const { return !offers.empty() && offers.front().limits.software; }
};

/// The round of a seed. `choices` must have at least one offer.
Round make_round(std::uint64_t seed, const Choices& choices);

/// Whether a sorter can be made: the planner accepts the specification, and the programs fit the limits.
bool is_possible(const SortSpec& spec, const Offer& offer, const Limits& limits);

/// The request to the planner for a specification, with `count` elements or with lists.
PlanRequest request_of(const SortSpec& spec, const Limits& limits, std::uint32_t count,
                       const std::vector<std::uint32_t>& lists = {});

}  // namespace glsort::check
