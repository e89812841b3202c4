// Copies the elements of the domain. ELEMENTS: all of a record; past the end of the input, op_count elements,
// the last one again.

void kernel(Index instance) {
#if defined(ELEMENTS)
    for (uint k = 0u; k < ELEMENTS; ++k)
        target_write(k, source_gather(min(number_of(instance) * ELEMENTS + k, op_count - 1u)));
#else
    target_write(source_gather(number_of(instance)));
#endif
}
