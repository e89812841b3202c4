// A group sorts up to a tile of elements in shared memory: by digits if the kernel has subgroups for that, else by
// merges. Both ways define `glsort_sort_tile` and `glsort_sorted_place`, and call `glsort_unsorted`.
//
// allows macros: GLSORT_SUBGROUP

#if defined(GLSORT_SUBGROUP)
#include "radix/tile_radix.glsl"
#else
#include "lib/tile_sort.glsl"
#endif
