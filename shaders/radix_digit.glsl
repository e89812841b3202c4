// The digit of a record: `bits` bits of its code, from bit `shift` on.

uint digit_of(Record record, uint shift, uint bits) {
    uint mask = (1u << bits) - 1u;
#if KEY_WORDS == 1
    return key_of(record) >> shift & mask;
#else
    uvec2 code = key_of(record);
    if (shift >= 32u) return code.x >> (shift - 32u) & mask;
    // A shift by 32 is undefined.
    return (code.y >> shift | code.x << 1u << (31u - shift)) & mask;
#endif
}
