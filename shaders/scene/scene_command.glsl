// A word of a command for an indirect draw. One word is multiplied by the number of visible items.
// GLSORT_OF_SUMS: the number is the sum of four words.
//
// expects ports: command, visible
// expects parameters: counted, place
// allows parameters: *
// expects macros: GLSORT_FIRST_WORD
// allows macros: GLSORT_OF_SUMS

#include "lib/layout.glsl"

void glsort_kernel(glsort_Index instance) {
    uint number = glsort_number_of(instance);
    uint word = glsort_op_parameter(GLSORT_FIRST_WORD + number);
#if defined(GLSORT_OF_SUMS)
    uvec4 sums = glsort_visible_gather(glsort_op_place);
    uint visible = sums.x + sums.y + sums.z + sums.w;
#else
    uint visible = glsort_visible_gather(glsort_op_place);
#endif
    if (number == glsort_op_counted) word *= visible;
    glsort_command_write(word);
}
