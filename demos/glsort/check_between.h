#pragma once

#include <glsort/sorter.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "check_contexts.h"
#include "check_slot.h"
#include "check_ways.h"

/// Actions of an application between calls, and the required outcomes: the list at `Sorter` (sorter.h).

namespace glsort::check {

/// The next call to a sorter, not yet made.
struct ComingCall {
    Contexts& contexts;
    const SorterPlan& plan;
    Sorter& sorter;
    const SortArguments& arguments;
    const std::vector<std::uint32_t>& lists;
};

/// Performs the action `between`, makes the call, and expects an `Error`. Afterwards everything is as before. Throws
/// std::runtime_error if the call succeeds, or if the call touches an object. `number` chooses among the possibilities
/// of the action.
void make_refused_call(Between between, std::uint32_t number, const ComingCall& coming);

/// Performs the action `between` and makes the call. Throws std::runtime_error if the call changes the application's
/// side of the action.
void call_amid(Between between, TestContext& context, const std::function<void()>& call);

/// Constructs a sorter while an OpenGL error is pending. Throws std::runtime_error if the constructor accepts this.
void construct_with_error(const SorterPlan& plan, Contexts& contexts, TestContext& context);

/// Destroys the sorter, which was made for `spec`, and makes the sorter's context current again. Returns whether the
/// sorter's objects are left behind in its context. Throws std::runtime_error if objects of another context were
/// touched.
bool destroy(std::unique_ptr<Sorter>& sorter, const SortSpec& spec, Farewell farewell, Contexts& contexts,
             ContextId id);

}  // namespace glsort::check
