// glsort_op_steps consecutive steps of a bitonic sorting network, at most GLSORT_TILE_BITS. The steps may cross from
// one stage to the next. The steps compare on different bits of the element numbers. A group takes GLSORT_TILE
// elements, whose numbers differ only in GLSORT_TILE_BITS bits. These include all bits on which the steps compare. See
// Baraglia et al. 2009, section 5: the mapping l_c, and l_c,c' for two stages.
//
// Steps of two stages: the first stage ends on the lowest glsort_op_low bits. The next stage begins on the bits from
// glsort_op_high up:
//     element  -hhh --ll   -: bits of the group's number    h, l: bits of the element's place in the tile, hhhll
// Within one stage there are only h bits, or only l bits if the steps end the stage.
//
// expects ports: source, target
// expects parameters: block, count, high, low, steps
// expects macros: GLSORT_ELEMENTS, GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_TILE_BITS

#include "lib/layout.glsl"
#include "networks/bitonic_window.glsl"

// Elements past the end of the input act as +infinity.

uint glsort_group_bits = 0u;  // The bits that the element numbers of the group share.

// Places that differ only in the lowest glsort_op_low bits are neighbours in memory.
uint glsort_element_of(uint place) {
    uint low = place & ((1u << glsort_op_low) - 1u);
    return glsort_group_bits | low | (place >> glsort_op_low << glsort_op_high);
}

// Performs the steps on bits end - 1 down to `lowest`, of the stage with blocks of `block` elements.
void glsort_make_stage(uint end, uint lowest, uint block) {
    uint window = 0u;
    for (; end > lowest; end = window) {
        window = glsort_window_below(end);
        glsort_make_steps(window, end, lowest, glsort_descends(glsort_element_of(glsort_first_place(window)), block));
    }
}

void glsort_kernel(glsort_Index instance) {
    uint group = glsort_number_of(instance);
    uint between = group & ((1u << (glsort_op_high - glsort_op_low)) - 1u);
    glsort_group_bits = ((group ^ between) << GLSORT_TILE_BITS) | (between << glsort_op_low);
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
        uint place = k * GLSORT_GROUP_SIZE + GLSORT_LANE;
        uint element = glsort_element_of(place);
        glsort_tile_store(place, element < glsort_op_count ? glsort_source_gather(element) : GLSORT_MISSING);
    }
    barrier();
    glsort_make_stage(min(glsort_op_low, glsort_op_steps), 0u, glsort_op_block);
    glsort_make_stage(GLSORT_TILE_BITS, glsort_op_low, glsort_op_low == 0u ? glsort_op_block : glsort_op_block << 1u);
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
        uint place = k * GLSORT_GROUP_SIZE + GLSORT_LANE;
        uint element = glsort_element_of(place);
        if (element < glsort_op_count) glsort_target_scatter(element, glsort_tile_load(place));
    }
}
