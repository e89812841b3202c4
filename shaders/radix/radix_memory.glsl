// Shared memory of a group that ranks and moves the elements of a tile.
//
// expects macros: GLSORT_MEMORY

shared uint glsort_memory[GLSORT_MEMORY];
