// Merges runs of keys in registers. An instance writes one record of GLSORT_ELEMENTS, half a window. Even instances
// take the smallest keys from the start of the window. Odd instances take the greatest keys from its end. One split
// thus serves two instances. Odd instances work on complements of keys, which turns the greatest keys into the
// smallest.
//
// The method uses two facts (Batcher 1968). An ascending sequence followed by a reversed ascending sequence is bitonic.
// The second fact is about two ascending sequences of a record's length. Pair each key of one with a key of the other,
// which is reversed. The smaller keys of all pairs are the smallest keys overall, and form a bitonic sequence.
//
// The place of a key need not be known, because equal keys are identical.
//
// From each run an instance takes a chunk of half a record. A run may have more of the smallest keys if its chunk ends
// with a key less than the greatest merged key. Then a second chunk of the run follows. Two chunks are all that a
// record can take. At most one run has a second chunk. The chunks of two such runs would be a full record, with keys
// less than the greatest key of the record.
//
// A split says how many elements of each run come before the start of a window. The bit GLSORT_IN_ORDER in the first
// word of a split says that the group's runs are already in order.
//
// expects ports: source, splits
// expects parameters: count
// expects macros: GLSORT_ELEMENTS, GLSORT_IN_ORDER, GLSORT_RUNS, GLSORT_WINDOW
// ignores macros: GLSORT_PARTS, GLSORT_ELEMENT_WORDS, GLSORT_INDEX_BITS, GLSORT_SIDE, GLSORT_SPLIT_TEXELS

#include "lib/key_code.glsl"
#include "lib/layout.glsl"
#include "merge/merge_group.glsl"
#include "networks/bitonic_record.glsl"

// Texels of four keys, and keys, of a chunk.
const int GLSORT_CHUNK_TEXELS = GLSORT_RECORD_TEXELS / 2;
const int GLSORT_CHUNK = 4 * GLSORT_CHUNK_TEXELS;

// Merges the smallest keys of both into `a`.
void glsort_merge_smallest(inout uvec4 a[GLSORT_RECORD_TEXELS], uvec4 b[GLSORT_RECORD_TEXELS]) {
    for (int i = 0; i < GLSORT_RECORD_TEXELS; ++i) a[i] = min(a[i], b[GLSORT_RECORD_TEXELS - 1 - i].wzyx);
    glsort_sort_bitonic(a);
}

// For each run, the first element that does not come before the place where a side begins to merge. Returns whether the
// group is in order.
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

// A run from which a side takes chunks.
struct glsort_Part {
    int first;   // The chunk's first element in memory.
    int begin;   // The run's first texel.
    int end;     // One past the run's last texel.
    bool lacks;  // The side may begin past the run's end. Places there stand for keys that the last window lacks.
};

// The four keys from key `place` modulo 4 of the first texel on.
uvec4 glsort_shifted(uvec4 first, uvec4 second, int place) {
    bool two = (place & 2) != 0;
    first = two ? uvec4(first.zw, second.xy) : first;
    return (place & 1) != 0 ? uvec4(first.yzw, two ? second.z : second.x) : first;
}

// The chunk's keys in memory order. Places outside the run get the greatest value. If the side lacks keys, places past
// the run's end instead get the smallest value, the complement of the greatest.
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
    // The keys that the last window lacks count as the greatest keys, and as keys of run 0. Run 0 is a full run unless
    // its group is in order.
    if (down) bound[0] += window + GLSORT_WINDOW - min(window + GLSORT_WINDOW, glsort_op_count);
    down = down && !in_order;
    uint toward = down ? GLSORT_NONE : 0u;

    glsort_Part parts[GLSORT_RUNS];
    for (int i = 0; i < GLSORT_RUNS; ++i) {
        uint begin = glsort_run_begin(group, i);
        uint end = begin + glsort_run_length(group, i);
        parts[i] = glsort_Part(int(bound[i]) - (down ? GLSORT_CHUNK : 0), int(begin / 4u), int((end + 3u) / 4u),
                               i == 0 && down);
        // A record that is already in its place is two chunks.
        if (in_order)
            parts[i] = glsort_Part(int(side * GLSORT_ELEMENTS) + i * GLSORT_CHUNK, 0,
                                   i < 2 ? int((glsort_op_count + 3u) / 4u) : 0, false);
    }

    uvec4 merged[GLSORT_RECORD_TEXELS];
    uint last[GLSORT_RUNS];  // The chunk's last key in the side's direction; GLSORT_NONE: no more keys follow.
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
            glsort_merge_smallest(merged, pair);
    }

    glsort_Part part = parts[0];
    uint smallest = last[0];
    for (int i = 1; i < GLSORT_RUNS; ++i)
        if (last[i] < smallest) {
            smallest = last[i];
            part = parts[i];
        }
    if (smallest < merged[GLSORT_RECORD_TEXELS - 1].w) {
        part.first += down ? -GLSORT_CHUNK : GLSORT_CHUNK;
        uvec4 chunk[GLSORT_CHUNK_TEXELS];
        glsort_take_chunk(part, toward, chunk);
        // In reverse order, smallest last.
        for (int k = 0; k < GLSORT_CHUNK_TEXELS; ++k) {
            uvec4 keys = down ? chunk[k] : chunk[GLSORT_CHUNK_TEXELS - 1 - k].wzyx;
            merged[GLSORT_CHUNK_TEXELS + k] = min(merged[GLSORT_CHUNK_TEXELS + k], keys);
        }
        glsort_sort_bitonic(merged);
    }
    glsort_write_side(merged, toward);
}
