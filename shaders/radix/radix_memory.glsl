// Shared memory of a group that ranks and moves the elements of a tile. A load chunk may use the memory before the
// group ranks.
//
// expects macros: GLSORT_MEMORY

shared uint glsort_memory[GLSORT_MEMORY];
