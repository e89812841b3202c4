// Merges runs of keys in registers: an instance writes one record of ELEMENTS, half a window. Even instances take
// the least keys from where the window begins, odd ones the greatest from where it ends: so one split serves two
// instances. For odd ones keys are complemented, and the greatest become the least.
//
// Two ascending sequences, one of them in reverse behind the other, are bitonic, and of two that are as long as a
// record the lesser keys of the pairs that one makes with the reverse of the other are the least, and bitonic
// (Batcher 1968): no key's place needs to be known. Equal keys are all the same.
//
// Of each run a chunk is taken, half a record. A run whose chunk ends with less than the greatest key so merged may
// have more of the least keys: then four at a time follow. Of two such runs the chunks would be a record of lesser
// keys than the greatest of a record.
//
// Splits say of the place where a window begins how many elements of each run come before it, and by IN_ORDER in the
// first word whether the group's runs are in order as they are.

// Texels of four keys, in a record and in a chunk.
const int RECORD_TEXELS = int(ELEMENTS / 4u);
const int CHUNK_TEXELS = RECORD_TEXELS / 2;
const int CHUNK = 4 * CHUNK_TEXELS;

void sort_bitonic(inout uvec4 keys[RECORD_TEXELS]) {
    for (int i = 0; i < RECORD_TEXELS / 2; ++i) compare_texels(keys[i], keys[i + RECORD_TEXELS / 2]);
    if (RECORD_TEXELS > 4)
        for (int i = 0; i < RECORD_TEXELS; ++i)
            if ((i & 2) == 0) compare_texels(keys[i], keys[i + 2]);
    if (RECORD_TEXELS > 2)
        for (int i = 0; i < RECORD_TEXELS; i += 2) compare_texels(keys[i], keys[i + 1]);
    for (int i = 0; i < RECORD_TEXELS; ++i) keys[i] = sort_bitonic_four(keys[i]);
}

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

// What a side takes of a run.
struct Part {
    int first;  // The first element, in memory, of a chunk; then of the last four that were taken.
    int begin;  // The run, in texels.
    int end;
};

// Whether there is more of a run behind the last four, in the side's direction.
bool has_more(Part part, bool down) {
    return down ? part.first > 4 * part.begin : part.first + 4 < 4 * part.end;
}

// A texel of a run: what lies behind its end is greater than every key, in the last texel of all too, and what lies
// before its begin is less.
uvec4 texel_of(Part part, int texel, uint toward) {
    uint present = texel >= part.begin && texel < part.end ? NONE : 0u;
    uint behind = texel >= part.end ? NONE : 0u;
    return (source_gather4(uint(texel) & present) & present) ^ (behind ^ toward);
}

// Four keys from `place` of the first texel on.
uvec4 shifted(uvec4 first, uvec4 second, int place) {
    bool two = (place & 2) != 0;
    first = two ? uvec4(first.zw, second.xy) : first;
    return (place & 1) != 0 ? uvec4(first.yzw, two ? second.z : second.x) : first;
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
        parts[i] = Part(int(bound[i]) - (down ? CHUNK : 0), int(begin / 4u), int((end + 3u) / 4u));
        // A record that is where it belongs is two chunks.
        if (in_order)
            parts[i] = Part(int(side * ELEMENTS) + i * CHUNK, 0, i < 2 ? int((op_count + 3u) / 4u) : 0);
    }

    uvec4 merged[RECORD_TEXELS];
    uint last[RUNS];  // The last key of the chunk; NONE: no more follow.
    for (int i = 0; i < RUNS; i += 2) {
        uvec4 pair[RECORD_TEXELS];
        for (int j = 0; j < 2; ++j) {
            int run = i + j;
            int texel = parts[run].first >> 2;
            uvec4 keys = texel_of(parts[run], texel, toward);
            for (int k = 0; k < CHUNK_TEXELS; ++k) {
                uvec4 following = texel_of(parts[run], texel + k + 1, toward);
                keys = shifted(keys, following, parts[run].first);
                if (j == 0)
                    pair[k] = keys;
                else
                    pair[RECORD_TEXELS - 1 - k] = keys.wzyx;
                if (k == 0 && down) last[run] = keys.x;
                if (k == CHUNK_TEXELS - 1 && !down) last[run] = keys.w;
                keys = following;
            }
            if (!down) parts[run].first += CHUNK - 4;
            if (in_order || !has_more(parts[run], down)) last[run] = NONE;
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
    while (least < merged[RECORD_TEXELS - 1].w) {
        part.first += down ? -4 : 4;
        int texel = part.first >> 2;
        uvec4 keys = shifted(texel_of(part, texel, toward), texel_of(part, texel + 1, toward), part.first);
        merged[RECORD_TEXELS - 1] = min(merged[RECORD_TEXELS - 1], down ? keys : keys.wzyx);
        sort_bitonic(merged);
        least = !has_more(part, down) ? NONE : down ? keys.x : keys.w;
    }
    for (int i = 0; i < RECORD_TEXELS; ++i)
        for (int k = 0; k < 4; ++k)
            target_write(uint(4 * i + k), down ? ~merged[RECORD_TEXELS - 1 - i][3 - k] : merged[i][k]);
}
