// Copies the elements of the domain. ELEMENTS: the first element of a record fills it, since of a lone
// one there is no second.

void kernel(Index instance) {
#if defined(ELEMENTS)
    for (uint k = 0u; k < ELEMENTS; ++k) target_write(k, source_gather(number_of(instance) * ELEMENTS));
#else
    target_write(source_gather(number_of(instance)));
#endif
}
