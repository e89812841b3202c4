// The texel of an item: its key, and whether the item is visible (src/glsort/plan/scene/key_form.h).
//
// expects macros: GLSORT_KEY_WORDS
// allows macros: GLSORT_MARKED

#if defined(GLSORT_MARKED)
#define glsort_Keyed uint
#define GLSORT_INVISIBLE 0xffffffffu
#define glsort_keyed(key) (key)
#define glsort_key_and_item(keyed, item) uvec2(keyed, item)
uint glsort_visible_bit(glsort_Keyed keyed) { return keyed != GLSORT_INVISIBLE ? 1u : 0u; }
#elif GLSORT_KEY_WORDS == 1
#define glsort_Keyed uvec2
#define GLSORT_INVISIBLE uvec2(0u)
#define glsort_keyed(key) uvec2(key, 1u)
#define glsort_key_and_item(keyed, item) uvec2((keyed).x, item)
uint glsort_visible_bit(glsort_Keyed keyed) { return keyed.y; }
#else
#define glsort_Keyed uvec3
#define GLSORT_INVISIBLE uvec3(0u)
#define glsort_keyed(key) uvec3(key, 1u)
#define glsort_key_and_item(keyed, item) uvec3((keyed).xy, item)
uint glsort_visible_bit(glsort_Keyed keyed) { return keyed.z; }
#endif
