// The words of `fronts` (src/glsort/plan/scene/front_kernels.h).

const uint GLSORT_OFFSET_WORD = 0u;
const uint GLSORT_PLACE_WORD = 1u;
const uint GLSORT_END_OF_LEADING_WORD = 2u;
const uint GLSORT_FRONT_WORDS = 4u;

// Words of the record of the scene, which comes first.
const uint GLSORT_GROUPS_DONE_WORD = 0u;
const uint GLSORT_PORTION_WORD = 1u;

uint glsort_front_word(uint front, uint word) { return (1u + front) * GLSORT_FRONT_WORDS + word; }
// Records for reads past the last front (front_kernels.h).
uint glsort_records_behind(uint fronts) { return fronts + 64u; }
