// Finds the starts of windows in a merge of keys alone: how many elements of each of the GLSORT_RUNS runs come before a
// window. Sets GLSORT_IN_ORDER in the first word if the group's runs are already in order. An instance handles
// GLSORT_SPLITS neighbouring windows of GLSORT_WINDOW elements. The search for the first window starts from scratch.
// The searches for the others continue from there.
//
// The search takes blocks of elements from the runs, always the block with the smallest last element. Fewer than
// GLSORT_RUNS untaken blocks can precede that element. The block therefore comes before the window if at least
// GLSORT_RUNS blocks are still missing. Then the block size is halved, down to texels of four elements. For a texel the
// search counts the elements up to and including the texel's last one. If their number exceeds the number of missing
// elements, all missing elements are in the texels at hand.
//
// Blocks begin and end at multiples of their size. The search may begin slightly earlier than needed. The additional
// elements come before the window in any case.
//
// At first the search skips elements that probably come before the window (merge_share.glsl). If too many may have been
// skipped, the search starts again at the starts of the runs.
//
// Among equal keys, keys of an earlier run come first.
//
// expects ports: source, splits
// expects parameters: count
// expects macros: GLSORT_IN_ORDER, GLSORT_RUNS, GLSORT_SPLITS, GLSORT_WINDOW
// ignores macros: GLSORT_ELEMENTS, GLSORT_PARTS, GLSORT_SIDE, GLSORT_SPLIT_TEXELS

#include "lib/layout.glsl"
#include "merge/merge_key.glsl"
#include "merge/merge_group.glsl"
#include "merge/merge_share.glsl"
#include "networks/bitonic_texels.glsl"

// The last key of the block of `block` elements from `element` on. GLSORT_NONE: there is no such block.
uint glsort_last_key(uint element, uint end, uint block) {
    uint following = element + block;
    uint key = glsort_source_gather4((min(following, glsort_op_count) - 1u) / 4u).w;
    return following <= end ? key : GLSORT_NONE;
}

// The four keys from `element` on, a multiple of four. Keys past the run's end are GLSORT_NONE.
uvec4 glsort_keys_at(uint element, uint end) {
    uvec4 keys = glsort_source_gather4(min(element, glsort_op_count - 1u) / 4u);
    return keys | (0u - uvec4(greaterThanEqual(element + uvec4(0u, 1u, 2u, 3u), uvec4(end))));
}

uint glsort_count(bvec3 which) {
    uvec3 ones = uvec3(which);
    return ones.x + ones.y + ones.z;
}

uint glsort_count(bvec4 which) {
    uvec4 ones = uvec4(which);
    return ones.x + ones.y + ones.z + ones.w;
}

// Takes blocks of `block` elements, more than four. All of `next` are multiples of `block`. `key`: for each run, the
// last key of its next block. On entry: the last key of a block twice as long, or zero if unknown.
void glsort_take_blocks(inout uint next[GLSORT_RUNS], uint ends[GLSORT_RUNS], uint block, inout uint key[GLSORT_RUNS],
                        inout uint missing) {
    uint ahead[GLSORT_RUNS];  // The last key of the block after the next one, or zero.
    for (int i = 0; i < GLSORT_RUNS; ++i) {
        ahead[i] = key[i];
        key[i] = glsort_last_key(next[i], ends[i], block);
    }
    while (missing > (block - 1u) * uint(GLSORT_RUNS)) {
        uint smallest = key[0];
        int chosen = 0;
        for (int i = 1; i < GLSORT_RUNS; ++i)
            if (key[i] < smallest) {
                smallest = key[i];
                chosen = i;
            }
        if (smallest == GLSORT_NONE) break;
        missing -= block;
        uint element = 0u;
        uint end = 0u;
        uint following = 0u;
        for (int i = 0; i < GLSORT_RUNS; ++i)
            if (i == chosen) {
                next[i] += block;
                element = next[i];
                end = ends[i];
                following = ahead[i];
                ahead[i] = 0u;
            }
        if (following == 0u) following = glsort_last_key(element, end, block);
        for (int i = 0; i < GLSORT_RUNS; ++i)
            if (i == chosen) key[i] = following;
    }
}

// Takes the `missing` elements.
void glsort_take_texels(inout uint next[GLSORT_RUNS], uint ends[GLSORT_RUNS], uint missing) {
    uvec4 four[GLSORT_RUNS];
    for (int i = 0; i < GLSORT_RUNS; ++i) four[i] = glsort_keys_at(next[i], ends[i]);
    while (missing >= 4u) {
        uint smallest = four[0].w;
        int chosen = 0;
        for (int i = 1; i < GLSORT_RUNS; ++i)
            if (four[i].w < smallest) {
                smallest = four[i].w;
                chosen = i;
            }
        if (smallest == GLSORT_NONE) break;
        if (missing <= 3u * uint(GLSORT_RUNS)) {
            // No other texel ends with a key that comes before `smallest`.
            uint rank = 1u;
            for (int i = 0; i < GLSORT_RUNS; ++i)
                rank += glsort_count(lessThan(four[i].xyz, uvec3(smallest + uint(i <= chosen))));
            if (rank > missing) break;
        }
        missing -= 4u;
        uint element = 0u;
        uint end = 0u;
        for (int i = 0; i < GLSORT_RUNS; ++i)
            if (i == chosen) {
                next[i] += 4u;
                element = next[i];
                end = ends[i];
            }
        uvec4 following = glsort_keys_at(element, end);
        for (int i = 0; i < GLSORT_RUNS; ++i)
            if (i == chosen) four[i] = following;
    }

    // Divides the sixteen keys among four texels, the smallest keys first. Then sorts only the texel with the last
    // missing key.
    uvec4 sorted[GLSORT_RUNS];
    for (int i = 0; i < GLSORT_RUNS; i += 2) {
        sorted[i] = four[i];
        sorted[i + 1] = four[i + 1].wzyx;
        glsort_compare_texels(sorted[i], sorted[i + 1]);
        sorted[i] = glsort_sort_bitonic_four(sorted[i]);
        sorted[i + 1] = glsort_sort_bitonic_four(sorted[i + 1]);
    }
    uvec4 reversed = sorted[2].wzyx;
    sorted[2] = sorted[3].wzyx;
    sorted[3] = reversed;
    glsort_compare_texels(sorted[0], sorted[2]);
    glsort_compare_texels(sorted[1], sorted[3]);
    glsort_compare_texels(sorted[0], sorted[1]);
    glsort_compare_texels(sorted[2], sorted[3]);
    uint place = clamp(missing, 1u, 16u) - 1u;
    uvec4 low = (place & 4u) == 0u ? sorted[0] : sorted[1];
    uvec4 high = (place & 4u) == 0u ? sorted[2] : sorted[3];
    uint last = glsort_channel_of(glsort_sort_bitonic_four(place < 8u ? low : high), place & 3u);

    for (int i = 0; i < GLSORT_RUNS; ++i) {
        uint less = glsort_count(lessThan(four[i], uvec4(last)));
        next[i] += less;
        missing -= less;
    }
    for (int i = 0; i < GLSORT_RUNS; ++i) {
        // Texels that end with the greatest possible key were not taken, so more keys with this value may follow.
        uint same = last == GLSORT_NONE ? ends[i] - next[i] : glsort_count(equal(four[i], uvec4(last)));
        same = min(same, missing);
        next[i] += same;
        missing -= same;
    }
}

// Continues a search in which `missing` elements are still missing before the window.
void glsort_search(inout uint next[GLSORT_RUNS], uint ends[GLSORT_RUNS], uint missing) {
    // For a window of 64, begins with blocks of eight elements.
    uint block = 4u;
    while (3u * block * uint(GLSORT_RUNS) < missing) block *= 2u;
    for (int i = 0; i < GLSORT_RUNS; ++i) {
        uint aligned = next[i] & ~(block - 1u);
        missing += next[i] - aligned;
        next[i] = aligned;
    }
    uint key[GLSORT_RUNS];
    for (int i = 0; i < GLSORT_RUNS; ++i) key[i] = 0u;
    for (; block > 4u; block /= 2u) glsort_take_blocks(next, ends, block, key, missing);
    glsort_take_texels(next, ends, missing);
}

void glsort_kernel(glsort_Index instance) {
    uint place = glsort_number_of(instance) * (uint(GLSORT_SPLITS) * GLSORT_WINDOW);
    uint group = glsort_group_of(place);
    uint begins[GLSORT_RUNS];
    uint ends[GLSORT_RUNS];
    uint next[GLSORT_RUNS];
    for (int i = 0; i < GLSORT_RUNS; ++i) {
        begins[i] = glsort_run_begin(group, i);
        ends[i] = begins[i] + glsort_run_length(group, i);
    }
    uint rank = place - group;
    bool in_order = glsort_is_in_order(begins, ends);
    uint skipped[GLSORT_RUNS];
    glsort_skip(rank, begins, ends, skipped);
    for (bool found = in_order; !found;) {
        uint missing = rank;
        for (int i = 0; i < GLSORT_RUNS; ++i) {
            next[i] = begins[i] + skipped[i];
            missing -= skipped[i];
        }
        glsort_search(next, ends, missing);
        found = true;
        for (int i = 0; i < GLSORT_RUNS; ++i) {
            if (skipped[i] > 0u && next[i] - begins[i] <= skipped[i]) found = false;
            skipped[i] = 0u;
        }
    }
    for (int window = 0; window < GLSORT_SPLITS; ++window) {
        if (in_order) {
            uint before = rank + uint(window) * GLSORT_WINDOW;
            for (int i = 0; i < GLSORT_RUNS; ++i) {
                uint size = min(before, ends[i] - begins[i]);
                next[i] = begins[i] + size;
                before -= size;
            }
        } else if (window > 0) {
            glsort_search(next, ends, GLSORT_WINDOW);
        }
        uvec4 splits = uvec4(0u);
        for (int i = 0; i < GLSORT_RUNS; ++i) splits[i] = next[i] - begins[i];
        if (in_order) splits.x |= GLSORT_IN_ORDER;
        for (int k = 0; k < GLSORT_SPLITS; ++k)
            if (k == window) glsort_splits_write(uint(k), splits);
    }
}
