// Merges one side of a window, by keys alone, and says where its elements come from: a byte an element,
// the element's slot in the window (merge_window.glsl). Even instances merge the lower SIDE elements
// upwards from the window's begin, odd ones the upper SIDE downwards from its end: so one split serves
// two instances. Equal keys: those of an earlier run come first.
//
// Downwards, keys are complemented and runs taken in reverse, so that both are the same code.

#define SLOT_MASK 0xffffu

void kernel(Index instance) {
    uint number = number_of(instance);
    bool down = (number & 1u) != 0u;
    uint complement = down ? 0xffffffffu : 0u;
    uint begin[RUNS];
    uint ends[RUNS];
    window_at(number >> 1u, begin, ends);
    // Only the last window of all lacks elements; from its end they are the first.
    uint missing = down ? WINDOW - ends[RUNS - 1] : 0u;

    uint key[RUNS];     // of the run's next element; all ones where there is none
    uint state[RUNS];   // elements left << 16 | slot of the next element + 1
    uint offset[RUNS];  // of an element from its slot + 1
    for (int i = 0; i < RUNS; ++i) {
        int run = down ? RUNS - 1 - i : i;
        uint first = 0u;
        uint last = 0u;
        uint element = 0u;
        for (int j = 0; j < RUNS; ++j)
            if (j == run) {
                if (j > 0) first = ends[j - 1];
                last = ends[j];
                element = begin[j];
            }
        uint slot = down ? last : first + 1u;
        state[i] = (last - first) << 16u | slot;
        offset[i] = element - first - 1u;
        key[i] = last > first ? source_gather(slot + offset[i]) ^ complement : 0xffffffffu;
    }
    uint advance = down ? 0xfffeffffu : 0xffff0001u;  // one left less; the slot before or behind

    // One long loop rather than two short ones: compilers unroll those, to hundreds of comparisons.
    uvec4 slots = uvec4(0u);
    for (uint step = 0u; step < SIDE; ++step) {
        uint smallest = key[0];
        uint chosen = state[0];
        uint from = offset[0];
        for (int i = 1; i < RUNS; ++i)
            if (key[i] < smallest) {
                smallest = key[i];
                chosen = state[i];
                from = offset[i];
            }
        // All ones may be a key as well as the end of a run.
        if (chosen <= SLOT_MASK)
            for (int i = RUNS - 1; i >= 0; --i)
                if (state[i] > SLOT_MASK) {
                    chosen = state[i];
                    from = offset[i];
                }
        if (step >= missing && chosen > SLOT_MASK) {
            slots[step >> 2u & 3u] |= ((chosen & SLOT_MASK) - 1u) << ((step & 3u) * 8u);
            uint next = chosen + advance;
            uint next_key = 0xffffffffu;
            if (next > SLOT_MASK) next_key = source_gather((next & SLOT_MASK) + from) ^ complement;
            for (int i = 0; i < RUNS; ++i)
                if (state[i] == chosen) {
                    state[i] = next;
                    key[i] = next_key;
                }
        }
        if ((step & 15u) == 15u) {
            slots_write(step / 16u, slots);
            slots = uvec4(0u);
        }
    }
}
