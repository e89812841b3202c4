// Item k of the visible items: descends the pyramid (src/glsort/plan/scene/pyramid_kernels.h).
//
// expects ports: keyed, odd, target
// allows ports: even
// expects parameters: levels
// allows parameters: *
// expects macros: GLSORT_FAN, GLSORT_KEY_WORDS
// allows macros: GLSORT_EVEN_LEVELS, GLSORT_ITEM_BITS

#if GLSORT_KEY_WORDS == 1
#define glsort_Keyed uvec2
#define glsort_word_behind(keyed) keyed.y
#else
#define glsort_Keyed uvec3
#define glsort_word_behind(keyed) keyed.z
#endif

// The number at a place of a level. Level 0 are the items.
uint glsort_count_at(uint level, uint number) {
    if (level == 0u) return glsort_word_behind(glsort_keyed_gather(number));
    uint place = glsort_op_parameter(level) + number;
#if defined(GLSORT_EVEN_LEVELS)
    if (level % 2u == 0u) return glsort_even_gather(place);
#endif
    return glsort_odd_gather(place);
}

void glsort_kernel(glsort_Index instance) {
    uint left = glsort_number_of(instance);
    uint number = 0u;
    glsort_Keyed result = glsort_Keyed(0u);
    glsort_word_behind(result) = 0xffffffffu;
    if (left < glsort_count_at(glsort_op_levels, 0u)) {
        for (uint level = glsort_op_levels; level > 0u; --level) {
            number *= GLSORT_FAN;
            uint count = glsort_count_at(level - 1u, number);
            for (uint i = 1u; i < GLSORT_FAN && left >= count; ++i) {
                left -= count;
                ++number;
                count = glsort_count_at(level - 1u, number);
            }
        }
        result = glsort_keyed_gather(number);
        glsort_word_behind(result) = number;
    }
#if defined(GLSORT_ITEM_BITS)
    glsort_target_write(result.y == 0xffffffffu ? 0xffffffffu : result.x << GLSORT_ITEM_BITS | result.y);
#else
    glsort_target_write(result);
#endif
}
