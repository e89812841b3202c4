// What the op that first knows the number of visible items writes (src/glsort/plan/scene/scene_results.h).
//
// expects ports: scene_status
// allows parameters: *
// expects macros: GLSORT_LANE
// allows macros: GLSORT_COMMANDS, GLSORT_COMMAND_PARAMETERS, GLSORT_FIRST_BASE, GLSORT_FIRST_COMMAND

#if defined(GLSORT_FIRST_BASE)
#include "scene/sort_numbers.glsl"
#endif

// In one group, which has at least as many invocations as a command has words.
void glsort_write_results(uint visible, bool clamped) {
    if (GLSORT_LANE < 4u)
        glsort_scene_status_scatter(GLSORT_LANE, GLSORT_LANE == 0u ? visible : GLSORT_LANE == 1u && clamped ? 1u : 0u);
#if defined(GLSORT_COMMANDS)
    for (uint i = 0u; i < GLSORT_COMMANDS; ++i) {
        uint first = GLSORT_FIRST_COMMAND + i * GLSORT_COMMAND_PARAMETERS;
        if (GLSORT_LANE + 1u >= GLSORT_COMMAND_PARAMETERS) continue;
        uint word = glsort_op_parameter(first + 1u + GLSORT_LANE);
        glsort_put_command(i, GLSORT_LANE, GLSORT_LANE == glsort_op_parameter(first) ? word * visible : word);
    }
#endif
#if defined(GLSORT_FIRST_BASE)
    glsort_write_sort_numbers(visible);
#endif
}
