// Sorts runs of WINDOW keys in registers, two records of ELEMENTS: an instance sorts both apart, by one sorting network
// (plan/networks/sorting_network.h), and keeps one of them, as shaders/merge/merge_keys.glsl does: the least keys, or the greatest,
// which of complements are the least. Reading all of a run twice costs less than a pass that writes. What lies past
// the end of the input is greater than everything.

#define C(a, b) compare_pairs(both[a], both[b]);

// Puts the lesser keys of two records to `a`.
void compare_pairs(inout uvec2 a, inout uvec2 b) {
    uvec2 least = min(a, b);
    b = max(a, b);
    a = least;
}

void kernel(Index instance) {
    uint side = number_of(instance);
    uint toward = (side & 1u) != 0u ? NONE : 0u;
    uint first = (side >> 1u) * WINDOW;
    uvec2 both[ELEMENTS];
    for (uint i = 0u; i < ELEMENTS; ++i) {
        uvec2 element = first + i + uvec2(0u, ELEMENTS);
        both[i] = uvec2(source_gather(min(element.x, op_count - 1u)), source_gather(min(element.y, op_count - 1u)));
        both[i] = (both[i] | (0u - uvec2(greaterThanEqual(element, uvec2(op_count))))) ^ toward;
    }
    SORTING_NETWORK

    uvec4 merged[RECORD_TEXELS];
    for (int i = 0; i < RECORD_TEXELS; ++i)
        for (int k = 0; k < 4; ++k) merged[i][k] = min(both[4 * i + k].x, both[int(ELEMENTS) - 1 - 4 * i - k].y);
    sort_bitonic(merged);
    write_side(merged, toward);
}
