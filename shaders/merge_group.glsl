// The sorted runs of a merge: RUNS runs of op_run elements, one after the other, are a group and become one
// run.

uint run_begin(uint group, int i) { return group + (uint(i) << op_log_run); }

// Elements of run i: fewer than op_run at the end of the input.
uint run_length(uint group, int i) {
    uint first = run_begin(group, i);
    return min(op_count - min(first, op_count), op_run);
}

uint group_of(uint element) { return element & ~(uint(RUNS) * op_run - 1u); }
