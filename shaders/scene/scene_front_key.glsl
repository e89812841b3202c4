// Computes the keys of a tile, which go to its front with their items, and writes how many there are
// (src/glsort/plan/scene/front_kernels.h). Each source is a block of the domain. GLSORT_FINISHES: the last group to be
// done sums up the numbers of all tiles, and writes the results.
//
// expects ports: front_offsets
// expects parameters: count, first_group, first_tile
// allows parameters: groups, tiles
// expects macros: GLSORT_CLAMPED, GLSORT_FIRST_OFFSET, GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_SCENE_TILE
// allows macros: GLSORT_FINISHES

#include "lib/layout.glsl"
#include "scene/given_count.glsl"
#include "scene/tile_keys.glsl"
#if defined(GLSORT_FINISHES)
#include "lib/group_scan.glsl"
#include "scene/scene_results.glsl"
#endif

#if defined(GLSORT_FINISHES)
shared uint glsort_clamped;
shared uint glsort_groups_done;

// In the last group.
void glsort_sum_up_tiles() {
    if (GLSORT_LANE == 0u) glsort_clamped = 0u;
    barrier();
    uint visible = 0u;
    for (uint first = 0u; first < glsort_op_tiles; first += GLSORT_GROUP_SIZE) {
        uint place = GLSORT_FIRST_OFFSET + first + GLSORT_LANE;
        bool exists = first + GLSORT_LANE < glsort_op_tiles;
        uint word = exists ? glsort_front_offsets_load(place) : 0u;
        if (word >= GLSORT_CLAMPED) atomicOr(glsort_clamped, 1u);
        uint total;
        uint before = glsort_group_scan(word & ~GLSORT_CLAMPED, GLSORT_GROUP_SIZE, total);
        if (exists) {
            glsort_front_offsets_scatter(place, visible + before);
            glsort_front_offsets_scatter(place + glsort_op_tiles, 0xffffffffu);
        }
        visible += total;
        barrier();
    }
    if (GLSORT_LANE == 0u) glsort_front_offsets_scatter(0u, 0u);
    glsort_write_results(visible, glsort_clamped > 0u);
}
#endif

void glsort_kernel(glsort_Index instance) {
    uint given = glsort_given_count();
    uint group = instance - glsort_op_first_group;
    uint tile = glsort_op_first_tile + group;
    uint visible =
        glsort_write_front(group * GLSORT_SCENE_TILE, min(given, glsort_op_count), tile * GLSORT_SCENE_TILE);
    if (GLSORT_LANE == 0u) {
        uint clamped = group == 0u && given > glsort_op_count ? GLSORT_CLAMPED : 0u;
        glsort_front_offsets_scatter(GLSORT_FIRST_OFFSET + tile, visible | clamped);
#if defined(GLSORT_FINISHES)
        memoryBarrierBuffer();
        glsort_groups_done = glsort_front_offsets_add(0u, 1u) + 1u;
#endif
    }
#if defined(GLSORT_FINISHES)
    barrier();
    if (glsort_groups_done < glsort_op_groups) return;
    memoryBarrierBuffer();
    glsort_sum_up_tiles();
#endif
}
