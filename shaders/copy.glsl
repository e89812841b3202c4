// Copies the records of the domain.

void kernel(Index instance) { target_write(source_read(instance)); }
