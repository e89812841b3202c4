// Sends splitters from the group that chooses them to all groups of the op. Each half of a word has a word of its own
// in `marks`, with a mark. A group that finds the mark has found the half, too. So no memory barrier is needed between
// groups. `marks` is zero before and after a sort.
//
// expects ports: marks
// expects macros: GLSORT_KEY_WORDS

#include "lib/element.glsl"

const uint GLSORT_MARK = 0x10000u;
const uint GLSORT_MARKS = 2u * uint(GLSORT_KEY_WORDS);  // Words of a splitter.

void glsort_store_marked(uint place, uint word) {
    glsort_marks_scatter(place, word & 0xffffu | GLSORT_MARK);
    glsort_marks_scatter(place + 1u, word >> 16u | GLSORT_MARK);
}

// Loads a word. Returns the mark if both halves have a mark, and 0 otherwise.
uint glsort_load_marked(uint place, out uint word) {
    uint low = glsort_marks_load(place);
    uint high = glsort_marks_load(place + 1u);
    word = low & 0xffffu | high << 16u;
    return low & high & GLSORT_MARK;
}

#if GLSORT_KEY_WORDS == 1
void glsort_send(uint splitter, glsort_Key code) { glsort_store_marked(splitter * GLSORT_MARKS, code); }
bool glsort_receive(uint splitter, out glsort_Key code) {
    return glsort_load_marked(splitter * GLSORT_MARKS, code) != 0u;
}
#else
void glsort_send(uint splitter, glsort_Key code) {
    glsort_store_marked(splitter * GLSORT_MARKS, code.x);
    glsort_store_marked(splitter * GLSORT_MARKS + 2u, code.y);
}
bool glsort_receive(uint splitter, out glsort_Key code) {
    uint high;
    uint low;
    uint marks = glsort_load_marked(splitter * GLSORT_MARKS, high);
    marks &= glsort_load_marked(splitter * GLSORT_MARKS + 2u, low);
    code = glsort_Key(high, low);
    return marks != 0u;
}
#endif
