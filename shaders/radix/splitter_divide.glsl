// Chooses splitters, and divides each tile into buckets: the first of two ops of a sort by splitters. A bucket has the
// codes above one splitter, up to and including the next splitter. `starts` gets the place of each bucket in the tile.
// Elements of a bucket keep their order.
//
// The first groups choose the splitters, part by part. All groups wait for all splitters. Nothing guarantees that a
// group keeps running while another waits. After GLSORT_LONGEST_WAIT looks the waiting group therefore chooses
// splitters itself, part by part, until no splitter is missing. Two groups that choose a splitter store equal words.
//
// Many equal elements would make one large bucket. Such elements equal several splitters, between which there are empty
// buckets. Each of these buckets takes the equal elements of some neighbouring tiles.
//
// GLSORT_FOLLOWS_COUNT: the count is on the GPU. A group divides one tile after the other, as long as there are tiles.
// Small tiles keep many multiprocessors busy even with few elements. The search tree serves all tiles of the group.
//
// expects ports: source, splitters, starts, target
// expects parameters: count
// expects macros: GLSORT_BUCKETS, GLSORT_CHOOSING, GLSORT_DIGIT_BITS, GLSORT_DISPATCHED, GLSORT_ELEMENTS
// expects macros: GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_LONGEST_WAIT, GLSORT_SAMPLED_TILE
// allows macros: GLSORT_FOLLOWS_COUNT, GLSORT_TILE_GROUPS
// ignores macros: GLSORT_TILE

#include "lib/layout.glsl"
#include "radix/compared_bits.glsl"
#include "radix/radix_rounds.glsl"
#include "radix/search_tree.glsl"
#include "radix/splitter_choose.glsl"
#include "radix/splitter_marks.glsl"
#include "radix/splitter_tiles.glsl"

shared uint glsort_has_equals;  // Whether two neighbouring splitters are equal.
shared uint glsort_waited;      // How often the group has waited too long.

// The bucket of an element of the tile, if there are equal splitters. `before`: the number of splitters before the
// element.
uint glsort_bucket_of(glsort_Key code, uint before, uint tile) {
    uint next = min(before, GLSORT_BUCKETS - 3u);
    bool equals_two = before + 1u < glsort_buckets() - 1u &&
                      glsort_code_in_tree(glsort_node_of(next, GLSORT_BUCKETS)) == code &&
                      glsort_code_in_tree(glsort_node_of(next + 1u, GLSORT_BUCKETS)) == code;
    uint bucket = before;
    if (equals_two) {
        // Behind the last splitter the tree may have the largest code, which must not count as a splitter.
        glsort_Key larger = glsort_next_code(code);
        uint equal = glsort_buckets() - 1u - before;
        if (larger != glsort_Key(0u)) equal = min(equal, glsort_codes_before(larger, GLSORT_BUCKETS) - before);
        bucket += 1u + tile * (equal - 1u) / glsort_tiles();
    }
    return bucket;
}

// Loads outside of any branch are issued at once. Places behind the end load the last element.
void glsort_load_tile(uint tile, out glsort_Element mine[GLSORT_ELEMENTS]) {
    uint begin = tile * GLSORT_SAMPLED_TILE;
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k)
        mine[k] = glsort_source_gather(min(begin + glsort_element_of(k), glsort_op_count - 1u));
}

void glsort_choose(uint splitter, glsort_Key code) {
    glsort_send(splitter, code);
    glsort_splitters_scatter(splitter, code);
}

// Puts all splitters into the tree. Looks for each splitter up to `looks` times. Returns whether all have come.
bool glsort_receive_splitters(uint looks) {
    bool all = true;
    for (uint i = GLSORT_LANE; i < GLSORT_BUCKETS - 1u; i += GLSORT_GROUP_SIZE) {
        glsort_Key splitter = glsort_Key(GLSORT_NONE);
#if defined(GLSORT_FOLLOWS_COUNT)
        // Behind the last splitter the tree has the largest code, which comes before no code.
        if (i < glsort_buckets() - 1u)
#endif
        {
            bool found = false;
            for (uint look = 0u; look < looks && !found; ++look) found = glsort_receive(i, splitter);
            all = all && found;
        }
        glsort_put_in_tree(glsort_node_of(i, GLSORT_BUCKETS), splitter);
    }
    return all;
}

// Fills the tree with the splitters. `glsort_waited` must be zero, and visible.
void glsort_find_splitters(uint group) {
    uint parts = glsort_parts();
    // An op in pieces has several dispatches. Groups of the first dispatch choose all splitters.
    uint choosing = min(GLSORT_CHOOSING, GLSORT_DISPATCHED);
    uint part = group < choosing ? group : parts;
    uint waited = 0u;  // How often the group has waited too long. The group then chooses the parts of all groups.
    while (true) {
        if (part < parts) glsort_choose_in_part(part);
        part += choosing;
        if (waited == 0u && part < parts) {
            barrier();
            continue;
        }
        if (!glsort_receive_splitters(waited == 0u ? GLSORT_LONGEST_WAIT : 1u)) atomicMax(glsort_waited, waited + 1u);
        barrier();
        if (glsort_waited == waited) break;
        part = waited++;
    }
    for (uint i = GLSORT_LANE + 1u; i < glsort_buckets() - 1u; i += GLSORT_GROUP_SIZE)
        if (glsort_code_in_tree(glsort_node_of(i, GLSORT_BUCKETS)) ==
            glsort_code_in_tree(glsort_node_of(i - 1u, GLSORT_BUCKETS)))
            glsort_has_equals = 1u;
}

// Divides a tile. The counts must be zero, and visible.
void glsort_divide(uint tile, glsort_Element mine[GLSORT_ELEMENTS]) {
    uint begin = tile * GLSORT_SAMPLED_TILE;
    uint size = glsort_size_of(tile);
    uint nodes[GLSORT_ELEMENTS];
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) nodes[k] = 1u;
    // One step of all searches at once: no search waits for another.
    for (uint level = 0u; level < GLSORT_DIGIT_BITS; ++level)
        for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) glsort_descend(nodes[k], glsort_compared(mine[k]));
    barrier();
    if (glsort_has_equals != 0u)
        for (uint k = 0u; k < GLSORT_ELEMENTS; ++k)
            nodes[k] = GLSORT_BUCKETS +
                       glsort_bucket_of(glsort_compared(mine[k]), nodes[k] - GLSORT_BUCKETS, tile);
    // Elements that stand for buckets, so that ranks by digits are ranks by buckets.
    glsort_Element buckets[GLSORT_ELEMENTS];
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
        // Places behind the last element get the last bucket. Ranks are stable, so these places stay last.
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
#if defined(GLSORT_FOLLOWS_COUNT)
    if (glsort_op_count == 0u) return;
#endif
    uint tile = glsort_number_of(instance);
    // Loads are on their way while the group chooses splitters.
    glsort_Element mine[GLSORT_ELEMENTS];
    glsort_load_tile(tile, mine);
    if (GLSORT_LANE == 0u) glsort_has_equals = glsort_waited = 0u;
    glsort_clear_counts();
    barrier();
    glsort_find_splitters(tile);
    if (tile < glsort_tiles()) glsort_divide(tile, mine);
#if defined(GLSORT_FOLLOWS_COUNT)
    for (tile += GLSORT_TILE_GROUPS; tile < glsort_tiles(); tile += GLSORT_TILE_GROUPS) {
        glsort_load_tile(tile, mine);
        glsort_clear_counts();
        barrier();
        glsort_divide(tile, mine);
    }
#endif
}
