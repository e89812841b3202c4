// Merges runs of keys in registers: an instance writes one record of ELEMENTS, half a window. Even instances take
// the least keys from where the window begins, odd ones the greatest from where it ends: so one split serves two
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
// Splits say of the place where a window begins how many elements of each run come before it, and by IN_ORDER in the
// first word whether the group's runs are in order as they are.

// Texels of four keys, and keys, in a chunk.
const int CHUNK_TEXELS = RECORD_TEXELS / 2;
const int CHUNK = 4 * CHUNK_TEXELS;

// The least keys of both, in `a`.
void merge_least(inout uvec4 a[RECORD_TEXELS], uvec4 b[RECORD_TEXELS]) {
    for (int i = 0; i < RECORD_TEXELS; ++i) a[i] = min(a[i], b[RECORD_TEXELS - 1 - i].wzyx);
    sort_bitonic(a);
}

// Of each run, the first element that does not come before the place from where a side merges. Says whether the group
// is in order.
bool bounds_of(uint window, bool down, out uint bound[RUNS]) {
    uint group = group_of(window);
    uint place = down ? window + WINDOW : window;
    bool closes = closes_at(place, group);
    uvec4 splits = splits_gather((closes ? window : place) / WINDOW);
    bool in_order = (splits.x & IN_ORDER) != 0u;
    splits.x &= ~IN_ORDER;
    for (int i = 0; i < RUNS; ++i)
        bound[i] = run_begin(group, i) + (closes ? run_length(group, i) : splits[i]);
    return in_order;
}

// A run, of which a side takes chunks.
struct Part {
    int first;   // The first element of the chunk, in memory.
    int begin;   // The run, in texels.
    int end;
    bool lacks;  // Whether the side may begin behind the run's end, with what the last window lacks.
};

// Four keys from `place` of the first texel on.
uvec4 shifted(uvec4 first, uvec4 second, int place) {
    bool two = (place & 2) != 0;
    first = two ? uvec4(first.zw, second.xy) : first;
    return (place & 1) != 0 ? uvec4(first.yzw, two ? second.z : second.x) : first;
}

// The chunk's keys as they lie in memory. What lies outside of the run is greater than every key; where the side lacks
// what is behind the run's end, that is less: a complement of the greatest.
void take_chunk(Part part, uint toward, out uvec4 chunk[CHUNK_TEXELS]) {
    int first = part.first >> 2;
    uint last_texel = (op_count - 1u) / 4u;
    uvec4 keys[CHUNK_TEXELS + 1];
    for (int k = 0; k <= CHUNK_TEXELS; ++k) {
        int texel = first + k;
        uint outside = uint(texel - part.begin) < uint(part.end - part.begin) ? 0u : NONE;
        uint lacked = part.lacks && texel >= part.end ? NONE : 0u;
        keys[k] = ((source_gather4(min(uint(texel), last_texel)) ^ toward) | outside) & ~lacked;
    }
    for (int k = 0; k < CHUNK_TEXELS; ++k) chunk[k] = shifted(keys[k], keys[k + 1], part.first);
}

void kernel(Index instance) {
    uint side = number_of(instance);
    bool down = (side & 1u) != 0u;
    uint window = (side >> 1u) * WINDOW;
    uint group = group_of(window);
    uint bound[RUNS];
    bool in_order = bounds_of(window, down, bound);
    // What the last window of all lacks are the greatest: as if run 0 had them, which is a whole one unless its group
    // is in order.
    if (down) bound[0] += window + WINDOW - min(window + WINDOW, op_count);
    down = down && !in_order;
    uint toward = down ? NONE : 0u;

    Part parts[RUNS];
    for (int i = 0; i < RUNS; ++i) {
        uint begin = run_begin(group, i);
        uint end = begin + run_length(group, i);
        parts[i] = Part(int(bound[i]) - (down ? CHUNK : 0), int(begin / 4u), int((end + 3u) / 4u), i == 0 && down);
        // A record that is where it belongs is two chunks.
        if (in_order)
            parts[i] = Part(int(side * ELEMENTS) + i * CHUNK, 0, i < 2 ? int((op_count + 3u) / 4u) : 0, false);
    }

    uvec4 merged[RECORD_TEXELS];
    uint last[RUNS];  // The last key of the chunk, in the side's direction; NONE: no more follow.
    for (int i = 0; i < RUNS; i += 2) {
        uvec4 pair[RECORD_TEXELS];
        for (int j = 0; j < 2; ++j) {
            int run = i + j;
            uvec4 chunk[CHUNK_TEXELS];
            take_chunk(parts[run], toward, chunk);
            for (int k = 0; k < CHUNK_TEXELS; ++k) {
                if (j == 0)
                    pair[k] = chunk[k];
                else
                    pair[RECORD_TEXELS - 1 - k] = chunk[k].wzyx;
            }
            bool more = down ? parts[run].first > 4 * parts[run].begin : parts[run].first + CHUNK < 4 * parts[run].end;
            last[run] = in_order || !more ? NONE : down ? chunk[0].x : chunk[CHUNK_TEXELS - 1].w;
        }
        sort_bitonic(pair);
        if (i == 0)
            merged = pair;
        else
            merge_least(merged, pair);
    }

    Part part = parts[0];
    uint least = last[0];
    for (int i = 1; i < RUNS; ++i)
        if (last[i] < least) {
            least = last[i];
            part = parts[i];
        }
    if (least < merged[RECORD_TEXELS - 1].w) {
        part.first += down ? -CHUNK : CHUNK;
        uvec4 chunk[CHUNK_TEXELS];
        take_chunk(part, toward, chunk);
        // In reverse, the lesser the later.
        for (int k = 0; k < CHUNK_TEXELS; ++k) {
            uvec4 keys = down ? chunk[k] : chunk[CHUNK_TEXELS - 1 - k].wzyx;
            merged[CHUNK_TEXELS + k] = min(merged[CHUNK_TEXELS + k], keys);
        }
        sort_bitonic(merged);
    }
    write_side(merged, toward);
}
