// Writes each element as a node of a bitonic tree that lies in order. A merge begins with such trees. The merged
// sequences are single elements of the caller (GPU-ABiSort, appendix A.1) or sorted runs (section 7.1).
//
// expects ports: source, trees
// expects parameters: count

#include "abisort/tree.glsl"
#include "lib/layout.glsl"

void glsort_kernel(glsort_Index instance) {
    for (uint k = 0u; k < 2u; ++k) {
        uint element = glsort_number_of(instance) * 2u + k;
        glsort_Element value = GLSORT_MISSING;
        if (element < glsort_op_count) value = glsort_source_gather(element);
        glsort_trees_write(k, glsort_words_of(glsort_node_in_order(value, glsort_pointer_to(instance, k))));
    }
}
