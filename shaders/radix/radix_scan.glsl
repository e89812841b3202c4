// Computes the destination of the first element of each digit of each partition: the sum of all earlier counts. One
// group goes through chunks of GLSORT_CHUNK counts. Neighbouring invocations load and store neighbouring counts, but
// each invocation adds up its own row.
//
// expects ports: counts, offsets
// expects parameters: elements
// expects macros: GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_ROW

#include "lib/bank_slot.glsl"
#include "lib/group_scan.glsl"
#include "lib/layout.glsl"

#pragma optionNV(unroll all)

const uint GLSORT_CHUNK = GLSORT_ROW * GLSORT_GROUP_SIZE;

shared uint glsort_counts[GLSORT_CHUNK];

void glsort_kernel(glsort_Index instance) {
    uint before_all = 0u;
    for (uint first = 0u; first < glsort_op_elements; first += GLSORT_CHUNK) {
        for (uint k = 0u; k < GLSORT_ROW; ++k) {
            uint i = k * GLSORT_GROUP_SIZE + GLSORT_LANE;
            uint count = glsort_counts_gather(min(first + i, glsort_op_elements - 1u));
            glsort_counts[glsort_bank_slot(i)] = first + i < glsort_op_elements ? count : 0u;
        }
        barrier();
        uint row[GLSORT_ROW];
        uint sum = 0u;
        for (uint k = 0u; k < GLSORT_ROW; ++k) {
            row[k] = glsort_counts[glsort_bank_slot(GLSORT_LANE * GLSORT_ROW + k)];
            sum += row[k];
        }
        uint total;
        uint before = before_all + glsort_group_scan(sum, GLSORT_GROUP_SIZE, total);
        before_all += total;
        for (uint k = 0u; k < GLSORT_ROW; ++k) {
            glsort_counts[glsort_bank_slot(GLSORT_LANE * GLSORT_ROW + k)] = before;
            before += row[k];
        }
        barrier();
        for (uint k = 0u; k < GLSORT_ROW; ++k) {
            uint i = k * GLSORT_GROUP_SIZE + GLSORT_LANE;
            if (first + i < glsort_op_elements) glsort_offsets_scatter(first + i, glsort_counts[glsort_bank_slot(i)]);
        }
        barrier();
    }
}
