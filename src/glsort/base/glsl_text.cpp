#include <fmt/format.h>

#include <glsort/base/glsl_text.h>
#include <glsort/error.h>

namespace glsort {
namespace {

struct Character {
    char value = 0;
    std::size_t line = 1;
};

/// The characters of a text with one kind of end of line, and with lines joined where that is asked for.
std::vector<Character> join_lines(std::string_view text, bool joins) {
    std::vector<Character> joined;
    joined.reserve(text.size());
    const auto length_of_end = [text](std::size_t i) -> std::size_t {
        if (i >= text.size() || (text[i] != '\n' && text[i] != '\r')) return 0;
        const bool pair = i + 1 < text.size() && text[i + 1] != text[i] && (text[i + 1] == '\n' || text[i + 1] == '\r');
        return pair ? 2 : 1;
    };
    std::size_t line = 1;
    for (std::size_t i = 0; i < text.size();) {
        if (const std::size_t end = length_of_end(i)) {
            joined.push_back({'\n', line++});
            i += end;
        } else if (const std::size_t next = joins && text[i] == '\\' ? length_of_end(i + 1) : 0) {
            ++line;
            i += 1 + next;
        } else {
            joined.push_back({text[i++], line});
        }
    }
    return joined;
}

/// Makes each comment a space. Returns the line of a comment that does not end, or 0.
std::size_t remove_comments(std::vector<Character>& text) {
    std::vector<Character> rest;
    rest.reserve(text.size());
    const auto is = [&text](std::size_t i, char first, char second) {
        return i + 1 < text.size() && text[i].value == first && text[i + 1].value == second;
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (is(i, '/', '/')) {
            while (i < text.size() && text[i].value != '\n')
                ++i;
            if (i < text.size()) rest.push_back(text[i]);
        } else if (is(i, '/', '*')) {
            const std::size_t line = text[i].line;
            for (i += 2; !is(i, '*', '/'); ++i)
                if (i >= text.size()) return line;
            ++i;
            rest.push_back({' ', line});
        } else {
            rest.push_back(text[i]);
        }
    }
    text = std::move(rest);
    return 0;
}

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}
bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Takes the word at a place, and moves the place behind the word.
std::string take_word(const std::vector<Character>& text, std::size_t& place) {
    std::string word;
    while (place < text.size() && is_word(text[place].value))
        word += text[place++].value;
    return word;
}

[[noreturn]] void refuse(std::string_view name, std::size_t line, std::string_view what) {
    throw Error(fmt::format("{}:{}: {}", name, line, what));
}

void check_conditions(std::string_view name, const GlslText& glsl) {
    std::vector<std::size_t> open;  // The lines of conditions that have not ended yet.
    for (const GlslText::Directive& directive : glsl.directives) {
        if (directive.name == "if" || directive.name == "ifdef" || directive.name == "ifndef")
            open.push_back(directive.line);
        if (directive.name != "endif") continue;
        if (open.empty()) refuse(name, directive.line, "#endif without a condition before it");
        open.pop_back();
    }
    if (!open.empty()) refuse(name, open.back(), "a condition without #endif");
}

}  // namespace

GlslText read_glsl(std::string_view text, bool joins) {
    GlslText glsl;
    std::vector<Character> rest = join_lines(text, joins);
    glsl.open_comment = remove_comments(rest);
    if (glsl.open_comment != 0) return glsl;
    bool line_begins = true;
    bool names_directive = false;
    bool is_operand = false;
    for (std::size_t i = 0; i < rest.size();) {
        const Character c = rest[i];
        if (is_word(c.value)) {
            glsl.words.push_back({take_word(rest, i), c.line});
            if (names_directive) glsl.directives.back().name = glsl.words.back().text;
            if (is_operand) glsl.directives.back().operand = glsl.words.back().text;
            is_operand = names_directive;
            line_begins = names_directive = false;
            continue;
        }
        ++i;
        if (is_space(c.value)) continue;
        names_directive = c.value == '#' && line_begins;
        if (names_directive) glsl.directives.push_back({.name = {}, .operand = {}, .line = c.line});
        is_operand = false;
        line_begins = c.value == '\n';
    }
    return glsl;
}

void check_callers_glsl(std::string_view name, std::string_view text) {
    // A driver would take the text before a zero byte for the whole shader.
    if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos)
        throw Error(fmt::format("{}: byte {} is zero", name, zero));
    const GlslText glsl = read_glsl(text);
    if (glsl.open_comment != 0) refuse(name, glsl.open_comment, "a comment that does not end");
    check_conditions(name, glsl);
    for (const GlslText::Directive& directive : glsl.directives)
        if (directive.name == "line" || directive.name == "version")
            refuse(name, directive.line, fmt::format("#{} is the library's alone", directive.name));
    for (const GlslText::Word& word : glsl.words)
        if (word.text == "main" || word.text.starts_with("glsort_") || word.text.starts_with("GLSORT_"))
            refuse(name, word.line, fmt::format("{} is a name of the library's", word.text));
}

std::string glsl_type(std::uint32_t words) {
    return words == 1 ? "uint" : fmt::format("uvec{}", words);
}

std::string undefinitions(std::string_view text) {
    std::string undefined;
    for (const bool joins : {true, false})
        for (const GlslText::Directive& directive : read_glsl(text, joins).directives) {
            if (directive.name != "define" || directive.operand.empty()) continue;
            const std::string line = fmt::format("#undef {}\n", directive.operand);
            if (undefined.find(line) == std::string::npos) undefined += line;
        }
    return undefined;
}

}  // namespace glsort
