// The elements that the search for a window of a merge skips at first. If runs are random parts of one sequence, each
// run has a share of the elements before a window, in proportion to its length. The standard deviation is at most half
// the square root of a full run's length. Skipped is the share less four times this max.
//
// If the search takes elements of a run after the skipped ones, the skipped ones also come before the window. Otherwise
// too many may have been skipped.
//
// expects parameters: log_run
// expects macros: GLSORT_RUNS

// For the first `rank` elements of the group, how many elements of each run are skipped.
void glsort_skip(uint rank, uint begins[GLSORT_RUNS], uint ends[GLSORT_RUNS], out uint skipped[GLSORT_RUNS]) {
    // Numbers are in units, to keep products within 32 bits. A full run is then a number of at most 15 bits, and the
    // sum of eight runs one of at most 18 bits. The quotient is rounded down slightly.
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
