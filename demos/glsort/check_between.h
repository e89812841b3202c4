#pragma once

#include <glsort/sorter.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "check_contexts.h"
#include "check_slot.h"
#include "check_ways.h"

/// What an application does between calls, and what has to come of it: the list at `Sorter` (sorter.h).

namespace glsort::check {

/// A call that is about to be made.
struct ComingCall {
    Contexts& contexts;
    const SorterPlan& plan;
    Sorter& sorter;
    const SortArguments& arguments;
    const std::vector<std::uint32_t>& lists;
};

/// Does what `between` says, makes the call, and has it refused. Afterwards all is as it was. Throws
/// std::runtime_error where the call is not refused, or anything was touched. `number` chooses among the
/// possibilities.
void make_refused_call(Between between, std::uint32_t number, const ComingCall& coming);

/// Does what `between` says, makes the call, and looks whether all is as the application left it. Throws
/// std::runtime_error where it is not.
void call_amid(Between between, TestContext& context, const std::function<void()>& call);

/// Constructs with an error pending, which is refused. Throws std::runtime_error where it is not.
void construct_with_error(const SorterPlan& plan, Contexts& contexts, TestContext& context);

/// Destroys the sorter, which was made for `spec`. Afterwards its context is current again. Throws std::runtime_error
/// where objects of another context were touched. Whether the sorter's objects are left behind in its context.
bool destroy(std::unique_ptr<Sorter>& sorter, const SortSpec& spec, Farewell farewell, Contexts& contexts,
             ContextId id);

}  // namespace glsort::check
