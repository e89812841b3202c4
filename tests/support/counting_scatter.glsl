// Moves the keys of one tile to their places: behind the keys of the tile with the same digit that
// come before them, so the sort is stable.

shared uint digits[GLSORT_GROUP_SIZE];

void glsort_kernel(glsort_Index tile) {
    uint element = tile * GLSORT_GROUP_SIZE + GLSORT_LANE;
    bool there = element < glsort_op_count;
    uint key = there ? glsort_keys_gather(element) : 0u;
    uint digit = (key >> glsort_op_shift) & (GLSORT_DIGITS - 1u);
    digits[GLSORT_LANE] = there ? digit : GLSORT_DIGITS;
    memoryBarrierShared();
    barrier();
    if (!there) return;
    uint rank = 0u;
    for (uint lane = 0u; lane < GLSORT_LANE; ++lane) rank += digits[lane] == digit ? 1u : 0u;
    uint place = glsort_offsets_gather(digit * glsort_op_tiles + tile) + rank;
    glsort_sorted_scatter(place, key);
    glsort_order_scatter(place, element);
}
