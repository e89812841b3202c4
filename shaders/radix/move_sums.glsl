// Moves the sums of digits to the totals, and leaves zeros. A single group does this.
//
// expects ports: sums, totals
// expects macros: GLSORT_GROUP_SIZE, GLSORT_LANE
// allows macros: GLSORT_COLUMNS

void glsort_move_sums() {
    for (uint column = GLSORT_LANE; column < GLSORT_COLUMNS; column += GLSORT_GROUP_SIZE) {
        glsort_totals_scatter(column, glsort_sums_load(column));
        glsort_sums_scatter(column, 0u);
    }
}
