// The load chunk of a sort that reads the keys of a scene from the fronts of tiles. Element i is the visible item with i
// visible items before it (src/glsort/plan/scene/front_source.h).
//
// expects ports: front_marks, front_offsets, fronts
// allows ports: front_items
// expects macros: GLSORT_ELEMENT_WORDS, GLSORT_KEY_WORDS, GLSORT_MARK_WORDS, GLSORT_SCENE_TILE, GLSORT_TILES_TOGETHER

#include "lib/element.glsl"

const uint GLSORT_FIRST_FRONT_OFFSET = 4u;

// The last tile that the invocation has found: the number of the tile, its visible items and the earlier visible items.
// Elements of an invocation are close together: few of them need a search.
uint glsort_front_tile = 0u;
uint glsort_front_visible = 0u;
uint glsort_front_start = 0u;

// The last of `number` ascending words, from `place` on, that is at most `bound`. The first word is at most `bound`.
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

void glsort_find_front(uint element) {
    uint tiles = glsort_front_offsets_gather(2u);
    uint sums = GLSORT_FIRST_FRONT_OFFSET + tiles;
    uint group = glsort_last_at_most(sums, glsort_front_offsets_gather(3u), element);
    uint before = glsort_front_offsets_gather(sums + group);
    uint first = group * GLSORT_TILES_TOGETHER;
    uint place = GLSORT_FIRST_FRONT_OFFSET + first;
    uint tile = glsort_last_at_most(place, min(tiles - first, GLSORT_TILES_TOGETHER), element - before);
    glsort_front_tile = first + tile;
    glsort_front_start = before + glsort_front_offsets_gather(place + tile);
    glsort_front_visible = glsort_front_marks_gather(glsort_front_tile * GLSORT_MARK_WORDS + GLSORT_SCENE_TILE / 32u);
    // The top bit says that a count was clamped.
    glsort_front_visible &= 0x7fffffffu;
}

glsort_Element glsort_load(uint element) {
    // Below the start the difference is greater than any number of items.
    if (element - glsort_front_start >= glsort_front_visible) glsort_find_front(element);
    uint rank = element - glsort_front_start;
    uint place = glsort_front_tile * GLSORT_SCENE_TILE + rank;
#if GLSORT_KEY_WORDS == 1
    glsort_Key code = glsort_encode_key(glsort_fronts_gather(place));
#else
    glsort_Key code = glsort_encode_key(glsort_fronts_gather(place).yx);
#endif
#if GLSORT_ELEMENT_WORDS == GLSORT_KEY_WORDS
    return code;
#else
    uint item = glsort_front_visible < GLSORT_SCENE_TILE
                    ? glsort_front_items_gather(place)
                    : glsort_front_marks_gather((glsort_front_tile + 1u) * GLSORT_MARK_WORDS - 1u) + rank;
    return glsort_Element(code, item);
#endif
}
