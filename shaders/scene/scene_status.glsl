// The number of visible items, and whether a count on the GPU was clamped.
//
// expects ports: scene_status, sums
// allows ports: counts
// expects parameters: counts, last
// allows macros: GLSORT_GPU_COUNT

#include "lib/layout.glsl"

void glsort_kernel(glsort_Index instance) {
    uint clamped = 0u;
#if defined(GLSORT_GPU_COUNT)
    for (uint i = 0u; i < glsort_op_counts; ++i) clamped |= glsort_counts_gather(i).y;
#endif
    uvec4 sums = glsort_sums_gather(glsort_op_last);
    glsort_scene_status_write(uvec4(sums.x + sums.y + sums.z + sums.w, clamped, 0u, 0u));
}
