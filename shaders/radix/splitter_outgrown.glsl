// Merges the sorted runs of a bucket that has outgrown its group. Each run has GLSORT_TILE elements, but the last run
// may have fewer. The group merges in global memory, which is slow but rarely needed. Each element finds its place in
// the neighbouring run by a binary search. Stable.
//
// `spare` has two halves, with room for all elements each. In both halves, a bucket uses the places that the bucket has
// in the result.
//
// expects ports: spare, target
// expects parameters: count
// expects macros: GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_TILE

#include "radix/compared_bits.glsl"

void glsort_merge_outgrown(uint begin, uint size) {
    uint from = begin;
    uint to = glsort_op_count + begin;
    for (uint run = GLSORT_TILE; run < size; run *= 2u) {
        memoryBarrierBuffer();
        barrier();
        for (uint number = GLSORT_LANE; number < size; number += GLSORT_GROUP_SIZE) {
            uint own = number / run * run;
            bool left = number / run % 2u == 0u;
            uint other = left ? own + run : own - run;
            glsort_Element mine = glsort_spare_load(from + number);
            glsort_Key code = glsort_compared(mine);
            uint low = min(other, size);
            uint high = min(other + run, size);
            uint before = number - own - low;
            while (low < high) {
                uint middle = (low + high) / 2u;
                glsort_Key met = glsort_compared(glsort_spare_load(from + middle));
                if (left ? glsort_key_precedes(met, code) : !glsort_key_precedes(code, met)) low = middle + 1u;
                else high = middle;
            }
            glsort_spare_scatter(to + min(own, other) + before + low, mine);
        }
        uint merged = to;
        to = from;
        from = merged;
    }
    memoryBarrierBuffer();
    barrier();
    for (uint number = GLSORT_LANE; number < size; number += GLSORT_GROUP_SIZE)
        glsort_target_scatter(begin + number, glsort_spare_load(from + number));
}
