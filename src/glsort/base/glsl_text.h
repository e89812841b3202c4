#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace glsort {

/// What the preprocessor of GLSL sees of a text. Lines may end in LF, CR or both. A backslash before the end of a line
/// joins the line with the next.
struct GlslText {
    struct Word {
        std::string text;  ///< An identifier, or a number with what follows its digits.
        std::size_t line = 1;
    };
    struct Directive {
        std::string name;     ///< `define`; empty for a single `#`.
        std::string operand;  ///< The first word behind the name; empty if there is none.
        std::size_t line = 1;
    };

    std::vector<Word> words;  ///< All words outside of comments, those of directives too.
    std::vector<Directive> directives;
    std::size_t open_comment = 0;  ///< The line of a comment that does not end; 0: all comments end.
};

/// Reads a text. `joins`: whether a backslash at the end of a line joins two lines. Compilers of GLSL 3.30 may join or
/// not: the language has no such joins, but some compilers join.
GlslText read_glsl(std::string_view text, bool joins = true);

/// Checks that the library's GLSL can follow a caller's text: comments and conditions end, line numbers stay, the text
/// uses no name of the library, and defines no `main`. Throws `Error` that begins with `name` and the line.
void check_callers_glsl(std::string_view name, std::string_view text);

/// The type of `words` 32-bit words.
std::string glsl_type(std::uint32_t words);

/// Returns an `#undef` line for each macro that a text defines. Functions in the text keep their expansions.
std::string undefinitions(std::string_view text);

}  // namespace glsort
