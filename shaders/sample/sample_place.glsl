// Where each bucket begins in a sorted tile: the places of the global samples, by the staged binary search of the
// paper's step 6, in two stages. First every APART-th sample, an invocation each; then those between, within what the
// first stage has left of the tile.

#pragma optionNV(unroll all)

const uint EACH = SAMPLED_TILE / GROUP_SIZE;
const uint APART = (BUCKETS - 1u) / GROUP_SIZE + 1u;

shared uint found[GROUP_SIZE];

// Whether the record at a place of the tile comes behind the sample. KEEPS_WORDS: the first words of the tile's records
// are kept in shared memory. Seldom does all of a record decide.
#if defined(KEEPS_WORDS)
shared uint first_words[SAMPLED_TILE];
#if RECORD_WORDS == 1
#define FIRST_WORD_OF(record) (record)
bool behind(Record last, uint begin, uint place) { return precedes(last, first_words[place]); }
#else
#if defined(CODES_ALONE) && KEY_WORDS == 1
#define FIRST_WORD_OF(record) (record)
#else
#define FIRST_WORD_OF(record) (record).x
#endif
bool behind(Record last, uint begin, uint place) {
    uint word = first_words[place];
    return last.x != word ? last.x < word : precedes(last, source_at(begin + place));
}
#endif
#else
bool behind(Record last, uint begin, uint place) { return precedes(last, source_at(begin + place)); }
#endif

// Of the segment's samples every count / BUCKETS-th ends a bucket: how many of them there are up to that which ends
// the bucket before `bucket`.
uint samples_before(uint bucket, uint count) {
    return count / BUCKETS * bucket + count % BUCKETS * bucket / BUCKETS;
}

// The last of them; the first of all where there is none.
Record sample_before(uint segment, uint bucket, uint count) {
    uint before = samples_before(min(bucket, BUCKETS - 1u), count);
    return samples_gather(segment * op_tiles * SAMPLES + max(before, 1u) - 1u);
}

// The place of the tile's first record behind it, one of low ... high.
uint find_place(Record last, uint bucket, uint count, uint begin, uint low, uint high) {
    if (samples_before(bucket, count) == 0u) return 0u;
    while (low < high) {
        uint middle = (low + high) / 2u;
        if (behind(last, begin, middle)) high = middle;
        else low = middle + 1u;
    }
    return low;
}

void do_tiles(uint segment, uint size, uint number, uint begin, uint here) {
    uint count = sample_count(size);
    // All that is read is on its way at once.
    Record first = sample_before(segment, LANE * APART, count);
    Record mine[APART];
    for (uint k = 0u; k < APART; ++k) mine[k] = sample_before(segment, k * GROUP_SIZE + LANE, count);
#if defined(KEEPS_WORDS)
    uint words[EACH];
    for (uint k = 0u; k < EACH; ++k)
        words[k] = FIRST_WORD_OF(source_gather(begin + min(k * GROUP_SIZE + LANE, here - 1u)));
    for (uint k = 0u; k < EACH; ++k) first_words[k * GROUP_SIZE + LANE] = words[k];
    barrier();
#endif
    found[LANE] = LANE * APART < BUCKETS ? find_place(first, LANE * APART, count, begin, 0u, here) : here;
    barrier();
    for (uint k = 0u; k < APART; ++k) {
        uint bucket = k * GROUP_SIZE + LANE;
        uint before = bucket / APART;
        uint high = before + 1u < GROUP_SIZE ? found[before + 1u] : here;
        if (bucket < BUCKETS)
            places_scatter(number * BUCKETS + bucket, find_place(mine[k], bucket, count, begin, found[before], high));
    }
}
