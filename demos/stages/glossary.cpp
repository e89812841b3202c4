#include "glossary.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace glsort::demo {

const std::vector<Term>& glossary() {
    static const std::vector<Term> terms = {
        {"stream", "Elements of one type in GPU memory, in order: a texture, or a buffer.", "GPU-ABiSort, section 3.1"},
        {"substream", "One or more ranges (blocks) of a stream. An op reads and writes substreams.",
         "GPU-ABiSort, section 3.1"},
        {"record",
         "What one instance of a kernel writes: one texel in each attachment, or some consecutive elements of a "
         "buffer.",
         "GPU-ABiSort, section 3.1"},
        {"key",
         "The part of an element that decides its order. In pictures, a key's colour is its place in the sorted order: "
         "dark blue is "
         "the first, yellow the last.",
         "docs/guide/first-sort.md, First sort"},
        {"kernel", "A function that runs once for every record of a substream. All these runs are parallel.",
         "GPU-ABiSort, section 3.1"},
        {"op",
         "A stream operation: one kernel over one substream. One draw, dispatch or copy, or several pieces of one.",
         "GPU-ABiSort, section 3.1"},
        {"program", "A stream program: the list of ops that sorts n elements. The list is known before anything runs.",
         "GPU-ABiSort, section 3.1"},
        {"algorithm", "How the ops sort: by a sorting network, by merges, digits, samples or bitonic trees.",
         "docs/algorithms/README.md, Algorithms"},
        {"backend",
         "Where kernels run: in fragment shaders (OpenGL 3.3), in compute shaders (OpenGL 4.3), or in C++ on the "
         "CPU. All give the same result.",
         "GPU-ABiSort, section 3.2"},
        {"layout",
         "Where record i of a texture lies: row after row, or in Z-order, which keeps neighbours close in both "
         "directions.",
         "GPU-ABiSort, section 6.2"},
        {"distribution", "How the keys of the input are chosen.", "Helman, Bader and JaJa 1998; Leischner et al. 2010"},
        {"n", "The number of elements to sort. The viewer takes 16 to 2^20, and draws bars for up to 256.",
         "docs/guide/first-sort.md, First sort"},
        {"seed", "The start of the random numbers. One seed always gives the same keys.", "docs/programs.md, stages"},
        {"level",
         "Recursion level j: its merges make sorted sequences of 2^j elements. In sample sorts: one division of the "
         "elements into buckets.",
         "GPU-ABiSort, sections 5.1 and A.1; Dehne and Zaboli 2010, section 4"},
        {"stage",
         "In merges of bitonic trees: stage k works on the subtrees of level k. In networks: all comparisons of one "
         "merge. In radix sorts: one digit.",
         "GPU-ABiSort, section 5.1; Merrill and Grimshaw 2010"},
        {"phase",
         "A part of a stage of adaptive bitonic merging. Each phase visits the next node on the way down each subtree.",
         "GPU-ABiSort, sections 4.2 and 5.1"},
        {"step",
         "Ops of several stages that run as one, or one column of comparators of a sorting network. In sample sorts: "
         "one of the nine steps of the algorithm.",
         "GPU-ABiSort, section 5.4; Batcher 1968; Dehne and Zaboli 2010, section 4"},
        {"time",
         "How long an op took, on an otherwise idle GPU. Measured by timer queries if the GPU has them, else by the "
         "clock.",
         "docs/programs.md, stages"},
        {"comparisons",
         "How often kernels asked which of two keys comes first. The same program on the CPU counts them.",
         "GPU-ABiSort, section 4.1"},
        {"bytes", "Bytes that the plan reads and writes: every record of a substream counts once.",
         "docs/guide/looking-inside.md, Looking inside"},
        {"scratch", "Memory that the library allocates for the program.", "GPU-ABiSort, section 5.3"},
        {"GLSL", "The shader of the op's kernel, as the driver compiled it.", "GPU-ABiSort, section 3.2"},
        {"cost", "The cost of the ops so far, beside the planned cost of all ops.",
         "GPU-ABiSort, sections 5.3 and 5.4"},
        {"read", "The substreams that the last op read, as its program names them.", "GPU-ABiSort, section 3.1"},
        {"written",
         "The substreams that the last op wrote. A fragment shader writes each record once, at the fragment's own "
         "place; only compute shaders scatter.",
         "GPU-ABiSort, sections 3.2 and 5.2"},
        {"compared", "An arc joins two elements that the last op compared.", "GPU-ABiSort, section 4.1; Batcher 1968"},
        {"exchanged", "Two elements that the last op compared and exchanged.",
         "GPU-ABiSort, section 4.1; Batcher 1968"},
        {"compare", "Two algorithms side by side, on the same keys.", "GPU-ABiSort, section 8"},
        {"pace", "Whether two sorts advance op by op, or by the time that their ops took.", "GPU-ABiSort, section 8"},
        {"speed", "Ops per second while a sort plays. By time: average ops per second of the sort with more ops.",
         "docs/programs.md, stages"},
        {"shown stream",
         "The stream in the middle, or the stream that the bars show: the last stream that got keys, or the chosen "
         "stream.",
         "GPU-ABiSort, section 3.1"},
        {"run", "A sorted sequence of neighbouring elements. A merge turns two to eight runs into one.",
         "Odeh et al. 2012, section 2"},
        {"window",
         "Places of a merged sequence that are merged independently. All windows are merged at the same time. In "
         "each run a window begins after the elements of all earlier windows.",
         "Odeh et al. 2012, section 2"},
        {"merge path",
         "The path through two runs that always takes the smaller next element: down for one run, right for the "
         "other. A window begins where the path crosses a diagonal.",
         "Odeh et al. 2012, section 2"},
        {"digit",
         "The bits of the keys by which one pass of a radix sort moves elements. The lowest digit comes first. "
         "Elements with equal digits keep their order.",
         "Merrill and Grimshaw 2010, section 3"},
        {"histogram", "How often each value of a digit occurs.", "Merrill and Grimshaw 2010, section 3"},
        {"scan",
         "A prefix sum. For each value of a digit, the scan adds up the counts of all smaller values. The sum is the "
         "start of the value's bucket.",
         "Merrill and Grimshaw 2010, section 3"},
        {"scatter", "A write of each element to its bucket, after earlier elements with an equal digit.",
         "Merrill and Grimshaw 2010, section 3"},
        {"tile", "The elements that a group of invocations sorts in shared memory.",
         "Dehne and Zaboli 2010, section 4"},
        {"sample", "One of s elements taken from each sorted tile. The samples show how the keys are distributed.",
         "Dehne and Zaboli 2010, section 4"},
        {"splitter",
         "One of s equidistant elements of the sorted samples. A bucket has the elements between two splitters.",
         "Dehne and Zaboli 2010, section 4"},
        {"bucket",
         "The elements with one value of a digit, or between two splitters. With s equidistant samples of each tile, "
         "no bucket has more than 2n/s elements, where n is rounded up to whole tiles.",
         "Dehne and Zaboli 2010, section 4"},
    };
    return terms;
}

std::string tip_text(std::string_view word) {
    const Term& found = term(word);
    return std::string(found.meaning) + "\n(" + std::string(found.source) + ")";
}

const Term& term(std::string_view word) {
    const auto found = std::ranges::find(glossary(), word, &Term::word);
    if (found == glossary().end()) throw std::logic_error("glossary: no word " + std::string(word));
    return *found;
}

}  // namespace glsort::demo
