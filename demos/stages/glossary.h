#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glsort::demo {

/// A word of the viewer, what it means in a sentence, and where to read on.
struct Term {
    std::string_view word;
    std::string_view meaning;
    std::string_view source;
};

/// All words, in the order in which they are best read.
const std::vector<Term>& glossary();

/// What a word means, for tool tips; it is in the glossary.
const Term& term(std::string_view word);

/// Its meaning, and where to read on.
std::string tip_text(std::string_view word);

}  // namespace glsort::demo
