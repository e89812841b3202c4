// Chooses the splitters of a sort by splitters. A group ranks parts of GLSORT_TARGETS samples among all samples.
// Splitter j - 1 is the sample of rank j * glsort_samples() / glsort_buckets().
//
// The elements are divided into stretches of almost equal length. Each stretch gives GLSORT_CLUSTER neighbours, which
// cost one access to memory. The neighbours begin at a random place of the stretch. Otherwise regular input could have
// bad samples. If there are few elements, all of them are samples.
//
// expects ports: source
// expects parameters: count
// expects macros: GLSORT_CLUSTER, GLSORT_LANE, GLSORT_TARGETS
// allows macros: GLSORT_FOLLOWS_COUNT

#include "radix/compared_bits.glsl"
#include "radix/splitter_tiles.glsl"
#include "radix/target_ranks.glsl"

uint glsort_samples() { return min(glsort_op_count, glsort_max_samples()); }

// The number of parts of all samples.
uint glsort_parts() { return (glsort_samples() + GLSORT_TARGETS - 1u) / GLSORT_TARGETS; }

// The place of a sample among the elements.
uint glsort_place_of_sample(uint number) {
    uint stretches = glsort_max_samples() / GLSORT_CLUSTER;
    uint length = glsort_op_count / stretches;
    uint longer = glsort_op_count % stretches;  // How many stretches, from the first on, have an element more.
    uint cluster = number / GLSORT_CLUSTER;
    uint begin = cluster * length + min(cluster, longer);
    uint random = cluster * 0x9e3779b9u >> 16u;
    return begin + (random * (length - GLSORT_CLUSTER) >> 16u) + number % GLSORT_CLUSTER;
}

// The code of a sample. Behind the last sample: the largest code. If the CPU knows the count, there are more elements
// than samples, and no group asks for a code behind the last sample.
glsort_Key glsort_code_at(uint number) {
#if defined(GLSORT_FOLLOWS_COUNT)
    bool is_all = glsort_op_count <= glsort_max_samples();
    uint sample_number = min(number, glsort_samples() - 1u);
    uint place = is_all ? sample_number : glsort_place_of_sample(sample_number);
    glsort_Key code = glsort_compared(glsort_source_gather(place));
    return number < glsort_samples() ? code : glsort_Key(GLSORT_NONE);
#else
    return glsort_compared(glsort_source_gather(glsort_place_of_sample(number)));
#endif
}

// What the kernel does with a chosen splitter.
void glsort_choose(uint splitter, glsort_Key code);

// Ranks a part of the samples, and chooses the splitters in this part.
void glsort_choose_in_part(uint part) {
    uint samples = glsort_samples();
    uint buckets = glsort_buckets();
    uint first = part * GLSORT_TARGETS;
    uint number = first + GLSORT_LANE % GLSORT_TARGETS;
    glsort_Key code = glsort_code_at(number);
    uint rank = glsort_rank_targets(first, code, samples);
    if (GLSORT_LANE < GLSORT_TARGETS && number < samples) {
        // With fewer samples than buckets, one sample becomes several splitters.
        uint splitter = max((rank * buckets + samples - 1u) / samples, 1u);
        for (; splitter < buckets && splitter * samples / buckets == rank; ++splitter)
            glsort_choose(splitter - 1u, code);
    }
}
