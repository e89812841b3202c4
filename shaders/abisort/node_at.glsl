// The node at a pointer, in the ports that a merge reads. GLSORT_PRUNED: the sequences have glsort_op_count elements.
// Elements past the end are greater than all others.
//
// The sequences are nodes of the port `trees`, from record glsort_op_sequences on. GLSORT_RUN_PAIRS: the sequences are
// elements of the port `runs` instead, with GLSORT_RUN_PAIRS pairs per record. The z-order layout requires 8 pairs. The
// children of a node then follow from its place.
//
// expects ports: trees
// expects parameters: count, sequences
// allows ports: runs
// allows macros: GLSORT_INDEX_IS_NUMBER, GLSORT_LAYOUT_Z_ORDER, GLSORT_PRUNED, GLSORT_RUN_PAIRS

#include "abisort/tree.glsl"
#include "lib/layout.glsl"

#if defined(GLSORT_RUN_PAIRS)
// The record of `runs` that contains pair `pair`, and the number of the pair in that record.
#if defined(GLSORT_INDEX_IS_NUMBER)
glsort_Index glsort_run_of(glsort_Index pair) { return pair / GLSORT_RUN_PAIRS; }
uint glsort_place_in_run(glsort_Index pair) { return pair % GLSORT_RUN_PAIRS; }
#elif defined(GLSORT_LAYOUT_Z_ORDER)
glsort_Index glsort_run_of(glsort_Index pair) { return uvec2(pair.y >> 1u, pair.x >> 2u); }
uint glsort_place_in_run(glsort_Index pair) { return (pair.x & 1u) | ((pair.y & 1u) << 1u) | ((pair.x & 2u) << 1u); }
#else
glsort_Index glsort_run_of(glsort_Index pair) { return glsort_index_of(glsort_number_of(pair) / GLSORT_RUN_PAIRS); }
uint glsort_place_in_run(glsort_Index pair) { return glsort_number_of(pair) % GLSORT_RUN_PAIRS; }
#endif
#endif

glsort_Node glsort_node_at(uint pointer) {
    glsort_Index record = glsort_record_of(pointer);
    uint k = glsort_element_of(pointer);
    bool in_order = (pointer & GLSORT_IN_ORDER) != 0u;
#if defined(GLSORT_PRUNED)
    if (in_order && glsort_number_of(record ^ glsort_op_sequences) * 2u + k >= glsort_op_count)
        return glsort_node_in_order(GLSORT_MISSING, pointer);
#endif
#if defined(GLSORT_RUN_PAIRS)
    if (in_order)
        return glsort_node_in_order(glsort_runs_read(glsort_run_of(record), glsort_place_in_run(record) * 2u + k),
                                    pointer);
#endif
    uvec4 words = glsort_trees_read(record, k);
    return glsort_Node(words.xy, words.z, words.w);
}
