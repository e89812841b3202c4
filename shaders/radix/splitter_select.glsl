// Chooses two samples by their ranks among all samples. Samples are in the order of their elements: by their bits, and
// equal samples by their numbers. Selection goes digit by digit from the highest, and then by the digits of the
// numbers. Each round counts the samples that are left, and keeps the samples of one digit. The selection of both
// samples ends when one sample is left for each.
//
// The highest digit begins at the highest bit of the difference between the smallest and the largest sample. Otherwise
// most samples would share a few digit values, and many atomic additions to one word take long.
//
// The samples stay in the memory that later sorts the bucket. A word of padding follows the samples of each tile, so
// that searches in neighbouring tiles read different banks.
//
// expects ports: samples
// expects macros: GLSORT_BUCKETS, GLSORT_DIGITS, GLSORT_DIGIT_BITS, GLSORT_GROUP_SIZE, GLSORT_KEY_WORDS, GLSORT_LANE
// expects macros: GLSORT_SAMPLES

#include "lib/element.glsl"
#include "lib/group_scan.glsl"

const uint GLSORT_ALL_SAMPLES = GLSORT_BUCKETS * GLSORT_SAMPLES;
const uint GLSORT_SAMPLES_EACH = (GLSORT_ALL_SAMPLES - 1u) / GLSORT_GROUP_SIZE + 1u;
const uint GLSORT_SAMPLE_WORDS = GLSORT_BUCKETS * (GLSORT_SAMPLES + 1u);
const uint GLSORT_FIRST_COUNT = GLSORT_SAMPLE_WORDS * uint(GLSORT_KEY_WORDS);
const uint GLSORT_NUMBER_BITS = 16u;

// For each of the two samples: the digit of the samples that are left, the rank among these samples, and their number.
shared uvec2 glsort_left_digit;
shared uvec2 glsort_left_rank;
shared uvec2 glsort_left_count;

uint glsort_sample_slot(uint number) { return number + number / GLSORT_SAMPLES; }

glsort_Key glsort_sample(uint number) {
    uint slot = glsort_sample_slot(number);
#if GLSORT_KEY_WORDS == 1
    return glsort_memory[slot];
#else
    return uvec2(glsort_memory[slot], glsort_memory[GLSORT_SAMPLE_WORDS + slot]);
#endif
}

void glsort_keep_sample(uint number, glsort_Key code) {
    uint slot = glsort_sample_slot(number);
#if GLSORT_KEY_WORDS == 1
    glsort_memory[slot] = code;
#else
    glsort_memory[slot] = code.x;
    glsort_memory[GLSORT_SAMPLE_WORDS + slot] = code.y;
#endif
}

shared uint glsort_smallest;  // The highest words of the smallest and the largest sample.
shared uint glsort_largest;

// The bits of samples above the smallest one. Of two words, only the high one counts from there.
#if GLSORT_KEY_WORDS == 1
#define GLSORT_HIGH_WORD(code) (code)
glsort_Key glsort_above(glsort_Key code, uint smallest) { return code - smallest; }
#else
#define GLSORT_HIGH_WORD(code) (code).x
glsort_Key glsort_above(glsort_Key code, uint smallest) { return uvec2(code.x - smallest, code.y); }
#endif

const uint GLSORT_ROUNDS_OF_WORD = 31u / GLSORT_DIGIT_BITS + 1u;
const uint GLSORT_ROUNDS_OF_NUMBER = (GLSORT_NUMBER_BITS - 1u) / GLSORT_DIGIT_BITS + 1u;

// The bits that a round selects by. `word`: 0 or 1 for a word of the code, 2 for the number of a sample.
struct glsort_Selected {
    uint word;
    uint shift;
    uint mask;
};

// The digit of a round, from the highest. `range`: the bits by which high words differ.
glsort_Selected glsort_selected_in(uint round, uint range) {
    uint word = 0u;
    uint left = range - min(round * GLSORT_DIGIT_BITS, range);
    if (left == 0u) {
        round -= (range + GLSORT_DIGIT_BITS - 1u) / GLSORT_DIGIT_BITS;
#if GLSORT_KEY_WORDS == 2
        word = 1u;
        left = 32u - min(round * GLSORT_DIGIT_BITS, 32u);
        round -= GLSORT_ROUNDS_OF_WORD;
#endif
        if (left == 0u) {
            word = 2u;
            left = (GLSORT_ROUNDS_OF_NUMBER - round) * GLSORT_DIGIT_BITS;
        }
    }
    uint bits = min(left, GLSORT_DIGIT_BITS);
    return glsort_Selected(word, left - bits, (1u << bits) - 1u);
}

uint glsort_digit_in(glsort_Selected selected, glsort_Key above, uint number) {
#if GLSORT_KEY_WORDS == 1
    uint word = selected.word == 0u ? above : number;
#else
    uint word = selected.word == 0u ? above.x : selected.word == 1u ? above.y : number;
#endif
    return word >> selected.shift & selected.mask;
}

// Returns the numbers of the samples with these ranks. `number`: the number of all samples, above both ranks.
uvec2 glsort_select(uvec2 ranks, uint number) {
    glsort_Key mine[GLSORT_SAMPLES_EACH];
    for (uint k = 0u; k < GLSORT_SAMPLES_EACH; ++k)
        mine[k] = glsort_samples_gather(min(k * GLSORT_GROUP_SIZE + GLSORT_LANE, number - 1u));
    uvec2 left = uvec2(0u);  // A bit for each sample of this invocation.
    for (uint k = 0u; k < GLSORT_SAMPLES_EACH; ++k) {
        uint sample_number = k * GLSORT_GROUP_SIZE + GLSORT_LANE;
        if (sample_number >= number) break;
        glsort_keep_sample(sample_number, mine[k]);
        left |= uvec2(1u << k);
    }
    if (GLSORT_LANE == 0u) {
        glsort_smallest = GLSORT_NONE;
        glsort_largest = 0u;
    }
    barrier();
    // The samples of a tile are sorted.
    if (GLSORT_LANE * GLSORT_SAMPLES < number) {
        uint last = min((GLSORT_LANE + 1u) * GLSORT_SAMPLES, number) - 1u;
        atomicMin(glsort_smallest, GLSORT_HIGH_WORD(glsort_sample(GLSORT_LANE * GLSORT_SAMPLES)));
        atomicMax(glsort_largest, GLSORT_HIGH_WORD(glsort_sample(last)));
    }
    barrier();
    uint smallest = glsort_smallest;
    uint range = uint(findMSB(glsort_largest - smallest) + 1);
    for (uint k = 0u; k < GLSORT_SAMPLES_EACH; ++k) mine[k] = glsort_above(mine[k], smallest);
    for (uint round = 0u;; ++round) {
        if (GLSORT_LANE < GLSORT_DIGITS) glsort_memory[GLSORT_FIRST_COUNT + GLSORT_LANE] = 0u;
        barrier();
        glsort_Selected selected = glsort_selected_in(round, range);
        // Counts for both selections share a word.
        for (uint k = 0u; k < GLSORT_SAMPLES_EACH; ++k) {
            if (left == uvec2(0u)) break;
            uvec2 counted = left >> k & 1u;
            uint digit = glsort_digit_in(selected, mine[k], k * GLSORT_GROUP_SIZE + GLSORT_LANE);
            if (counted != uvec2(0u))
                atomicAdd(glsort_memory[GLSORT_FIRST_COUNT + digit], counted.x | counted.y << 16u);
        }
        barrier();
        uint counts = GLSORT_LANE < GLSORT_DIGITS ? glsort_memory[GLSORT_FIRST_COUNT + GLSORT_LANE] : 0u;
        uint total;
        uint smaller = glsort_group_scan(counts, GLSORT_DIGITS, total);
        uvec2 count = uvec2(counts & 0xffffu, counts >> 16u);
        uvec2 before = uvec2(smaller & 0xffffu, smaller >> 16u);
        if (ranks.x - before.x < count.x) {
            glsort_left_digit.x = GLSORT_LANE;
            glsort_left_rank.x = ranks.x - before.x;
            glsort_left_count.x = count.x;
        }
        if (ranks.y - before.y < count.y) {
            glsort_left_digit.y = GLSORT_LANE;
            glsort_left_rank.y = ranks.y - before.y;
            glsort_left_count.y = count.y;
        }
        barrier();
        for (uint k = 0u; k < GLSORT_SAMPLES_EACH; ++k) {
            if (left == uvec2(0u)) break;
            uint digit = glsort_digit_in(selected, mine[k], k * GLSORT_GROUP_SIZE + GLSORT_LANE);
            if (digit != glsort_left_digit.x) left.x &= ~(1u << k);
            if (digit != glsort_left_digit.y) left.y &= ~(1u << k);
        }
        ranks = glsort_left_rank;
        if (glsort_left_count == uvec2(1u)) break;
    }
    // All have read the digits. The words now take the numbers of the two samples.
    barrier();
    for (uint k = 0u; k < GLSORT_SAMPLES_EACH; ++k) {
        if ((left.x >> k & 1u) != 0u) glsort_left_digit.x = k * GLSORT_GROUP_SIZE + GLSORT_LANE;
        if ((left.y >> k & 1u) != 0u) glsort_left_digit.y = k * GLSORT_GROUP_SIZE + GLSORT_LANE;
    }
    barrier();
    return glsort_left_digit;
}
