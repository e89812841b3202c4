// Where each bucket begins in a sorted tile: the places of the global samples, by the staged binary search of the
// paper's step 6, in two stages. First every APART-th sample, an invocation each; then those between, within what the
// first stage has left of the tile.

const uint APART = (BUCKETS - 1u) / GROUP_SIZE + 1u;

shared uint first_words[SAMPLED_TILE];
shared uint found[GROUP_SIZE];

// Whether the tile's record that has the first word `word` comes behind the sample.
#if defined(COMPARISON) || RECORD_WORDS == 1
bool behind(Record last, uint word, uint place) { return precedes(last, word); }
#define FIRST_WORD_OF(record) (record)
#else
// All of the record decides seldom.
bool behind(Record last, uint word, uint place) {
    return last.x != word ? last.x < word : precedes(last, source_gather(place));
}
#define FIRST_WORD_OF(record) (record).x
#endif

// Of the segment's samples every count / BUCKETS-th ends a bucket: how many of them there are up to that which ends
// the bucket before `bucket`.
uint samples_before(uint bucket, uint count) {
    return count / BUCKETS * bucket + count % BUCKETS * bucket / BUCKETS;
}

// The tile's first record behind the sample that ends the bucket before `bucket`, one of low ... high.
uint find_place(uint segment, uint count, uint begin, uint bucket, uint low, uint high) {
    uint before = samples_before(bucket, count);
    if (before == 0u) return 0u;
    Record last = samples_gather(segment * op_tiles * SAMPLES + before - 1u);
    while (low < high) {
        uint middle = (low + high) / 2u;
        if (behind(last, first_words[middle], begin + middle)) high = middle;
        else low = middle + 1u;
    }
    return low;
}

void do_tile(uint segment, uint number, uint begin, uint here) {
    uint count = sample_count(segment_size(segment));
    for (uint place = LANE; place < here; place += GROUP_SIZE)
        first_words[place] = FIRST_WORD_OF(source_gather(begin + place));
    barrier();
    found[LANE] = LANE * APART < BUCKETS ? find_place(segment, count, begin, LANE * APART, 0u, here) : here;
    barrier();
    for (uint bucket = LANE; bucket < BUCKETS; bucket += GROUP_SIZE) {
        uint before = bucket / APART;
        uint place = found[before];
        uint high = before + 1u < GROUP_SIZE ? found[before + 1u] : here;
        if (bucket % APART > 0u) place = find_place(segment, count, begin, bucket, place, high);
        places_scatter(number * BUCKETS + bucket, place);
    }
}
