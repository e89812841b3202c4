// Numbers that follow a count. A rule is two vectors, `target` and `rule` (src/glsort/stream/count_rule.h).

const uint GLSORT_RULE_OF_NUMBER = 0u;
const uint GLSORT_RULE_OF_GROUPS = 1u;

uint glsort_ruled_number(uvec4 target, uvec4 rule, uint count) {
    return target.w * (count / rule.x + (count % rule.x != 0u ? 1u : 0u)) + rule.y;
}

// The arguments of a dispatch: rows of up to `most_columns` groups. The last row may have more groups than needed.
uvec3 glsort_ruled_groups(uvec4 target, uvec4 rule, uint count, uint most_columns) {
    uint instances = glsort_ruled_number(target, rule, count);
    uint all = count == 0u ? 0u : instances / target.z + (instances % target.z != 0u ? 1u : 0u);
    uint groups = all > rule.z ? min(all - rule.z, rule.w) : 0u;
    uint columns = min(groups, most_columns);
    return uvec3(columns, columns == 0u ? 1u : groups / columns + (groups % columns != 0u ? 1u : 0u), 1u);
}
