// Keys, and their codes: unsigned integers that have the order of the keys (src/glsort/plan/key_code.h). A code of 64
// bits is (high word, low word). GLSORT_COMPARISON: keys have no codes, since a function of the caller compares the
// keys.
//
// expects macros: GLSORT_KEY_WORDS
// allows macros: GLSORT_COMPARISON, GLSORT_KEY_DESCENDING, GLSORT_KEY_FLOAT, GLSORT_KEY_SIGNED

#define GLSORT_NONE 0xffffffffu

#if GLSORT_KEY_WORDS == 1
#define glsort_Key uint
#elif GLSORT_KEY_WORDS == 2
#define glsort_Key uvec2
#elif GLSORT_KEY_WORDS == 3
#define glsort_Key uvec3
#else
#define glsort_Key uvec4
#endif

#if !defined(GLSORT_COMPARISON)
#define GLSORT_SIGN 0x80000000u

#if GLSORT_KEY_WORDS == 1
uint glsort_less_nans(uint flipped) { return flipped - 0x007fffffu; }
uint glsort_plus_nans(uint code) { return code + 0x007fffffu; }
#else
uvec2 glsort_less_nans(uvec2 flipped) {
    uint borrow = flipped.y == GLSORT_NONE ? 0u : 1u;
    return uvec2(flipped.x - 0x000fffffu - borrow, flipped.y + 1u);
}
uvec2 glsort_plus_nans(uvec2 code) {
    uint carry = code.y == 0u ? 0u : 1u;
    return uvec2(code.x + 0x000fffffu + carry, code.y - 1u);
}
#endif

uint glsort_high_word(uint bits) { return bits; }
uint glsort_high_word(uvec2 bits) { return bits.x; }
uint glsort_flip_sign(uint bits) { return bits ^ GLSORT_SIGN; }
uvec2 glsort_flip_sign(uvec2 bits) { return uvec2(bits.x ^ GLSORT_SIGN, bits.y); }

glsort_Key glsort_encode_key(glsort_Key bits) {
#if defined(GLSORT_KEY_SIGNED)
    glsort_Key code = glsort_flip_sign(bits);
#elif defined(GLSORT_KEY_FLOAT)
    glsort_Key code = glsort_less_nans(glsort_high_word(bits) >= GLSORT_SIGN ? ~bits : glsort_flip_sign(bits));
#else
    glsort_Key code = bits;
#endif
#if defined(GLSORT_KEY_DESCENDING)
    code = ~code;
#endif
    return code;
}

// Converts between the order of words in memory (low word first) and the order of words in codes (high word first).
uint glsort_swap_words(uint key) { return key; }
uvec2 glsort_swap_words(uvec2 key) { return key.yx; }

// The code of a key whose words have the order of memory.
glsort_Key glsort_code_of_key(glsort_Key key) { return glsort_encode_key(glsort_swap_words(key)); }

glsort_Key glsort_decode_key(glsort_Key code) {
#if defined(GLSORT_KEY_DESCENDING)
    code = ~code;
#endif
#if defined(GLSORT_KEY_SIGNED)
    return glsort_flip_sign(code);
#elif defined(GLSORT_KEY_FLOAT)
    glsort_Key flipped = glsort_plus_nans(code);
    return glsort_high_word(flipped) >= GLSORT_SIGN ? glsort_flip_sign(flipped) : ~flipped;
#else
    return code;
#endif
}
#endif
