// Sorts up to TILE records by their codes alone, in registers and shared memory: for tiles whose equal codes lie in
// the order of the input.

// The kernel says what is sorted: the record with that number.
Record unsorted(uint number);

// Of all invocations of the group. Record `sorted_place(k)` of the sorted tile is element k of `sorted`.
uint sorted_place(uint k) { return k < held ? element_of(k) : NONE; }

void sort_tile(uint size, out Record sorted[ELEMENTS]) {
#if defined(PARTLY)
    held = (max(size, 1u) - 1u) / GROUP_SIZE + 1u;
#endif
    for (uint k = 0u; k < ELEMENTS; ++k) {
        if (k >= held) break;
        uint number = element_of(k);
        sorted[k] = number < size ? unsorted(number) : MISSING;
    }
    sort_by_digits(sorted, 0u, 32u * uint(KEY_WORDS));
}
