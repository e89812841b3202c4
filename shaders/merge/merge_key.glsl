// The key of an element of the port `source`: its code, which is all that is read of it; or, where the
// caller's function compares, what its index leads to.
//
// expects ports: source
// expects macros: GLSORT_RUNS
// allows ports: input_keys
// allows macros: GLSORT_COMPARISON

#include "lib/record.glsl"

#if defined(GLSORT_COMPARISON)
glsort_Key glsort_key_at(uint element) { return glsort_input_keys_gather(glsort_source_gather(element)); }
#else
glsort_Key glsort_key_at(uint element) { return glsort_source_gather(element); }
#endif

// Whether parts of runs, one after the other, are in order as they are: each begins with nothing less than where
// the one before ends. `to` is behind a part's last element; a part may be empty.
bool glsort_is_in_order(uint from[GLSORT_RUNS], uint to[GLSORT_RUNS]) {
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
