// One group sorts a partition that exceeds a tile, in global memory. A partition has all buckets that begin in one
// window. The sort is slow, but rarely needed. Uses a bitonic network whose first comparators of a stage are mirrored
// (sample_step.glsl).
//
// expects ports: records
// expects parameters: buckets
// expects macros: GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_SAMPLED_TILE
// ignores macros: GLSORT_RANDOM

#include "lib/element.glsl"
#include "lib/layout.glsl"
#include "sample/sample_window.glsl"

void glsort_kernel(glsort_Index instance) {
    uvec2 bounds = glsort_partition_of(0u, glsort_op_buckets, 0u, glsort_number_of(instance));
    uint begin = bounds.x;
    uint size = bounds.y - bounds.x;
    if (size <= GLSORT_SAMPLED_TILE) return;
    for (uint block = 2u; block / 2u < size; block *= 2u) {
        uint mask = block - 1u;
        while (mask > 0u) {
            for (uint place = GLSORT_LANE; place < size; place += GLSORT_GROUP_SIZE) {
                uint partner = place ^ mask;
                if (partner < place || partner >= size) continue;
                glsort_Element mine = glsort_records_load(begin + place);
                glsort_Element other = glsort_records_load(begin + partner);
                if (glsort_precedes(other, mine)) {
                    glsort_records_scatter(begin + place, other);
                    glsort_records_scatter(begin + partner, mine);
                }
            }
            memoryBarrierBuffer();
            barrier();
            mask = mask == block - 1u ? block / 4u : mask / 2u;
        }
    }
}
