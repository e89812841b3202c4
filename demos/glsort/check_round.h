#pragma once

#include <glsort/sorter.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "check_contexts.h"
#include "check_sample.h"

/// A round of the self-test: a value that says all that is done. What a round does depends on its seed and on the
/// choices alone, so that a seed brings it back.

namespace glsort::check {

/// Ways by which input gets into a buffer, and into a texture.
enum class Upload {
    sub_data,           ///< glBufferSubData on a target bound for it.
    sub_data_array,     ///< The same on GL_ARRAY_BUFFER.
    named_sub_data,     ///< glNamedBufferSubData.
    data,               ///< glBufferData with the data.
    orphan,             ///< glBufferData without data, then glBufferSubData.
    map,                ///< Mapped for writing.
    map_invalidate,     ///< Mapped, the buffer invalidated.
    map_range,          ///< Mapped, the range invalidated.
    map_unsynchronized, ///< Mapped without synchronisation, orphaned before.
    persistent,         ///< Through a mapping that lives as long as the buffer, behind a fence.
    copy,               ///< glCopyBufferSubData.
    clear,              ///< Cleared, then glBufferSubData.
    compute,            ///< By a compute shader.
    feedback,           ///< By transform feedback.
    sub_image,          ///< glTexSubImage2D from client memory.
    unpack,             ///< The same from a pixel buffer.
    image,              ///< glTexImage2D.
    copy_image,         ///< glCopyTexSubImage2D.
    blit,               ///< glBlitFramebuffer.
    draw,               ///< By a fragment shader.
};

/// Ways by which a result is read.
enum class Reading {
    map,          ///< Mapped for reading.
    get,          ///< glGetBufferSubData.
    copy,         ///< Copied to another buffer, which is mapped.
    storage,      ///< By a compute shader, from a storage buffer.
    vertex,       ///< As vertex attributes.
    pixels,       ///< glReadPixels.
    fetch,        ///< By a fragment shader, from a texture.
    get_image,    ///< glGetTexImage.
};

enum class Action {
    sort,      ///< `sort`, or `merge` where the sample has lists; into an own texture the like.
    steps,     ///< `begin`, then `step` to the end, with some reads between.
    abandon,   ///< `begin`, and some steps.
    lockstep,  ///< `begin`, then `step` to the end, compared with the cpu executor after each op.
};

/// When a result is read.
enum class Keep {
    now,      ///< Right after the call.
    copied,   ///< Copied by the GPU at once; the copy is read at the end of the visit.
    later,    ///< At the end of the visit, or before the next upload to the same place.
    dropped,  ///< Never: the next upload overwrites it, with nothing in between.
};

struct Call {
    std::size_t slot = 0;
    std::size_t sample = 0;
    Upload upload = Upload::sub_data;
    bool junk = false;  ///< An output texture gets junk before.
    Action action = Action::sort;
    std::uint32_t steps = 0;       ///< abandon: so many, or as many as there are.
    bool all_readers = true;       ///< Readers::all; else those that read.
    Keep keep = Keep::now;
    Reading reading = Reading::map;
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

/// The ways that may be used with the buffers of one place.
enum class Updates {
    any,
    sub_data,  ///< None that maps a buffer, and no glGetBufferSubData.
    mappings,  ///< None by glBufferSubData.
};

/// The caller's objects of one place.
struct SlotPlan {
    std::uint32_t before_keys = 0, before_values = 0, behind = 1;  ///< Words of another's.
    bool one_buffer = false;
    bool persistent = false;  ///< Immutable storage, mapped all the time.
    Updates updates = Updates::any;
    bool wide_input = false;  ///< A texture with room for a value though there is none.
    std::optional<TextureView> input, output;  ///< Shapes; else those of `Sorter::texture_for`.
};

struct SorterPlan {
    Tier tier = Tier::gl45;
    SortSpec spec;
    int comparison = -1;  ///< A number into comparisons().
    bool least_limits = false;
    bool may_persist = false;  ///< Whether buffers may stay mapped.
    bool loses_updates = false;  ///< Of Offer: a place has no mappings beside glBufferSubData.
    bool compiled_in = true;   ///< Whether its states may have what drivers compile into shaders.
    std::uint32_t most_calls = 1;  ///< Of a visit: what is sorted soon is sorted often.
    std::optional<State> born;  ///< The state at construction.
    std::vector<SlotPlan> slots;
    std::vector<SamplePlan> samples;

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

/// Whether the way does in any state, and puts back what it changes.
bool is_quiet(Upload upload);
bool is_quiet(Reading reading);

/// Whether a place with such updates may use the way.
bool is_allowed(Updates updates, Upload upload);
bool is_allowed(Updates updates, Reading reading);

std::string_view to_string(Upload upload);
std::string_view to_string(Reading reading);
std::string_view to_string(Action action);
std::string_view to_string(Keep keep);

}  // namespace glsort::check
