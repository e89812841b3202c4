// The elements that a sort rearranges (src/glsort/plan/element_type.h): a key's code alone, or the code and the index
// of the key in the input. The order is total. The result is therefore stable, and equal on every backend. A value may
// take the place of the index. Then only a stable sort keeps the order of equal keys.
//
// GLSORT_ELEMENT_WORDS: words of an element.
// GLSORT_COMPARISON: an element is an index. The caller's function compares the keys, which are looked up.
// GLSORT_LOW_WORD_LOOKED_UP: an element has the high word of the code, and an index. The low word is looked up if high
// words are equal.
// GLSORT_INDEX_BITS: an element is one word. The lowest bits are an index, the bits above are the compared bits of a
// code.
// GLSORT_COMPARES: the kernel has the port for look-ups.
// expects macros: GLSORT_KEY_WORDS, GLSORT_ELEMENT_WORDS
// allows ports: input_keys
// allows macros: GLSORT_COMPARES, GLSORT_COMPARISON, GLSORT_INDEX_BITS, GLSORT_KEY_DESCENDING
// allows macros: GLSORT_LOW_WORD_LOOKED_UP

#include "lib/key_code.glsl"

#if defined(GLSORT_COMPARISON)
#define glsort_Element uint
#define glsort_index_in_input(record) (record)
#define GLSORT_MISSING GLSORT_NONE
#if defined(GLSORT_COMPARES)
#if defined(GLSORT_KEY_DESCENDING)
bool glsort_key_precedes(glsort_Key a, glsort_Key b) { return comes_before(b, a); }
#else
bool glsort_key_precedes(glsort_Key a, glsort_Key b) { return comes_before(a, b); }
#endif
bool glsort_precedes(glsort_Element a, glsort_Element b) {
    if (a == GLSORT_MISSING || b == GLSORT_MISSING) return a < b;
    glsort_Key key_a = glsort_input_keys_gather(a);
    glsort_Key key_b = glsort_input_keys_gather(b);
    return a < b ? !glsort_key_precedes(key_b, key_a) : glsort_key_precedes(key_a, key_b);
}
#endif

#else
// Codes of 64 bits are (high word, low word).
#if GLSORT_KEY_WORDS == 1
bool glsort_key_precedes(glsort_Key a, glsort_Key b) { return a < b; }
#else
bool glsort_key_precedes(glsort_Key a, glsort_Key b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }
#endif

#if GLSORT_ELEMENT_WORDS == GLSORT_KEY_WORDS && !defined(GLSORT_LOW_WORD_LOOKED_UP)
#define glsort_Element glsort_Key
#define glsort_key_of(record) (record)
#if defined(GLSORT_INDEX_BITS)
#define glsort_index_in_input(record) ((record) & ((1u << GLSORT_INDEX_BITS) - 1u))
#endif
bool glsort_precedes(glsort_Element a, glsort_Element b) { return glsort_key_precedes(a, b); }
#elif GLSORT_ELEMENT_WORDS == 2
#define glsort_Element uvec2
#define glsort_key_of(record) ((record).x)
#define glsort_index_in_input(record) ((record).y)
#if !defined(GLSORT_LOW_WORD_LOOKED_UP)
bool glsort_precedes(glsort_Element a, glsort_Element b) { return a.x < b.x || (a.x == b.x && a.y < b.y); }
#elif defined(GLSORT_COMPARES)
uint glsort_low_word(glsort_Element a) { return glsort_code_of_key(glsort_input_keys_gather(a.y)).y; }
bool glsort_precedes(glsort_Element a, glsort_Element b) {
    if (a.x != b.x) return a.x < b.x;
    if (a.y == GLSORT_NONE || b.y == GLSORT_NONE) return a.y < b.y;
    uint low_a = glsort_low_word(a);
    uint low_b = glsort_low_word(b);
    return low_a < low_b || (low_a == low_b && a.y < b.y);
}
#endif
#else
#define glsort_Element uvec3
#define glsort_key_of(record) ((record).xy)
#define glsort_index_in_input(record) ((record).z)
bool glsort_precedes(glsort_Element a, glsort_Element b) {
    return a.x < b.x || (a.x == b.x && (a.y < b.y || (a.y == b.y && a.z < b.z)));
}
#endif

// Stands for an element past the end of the input. No element of the input comes after this element.
#define GLSORT_MISSING glsort_Element(GLSORT_NONE)
#endif
