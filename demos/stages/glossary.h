#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glsort::demo {

/// A word of the viewer, its meaning in a sentence, and where to read on.
struct Term {
    std::string_view word;
    std::string_view meaning;
    std::string_view source;
};

/// All words, in the best order for reading.
const std::vector<Term>& glossary();

/// The entry of a word, which must be in the glossary.
const Term& term(std::string_view word);

/// The meaning of a word and where to read on, as a tool tip.
std::string tip_text(std::string_view word);

}  // namespace glsort::demo
