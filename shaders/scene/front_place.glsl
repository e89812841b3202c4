// Where an element is in the fronts of tiles (src/glsort/plan/scene/front_source.h): (place, item). The item is
// GLSORT_STORED_ITEM if the items of the tile are stored. A full tile stores no items, because these follow from its
// first item.
//
// expects ports: front_offsets, fronts
// allows ports: front_items, front_marks
// expects macros: GLSORT_ELEMENT_WORDS, GLSORT_KEY_WORDS, GLSORT_SCENE_TILE, GLSORT_TILES_TOGETHER
// allows macros: GLSORT_MARK_WORDS

#include "lib/element.glsl"

const uint GLSORT_FIRST_FRONT_OFFSET = 4u;
const uint GLSORT_STORED_ITEM = 0xffffffffu;

// How many tiles there are, and how many groups of GLSORT_TILES_TOGETHER tiles.
uint glsort_front_tiles() { return glsort_front_offsets_gather(2u); }
uint glsort_front_groups() { return glsort_front_offsets_gather(3u); }

// The visible items before a group of tiles, and before a tile. `tiles`: how many there are.
uint glsort_front_group_start(uint tiles, uint group) {
    return glsort_front_offsets_gather(GLSORT_FIRST_FRONT_OFFSET + tiles + group);
}
uint glsort_front_start(uint tiles, uint tile) {
    return glsort_front_group_start(tiles, tile / GLSORT_TILES_TOGETHER) +
           glsort_front_offsets_gather(GLSORT_FIRST_FRONT_OFFSET + tile);
}

// The first item of a full tile.
uint glsort_front_first_item(uint tile) {
#if GLSORT_ELEMENT_WORDS == GLSORT_KEY_WORDS
    return GLSORT_STORED_ITEM;
#else
    uint visible = glsort_front_marks_gather((tile + 1u) * GLSORT_MARK_WORDS - 2u);
    uint first = glsort_front_marks_gather((tile + 1u) * GLSORT_MARK_WORDS - 1u);
    // The top bit says that a count was clamped.
    return (visible & 0x7fffffffu) < GLSORT_SCENE_TILE ? GLSORT_STORED_ITEM : first;
#endif
}

// The place of an element. `start`, `first_item`: of the tile that the element is in.
uvec2 glsort_front_place(uint element, uint tile, uint start, uint first_item) {
    uint rank = element - start;
    return uvec2(tile * GLSORT_SCENE_TILE + rank,
                 first_item == GLSORT_STORED_ITEM ? GLSORT_STORED_ITEM : first_item + rank);
}

// No load is in a branch: the loads of several elements are issued at once.
glsort_Element glsort_load_from(uvec2 place) {
#if GLSORT_KEY_WORDS == 1
    glsort_Key code = glsort_encode_key(glsort_fronts_gather(place.x));
#else
    glsort_Key code = glsort_encode_key(glsort_fronts_gather(place.x).yx);
#endif
#if GLSORT_ELEMENT_WORDS == GLSORT_KEY_WORDS
    return code;
#else
    uint stored = glsort_front_items_gather(place.y == GLSORT_STORED_ITEM ? place.x : 0u);
    return glsort_Element(code, place.y == GLSORT_STORED_ITEM ? stored : place.y);
#endif
}
