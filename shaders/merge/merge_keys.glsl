// Merges runs of keys in registers: an instance writes one record of GLSORT_ELEMENTS, half a window. Even instances
// take the least keys from where the window begins, odd ones the greatest from where it ends: so one split serves two
// instances. For odd ones keys are complemented, and the greatest become the least.
//
// Two ascending sequences, one of them in reverse behind the other, are bitonic, and of two that are as long as a
// record the lesser keys of the pairs that one makes with the reverse of the other are the least, and bitonic
// (Batcher 1968): no key's place needs to be known. Equal keys are all the same.
//
// Of each run a chunk is taken, half a record. A run whose chunk ends with less than the greatest key so merged may
// have more of the least keys: then as many follow, which is all that a record can take. Of two such runs the chunks
// would be a record of lesser keys than the greatest of a record.
//
// Splits say of the place where a window begins how many elements of each run come before it, and by GLSORT_IN_ORDER in
// the first word whether the group's runs are in order as they are.
//
// expects ports: source, splits
// expects parameters: count
// expects macros: GLSORT_ELEMENTS, GLSORT_IN_ORDER, GLSORT_RUNS, GLSORT_WINDOW
// ignores macros: GLSORT_PARTS, GLSORT_RECORD_WORDS, GLSORT_SIDE, GLSORT_SPLIT_TEXELS

#include "lib/key_code.glsl"
#include "merge/merge_group.glsl"
#include "networks/bitonic_record.glsl"

// Texels of four keys, and keys, in a chunk.
const int GLSORT_CHUNK_TEXELS = GLSORT_RECORD_TEXELS / 2;
const int GLSORT_CHUNK = 4 * GLSORT_CHUNK_TEXELS;

// The least keys of both, in `a`.
void glsort_merge_least(inout uvec4 a[GLSORT_RECORD_TEXELS], uvec4 b[GLSORT_RECORD_TEXELS]) {
    for (int i = 0; i < GLSORT_RECORD_TEXELS; ++i) a[i] = min(a[i], b[GLSORT_RECORD_TEXELS - 1 - i].wzyx);
    glsort_sort_bitonic(a);
}

// Of each run, the first element that does not come before the place from where a side merges. Says whether the group
// is in order.
bool glsort_bounds_of(uint window, bool down, out uint bound[GLSORT_RUNS]) {
    uint group = glsort_group_of(window);
    uint place = down ? window + GLSORT_WINDOW : window;
    bool closes = glsort_closes_at(place, group);
    uvec4 splits = glsort_splits_gather((closes ? window : place) / GLSORT_WINDOW);
    bool in_order = (splits.x & GLSORT_IN_ORDER) != 0u;
    splits.x &= ~GLSORT_IN_ORDER;
    for (int i = 0; i < GLSORT_RUNS; ++i)
        bound[i] = glsort_run_begin(group, i) + (closes ? glsort_run_length(group, i) : splits[i]);
    return in_order;
}

// A run, of which a side takes chunks.
struct glsort_Part {
    int first;   // The first element of the chunk, in memory.
    int begin;   // The run, in texels.
    int end;
    bool lacks;  // Whether the side may begin behind the run's end, with what the last window lacks.
};

// Four keys from `place` of the first texel on.
uvec4 glsort_shifted(uvec4 first, uvec4 second, int place) {
    bool two = (place & 2) != 0;
    first = two ? uvec4(first.zw, second.xy) : first;
    return (place & 1) != 0 ? uvec4(first.yzw, two ? second.z : second.x) : first;
}

// The chunk's keys as they lie in memory. What lies outside of the run is greater than every key; where the side lacks
// what is behind the run's end, that is less: a complement of the greatest.
void glsort_take_chunk(glsort_Part part, uint toward, out uvec4 chunk[GLSORT_CHUNK_TEXELS]) {
    int first = part.first >> 2;
    uint last_texel = (glsort_op_count - 1u) / 4u;
    uvec4 keys[GLSORT_CHUNK_TEXELS + 1];
    for (int k = 0; k <= GLSORT_CHUNK_TEXELS; ++k) {
        int texel = first + k;
        uint outside = uint(texel - part.begin) < uint(part.end - part.begin) ? 0u : GLSORT_NONE;
        uint lacked = part.lacks && texel >= part.end ? GLSORT_NONE : 0u;
        keys[k] = ((glsort_source_gather4(min(uint(texel), last_texel)) ^ toward) | outside) & ~lacked;
    }
    for (int k = 0; k < GLSORT_CHUNK_TEXELS; ++k) chunk[k] = glsort_shifted(keys[k], keys[k + 1], part.first);
}

void glsort_kernel(glsort_Index instance) {
    uint side = glsort_number_of(instance);
    bool down = (side & 1u) != 0u;
    uint window = (side >> 1u) * GLSORT_WINDOW;
    uint group = glsort_group_of(window);
    uint bound[GLSORT_RUNS];
    bool in_order = glsort_bounds_of(window, down, bound);
    // What the last window of all lacks are the greatest: as if run 0 had them, which is a whole one unless its group
    // is in order.
    if (down) bound[0] += window + GLSORT_WINDOW - min(window + GLSORT_WINDOW, glsort_op_count);
    down = down && !in_order;
    uint toward = down ? GLSORT_NONE : 0u;

    glsort_Part parts[GLSORT_RUNS];
    for (int i = 0; i < GLSORT_RUNS; ++i) {
        uint begin = glsort_run_begin(group, i);
        uint end = begin + glsort_run_length(group, i);
        parts[i] = glsort_Part(int(bound[i]) - (down ? GLSORT_CHUNK : 0), int(begin / 4u), int((end + 3u) / 4u),
                               i == 0 && down);
        // A record that is where it belongs is two chunks.
        if (in_order)
            parts[i] = glsort_Part(int(side * GLSORT_ELEMENTS) + i * GLSORT_CHUNK, 0,
                                   i < 2 ? int((glsort_op_count + 3u) / 4u) : 0, false);
    }

    uvec4 merged[GLSORT_RECORD_TEXELS];
    uint last[GLSORT_RUNS];  // The last key of the chunk, in the side's direction; GLSORT_NONE: no more follow.
    for (int i = 0; i < GLSORT_RUNS; i += 2) {
        uvec4 pair[GLSORT_RECORD_TEXELS];
        for (int j = 0; j < 2; ++j) {
            int run = i + j;
            uvec4 chunk[GLSORT_CHUNK_TEXELS];
            glsort_take_chunk(parts[run], toward, chunk);
            for (int k = 0; k < GLSORT_CHUNK_TEXELS; ++k) {
                if (j == 0)
                    pair[k] = chunk[k];
                else
                    pair[GLSORT_RECORD_TEXELS - 1 - k] = chunk[k].wzyx;
            }
            bool more =
                down ? parts[run].first > 4 * parts[run].begin : parts[run].first + GLSORT_CHUNK < 4 * parts[run].end;
            last[run] = in_order || !more ? GLSORT_NONE : down ? chunk[0].x : chunk[GLSORT_CHUNK_TEXELS - 1].w;
        }
        glsort_sort_bitonic(pair);
        if (i == 0)
            merged = pair;
        else
            glsort_merge_least(merged, pair);
    }

    glsort_Part part = parts[0];
    uint least = last[0];
    for (int i = 1; i < GLSORT_RUNS; ++i)
        if (last[i] < least) {
            least = last[i];
            part = parts[i];
        }
    if (least < merged[GLSORT_RECORD_TEXELS - 1].w) {
        part.first += down ? -GLSORT_CHUNK : GLSORT_CHUNK;
        uvec4 chunk[GLSORT_CHUNK_TEXELS];
        glsort_take_chunk(part, toward, chunk);
        // In reverse, the lesser the later.
        for (int k = 0; k < GLSORT_CHUNK_TEXELS; ++k) {
            uvec4 keys = down ? chunk[k] : chunk[GLSORT_CHUNK_TEXELS - 1 - k].wzyx;
            merged[GLSORT_CHUNK_TEXELS + k] = min(merged[GLSORT_CHUNK_TEXELS + k], keys);
        }
        glsort_sort_bitonic(merged);
    }
    glsort_write_side(merged, toward);
}
