// A word of a command for an indirect draw. One word is multiplied by the number of visible items.
//
// expects ports: command, visible
// expects parameters: counted, place
// allows parameters: *
// expects macros: GLSORT_FIRST_WORD

#include "lib/layout.glsl"

void glsort_kernel(glsort_Index instance) {
    uint number = glsort_number_of(instance);
    uint word = glsort_op_parameter(GLSORT_FIRST_WORD + number);
    if (number == glsort_op_counted) word *= glsort_visible_gather(glsort_op_place);
    glsort_command_write(word);
}
