// Merges one side of a window, by keys alone, and writes the run of each element (merge_window.glsl). Even instances
// merge the lower GLSORT_SIDE elements upwards from the window's start. Odd instances merge the upper GLSORT_SIDE
// elements downwards from its end. One split thus serves two instances. Among equal keys, keys of an earlier run come
// first.
//
// Downwards, keys are complemented and runs taken in reverse. Both directions then share their code.
//
// expects ports: sources
// expects macros: GLSORT_RUNS, GLSORT_SIDE, GLSORT_WINDOW
// allows parameters: count, run
// allows macros: GLSORT_COMPARISON, GLSORT_LISTS
// ignores macros: GLSORT_ELEMENTS, GLSORT_PARTS

#include "merge/merge_key.glsl"
#include "merge/merge_window.glsl"

#if defined(GLSORT_COMPARISON)
// No key marks the end of a run, and keys have no complements.
bool glsort_sooner(glsort_Key a, uint element_a, glsort_Key b, uint element_b, bool down) {
    bool is_sooner = down ? glsort_key_precedes(b, a) : glsort_key_precedes(a, b);
    return element_a != GLSORT_NONE && (element_b == GLSORT_NONE || is_sooner);
}
#define glsort_towards(key, down) (key)
#else
#define glsort_sooner(a, element_a, b, element_b, down) glsort_key_precedes(a, b)
#define glsort_towards(key, down) ((key) ^ ((down) ? GLSORT_NONE : 0u))
#endif

// The sources of a side whose window is full and in order. `ends`: the ends of the runs' parts in the window.
void glsort_write_in_order(uint ends[GLSORT_RUNS], bool down) {
    for (uint part = 0u; part < GLSORT_SIDE / 16u; ++part) {
        uvec4 sources = uvec4(0u);
        uint begin = 0u;
        uint bound = down ? GLSORT_WINDOW - 16u * part : 16u * part;
        for (int i = 0; i < GLSORT_RUNS; ++i) {
            uint passed = clamp(bound, begin, ends[i]);
            sources[2 + i / 4] |= (down ? ends[i] - passed : passed - begin) << uint(i % 4 * 8);
            begin = ends[i];
        }
        for (uint step = 0u; step < 16u; ++step) {
            uint place = down ? bound - 1u - step : bound + step;
            uint run = 0u;
            for (int i = 0; i + 1 < GLSORT_RUNS; ++i) run += uint(ends[i] <= place);
            sources[step / 8u] |= run << (step % 8u * 4u);
        }
        glsort_sources_write(part, sources);
    }
}

void glsort_kernel(glsort_Index instance) {
    uint side = glsort_number_of(instance);
    bool down = (side & 1u) != 0u;
    uint bound[GLSORT_RUNS];
    glsort_side_at(side, bound);
    uint group = glsort_group_of((side >> 1u) * GLSORT_WINDOW);
    uint other[GLSORT_RUNS];
    glsort_side_at(side ^ 1u, other);
    uint ends[GLSORT_RUNS];
    uint size = 0u;
    uint largest = 0u;
    for (int i = 0; i < GLSORT_RUNS; ++i) {
        uint part = down ? bound[i] - other[i] : other[i] - bound[i];
        largest = max(largest, part);
        size += part;
        ends[i] = size;
    }
    // If the caller's comparison is no order, a part may end before its start. Its size is then a huge number.
    if (size == GLSORT_WINDOW && largest <= GLSORT_WINDOW) {
        uint from[GLSORT_RUNS] = bound;
        uint to[GLSORT_RUNS] = other;
        if (down) {
            from = other;
            to = bound;
        }
        if (glsort_is_in_order(from, to)) {
            glsort_write_in_order(ends, down);
            return;
        }
    }
#if !defined(GLSORT_LISTS)
    // In this direction, the last element of a full run has a number whose bits under the mask glsort_op_run - 1 are
    // `end`.
    uint end = down ? 0u : glsort_op_run - 1u;
    uint end_of_all = down ? GLSORT_NONE : glsort_op_count - 1u;
#endif

    // The key of the run's next element. All ones if the run is at its end, but a key may also be all ones.
    glsort_Key key[GLSORT_RUNS];
    uint next[GLSORT_RUNS];  // the run's next element
    for (int i = 0; i < GLSORT_RUNS; ++i) {
        int run = down ? GLSORT_RUNS - 1 - i : i;
        uint begin = glsort_run_begin(group, run);
        uint place = 0u;
        for (int j = 0; j < GLSORT_RUNS; ++j)
            if (j == run) place = bound[j];
        bool left = down ? place > begin : place < begin + glsort_run_length(group, run);
        next[i] = left ? place - uint(down) : GLSORT_NONE;
        key[i] = glsort_Key(GLSORT_NONE);
        if (left) key[i] = glsort_towards(glsort_key_at(next[i]), down);
    }

    // The steps that take an element. Only the last window (of each group, for lists) lacks elements. Downwards, the
    // missing elements come first.
    uint first = (side >> 1u) * GLSORT_WINDOW;
    uint present = min(glsort_elements_end(first) - first, GLSORT_WINDOW);
    uint first_step = down ? min(GLSORT_WINDOW - present, GLSORT_SIDE) : 0u;
    uint last_step = down ? GLSORT_SIDE : min(present, GLSORT_SIDE);
    uint onward = down ? GLSORT_NONE : 1u;  // Offset to a run's next element: -1 or 1.
    uvec2 taken = uvec2(0u);
    // The bounds of this loop must be unknown to the compiler, which would otherwise unroll hundreds of comparisons.
    // The only branches in the loop are short conditional assignments: a software rasteriser executes both sides of
    // every branch.
    uint first_part = first_step / 16u;
    uint last_part = (last_step + 15u) / 16u;
    for (uint part = first_part; part < last_part; ++part) {
        uvec4 sources = uvec4(GLSORT_NO_RUNS, GLSORT_NO_RUNS, taken);
        uint step = max(16u * part, first_step);
        for (; step < min(16u * part + 16u, last_step); ++step) {
            glsort_Key smallest = key[0];
            uint element = next[0];
            for (int i = 1; i < GLSORT_RUNS; ++i)
                if (glsort_sooner(key[i], next[i], smallest, element, down)) {
                    smallest = key[i];
                    element = next[i];
                }
            // A key may also be all ones, like the end of a run.
            if (element == GLSORT_NONE)
                for (int i = GLSORT_RUNS - 1; i >= 0; --i)
                    if (next[i] != GLSORT_NONE) element = next[i];
            uint run = glsort_run_of(element, group);
#if defined(GLSORT_LISTS)
            bool last =
                element == (down ? glsort_run_begin(group, int(run)) : glsort_run_end(group, int(run)) - 1u);
#else
            bool last = (element & (glsort_op_run - 1u)) == end || element == end_of_all;
#endif
            sources.xy = glsort_push_run(sources.xy, run);
            taken = glsort_take(taken, run);
            uint following = last ? element : element + onward;
            glsort_Key following_key = glsort_towards(glsort_key_at(following), down);
            if (last) {
                following = GLSORT_NONE;
                following_key = glsort_Key(GLSORT_NONE);
            }
            for (int i = 0; i < GLSORT_RUNS; ++i)
                if (next[i] == element) {
                    next[i] = following;
                    key[i] = following_key;
                }
        }
        for (; step < 16u * part + 16u; ++step) sources.xy = glsort_push_run(sources.xy, GLSORT_NO_RUN);
        glsort_sources_write(part, sources);
    }
    for (uint part = 0u; part < first_part; ++part)
        glsort_sources_write(part, uvec4(GLSORT_NO_RUNS, GLSORT_NO_RUNS, 0u, 0u));
    for (uint part = last_part; part < GLSORT_SIDE / 16u; ++part)
        glsort_sources_write(part, uvec4(GLSORT_NO_RUNS, GLSORT_NO_RUNS, taken));
}
