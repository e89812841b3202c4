// The sorted runs of a merge. GLSORT_RUNS runs of glsort_op_run elements, one after the other, are a group and become
// one run.
//
// GLSORT_LISTS: runs of any length, anywhere (src/glsort/plan/merge/merge_lists.h). The op's parameters are a table of
// GLSORT_GROUPS groups. A group is identified by its number. Merged sequences begin at multiples of GLSORT_WINDOW.
//
// expects macros: GLSORT_RUNS
// allows parameters: *, count, log_run, run
// allows macros: GLSORT_GROUPS, GLSORT_GROUP_PARAMETERS, GLSORT_LISTS

#if defined(GLSORT_LISTS)
uint glsort_group_begin(uint group) { return glsort_op_parameter(group * GLSORT_GROUP_PARAMETERS); }
uint glsort_run_begin(uint group, int i) { return glsort_op_parameter(group * GLSORT_GROUP_PARAMETERS + 2u + uint(i)); }
uint glsort_run_end(uint group, int i) {
    return glsort_op_parameter(group * GLSORT_GROUP_PARAMETERS + uint(2 + GLSORT_RUNS + i));
}
uint glsort_run_length(uint group, int i) { return glsort_run_end(group, i) - glsort_run_begin(group, i); }

uint glsort_group_of(uint place) {
    uint group = 0u;
    for (uint i = 1u; i < GLSORT_GROUPS; ++i)
        if (place >= glsort_group_begin(i)) group = i;
    return group;
}

// The end of the elements in the windows from `place` on. At least `place`.
uint glsort_elements_end(uint place) {
    return max(glsort_op_parameter(glsort_group_of(place) * GLSORT_GROUP_PARAMETERS + 1u), place);
}

// Whether the windows of the group end at or before `place`.
bool glsort_closes_at(uint place, uint group) {
    return place >= glsort_op_parameter(group * GLSORT_GROUP_PARAMETERS + 1u);
}

// The run that contains the element. Only the last runs may be empty.
uint glsort_run_of(uint element, uint group) {
    uint run = 0u;
    for (int i = 1; i < GLSORT_RUNS; ++i)
        if (element >= glsort_run_begin(group, i)) run = uint(i);
    return run;
}

#else
uint glsort_group_begin(uint group) { return group; }

uint glsort_run_begin(uint group, int i) { return group + (uint(i) << glsort_op_log_run); }

// Elements of run i. At the end of the input there are fewer than glsort_op_run.
uint glsort_run_length(uint group, int i) {
    uint first = glsort_run_begin(group, i);
    return min(glsort_op_count - min(first, glsort_op_count), glsort_op_run);
}

uint glsort_group_of(uint element) { return element & ~(uint(GLSORT_RUNS) * glsort_op_run - 1u); }

// The run that contains the element.
uint glsort_run_of(uint element, uint group) { return element >> glsort_op_log_run & uint(GLSORT_RUNS - 1); }

// The end of the elements in the windows from `place` on.
uint glsort_elements_end(uint place) { return glsort_op_count; }

// Whether the windows of the group end at or before `place`.
bool glsort_closes_at(uint place, uint group) {
    return place >= glsort_op_count || (place != group && glsort_group_of(place) != group);
}
#endif
