// Elements as samples. glsort_Element is here the type of samples, which always ends with an index. GLSORT_PLACED:
// elements of tiles lack an index, or have a value in its place. Places then serve as indices, because equal elements
// lie in input order. GLSORT_CODES_ALONE: the elements of tiles are only codes.
// expects ports: source
// expects macros: GLSORT_KEY_WORDS
// allows macros: GLSORT_CODES_ALONE, GLSORT_PLACED

#include "lib/element.glsl"

#if defined(GLSORT_CODES_ALONE)
#define glsort_code_in_source(record) (record)
#elif GLSORT_KEY_WORDS == 1
#define glsort_code_in_source(record) (record).x
#else
#define glsort_code_in_source(record) (record).xy
#endif

#if defined(GLSORT_PLACED)
glsort_Element glsort_source_at(uint place) {
    return glsort_Element(glsort_code_in_source(glsort_source_gather(place)), place);
}
#else
glsort_Element glsort_source_at(uint place) { return glsort_source_gather(place); }
#endif
