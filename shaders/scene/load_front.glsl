// The load chunk of a sweep that reads the keys of a scene from the fronts of tiles. Element i is the visible item with
// i visible items before it (src/glsort/plan/scene/front_source.h).
//
// expects ports: front_offsets
// expects macros: GLSORT_ELEMENTS, GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_MEMORY, GLSORT_SUBGROUP
// expects macros: GLSORT_TILES_TOGETHER

#include "radix/radix_memory.glsl"
#include "scene/front_place.glsl"

#pragma optionNV(unroll all)

// Words of the group's memory: how many tiles of the scene the elements of the group are in, two results of searches,
// and a table of these tiles. The table has the start and the first item of each tile.
const uint GLSORT_FRONTS_FOUND = 0u;
const uint GLSORT_GROUP_FOUND = 1u;
const uint GLSORT_TILE_FOUND = 2u;
const uint GLSORT_FRONT_STARTS = 3u;
const uint GLSORT_FRONT_ROOM = (GLSORT_MEMORY - GLSORT_FRONT_STARTS) / 2u;
const uint GLSORT_FRONT_FIRST_ITEMS = GLSORT_FRONT_STARTS + GLSORT_FRONT_ROOM;

// Loads that find a tile among GLSORT_TILES_TOGETHER.
const uint GLSORT_AT_ONCE = (GLSORT_TILES_TOGETHER + GLSORT_GROUP_SIZE - 1u) / GLSORT_GROUP_SIZE;

// The last of `number` ascending offsets, from `place` on, that is at most `bound`. The first is at most `bound`.
uint glsort_last_at_most(uint place, uint number, uint bound) {
    uint low = 0u;
    uint high = number - 1u;
    while (low < high) {
        uint middle = low + (high - low + 1u) / 2u;
        if (glsort_front_offsets_gather(place + middle) <= bound) low = middle;
        else high = middle - 1u;
    }
    return low;
}

// The same, found by the whole group, with few loads one after the other. `found`: the word for the result.
uint glsort_find_last_at_most(uint place, uint number, uint bound, uint found) {
    for (uint i = GLSORT_LANE; i < number; i += GLSORT_AT_ONCE * GLSORT_GROUP_SIZE) {
        // Issues all loads at once. Places past the end load the last offset.
        uint here[GLSORT_AT_ONCE];
        uint next[GLSORT_AT_ONCE];
        for (uint k = 0u; k < GLSORT_AT_ONCE; ++k) {
            uint at = i + k * GLSORT_GROUP_SIZE;
            here[k] = glsort_front_offsets_gather(place + min(at, number - 1u));
            next[k] = glsort_front_offsets_gather(place + min(at + 1u, number - 1u));
        }
        for (uint k = 0u; k < GLSORT_AT_ONCE; ++k) {
            uint at = i + k * GLSORT_GROUP_SIZE;
            if (at < number && here[k] <= bound && (next[k] > bound || at + 1u == number)) glsort_memory[found] = at;
        }
    }
    barrier();
    return glsort_memory[found];
}

uvec2 glsort_search_front(uint element) {
    uint tiles = glsort_front_tiles();
    uint place = GLSORT_FIRST_FRONT_OFFSET;
    uint group = glsort_last_at_most(place + tiles, glsort_front_groups(), element);
    uint first = group * GLSORT_TILES_TOGETHER;
    uint tile = first + glsort_last_at_most(place + first, min(tiles - first, GLSORT_TILES_TOGETHER),
                                            element - glsort_front_group_start(tiles, group));
    return glsort_front_place(element, tile, glsort_front_start(tiles, tile), glsort_front_first_item(tile));
}

// Puts the tiles with the elements from `begin` to `end` into the table. Returns the first of these tiles.
uint glsort_find_fronts(uint begin, uint end) {
    if (GLSORT_LANE == 0u) glsort_memory[GLSORT_FRONTS_FOUND] = 0u;
    uint tiles = glsort_front_tiles();
    uint place = GLSORT_FIRST_FRONT_OFFSET;
    uint group = glsort_find_last_at_most(place + tiles, glsort_front_groups(), begin, GLSORT_GROUP_FOUND);
    uint first = group * GLSORT_TILES_TOGETHER;
    first += glsort_find_last_at_most(place + first, min(tiles - first, GLSORT_TILES_TOGETHER),
                                      begin - glsort_front_group_start(tiles, group), GLSORT_TILE_FOUND);
    for (uint i = GLSORT_LANE; i <= GLSORT_FRONT_ROOM && first + i < tiles; i += GLSORT_GROUP_SIZE) {
        uint start = glsort_front_start(tiles, first + i);
        if (start >= end) break;
        atomicMax(glsort_memory[GLSORT_FRONTS_FOUND], i + 1u);
        if (i == GLSORT_FRONT_ROOM) break;
        glsort_memory[GLSORT_FRONT_STARTS + i] = start;
        glsort_memory[GLSORT_FRONT_FIRST_ITEMS + i] = glsort_front_first_item(first + i);
    }
    barrier();
    return first;
}

glsort_Element glsort_load(uint element) { return glsort_load_from(glsort_search_front(element)); }

// Loads elements `first`, `first + GLSORT_SUBGROUP` and so on. Elements behind the group's are the group's last.
// `begin`, `end`: the elements of the group. All invocations of the group must call the function. Uses the memory.
void glsort_load_tile(uint begin, uint end, uint first, out glsort_Element mine[GLSORT_ELEMENTS]) {
    uint first_tile = glsort_find_fronts(begin, end);
    uint found = glsort_memory[GLSORT_FRONTS_FOUND];
    uvec2 places[GLSORT_ELEMENTS];
    if (found <= GLSORT_FRONT_ROOM) {
        // A binary search for all elements side by side. Its step is at least half of the table.
        uint tile[GLSORT_ELEMENTS];
        for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) tile[k] = 0u;
        for (uint reach = 1u << uint(findMSB(found)); reach > 0u; reach >>= 1u) {
            for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
                uint next = min(tile[k] + reach, found - 1u);
                uint element = min(first + k * uint(GLSORT_SUBGROUP), end - 1u);
                tile[k] = glsort_memory[GLSORT_FRONT_STARTS + next] <= element ? next : tile[k];
            }
        }
        for (uint k = 0u; k < GLSORT_ELEMENTS; ++k)
            places[k] = glsort_front_place(min(first + k * uint(GLSORT_SUBGROUP), end - 1u), first_tile + tile[k],
                                           glsort_memory[GLSORT_FRONT_STARTS + tile[k]],
                                           glsort_memory[GLSORT_FRONT_FIRST_ITEMS + tile[k]]);
    } else {
        // The table has no room for so many tiles with few visible items.
        for (uint k = 0u; k < GLSORT_ELEMENTS; ++k)
            places[k] = glsort_search_front(min(first + k * uint(GLSORT_SUBGROUP), end - 1u));
    }
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) mine[k] = glsort_load_from(places[k]);
}
