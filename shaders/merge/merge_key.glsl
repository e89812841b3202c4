// The key of an element of the port `source`: the code of the element, without its other words. With a comparison of
// the caller: the key at the index of the element.
//
// expects ports: source
// expects macros: GLSORT_RUNS
// allows ports: input_keys
// allows macros: GLSORT_COMPARISON

#include "lib/element.glsl"

#if defined(GLSORT_COMPARISON)
glsort_Key glsort_key_at(uint element) { return glsort_input_keys_gather(glsort_source_gather(element)); }
#else
glsort_Key glsort_key_at(uint element) { return glsort_source_gather(element); }
#endif

// Whether the parts of all runs, one after the other, are in order. That is, no part begins with a key less than the
// last key of the part before. `to` is one past a part's last element. A part may be empty.
bool glsort_is_in_order(uint from[GLSORT_RUNS], uint to[GLSORT_RUNS]) {
    // Most calls return here. Both loads are outside of branches, so that a GPU issues them together.
    bool both = from[0] < to[0] && from[1] < to[1];
    glsort_Key last_of_first = glsort_key_at(both ? to[0] - 1u : 0u);
    glsort_Key first_of_second = glsort_key_at(both ? from[1] : 0u);
    if (both && glsort_key_precedes(first_of_second, last_of_first)) return false;

    glsort_Key last = glsort_Key(0u);
    bool any = false;
    for (int i = 0; i < GLSORT_RUNS; ++i)
        if (from[i] < to[i]) {
            if (any && glsort_key_precedes(glsort_key_at(from[i]), last)) return false;
            last = glsort_key_at(to[i] - 1u);
            any = true;
        }
    return true;
}
