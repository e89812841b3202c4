// What comparison sorts rearrange (src/glsort/plan/record_type.h): a key's code alone, or the code and the
// index of the key in the input. The order is total, so the result is stable and the same on every tier.
//
// RECORD_WORDS: of a record.
// COMPARISON: a record is an index; the caller's function compares the keys, which are looked up.
// LOW_WORD_LOOKED_UP: of the code a record has the high word; the low one is looked up where that does not
// decide. COMPARES: the kernel has the port for looking up.

#if defined(COMPARISON)
#define Record uint
#define index_in_input(record) (record)
#define MISSING NONE
#if defined(COMPARES)
#if defined(KEY_DESCENDING)
bool key_precedes(Key a, Key b) { return comes_before(b, a); }
#else
bool key_precedes(Key a, Key b) { return comes_before(a, b); }
#endif
bool precedes(Record a, Record b) {
    if (a == MISSING || b == MISSING) return a < b;
    Key key_a = input_keys_gather(a);
    Key key_b = input_keys_gather(b);
    return a < b ? !key_precedes(key_b, key_a) : key_precedes(key_a, key_b);
}
#endif

#else
// Codes of 64 bits are (high word, low word).
#if KEY_WORDS == 1
bool key_precedes(Key a, Key b) { return a < b; }
#else
bool key_precedes(Key a, Key b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }
#endif

#if RECORD_WORDS == KEY_WORDS && !defined(LOW_WORD_LOOKED_UP)
#define Record Key
#define key_of(record) (record)
bool precedes(Record a, Record b) { return key_precedes(a, b); }
#elif RECORD_WORDS == 2
#define Record uvec2
#define key_of(record) ((record).x)
#define index_in_input(record) ((record).y)
#if !defined(LOW_WORD_LOOKED_UP)
bool precedes(Record a, Record b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }
#elif defined(COMPARES)
uint low_word(Record a) { return encode_key(input_keys_gather(a.y).yx).y; }
bool precedes(Record a, Record b) {
    if (a.x != b.x) return a.x < b.x;
    if (a.y == NONE || b.y == NONE) return a.y < b.y;
    uint low_a = low_word(a);
    uint low_b = low_word(b);
    return low_a < low_b || (low_a == low_b && a.y < b.y);
}
#endif
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
#endif
