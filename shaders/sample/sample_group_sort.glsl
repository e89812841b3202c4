// Sorts up to a tile of records by a group in shared memory: by digits where the kernel has subgroups for it, else by
// merges. Both define `glsort_sort_tile` and `glsort_sorted_place`, and call `glsort_unsorted`.
//
// allows macros: GLSORT_SUBGROUP

#if defined(GLSORT_SUBGROUP)
#include "radix/tile_radix.glsl"
#else
#include "lib/tile_sort.glsl"
#endif
