// Takes the samples of the only segment, one an instance.

void kernel(Index instance) {
    samples_write(source_at(sample_place(0u, number_of(instance), op_count)));
}
