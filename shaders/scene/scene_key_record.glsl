// Calls the caller's `sort_key` for an element, once. Writes the key, and whether the element is visible.
//
// expects ports: keyed
// allows ports: counts
// expects parameters: base, count, place
// expects macros: GLSORT_SCENE_KEY
// allows macros: GLSORT_GPU_COUNT

#include "lib/layout.glsl"
#include "scene/keyed.glsl"
#include "scene/stored_key.glsl"

void glsort_kernel(glsort_Index instance) {
    uint element = glsort_number_of(instance) - glsort_op_base;
#if defined(GLSORT_GPU_COUNT)
    uint count = glsort_counts_gather(glsort_op_place).x;
#else
    uint count = glsort_op_count;
#endif
    glsort_Keyed keyed = GLSORT_INVISIBLE;
    if (element < count) {
        GLSORT_SCENE_KEY key;
        if (sort_key(element, key)) keyed = glsort_keyed(glsort_stored_key(key));
    }
    glsort_keyed_write(keyed);
}
