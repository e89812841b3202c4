// Sorts by finding, for each element, how many go before it (enumeration sort, Muller and Preparata 1975): more
// comparisons than any other sort here, but all at once, by all multiprocessors.
//
// A group has TARGETS neighbouring elements. It sorts their codes into a search tree; then every other element of the
// input goes down the tree, and is counted at the first target that it goes before. The sums of these counts, target
// by target, are where the group's elements go.
//
// IN_PLACE: the target may be where elements are read from. So they go to `ranked` first. Its first word counts the
// groups that are done; the last one, whichever that is, moves all elements to the target. No group waits.

#pragma optionNV(unroll all)

const uint PARTS = GROUP_SIZE / TARGETS;
const uint AT_ONCE = 4u;  // on their way

// The tree, level by level from node 1: the nodes below node i are 2 i and 2 i + 1. Node 0 is the last target of all.
shared uint codes[TARGETS * uint(KEY_WORDS)];
shared uint tree[TARGETS * uint(KEY_WORDS)];
shared uint places[TARGETS];  // of targets, among themselves
shared uint counts[TARGETS];

// What of a code is compared, in order.
#if KEY_WORDS == 1
#define CODE(array, i) array[i]
#define STORE_CODE(array, i, code) array[i] = code;
Key code_of(Record record) { return key_of(record) & op_mask; }
#else
#define CODE(array, i) uvec2(array[i], array[TARGETS + (i)])
#define STORE_CODE(array, i, code) \
    array[i] = (code).x;           \
    array[TARGETS + (i)] = (code).y;
Key code_of(Record record) { return key_of(record) & uvec2(op_high_mask, op_mask); }
#endif

// The node of the target with that place: of 1, 3, 5, ... TARGETS - 1 those of the lowest level, and so on.
uint node_of(uint place) {
    uint height = uint(findLSB(place + 1u));
    return place == TARGETS - 1u ? 0u : (TARGETS >> (height + 1u)) + (place + 1u >> (height + 1u));
}

// Counts an element that lies behind the targets, or before them: of equal codes the first goes first.
void count_element(Key code, bool behind, Key last) {
    uint node = 1u;
    for (uint half_targets = TARGETS; half_targets > 1u; half_targets /= 2u) {
        Key target = CODE(tree, node);
        bool after = behind ? !key_precedes(code, target) : key_precedes(target, code);
        node = 2u * node + uint(after);
    }
    bool after_all = behind ? !key_precedes(code, last) : key_precedes(last, code);
    if (!after_all) atomicAdd(counts[node - TARGETS], 1u);
}

void count_elements(uint begin, uint end, bool behind) {
    Key last = CODE(tree, 0u);
    uint i = begin + LANE;
    for (; i + (AT_ONCE - 1u) * GROUP_SIZE < end; i += AT_ONCE * GROUP_SIZE) {
        Key some[AT_ONCE];
        for (uint k = 0u; k < AT_ONCE; ++k) some[k] = code_of(source_gather(i + k * GROUP_SIZE));
        for (uint k = 0u; k < AT_ONCE; ++k) count_element(some[k], behind, last);
    }
    for (; i < end; i += GROUP_SIZE) count_element(code_of(source_gather(i)), behind, last);
}

// Where the elements go that have those places among the targets.
void find_goals() {
    uint count = LANE < TARGETS ? counts[LANE] : 0u;
    uint total;
    uint goal = group_scan(count, TARGETS, total) + count + LANE;
    if (LANE < TARGETS) counts[LANE] = goal;
    barrier();
}

#if defined(IN_PLACE)
shared uint groups_done;

const uint DONE = 0u;
const uint RECORDS = 1u;
const uint ELEMENTS = (MOST + GROUP_SIZE - 1u) / GROUP_SIZE;

uint ranked_word(uint place, uint word) { return RECORDS + word * MOST + place; }

void store_ranked(uint place, Record record) {
#if RECORD_WORDS == 1
    ranked_scatter(ranked_word(place, 0u), record);
#else
    for (uint word = 0u; word < uint(RECORD_WORDS); ++word) ranked_scatter(ranked_word(place, word), record[word]);
#endif
}

Record load_ranked(uint place) {
#if RECORD_WORDS == 1
    return ranked_load(ranked_word(place, 0u));
#else
    Record record = MISSING;
    for (uint word = 0u; word < uint(RECORD_WORDS); ++word) record[word] = ranked_load(ranked_word(place, word));
    return record;
#endif
}

void store_element(uint goal, Record record) { store_ranked(goal, record); }

void move_all() {
    memoryBarrierBuffer();
    barrier();
    if (LANE == 0u) groups_done = ranked_add(DONE, 1u);
    barrier();
    if (groups_done + 1u < (op_count + TARGETS - 1u) / TARGETS) return;
    memoryBarrierBuffer();
    Record sorted[ELEMENTS];
    for (uint k = 0u; k < ELEMENTS; ++k)
        if (k * GROUP_SIZE + LANE < op_count) sorted[k] = load_ranked(k * GROUP_SIZE + LANE);
    for (uint k = 0u; k < ELEMENTS; ++k)
        if (k * GROUP_SIZE + LANE < op_count) target_scatter(k * GROUP_SIZE + LANE, sorted[k]);
    if (LANE == 0u) ranked_scatter(DONE, 0u);
}
#else
void store_element(uint goal, Record record) { target_scatter(goal, record); }
void move_all() {}
#endif

void kernel(Index instance) {
    uint first = number_of(instance) * TARGETS;
    uint element = first + LANE % TARGETS;
    Record mine = element < op_count ? source_gather(element) : MISSING;
    Key code = element < op_count ? code_of(mine) : Key(0xffffffffu);
    if (LANE < TARGETS) {
        STORE_CODE(codes, LANE, code)
        places[LANE] = 0u;
        counts[LANE] = 0u;
    }
    barrier();
    uint before = 0u;
    for (uint i = LANE / TARGETS; i < TARGETS; i += PARTS) {
        Key other = CODE(codes, i);
        before += uint(key_precedes(other, code) || (other == code && i < LANE % TARGETS));
    }
    atomicAdd(places[LANE % TARGETS], before);
    barrier();
    if (LANE < TARGETS) {
        uint node = node_of(places[LANE]);
        STORE_CODE(tree, node, code)
    }
    barrier();
    count_elements(0u, first, false);
    count_elements(first + TARGETS, op_count, true);
    barrier();
    find_goals();
    if (LANE < TARGETS && element < op_count) store_element(counts[places[LANE]], mine);
    move_all();
}
