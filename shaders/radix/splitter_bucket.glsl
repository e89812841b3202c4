// Sorts each bucket: the last of two ops of a sort by splitters. The op before, splitter_divide.glsl, leaves the
// elements of a bucket as a piece of each tile. A group takes the pieces of a bucket, sorts their elements, and moves
// the elements to their places. Groups do not wait for each other.
//
// A bucket between equal splitters has equal elements. Equal elements are in order already, and only move.
//
// expects ports: marks, spare, splitters, target
// expects parameters: count
// expects macros: GLSORT_LANE, GLSORT_TILE
// allows macros: GLSORT_FOLLOWS_COUNT, GLSORT_ONE_WORD

#include "lib/layout.glsl"
#include "radix/code_difference.glsl"
#include "radix/splitter_marks.glsl"
#include "radix/splitter_outgrown.glsl"
#include "radix/splitter_pieces.glsl"
#if defined(GLSORT_ONE_WORD)
#include "radix/cell_words.glsl"
#else
#include "radix/cell_numbers.glsl"
#endif

uint glsort_begin = 0u;           // The place of the bucket's first element in the result.
uint glsort_part = 0u;            // The number of the first element that the group sorts now.
bool glsort_is_outgrown = false;  // Whether the group sorts one part after the other.

void glsort_take(uint number, glsort_Element record) { glsort_slot_store(number - glsort_part, record); }

void glsort_move(uint number, glsort_Element record) { glsort_target_scatter(glsort_begin + number, record); }

void glsort_store_sorted(uint rank, glsort_Element record) {
    uint goal = glsort_begin + glsort_part + rank;
    if (glsort_is_outgrown) glsort_spare_scatter(goal, record);
    else glsort_target_scatter(goal, record);
}

void glsort_kernel(glsort_Index instance) {
    // A count on the GPU may be zero.
    if (glsort_op_count == 0u) return;
    uint bucket = glsort_number_of(instance);
#if defined(GLSORT_FOLLOWS_COUNT)
    if (bucket >= glsort_buckets()) return;
#endif
    bool is_first = bucket == 0u;
    bool is_last = bucket + 1u == glsort_buckets();
    glsort_begin_cells();
    uint tiles = glsort_tiles();
    glsort_Key lowest = is_first ? glsort_lowest_code() : glsort_splitters_gather(bucket - 1u);
    glsort_Key highest = is_last ? glsort_highest_code() : glsort_splitters_gather(bucket);
    uvec2 found = glsort_find_pieces(bucket, tiles);
    glsort_begin = found.x;
    uint size = found.y;
    // All groups have received the splitter, so the marks are no longer needed. The next sort must begin without marks.
    if (!is_last && GLSORT_LANE < GLSORT_MARKS) glsort_marks_scatter(bucket * GLSORT_MARKS + GLSORT_LANE, 0u);
    if (lowest == highest) {
        glsort_move_pieces(size, tiles);
    } else {
        glsort_is_outgrown = size > GLSORT_TILE;
        // Goes round once, unless the bucket has outgrown its group.
        for (; glsort_part < size; glsort_part += GLSORT_TILE) {
            uint part = min(size - glsort_part, GLSORT_TILE);
            if (glsort_part > 0u) {
                barrier();
                glsort_begin_cells();
            }
            if (size <= GLSORT_TILE && glsort_has_short_pieces()) glsort_take_short_pieces();
            else glsort_take_pieces(glsort_part, glsort_part + part, tiles);
            barrier();
            // Splitters are close bounds of the codes between them. The first and the last bucket lack such a bound, so
            // each part finds bounds of its own.
            glsort_Key low = lowest;
            glsort_Key high = highest;
            if (is_first || is_last) glsort_find_range(part, low, high);
            glsort_sort_by_cells(part, low, high);
        }
        if (glsort_is_outgrown) glsort_merge_outgrown(glsort_begin, size);
    }
}
