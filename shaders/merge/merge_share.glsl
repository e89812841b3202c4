// What a search for a window of a merge skips at first. Of runs that are random parts of one sequence, each has its
// share of the elements before a window, by its length, give or take half a square root of that (the standard
// deviation): what is four of these less is skipped.
//
// Where the search takes something of a run behind what was skipped of it, that comes before the window as well. Where
// it does not, too much may have been skipped.
//
// expects parameters: log_run
// expects macros: GLSORT_RUNS

// Of `rank` elements of the group, what is skipped of each run.
void glsort_skip(uint rank, uint begins[GLSORT_RUNS], uint ends[GLSORT_RUNS], out uint skipped[GLSORT_RUNS]) {
    // In units of so many elements that a full run is a number of 15 bits, eight of them are one of 18, and a product
    // has no more than 32; and a little less.
    uint unit = max(glsort_op_log_run, 14u) - 14u;
    uint full = glsort_op_log_run - unit;
    uint total = uint(GLSORT_RUNS);
    for (int i = 0; i < GLSORT_RUNS; ++i) total += (ends[i] - begins[i]) >> unit;
    uint of_full = ((rank >> unit) << full) / total;
    uint margin = (2u + (glsort_op_log_run & 1u)) << (glsort_op_log_run / 2u);
    for (int i = 0; i < GLSORT_RUNS; ++i) {
        uint share = (((ends[i] - begins[i]) >> unit) * of_full >> full) << unit;
        skipped[i] = share - min(share, margin);
    }
}
