// Clears the totals that the histograms add to.

void glsort_kernel(glsort_Index digit) { glsort_totals_write(0u); }
