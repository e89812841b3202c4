// Sorts few elements by counting, for each, how many go before it (Muller and Preparata 1975): more comparisons than
// any other sort here, but all at once, by all multiprocessors.
//
// A group ranks TARGETS elements: an invocation compares one of them with a part of all codes, which its neighbours
// read from shared memory at the same time. The first word of `ranked` counts the groups that are done; the last one,
// whichever that is, moves the elements to the target, which may be where they were read from. No group waits.

#pragma optionNV(unroll all)

const uint TARGETS = 32u;
const uint PARTS = GROUP_SIZE / TARGETS;
const uint QUADS = TARGETS / 4u;
const uint AT_ONCE = 4u;
const uint ELEMENTS = (MOST + GROUP_SIZE - 1u) / GROUP_SIZE;
const uint DONE = 0u;
const uint RECORDS = 1u;

shared uvec4 codes[MOST / 4u];  // four elements' codes, or their high words
#if KEY_WORDS == 2
shared uvec4 low_codes[MOST / 4u];
#endif
shared uint ranks[TARGETS];
shared uint groups_done;

// What of a code is compared, in order.
#if KEY_WORDS == 1
#define Code uint
Code code_of(Record record) { return key_of(record) & op_mask; }
uint precedes_code(uint a, uint b) { return uint(a < b); }
#define CODE(quad, i) codes[quad][i]
#else
#define Code uvec2
Code code_of(Record record) { return key_of(record) & uvec2(op_high_mask, op_mask); }
uint precedes_code(uvec2 a, uvec2 b) { return uint(a.x < b.x || (a.x == b.x && a.y < b.y)); }
#define CODE(quad, i) uvec2(codes[quad][i], low_codes[quad][i])
#endif

// Of four elements, how many go before the code; and how many behind it.
uint before(uint quad, Code code) {
    return precedes_code(CODE(quad, 0), code) + precedes_code(CODE(quad, 1), code) +
           precedes_code(CODE(quad, 2), code) + precedes_code(CODE(quad, 3), code);
}
uint behind(uint quad, Code code) {
    return precedes_code(code, CODE(quad, 0)) + precedes_code(code, CODE(quad, 1)) +
           precedes_code(code, CODE(quad, 2)) + precedes_code(code, CODE(quad, 3));
}

// How many of four elements have the same code, and a number below `element`.
uint equal_before(uint quad, Code code, uint element) {
    uint count = 0u;
    for (uint i = 0u; i < 4u; ++i) count += uint(CODE(quad, i) == code && quad * 4u + i < element);
    return count;
}

// What lies past the end goes before nothing.
Code loaded_code(uint element) {
    return element < op_count ? code_of(source_gather(element)) : Code(0xffffffffu);
}

void store_codes(uint quad) {
    uvec4 words;
#if KEY_WORDS == 2
    uvec4 low_words;
#endif
    for (int i = 0; i < 4; ++i) {
        Code code = loaded_code(quad * 4u + uint(i));
#if KEY_WORDS == 1
        words[i] = code;
#else
        words[i] = code.x;
        low_words[i] = code.y;
#endif
    }
    codes[quad] = words;
#if KEY_WORDS == 2
    low_codes[quad] = low_words;
#endif
}

void store_ranked(uint place, Record record) {
#if RECORD_WORDS == 1
    ranked_scatter(RECORDS + place, record);
#else
    for (int word = 0; word < RECORD_WORDS; ++word) ranked_scatter(RECORDS + uint(word) * MOST + place, record[word]);
#endif
}

Record load_ranked(uint place) {
#if RECORD_WORDS == 1
    return ranked_load(RECORDS + place);
#else
    Record record = MISSING;
    for (int word = 0; word < RECORD_WORDS; ++word) record[word] = ranked_load(RECORDS + uint(word) * MOST + place);
    return record;
#endif
}

void kernel(Index instance) {
    uint quads = (op_count + 3u) / 4u;
    uint first = number_of(instance) * TARGETS;
    uint element = first + LANE % TARGETS;
    for (uint quad = LANE; quad < quads; quad += GROUP_SIZE) store_codes(quad);
    Record mine = element < op_count ? source_gather(element) : MISSING;
    Code code = code_of(mine);
    if (LANE < TARGETS) ranks[LANE] = 0u;
    barrier();

    // Equal codes keep their order: those before the group's elements count as well, those behind do not.
    uint part = (quads + PARTS - 1u) / PARTS;
    uint quad = LANE / TARGETS * part;
    uint end = min(quad + part, quads);
    uint own = min(max(first / 4u, quad), end);
    uint count = own > quad ? (own - quad) * 4u : 0u;
    for (; quad + AT_ONCE <= own; quad += AT_ONCE)
        for (uint i = 0u; i < AT_ONCE; ++i) count -= behind(quad + i, code);
    for (; quad < own; ++quad) count -= behind(quad, code);
    for (; quad + AT_ONCE <= end; quad += AT_ONCE)
        for (uint i = 0u; i < AT_ONCE; ++i) count += before(quad + i, code);
    for (; quad < end; ++quad) count += before(quad, code);
    for (quad = LANE / TARGETS; quad < QUADS && first / 4u + quad < quads; quad += PARTS)
        count += equal_before(first / 4u + quad, code, element);
    atomicAdd(ranks[LANE % TARGETS], count);
    barrier();

    if (LANE < TARGETS && element < op_count) store_ranked(ranks[LANE], mine);
    memoryBarrierBuffer();
    barrier();
    if (LANE == 0u) groups_done = ranked_add(DONE, 1u);
    barrier();
    if (groups_done + 1u < (op_count + TARGETS - 1u) / TARGETS) return;
    memoryBarrierBuffer();
    Record sorted[ELEMENTS];
    for (uint k = 0u; k < ELEMENTS; ++k) {
        uint place = k * GROUP_SIZE + LANE;
        if (place < op_count) sorted[k] = load_ranked(place);
    }
    for (uint k = 0u; k < ELEMENTS; ++k) {
        uint place = k * GROUP_SIZE + LANE;
        if (place < op_count) target_scatter(place, sorted[k]);
    }
    if (LANE == 0u) ranked_scatter(DONE, 0u);
}
