// Finds a visible item by its number. scene_find.glsl has found the first item of each block of neighbours. From there,
// the search walks through records of bits.
//
// expects ports: found
// expects macros: GLSORT_HEADER_RECORDS, GLSORT_NEIGHBOURS
// allows macros: GLSORT_LOADED_RUN

#include "scene/pyramid.glsl"

// The most records without a wanted item that an instance visits one after the other. After that, so few items are
// visible that a descent through the pyramid is shorter.
const uint GLSORT_LONGEST_WALK = 4u;

// The first item of a block of neighbours. 0 behind the visible items.
uint glsort_first_of(uint block) { return glsort_found_gather(GLSORT_HEADER_RECORDS + block); }

// The record of bits that has an item. The bits of earlier items are cleared.
uvec4 glsort_bits_from(uint item) {
    // Two shifts, for a shift by 32 is undefined.
    ivec4 earlier = clamp(ivec4(int(item % 128u)) - ivec4(0, 32, 64, 96), 0, 32);
    uvec4 half_shift = uvec4(earlier) / 2u;
    return glsort_record_at(1u, item / 128u) & (uvec4(0xffffffffu) << half_shift) << (uvec4(earlier) - half_shift);
}

// Finds visible item `k`. GPUs also run instances beside those of a draw. Such an instance may look for an item behind
// the last one. After one descent, every search ends.
uint glsort_find_item(uint k) {
    uint item = glsort_first_of(k / GLSORT_NEIGHBOURS);
    uint record = item / 128u;
    uint left = k % GLSORT_NEIGHBOURS;
    uvec4 bits = glsort_bits_from(item);
    uvec4 counts = glsort_bit_counts(bits);
    uint sum = counts.x + counts.y + counts.z + counts.w;
    for (uint walked = 1u; walked <= GLSORT_LONGEST_WALK && left >= sum; ++walked) {
        left -= sum;
        ++record;
        if (walked == GLSORT_LONGEST_WALK) {
            uvec2 place = glsort_descend(k);
            record = place.x;
            left = place.y;
        }
        bits = glsort_record_at(1u, record);
        counts = glsort_bit_counts(bits);
        sum = counts.x + counts.y + counts.z + counts.w;
    }
    return glsort_item_of(record, bits, left);
}

#if defined(GLSORT_LOADED_RUN)
// Finds the visible items `first` to `first + number - 1`. Items from `number` on are any items.
//
// Takes set bits one by one. A search by rank would take more integer operations, of which a GPU does few. The search
// of an instance beside those of a draw ends, too, if a descent leads to a record without an item.
void glsort_find_items(uint first, uint number, out uint items[GLSORT_LOADED_RUN]) {
    uint block = first / GLSORT_NEIGHBOURS;
    uint behind = (first + GLSORT_LOADED_RUN - 1u) / GLSORT_NEIGHBOURS + 1u;
    uint start = glsort_first_of(block);
    uint span = glsort_first_of(behind) - start;
    // If the run has missing elements, there may be no block behind the run.
    bool gapless = number == GLSORT_LOADED_RUN && span == (behind - block) * GLSORT_NEIGHBOURS;
    start += first % GLSORT_NEIGHBOURS;
    for (uint i = 0u; i < GLSORT_LOADED_RUN; ++i) items[i] = gapless ? start + i : 0u;
    uint done = gapless ? number : 0u;
    if (done < number && first % GLSORT_NEIGHBOURS != 0u) start = glsort_find_item(first);
    uint walked = 0u;
    while (done < number && walked <= GLSORT_LONGEST_WALK) {
        uvec4 bits = glsort_bits_from(start);
        uint base = start - start % 128u;
        // Words without items come last. The bytes of `places` tell at which bit of the record each word begins: 0, 32,
        // 64, 96.
        uint places = 0x60402000u;
        if (bits.z == 0u) {
            bits.zw = uvec2(bits.w, 0u);
            places = (places & 0xffffu) | (places >> 8u & 0xff0000u);
        }
        if (bits.y == 0u) {
            bits.yzw = uvec3(bits.zw, 0u);
            places = (places & 0xffu) | (places >> 8u & 0xffff00u);
        }
        if (bits.x == 0u) {
            bits = uvec4(bits.yzw, 0u);
            places >>= 8u;
        }
        walked = bits.x != 0u ? 0u : walked + 1u;
        for (uint i = 0u; i < GLSORT_LOADED_RUN; ++i) {
            if (i == done && bits.x != 0u) {
                uint below = (bits.x - 1u) & ~bits.x;
                items[i] = base + (places & 0xffu) + glsort_bit_count(below);
                ++done;
                bits.x &= bits.x - 1u;
                if (bits.x == 0u) {
                    bits = uvec4(bits.yzw, 0u);
                    places >>= 8u;
                }
            }
        }
        start = base + 128u;
        // All items before the wanted item are taken, so the wanted item is the first of its record.
        if (walked == GLSORT_LONGEST_WALK) start = 128u * glsort_descend(first + done).x;
    }
}
#endif
