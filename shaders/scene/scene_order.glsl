// The number of an item, which lies behind its key.
//
// expects ports: order, sorted
// expects macros: GLSORT_KEY_WORDS

void glsort_kernel(glsort_Index instance) {
#if GLSORT_KEY_WORDS == 1
    glsort_order_write(glsort_sorted_gather(glsort_number_of(instance)).y);
#else
    glsort_order_write(glsort_sorted_gather(glsort_number_of(instance)).z);
#endif
}
