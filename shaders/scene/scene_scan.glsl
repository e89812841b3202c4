// Sums up the visible items of all tiles before each tile. A group has GLSORT_TILES_TOGETHER neighbouring tiles, and
// each invocation has some of them.
//
// `offsets` begins with the number of groups that are done: 0 between ops. Then each tile has a word: the visible items
// in earlier tiles of its group. Then each group has a word: the visible items in all earlier groups
// (src/glsort/plan/scene/tile_kernels.h).
//
// No group waits: the last group to be done adds up the sums of the groups, and writes the results.
//
// expects ports: marks, offsets
// expects parameters: groups, tiles
// expects macros: GLSORT_CLAMPED, GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_MARK_WORDS, GLSORT_TILES_TOGETHER

#include "lib/group_scan.glsl"
#include "lib/layout.glsl"
#include "scene/scene_results.glsl"

const uint GLSORT_FIRST_OFFSET = 1u;
const uint GLSORT_EACH = GLSORT_TILES_TOGETHER / GLSORT_GROUP_SIZE;

shared uint glsort_clamped;
shared uint glsort_groups_done;

// The visible items of the group's tiles. The top bit is set if the count of a source was clamped.
uint glsort_scan_tiles(uint first) {
    // Issues all loads at once. Places past the end load the last mark.
    uint words[GLSORT_EACH];
    for (uint k = 0u; k < GLSORT_EACH; ++k)
        words[k] = glsort_marks_gather((min(first + k, glsort_op_tiles - 1u) + 1u) * GLSORT_MARK_WORDS - 1u);
    uint sum = 0u;
    for (uint k = 0u; k < GLSORT_EACH; ++k) {
        if (words[k] >= GLSORT_CLAMPED) atomicOr(glsort_clamped, GLSORT_CLAMPED);
        words[k] = first + k < glsort_op_tiles ? words[k] & ~GLSORT_CLAMPED : 0u;
        sum += words[k];
    }
    uint total;
    uint offset = glsort_group_scan(sum, GLSORT_GROUP_SIZE, total);
    for (uint k = 0u; k < GLSORT_EACH; ++k) {
        if (first + k < glsort_op_tiles) glsort_offsets_scatter(GLSORT_FIRST_OFFSET + first + k, offset);
        offset += words[k];
    }
    return total | glsort_clamped;
}

void glsort_scan_groups() {
    uint before = 0u;
    for (uint first = 0u; first < glsort_op_groups; first += GLSORT_GROUP_SIZE) {
        uint group = first + GLSORT_LANE;
        uint word = group < glsort_op_groups ? glsort_offsets_load(GLSORT_FIRST_OFFSET + glsort_op_tiles + group) : 0u;
        if (word >= GLSORT_CLAMPED) atomicOr(glsort_clamped, GLSORT_CLAMPED);
        uint total;
        uint offset = before + glsort_group_scan(word & ~GLSORT_CLAMPED, GLSORT_GROUP_SIZE, total);
        if (group < glsort_op_groups) glsort_offsets_scatter(GLSORT_FIRST_OFFSET + glsort_op_tiles + group, offset);
        before += total;
        barrier();
    }
    if (GLSORT_LANE == 0u) glsort_offsets_scatter(0u, 0u);
    glsort_write_results(before, glsort_clamped > 0u);
}

void glsort_kernel(glsort_Index instance) {
    if (GLSORT_LANE == 0u) glsort_clamped = 0u;
    barrier();
    uint sum = glsort_scan_tiles(instance * GLSORT_TILES_TOGETHER + GLSORT_LANE * GLSORT_EACH);
    if (GLSORT_LANE == 0u) {
        glsort_offsets_scatter(GLSORT_FIRST_OFFSET + glsort_op_tiles + instance, sum);
        memoryBarrierBuffer();
        glsort_groups_done = glsort_offsets_add(0u, 1u) + 1u;
    }
    barrier();
    if (glsort_groups_done < glsort_op_groups) return;
    memoryBarrierBuffer();
    glsort_scan_groups();
}
