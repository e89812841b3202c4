// The load chunk of a sort that reads texels with a key and an item (src/glsort/plan/scene/visible_source.h).
//
// expects ports: visible
// expects macros: GLSORT_KEY_WORDS

#include "lib/element.glsl"

glsort_Element glsort_load(uint number) {
#if GLSORT_KEY_WORDS == 1
    uvec2 texel = glsort_visible_gather(number);
    return glsort_Element(glsort_code_of_key(texel.x), texel.y);
#else
    uvec3 texel = glsort_visible_gather(number);
    return glsort_Element(glsort_code_of_key(texel.xy), texel.z);
#endif
}
