// Records as samples: the kernel's `glsort_Record` is that of samples, which always has an index. GLSORT_PLACED: those
// of tiles have none, or a value in its stead, but equal ones lie in the order of the input: their places order them as
// well. GLSORT_CODES_ALONE: theirs are nothing but a code.
//
// expects ports: source
// expects macros: GLSORT_KEY_WORDS
// allows macros: GLSORT_CODES_ALONE, GLSORT_PLACED

#include "lib/record.glsl"

#if defined(GLSORT_CODES_ALONE)
#define glsort_code_in_source(record) (record)
#elif GLSORT_KEY_WORDS == 1
#define glsort_code_in_source(record) (record).x
#else
#define glsort_code_in_source(record) (record).xy
#endif

#if defined(GLSORT_PLACED)
glsort_Record glsort_source_at(uint place) {
    return glsort_Record(glsort_code_in_source(glsort_source_gather(place)), place);
}
#else
glsort_Record glsort_source_at(uint place) { return glsort_source_gather(place); }
#endif
