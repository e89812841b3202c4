// Finds visible items by their numbers: walks from the record of the first of their neighbours (scene_find.glsl) to
// later records.
//
// expects ports: found
// expects macros: GLSORT_HEADER_RECORDS, GLSORT_NEIGHBOURS
// allows macros: GLSORT_LOADED_RUN

#include "scene/pyramid.glsl"

#if defined(GLSORT_LOADED_RUN)
const uint GLSORT_AT_ONCE = GLSORT_LOADED_RUN;
#else
const uint GLSORT_AT_ONCE = 1u;
#endif

// The most records without a wanted item that an instance visits one after the other. After that, so few items are
// visible that a descent through the pyramid is shorter.
const uint GLSORT_LONGEST_WALK = 4u;

// Finds the visible items `first` to `first + number - 1`, of which there are up to GLSORT_AT_ONCE.
//
// GPUs also run instances beside those of a draw, which may look for items behind the last one. Their search must end,
// too: it ends if a descent leads to a record without a wanted item.
void glsort_find_items(uint first, uint number, out uint items[GLSORT_AT_ONCE]) {
    for (uint i = 0u; i < GLSORT_AT_ONCE; ++i) items[i] = 0u;
    uvec2 start = glsort_found_gather(GLSORT_HEADER_RECORDS + first / GLSORT_NEIGHBOURS);
    uint record = start.x;
    uint before = start.y + first % GLSORT_NEIGHBOURS;  // visible items of the record before the next wanted one
    uint done = 0u;
    uint walked = 0u;
    while (done < number && walked <= GLSORT_LONGEST_WALK) {
        uvec4 bits = glsort_record_at(1u, record);
        uvec4 counts = glsort_bit_counts(bits);
        uint sum = counts.x + counts.y + counts.z + counts.w;
        for (uint i = 0u; i < GLSORT_AT_ONCE; ++i) {
            uint left = before + (i - done);
            if (i >= done && left < sum) {
                uint word = glsort_part_of(counts, left);
                items[i] = 128u * record + 32u * word + glsort_place_of_bit(bits[word], left);
            }
        }
        uint found = max(sum, before) - before;
        done += found;
        before -= min(before, sum);
        ++record;
        walked = found > 0u ? 0u : walked + 1u;
        if (walked == GLSORT_LONGEST_WALK) {
            uvec2 place = glsort_descend(first + done);
            record = place.x;
            before = place.y;
        }
    }
}
