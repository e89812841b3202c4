// A step of a bitonic network over each bucket. The places of partners in the bucket differ by glsort_op_mask, and the
// smaller element goes to the smaller place. In the first step of a stage the mask has all bits of a block. This mask
// mirrors the upper half of the block, so that all blocks ascend. Elements past the end of a bucket count as greater
// than all others.
//
// expects ports: source, starts, target
// expects parameters: buckets, mask

#include "lib/element.glsl"
#include "lib/layout.glsl"

// The bucket that contains the element: the last of glsort_op_buckets that does not begin after the element.
uint glsort_bucket_of(uint element) {
    uint low = 0u;
    uint high = glsort_op_buckets;
    while (high - low > 1u) {
        uint middle = (low + high) / 2u;
        if (glsort_starts_gather(middle) <= element) low = middle;
        else high = middle;
    }
    return low;
}

void glsort_kernel(glsort_Index instance) {
    uint element = glsort_number_of(instance);
    uint bucket = glsort_bucket_of(element);
    uint begin = glsort_starts_gather(bucket);
    uint partner = begin + ((element - begin) ^ glsort_op_mask);
    glsort_Element mine = glsort_source_gather(element);
    if (partner < glsort_starts_gather(bucket + 1u)) {
        glsort_Element other = glsort_source_gather(partner);
        if (glsort_precedes(other, mine) == (element < partner)) mine = other;
    }
    glsort_target_write(mine);
}
