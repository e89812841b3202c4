// What the sort gets for a key of `sort_key`: its bits, or the code of a quantised depth.
//
// expects macros: GLSORT_KEY_WORDS, GLSORT_SCENE_KEY_BITS
// allows macros: GLSORT_CODES, GLSORT_DESCENDING, GLSORT_MAX_CODE, GLSORT_RECIPROCAL
// allows parameters: factor, farthest, nearest, origin

#if GLSORT_KEY_WORDS == 1
#define glsort_Stored uint
#else
#define glsort_Stored uvec2
#endif

// The bits of a float. If all bits are set, clears the lowest bit: a key with all bits set is a mark on the fragment
// backend.
uint glsort_float_bits(float key) { return min(floatBitsToUint(key), 0xfffffffeu); }

#if defined(GLSORT_CODES)
uint glsort_stored_key(float depth) {
    float nearest = uintBitsToFloat(glsort_op_nearest);
    // Depths that are no numbers count as the nearest.
    float inside = depth >= nearest ? min(depth, uintBitsToFloat(glsort_op_farthest)) : nearest;
#if defined(GLSORT_RECIPROCAL)
    inside = 1.0 / inside;
#endif
    float part = (inside - uintBitsToFloat(glsort_op_origin)) * uintBitsToFloat(glsort_op_factor);
    // Divisions of GPUs are not exact: a part may lie a little outside of 0 to 1.
    uint code = part >= 1.0 ? GLSORT_MAX_CODE : uint(max(part, 0.0) * GLSORT_CODES);
#if defined(GLSORT_DESCENDING)
    return GLSORT_MAX_CODE - code;
#else
    return code;
#endif
}
#elif defined(GLSORT_SCENE_KEY_BITS)
#define glsort_stored_key(key) GLSORT_SCENE_KEY_BITS(key)
#endif
