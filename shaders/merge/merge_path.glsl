// Merges neighbouring runs of a tile (shared_tile.glsl), two and two, by the merge path (Odeh et al. 2012):
// every invocation finds where its ELEMENTS places of the merged sequences begin in the two runs that they
// come from, by a binary search, and merges from there one record after the other.
//
// ANY_LENGTH: the runs are of any length, none included, so that these places may reach into several merged
// sequences. Else a merged sequence begins and ends with the places of an invocation.

// BY_KEY: the runs hold elements in the order of the input, so that keys alone decide: of equal ones, that of
// the first run comes first. Else whole records do.

#if defined(BY_KEY) && !defined(COMPARISON)
bool second_first_at(uint second, uint first) { return key_precedes(tile_key(second), tile_key(first)); }
bool second_first(Record second, Record first) { return key_precedes(key_of(second), key_of(first)); }
#else
bool second_first_at(uint second, uint first) { return precedes(tile_load(second), tile_load(first)); }
bool second_first(Record second, Record first) { return precedes(second, first); }
#endif

// The kernel says which runs become the sequence that has `place`: where the first begins, where the second
// begins, and where that ends.
uvec3 runs_at(uint place);

// How many of the first `count` records of the merged sequence come from the first run.
uint merge_path(uvec3 runs, uint count) {
    uint low = count - min(count, runs.z - runs.y);
    uint high = min(count, runs.y - runs.x);
    while (low < high) {
        uint middle = (low + high) / 2u;
        bool past = second_first_at(runs.y + count - 1u - middle, runs.x + middle);
        if (past) high = middle;
        else low = middle + 1u;
    }
    return low;
}

// Of all invocations of the group; the tile is ready before and after.
void merge_neighbours() {
    uint place = LANE * ELEMENTS;
    uvec3 runs = runs_at(place);
    uint first = runs.x + merge_path(runs, place - runs.x);
    uint second = runs.y + place - first;
    Record a = tile_load(first);
    Record b = tile_load(second);
    Record merged[ELEMENTS];
    for (uint k = 0u; k < ELEMENTS; ++k) {
#if defined(ANY_LENGTH)
        if (place + k == runs.z) {
            runs = runs_at(place + k);
            first = runs.x;
            second = runs.y;
            a = tile_load(first);
            b = tile_load(second);
        }
#endif
        // What is loaded past the end of a run counts for nothing.
        bool from_second = second < runs.z && (first == runs.y || second_first(b, a));
        merged[k] = from_second ? b : a;
        uint next = (from_second ? second : first) + 1u;
        Record following = tile_load(next);
        if (from_second) {
            b = following;
            second = next;
        } else {
            a = following;
            first = next;
        }
    }
    barrier();  // All have loaded what others overwrite.
    for (uint k = 0u; k < ELEMENTS; ++k) tile_store(place + k, merged[k]);
    barrier();
}
