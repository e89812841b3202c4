// The elements of a tile that an invocation has, and their places in the sorted tile.
//
// expects macros: GLSORT_ELEMENTS, GLSORT_SUBGROUP
// allows macros: GLSORT_PARTLY

#include "lib/subgroup.glsl"

// How many elements an invocation has. GLSORT_PARTLY: only as many as the tile needs. A sort of fewer elements then
// takes less time, but a sort of a full tile takes a seventh longer (docs/experiments/sample.md).
#if defined(GLSORT_PARTLY)
uint glsort_held = GLSORT_ELEMENTS;
#else
const uint glsort_held = GLSORT_ELEMENTS;
#endif

// The place in the tile of element k of an invocation. In a subgroup, elements k of neighbouring invocations are
// neighbours.
uint glsort_element_of(uint k) {
    return GLSORT_SUBGROUP_NUMBER * (uint(GLSORT_SUBGROUP) * glsort_held) + k * uint(GLSORT_SUBGROUP) +
           GLSORT_SUBGROUP_LANE;
}

// Places in the tile, two in a word: registers limit the number of groups on a multiprocessor.
#define glsort_Places uint[(GLSORT_ELEMENTS + 1u) / 2u]
uint glsort_place_of(glsort_Places places, uint k) { return places[k / 2u] >> (k % 2u * 16u) & 0xffffu; }
