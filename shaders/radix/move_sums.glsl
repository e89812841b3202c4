// Moves the sums of digits to the totals, and leaves zeros. In one group.
//
// expects ports: sums, totals
// expects macros: GLSORT_DIGITS, GLSORT_GROUP_SIZE, GLSORT_LANE
// allows macros: GLSORT_COLUMNS

// Returns a part of the sum of the first pass. All parts of the group give the number of counted elements, because each
// element has one digit of the pass.
uint glsort_move_sums() {
    uint part = 0u;
    for (uint column = GLSORT_LANE; column < GLSORT_COLUMNS; column += GLSORT_GROUP_SIZE) {
        uint sum = glsort_sums_load(column);
        glsort_totals_scatter(column, sum);
        glsort_sums_scatter(column, 0u);
        if (column < GLSORT_DIGITS) part += sum;
    }
    return part;
}
