// Writes the numbers of the sort that follow the count, in one group: the last step before the sort
// (src/glsort/stream/count_rule.h).
//
// expects ports: numbers, rules
// expects parameters: most_columns, rules
// allows parameters: *
// expects macros: GLSORT_FIRST_BASE, GLSORT_GROUP_SIZE, GLSORT_LANE

#include "lib/count_rule.glsl"

void glsort_write_sort_numbers(uint count) {
    for (uint i = GLSORT_LANE; i < glsort_op_rules; i += GLSORT_GROUP_SIZE) {
        uvec4 target = glsort_rules_gather(2u * i);
        uvec4 rule = glsort_rules_gather(2u * i + 1u);
        if (target.y == GLSORT_RULE_OF_NUMBER) {
            glsort_numbers_scatter(target.x, glsort_ruled_number(target, rule, count));
        } else if (target.y == GLSORT_RULE_OF_GROUPS) {
            uvec3 groups = glsort_ruled_groups(target, rule, count, glsort_op_most_columns);
            glsort_numbers_scatter(target.x, groups.x);
            glsort_numbers_scatter(target.x + 1u, groups.y);
            glsort_numbers_scatter(target.x + 2u, groups.z);
        } else {
            glsort_numbers_scatter(target.x, glsort_op_parameter(GLSORT_FIRST_BASE + target.z));
        }
    }
    if (GLSORT_LANE < 4u) glsort_numbers_scatter(GLSORT_LANE, GLSORT_LANE == 0u ? count : 0u);
}
