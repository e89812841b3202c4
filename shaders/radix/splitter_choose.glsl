// Chooses the splitters of a sort by splitters: the first of three ops. A group ranks GLSORT_TARGETS of all samples.
// Splitter j - 1 is the sample whose rank is j / GLSORT_BUCKETS of the number of samples.
//
// The elements are divided into GLSORT_CLUSTERS parts. Each part gives GLSORT_CLUSTER neighbours, which cost one access
// to memory. The neighbours begin at a random place of the part. Otherwise regular input could have bad samples. Of few
// elements, all are samples.
//
// expects ports: source, splitters
// expects parameters: count
// expects macros: GLSORT_BUCKETS, GLSORT_CLUSTER, GLSORT_CLUSTERS, GLSORT_LANE, GLSORT_TARGETS

#include "lib/layout.glsl"
#include "radix/compared_bits.glsl"
#include "radix/target_ranks.glsl"

const uint GLSORT_ALL_SAMPLES = GLSORT_CLUSTER * GLSORT_CLUSTERS;

// The place of a sample among the elements.
uint glsort_place_of_sample(uint number) {
    if (glsort_op_count <= GLSORT_ALL_SAMPLES) return number;
    uint cluster = number / GLSORT_CLUSTER;
    uint length = glsort_op_count / GLSORT_CLUSTERS;
    uint longer = glsort_op_count % GLSORT_CLUSTERS;  // The first parts have an element more.
    uint begin = cluster * length + min(cluster, longer);
    uint random = cluster * 0x9e3779b9u >> 16u;
    return begin + (random * (length - GLSORT_CLUSTER) >> 16u) + number % GLSORT_CLUSTER;
}

glsort_Key glsort_code_at(uint number) {
    return glsort_compared(glsort_source_gather(glsort_place_of_sample(number)));
}

void glsort_kernel(glsort_Index instance) {
    uint samples = min(glsort_op_count, GLSORT_ALL_SAMPLES);
    uint first = glsort_number_of(instance) * GLSORT_TARGETS;
    uint number = first + GLSORT_LANE % GLSORT_TARGETS;
    glsort_Key code = number < samples ? glsort_code_at(number) : glsort_Key(0xffffffffu);
    uint rank = glsort_rank_targets(first, code, samples);
    if (GLSORT_LANE >= GLSORT_TARGETS || number >= samples) return;
    // With fewer samples than buckets, one sample becomes several splitters.
    uint splitter = max((rank * GLSORT_BUCKETS + samples - 1u) / samples, 1u);
    for (; splitter < GLSORT_BUCKETS && splitter * samples / GLSORT_BUCKETS == rank; ++splitter)
        glsort_splitters_scatter(splitter - 1u, code);
}
