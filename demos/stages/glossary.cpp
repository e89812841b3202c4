#include "glossary.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace glsort::demo {

const std::vector<Term>& glossary() {
    static const std::vector<Term> terms = {
        {"stream", "Elements of one type in GPU memory, in order: a texture, or a buffer.", "GPU-ABiSort, section 3.1"},
        {"substream", "One or more ranges (blocks) of a stream: what an op reads or writes of it.",
         "GPU-ABiSort, section 3.1"},
        {"record", "What one instance of a kernel writes at once: one texel, or a few elements of a buffer.",
         "GPU-ABiSort, section 3.1"},
        {"key", "What is sorted by. Its colour is its place in the sorted order: dark blue comes first, yellow last.",
         "README, What it does"},
        {"kernel", "A function that runs once for every record of a substream, on the GPU all at the same time.",
         "GPU-ABiSort, section 3.1"},
        {"op", "A stream operation: one kernel over one substream. One draw, or one dispatch.",
         "GPU-ABiSort, section 3.1"},
        {"program", "The stream program: the list of ops that sorts n elements. It is known before anything runs.",
         "GPU-ABiSort, section 3.1"},
        {"algorithm", "How the ops sort: a sorting network, merges, digits, samples or bitonic trees.",
         "README, How it works"},
        {"backend",
         "Where kernels run: in fragment shaders (OpenGL 3.3), in compute shaders (OpenGL 4.3), or in C++ on the CPU. "
         "All give the same bits.",
         "GPU-ABiSort, section 3.2"},
        {"layout",
         "Where element i of a texture lies: row after row, or in Z-order, which keeps neighbours close in both "
         "directions.",
         "GPU-ABiSort, section 6.2"},
        {"distribution", "How the keys of the input are chosen.", "Helman, Bader and JaJa 1998; Leischner et al. 2010"},
        {"n", "Elements to sort, 16 to 2^20. Bars are drawn up to 256.", "README, What it does"},
        {"seed", "Start of the random numbers: the same seed gives the same keys.", "README, What it does"},
        {"level", "Recursion level j: merges make sorted sequences of 2^j elements.",
         "GPU-ABiSort, sections 4.1 and A.1"},
        {"stage",
         "Of a merge: stage k works on the subtrees of level k. Of a network: all comparisons of one merge. Of a radix "
         "sort: one digit.",
         "GPU-ABiSort, section 5.1; Merrill and Grimshaw 2010"},
        {"phase", "Of a stage of adaptive bitonic merging: phase i visits the next node on the way down each subtree.",
         "GPU-ABiSort, sections 4.2 and 5.1"},
        {"step", "Ops of several stages that run as one, or one column of comparators of a sorting network.",
         "GPU-ABiSort, section 5.4; Batcher 1968"},
        {"time",
         "How long an op took: on hardware by timer queries, else by the clock, with an idle GPU before and after.",
         "README, stages"},
        {"comparisons",
         "How often kernels asked which of two keys comes first, counted by the same program on the CPU.",
         "GPU-ABiSort, section 4.2"},
        {"bytes", "What memory must deliver and take by plan: every record of a range once.", "README, How it works"},
        {"scratch", "Memory of the library's own that the program needs.", "GPU-ABiSort, section 5.3"},
        {"GLSL", "The shader of the op's kernel, as the driver compiled it.", "GPU-ABiSort, section 3.2"},
        {"cost", "What the ops cost so far, and what the plan says that all of them cost: it is known beforehand.",
         "GPU-ABiSort, sections 5.3 and 5.4"},
        {"read", "What the op that ran last reads of a stream: the ranges that its program names.",
         "GPU-ABiSort, section 3.1"},
        {"written", "What the op that ran last writes of a stream. Fragment shaders write each record once, where it "
                    "lies; only compute shaders scatter.",
         "GPU-ABiSort, sections 3.1 and 5.2"},
        {"compared", "An arc joins two elements that the last op compared.", "GPU-ABiSort, section 4.1; Batcher 1968"},
        {"changed places", "Elements that were compared, and that the op wrote into each other's places.",
         "GPU-ABiSort, section 4.1; Batcher 1968"},
        {"compare", "Two algorithms side by side, on the same keys.", "GPU-ABiSort, section 8"},
        {"pace", "Whether two sorts go on op by op, or by the time that ops took when they ran.",
         "GPU-ABiSort, section 8"},
        {"speed", "Ops a second while it plays; by time, those of the sort with more ops, on average.",
         "README, stages"},
        {"shown stream",
         "The stream in the middle, or as bars: that which the last op has written keys to, or a chosen one.",
         "GPU-ABiSort, section 3.1"},
        {"run", "A sorted piece of the records. A merge makes one run of two to eight.", "Odeh et al. 2012, section 2"},
        {"window",
         "Places of a merged sequence that are merged on their own, all windows at the same time. It begins in each "
         "run where the elements end that come before it.",
         "Odeh et al. 2012, section 2"},
        {"merge path",
         "The way through two runs that always takes the smaller next element: down for one run, right for the other. "
         "A window begins where it crosses a diagonal.",
         "Odeh et al. 2012, section 2"},
        {"digit",
         "Bits of the keys that a pass of a radix sort goes by, the lowest digit first. Elements of equal digits keep "
         "their order.",
         "Merrill and Grimshaw 2010, section 3"},
        {"histogram", "How often each value of a digit occurs.", "Merrill and Grimshaw 2010, section 3"},
        {"scan", "For each value of a digit the sum of all counts before it: where its bucket begins. A prefix sum.",
         "Merrill and Grimshaw 2010, section 3"},
        {"scatter", "Each element is written to its bucket, behind those of the same digit that came before it.",
         "Merrill and Grimshaw 2010, section 3"},
        {"tile", "Elements that a group of invocations sorts in memory that it shares.",
         "Dehne and Zaboli 2010, section 4"},
        {"sample", "One of s elements of each sorted tile. All together they tell how the keys are distributed.",
         "Dehne and Zaboli 2010, section 4"},
        {"splitter", "One of s equidistant samples of the sorted ones: a bucket has what lies between two of them.",
         "Dehne and Zaboli 2010, section 4"},
        {"bucket", "Elements of one value of a digit, or between two splitters. With samples that are equidistant none "
                   "has more than 2n/s of n elements.",
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
