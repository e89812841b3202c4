// Clears the totals that the histograms add to.

void kernel(Index digit) { totals_write(0u); }
