// Keys, and keys as unsigned integers that sort the way the keys do: src/glsort/plan/key_code.h says how
// and why. A code of 64 bits is (high word, low word). Defined by the program: KEY_WORDS; KEY_SIGNED or
// KEY_FLOAT; KEY_DESCENDING; COMPARISON, where keys have no code.

#define NONE 0xffffffffu

#if KEY_WORDS == 1
#define Key uint
#elif KEY_WORDS == 2
#define Key uvec2
#elif KEY_WORDS == 3
#define Key uvec3
#else
#define Key uvec4
#endif

#if !defined(COMPARISON)
#define SIGN 0x80000000u

#if KEY_WORDS == 1
uint less_nans(uint flipped) { return flipped - 0x007fffffu; }
uint plus_nans(uint code) { return code + 0x007fffffu; }
#else
uvec2 less_nans(uvec2 flipped) {
    uint borrow = flipped.y == NONE ? 0u : 1u;
    return uvec2(flipped.x - 0x000fffffu - borrow, flipped.y + 1u);
}
uvec2 plus_nans(uvec2 code) {
    uint carry = code.y == 0u ? 0u : 1u;
    return uvec2(code.x + 0x000fffffu + carry, code.y - 1u);
}
#endif

uint high_word(uint bits) { return bits; }
uint high_word(uvec2 bits) { return bits.x; }
uint flip_sign(uint bits) { return bits ^ SIGN; }
uvec2 flip_sign(uvec2 bits) { return uvec2(bits.x ^ SIGN, bits.y); }

Key encode_key(Key bits) {
#if defined(KEY_SIGNED)
    Key code = flip_sign(bits);
#elif defined(KEY_FLOAT)
    Key code = less_nans(high_word(bits) >= SIGN ? ~bits : flip_sign(bits));
#else
    Key code = bits;
#endif
#if defined(KEY_DESCENDING)
    code = ~code;
#endif
    return code;
}

Key decode_key(Key code) {
#if defined(KEY_DESCENDING)
    code = ~code;
#endif
#if defined(KEY_SIGNED)
    return flip_sign(code);
#elif defined(KEY_FLOAT)
    Key flipped = plus_nans(code);
    return high_word(flipped) >= SIGN ? flip_sign(flipped) : ~flipped;
#else
    return code;
#endif
}
#endif
