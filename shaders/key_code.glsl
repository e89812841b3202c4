// Keys as unsigned integers that sort the way the keys do, and back: src/glsort/plan/key_code.h
// says how and why. Defined by the program: KEY_I32 or KEY_F32, KEY_DESCENDING.

uint encode_key(uint bits) {
#if defined(KEY_I32)
    uint code = bits ^ 0x80000000u;
#elif defined(KEY_F32)
    uint code = (bits ^ ((bits >> 31u) != 0u ? 0xffffffffu : 0x80000000u)) - 0x007fffffu;
#else
    uint code = bits;
#endif
#if defined(KEY_DESCENDING)
    code = ~code;
#endif
    return code;
}

uint decode_key(uint code) {
#if defined(KEY_DESCENDING)
    code = ~code;
#endif
#if defined(KEY_I32)
    return code ^ 0x80000000u;
#elif defined(KEY_F32)
    uint flipped = code + 0x007fffffu;
    return flipped ^ ((flipped >> 31u) != 0u ? 0x80000000u : 0xffffffffu);
#else
    return code;
#endif
}
