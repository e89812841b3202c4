// Divides each tile into buckets: the second of three ops of a sort by splitters (splitter_choose.glsl). A bucket has
// the elements after one splitter, up to and including the next. `starts` gets the place of each bucket in the tile.
// Elements of a bucket keep their order.
//
// Many equal elements would make one large bucket. Such elements equal several splitters, between which there are empty
// buckets. Each of these buckets takes the equal elements of some neighbouring tiles.
//
// GLSORT_FOLLOWS_COUNT: the count is on the GPU. A group divides one tile after the other, as long as there are tiles.
// Small tiles keep many multiprocessors busy even with few elements. The search tree serves all tiles of the group.
//
// expects ports: source, splitters, starts, target
// expects macros: GLSORT_BUCKETS, GLSORT_DIGIT_BITS, GLSORT_ELEMENTS, GLSORT_GROUP_SIZE, GLSORT_LANE
// expects macros: GLSORT_SAMPLED_TILE
// allows macros: GLSORT_FOLLOWS_COUNT, GLSORT_TILE_GROUPS
// ignores macros: GLSORT_TILE

#include "lib/layout.glsl"
#include "radix/compared_bits.glsl"
#include "radix/radix_rounds.glsl"
#include "radix/search_tree.glsl"
#include "radix/splitter_tiles.glsl"

shared uint glsort_has_equals;  // Whether two neighbouring splitters are equal.

// The bucket of an element of the tile, if there are equal splitters. `before`: the number of splitters before the
// element.
uint glsort_bucket_of(glsort_Key code, uint before, uint tile) {
    if (before + 1u >= glsort_buckets() - 1u) return before;
    glsort_Key next = glsort_code_in_tree(glsort_node_of(before));
    if (next != code || glsort_code_in_tree(glsort_node_of(before + 1u)) != code) return before;
    uint equal = min(glsort_codes_before(code, true), glsort_buckets() - 1u) - before;
    return before + 1u + tile * (equal - 1u) / glsort_tiles();
}

// Loads outside of any branch are issued at once. Places behind the end load the last element.
void glsort_load_tile(uint tile, out glsort_Element mine[GLSORT_ELEMENTS]) {
    uint begin = tile * GLSORT_SAMPLED_TILE;
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k)
        mine[k] = glsort_source_gather(begin + min(glsort_element_of(k), glsort_size_of(tile) - 1u));
}

// Puts the splitters into the tree. Returns whether one that this invocation loads equals the splitter before.
bool glsort_load_splitters() {
    bool has_equals = false;
    for (uint i = GLSORT_LANE; i < GLSORT_BUCKETS - 1u; i += GLSORT_GROUP_SIZE) {
#if defined(GLSORT_FOLLOWS_COUNT)
        // Behind the last splitter no search goes on.
        if (i >= glsort_buckets() - 1u) {
            glsort_put_in_tree(glsort_node_of(i), glsort_Key(GLSORT_NONE));
            continue;
        }
#endif
        glsort_Key splitter = glsort_splitters_gather(i);
        glsort_put_in_tree(glsort_node_of(i), splitter);
        has_equals = has_equals || (i > 0u && glsort_splitters_gather(max(i, 1u) - 1u) == splitter);
    }
    return has_equals;
}

// Divides a tile. The counts must be zero, and visible.
void glsort_divide(uint tile, glsort_Element mine[GLSORT_ELEMENTS]) {
    uint begin = tile * GLSORT_SAMPLED_TILE;
    uint size = glsort_size_of(tile);
    uint nodes[GLSORT_ELEMENTS];
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) nodes[k] = 1u;
    // One step of all searches at once: no search waits for another.
    for (uint step = 1u; step < GLSORT_BUCKETS; step *= 2u)
        for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) glsort_descend(nodes[k], glsort_compared(mine[k]), false);
    barrier();
    if (glsort_has_equals != 0u)
        for (uint k = 0u; k < GLSORT_ELEMENTS; ++k)
            nodes[k] = GLSORT_BUCKETS +
                       glsort_bucket_of(glsort_compared(mine[k]), nodes[k] - GLSORT_BUCKETS, tile);
    // Elements that stand for buckets, so that ranks by digits are ranks by buckets.
    glsort_Element buckets[GLSORT_ELEMENTS];
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
        // What is behind the last element stays there.
        bool is_behind = glsort_element_of(k) >= size;
        buckets[k] = glsort_element_with(is_behind ? GLSORT_BUCKETS - 1u : nodes[k] - GLSORT_BUCKETS);
    }
    glsort_Places places;
    uint smaller;
    glsort_rank_elements(buckets, 0u, GLSORT_DIGIT_BITS, places, smaller);
    if (GLSORT_LANE < glsort_buckets()) glsort_starts_scatter(tile * glsort_buckets() + GLSORT_LANE, smaller);
    glsort_exchange(mine, places);
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k)
        if (glsort_element_of(k) < size) glsort_target_scatter(begin + glsort_element_of(k), mine[k]);
}

void glsort_kernel(glsort_Index instance) {
    uint tile = glsort_number_of(instance);
#if defined(GLSORT_FOLLOWS_COUNT)
    if (tile >= glsort_tiles()) return;
#endif
    glsort_Element mine[GLSORT_ELEMENTS];
    glsort_load_tile(tile, mine);
    bool has_equals = glsort_load_splitters();
    if (GLSORT_LANE == 0u) glsort_has_equals = 0u;
    glsort_clear_counts();
    barrier();
    if (has_equals) glsort_has_equals = 1u;
    glsort_divide(tile, mine);
#if defined(GLSORT_FOLLOWS_COUNT)
    for (tile += GLSORT_TILE_GROUPS; tile < glsort_tiles(); tile += GLSORT_TILE_GROUPS) {
        glsort_load_tile(tile, mine);
        glsort_clear_counts();
        barrier();
        glsort_divide(tile, mine);
    }
#endif
}
