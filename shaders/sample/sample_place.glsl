// Finds the start of each bucket in a sorted tile: the places of the global samples. The method is the staged binary
// search of the paper's step 6, in two stages. The first stage searches for every GLSORT_APART-th sample, one per
// invocation. The second stage searches for the samples between, within the bounds of the first stage.
//
// A caller's comparison may be no order. Places are then raised to the places of earlier buckets, so that no bucket
// ends before its start.
//
// expects ports: places, samples, source
// expects parameters: tiles
// expects macros: GLSORT_BUCKETS, GLSORT_GROUP_SIZE, GLSORT_KEY_WORDS, GLSORT_LANE, GLSORT_ELEMENT_WORDS
// expects macros: GLSORT_SAMPLED_TILE, GLSORT_SAMPLES
// allows macros: GLSORT_CODES_ALONE, GLSORT_COMPARISON, GLSORT_KEEPS_WORDS

#include "sample/sample_tiles.glsl"
#include "sample/sample_record.glsl"
#include "sample/sample_draw.glsl"

#pragma optionNV(unroll all)

const uint GLSORT_EACH = GLSORT_SAMPLED_TILE / GLSORT_GROUP_SIZE;
const uint GLSORT_APART = (GLSORT_BUCKETS - 1u) / GLSORT_GROUP_SIZE + 1u;

shared uint glsort_found[GLSORT_GROUP_SIZE];

// Whether the element at a place of the tile comes after the sample. GLSORT_KEEPS_WORDS: shared memory keeps the first
// words of the tile's elements. The first word almost always decides.
#if defined(GLSORT_KEEPS_WORDS)
shared uint glsort_first_words[GLSORT_SAMPLED_TILE];
#if GLSORT_ELEMENT_WORDS == 1
#define GLSORT_FIRST_WORD_OF(record) (record)
bool glsort_behind(glsort_Element last, uint begin, uint place) {
    return glsort_precedes(last, glsort_first_words[place]);
}
#else
#if defined(GLSORT_CODES_ALONE) && GLSORT_KEY_WORDS == 1
#define GLSORT_FIRST_WORD_OF(record) (record)
#else
#define GLSORT_FIRST_WORD_OF(record) (record).x
#endif
bool glsort_behind(glsort_Element last, uint begin, uint place) {
    uint word = glsort_first_words[place];
    return last.x != word ? last.x < word : glsort_precedes(last, glsort_source_at(begin + place));
}
#endif
#else
bool glsort_behind(glsort_Element last, uint begin, uint place) {
    return glsort_precedes(last, glsort_source_at(begin + place));
}
#endif

// Every (count / GLSORT_BUCKETS)-th sample of the segment ends a bucket. Returns the number of samples before `bucket`.
uint glsort_samples_before(uint bucket, uint count) {
    return count / GLSORT_BUCKETS * bucket + count % GLSORT_BUCKETS * bucket / GLSORT_BUCKETS;
}

// The last of these samples. If there is none, the first sample of the segment, which nobody then uses.
glsort_Element glsort_sample_before(uint segment, uint bucket, uint count) {
    uint before = glsort_samples_before(min(bucket, GLSORT_BUCKETS - 1u), count);
    return glsort_samples_gather(segment * glsort_op_tiles * GLSORT_SAMPLES + max(before, 1u) - 1u);
}

// The place of the tile's first element after that sample, one of low ... high.
uint glsort_find_place(glsort_Element last, uint bucket, uint count, uint begin, uint low, uint high) {
    if (glsort_samples_before(bucket, count) == 0u) return 0u;
    while (low < high) {
        uint middle = (low + high) / 2u;
        if (glsort_behind(last, begin, middle)) high = middle;
        else low = middle + 1u;
    }
    return low;
}

#if defined(GLSORT_COMPARISON)
// The invocation's buckets follow one another, so that the invocation raises each place to the place before.
uint glsort_bucket_of(uint k) { return GLSORT_LANE * GLSORT_APART + k; }

void glsort_raise_found() {
    for (uint step = 1u; step < GLSORT_GROUP_SIZE; step *= 2u) {
        uint earlier = glsort_found[GLSORT_LANE - min(step, GLSORT_LANE)];
        barrier();
        glsort_found[GLSORT_LANE] = max(glsort_found[GLSORT_LANE], earlier);
        barrier();
    }
}
#else
// Neighbours write neighbours.
uint glsort_bucket_of(uint k) { return k * GLSORT_GROUP_SIZE + GLSORT_LANE; }
void glsort_raise_found() {}
#endif

void glsort_do_tiles(uint segment, uint size, uint number, uint begin, uint here) {
    uint count = glsort_sample_count(size);
    // Issues all reads at once.
    glsort_Element first = glsort_sample_before(segment, GLSORT_LANE * GLSORT_APART, count);
    glsort_Element mine[GLSORT_APART];
    for (uint k = 0u; k < GLSORT_APART; ++k)
        mine[k] = glsort_sample_before(segment, glsort_bucket_of(k), count);
#if defined(GLSORT_KEEPS_WORDS)
    uint words[GLSORT_EACH];
    for (uint k = 0u; k < GLSORT_EACH; ++k)
        words[k] =
            GLSORT_FIRST_WORD_OF(glsort_source_gather(begin + min(k * GLSORT_GROUP_SIZE + GLSORT_LANE, here - 1u)));
    for (uint k = 0u; k < GLSORT_EACH; ++k) glsort_first_words[k * GLSORT_GROUP_SIZE + GLSORT_LANE] = words[k];
    barrier();
#endif
    glsort_found[GLSORT_LANE] = GLSORT_LANE * GLSORT_APART < GLSORT_BUCKETS
                                    ? glsort_find_place(first, GLSORT_LANE * GLSORT_APART, count, begin, 0u, here)
                                    : here;
    barrier();
    glsort_raise_found();
    uint place = 0u;
    for (uint k = 0u; k < GLSORT_APART; ++k) {
        uint bucket = glsort_bucket_of(k);
        if (bucket >= GLSORT_BUCKETS) break;
        uint before = bucket / GLSORT_APART;
        uint low = max(glsort_found[before], place);
        uint high = before + 1u < GLSORT_GROUP_SIZE ? glsort_found[before + 1u] : here;
        place = glsort_find_place(mine[k], bucket, count, begin, low, high);
        glsort_places_scatter(number * GLSORT_BUCKETS + bucket, place);
    }
}
