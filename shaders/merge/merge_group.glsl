// The sorted runs of a merge: RUNS runs of op_run elements, one after the other, are a group and become one
// run.
//
// LISTS: runs of any length, at any place (src/glsort/plan/merge/merge_lists.h). The op's parameters are a table of
// GROUPS groups, which are called by their numbers; their sequences begin at multiples of WINDOW.

#if defined(LISTS)
uint group_begin(uint group) { return op_parameter(group * GROUP_PARAMETERS); }
uint run_begin(uint group, int i) { return op_parameter(group * GROUP_PARAMETERS + 2u + uint(i)); }
uint run_end(uint group, int i) { return op_parameter(group * GROUP_PARAMETERS + uint(2 + RUNS + i)); }
uint run_length(uint group, int i) { return run_end(group, i) - run_begin(group, i); }

uint group_of(uint place) {
    uint group = 0u;
    for (uint i = 1u; i < GROUPS; ++i)
        if (place >= group_begin(i)) group = i;
    return group;
}

// Where the elements end in the windows from `place` on: not before `place`.
uint elements_end(uint place) {
    return max(op_parameter(group_of(place) * GROUP_PARAMETERS + 1u), place);
}

// Whether the windows of the group end at `place`, or before it.
bool closes_at(uint place, uint group) { return place >= op_parameter(group * GROUP_PARAMETERS + 1u); }

// The run that has the element; none is empty but the last ones.
uint run_of(uint element, uint group) {
    uint run = 0u;
    for (int i = 1; i < RUNS; ++i)
        if (element >= run_begin(group, i)) run = uint(i);
    return run;
}

#else
uint group_begin(uint group) { return group; }

uint run_begin(uint group, int i) { return group + (uint(i) << op_log_run); }

// Elements of run i: fewer than op_run at the end of the input.
uint run_length(uint group, int i) {
    uint first = run_begin(group, i);
    return min(op_count - min(first, op_count), op_run);
}

uint group_of(uint element) { return element & ~(uint(RUNS) * op_run - 1u); }

// The run that has the element.
uint run_of(uint element, uint group) { return element >> op_log_run & uint(RUNS - 1); }

// Where the elements end in the windows from `place` on.
uint elements_end(uint place) { return op_count; }

// Whether the windows of the group end at `place`, or before it.
bool closes_at(uint place, uint group) {
    return place >= op_count || (place != group && group_of(place) != group);
}
#endif
