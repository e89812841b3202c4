// The usual load chunk: turns the caller's key into an element.
//
// expects macros: GLSORT_KEY_WORDS, GLSORT_ELEMENT_WORDS
// allows ports: keys, values
// allows macros: GLSORT_COMPARED_BITS, GLSORT_COMPARISON, GLSORT_FIRST_BIT, GLSORT_INDEX_BITS, GLSORT_LOADED_VALUE
// allows macros: GLSORT_LOW_WORD_LOOKED_UP

#include "lib/element.glsl"

// GLSORT_LOADED_VALUE(index): the element has the caller's value instead of the index.
// GLSORT_COMPARED_BITS: a mask of the bits that the sort compares. GLSORT_FIRST_BIT: the lowest of these bits.

#if !defined(GLSORT_LOADED_VALUE)
#define GLSORT_LOADED_VALUE(index) (index)
#endif

glsort_Element glsort_load(uint element) {
#if defined(GLSORT_COMPARISON)
    return element;
#else
    glsort_Key code = glsort_code_of_key(glsort_keys_gather(element));
#if defined(GLSORT_COMPARED_BITS)
    code &= GLSORT_COMPARED_BITS;
#endif
#if defined(GLSORT_INDEX_BITS)
    return code >> GLSORT_FIRST_BIT << GLSORT_INDEX_BITS | element;
#elif defined(GLSORT_LOW_WORD_LOOKED_UP)
    return glsort_Element(code.x, element);
#elif GLSORT_ELEMENT_WORDS == GLSORT_KEY_WORDS
    return code;
#else
    return glsort_Element(code, GLSORT_LOADED_VALUE(element));
#endif
#endif
}
