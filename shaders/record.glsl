// What comparison sorts rearrange: a key's code alone, or the code and the index of the key in the
// input. The order is total, so the result is stable and the same on every tier.

#if RECORD_WORDS == 1
#define Record uint
bool precedes(Record a, Record b) { return a < b; }
#else
#define Record uvec2
bool precedes(Record a, Record b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }
#endif

// What lies past the end of the input: greater than every code and index.
#define MISSING Record(0xffffffffu)
