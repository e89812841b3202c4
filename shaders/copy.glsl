// Copies the elements of the domain.

void kernel(Index instance) { target_write(source_gather(number_of(instance))); }
