// The caller's values of several words go to where their keys are: CHUNKS elements a value, one of them an
// instance.

void kernel(Index instance) {
    uint number = number_of(instance);
    uint index = index_in_input(records_gather(number / CHUNKS));
    values_out_write(values_gather(index * CHUNKS + number % CHUNKS));
}
