// Chooses the splitters of a sort by splitters: the first of three ops. A group ranks GLSORT_TARGETS of all samples.
// Splitter j - 1 is the sample whose rank is j / glsort_buckets() of the number of samples.
//
// The elements are divided into parts of almost equal length. Each part gives GLSORT_CLUSTER neighbours, which cost one
// access to memory. The neighbours begin at a random place of the part. Otherwise regular input could have bad samples.
// Of few elements, all are samples.
//
// expects ports: source, splitters
// expects parameters: count
// expects macros: GLSORT_CLUSTER, GLSORT_LANE, GLSORT_TARGETS
// allows macros: GLSORT_FOLLOWS_COUNT

#include "lib/layout.glsl"
#include "radix/compared_bits.glsl"
#include "radix/splitter_tiles.glsl"
#include "radix/target_ranks.glsl"

bool glsort_is_all = false;  // Whether all elements are samples.
uint glsort_length = 0u;     // Elements of a part.
uint glsort_longer = 0u;     // The number of parts, the first ones, that have an element more.

// The place of a sample among the elements.
uint glsort_place_of_sample(uint number) {
    if (glsort_is_all) return number;
    uint cluster = number / GLSORT_CLUSTER;
    uint begin = cluster * glsort_length + min(cluster, glsort_longer);
    uint random = cluster * 0x9e3779b9u >> 16u;
    return begin + (random * (glsort_length - GLSORT_CLUSTER) >> 16u) + number % GLSORT_CLUSTER;
}

glsort_Key glsort_code_at(uint number) {
    return glsort_compared(glsort_source_gather(glsort_place_of_sample(number)));
}

void glsort_kernel(glsort_Index instance) {
    uint samples = min(glsort_op_count, glsort_max_samples());
    uint buckets = glsort_buckets();
    uint parts = glsort_max_samples() / GLSORT_CLUSTER;
    glsort_is_all = samples == glsort_op_count;
    glsort_length = glsort_op_count / parts;
    glsort_longer = glsort_op_count % parts;
    uint first = glsort_number_of(instance) * GLSORT_TARGETS;
#if defined(GLSORT_FOLLOWS_COUNT)
    if (first >= samples) return;
#endif
    uint number = first + GLSORT_LANE % GLSORT_TARGETS;
    glsort_Key code = number < samples ? glsort_code_at(number) : glsort_Key(0xffffffffu);
    uint rank = glsort_rank_targets(first, code, samples);
    if (GLSORT_LANE >= GLSORT_TARGETS || number >= samples) return;
    // With fewer samples than buckets, one sample becomes several splitters.
    uint splitter = max((rank * buckets + samples - 1u) / samples, 1u);
    for (; splitter < buckets && splitter * samples / buckets == rank; ++splitter)
        glsort_splitters_scatter(splitter - 1u, code);
}
