// Calls the caller's `sort_key` for an element, once. Writes the key, and whether the element is visible.
//
// expects ports: keyed
// allows ports: counts
// expects parameters: base, count, place
// expects macros: GLSORT_KEY_WORDS, GLSORT_SCENE_KEY
// allows macros: GLSORT_GPU_COUNT

#include "lib/layout.glsl"
#include "scene/stored_key.glsl"

#if GLSORT_KEY_WORDS == 1
#define glsort_Keyed uvec2
#else
#define glsort_Keyed uvec3
#endif

void glsort_kernel(glsort_Index instance) {
    uint element = glsort_number_of(instance) - glsort_op_base;
#if defined(GLSORT_GPU_COUNT)
    uint count = glsort_counts_gather(glsort_op_place).x;
#else
    uint count = glsort_op_count;
#endif
    glsort_Keyed keyed = glsort_Keyed(0u);
    if (element < count) {
        GLSORT_SCENE_KEY key;
        if (sort_key(element, key)) keyed = glsort_Keyed(glsort_stored_key(key), 1u);
    }
    glsort_keyed_write(keyed);
}
