// What comparison sorts rearrange: a key's code alone, or the code and the index of the key in the
// input. The order is total, so the result is stable and the same on every tier.
//
// KEY_WORDS: of a code, 1 or 2 (high word, low word). RECORD_WORDS: one more where there is an index.

#define NONE 0xffffffffu

#if KEY_WORDS == 1
#define Key uint
bool key_precedes(Key a, Key b) { return a < b; }
#else
#define Key uvec2
bool key_precedes(Key a, Key b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }
#endif

#if RECORD_WORDS == KEY_WORDS
#define Record Key
#define key_of(record) (record)
bool precedes(Record a, Record b) { return key_precedes(a, b); }
#elif KEY_WORDS == 1
#define Record uvec2
#define key_of(record) ((record).x)
#define index_in_input(record) ((record).y)
bool precedes(Record a, Record b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }
#else
#define Record uvec3
#define key_of(record) ((record).xy)
#define index_in_input(record) ((record).z)
bool precedes(Record a, Record b) {
    return a.x < b.x || (a.x == b.x && (a.y < b.y || (a.y == b.y && a.z < b.z)));
}
#endif

// What lies past the end of the input: greater than every code and index.
#define MISSING Record(NONE)
