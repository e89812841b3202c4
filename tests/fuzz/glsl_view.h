#pragma once

#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace glsort::fuzz {

/// What a compiler sees of a shader, found character by character, and without the library's reader.
struct GlslView {
    struct Place {
        std::size_t part = 0;
        std::size_t line = 0;       ///< As the `#line` says.
        std::size_t last_line = 0;  ///< Of the same part.
    };
    std::vector<Place> places;
    bool in_comment = false;
    int conditions = 0;  ///< Open ones at the end; negative: an #endif too many.
};

/// Removes joins of lines, and gives lines one end.
inline std::vector<std::string> lines_of(std::string_view text, std::vector<std::size_t>& physical) {
    std::vector<std::string> lines(1);
    physical.assign(1, 0);
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto end_at = [text](std::size_t k) -> std::size_t {
            if (k >= text.size()) return 0;
            const std::string_view two = text.substr(k, 2);
            return two == "\r\n" || two == "\n\r" ? 2 : two[0] == '\n' || two[0] == '\r' ? 1 : 0;
        };
        if (const std::size_t joined = text[i] == '\\' ? end_at(i + 1) : 0) {
            i += joined;
            ++physical.back();
        } else if (const std::size_t end = end_at(i)) {
            i += end - 1;
            ++physical.back();
            lines.emplace_back();
            physical.push_back(0);
        } else {
            lines.back() += text[i];
        }
    }
    return lines;
}

/// A line without its comments; `open` is whether a comment goes on from the line before, or to the next.
inline std::string without_comments(const std::string& line, bool& open) {
    std::string rest;
    for (std::size_t i = 0; i < line.size();) {
        const std::size_t end = open ? line.find("*/", i) : i;
        if (open) {
            if (end == std::string::npos) return rest;
            open = false;
            i = end + 2;
        } else if (line.compare(i, 2, "//") == 0) {
            return rest;
        } else if (line.compare(i, 2, "/*") == 0) {
            open = true;
            rest += ' ';
            i += 2;
        } else {
            rest += line[i++];
        }
    }
    return rest;
}

inline GlslView view_of(std::string_view text) {
    GlslView view;
    std::vector<std::size_t> physical;
    const std::vector<std::string> lines = lines_of(text, physical);
    std::size_t next_line = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string line = without_comments(lines[i], view.in_comment);
        if (!view.places.empty()) view.places.back().last_line = next_line;
        next_line += physical[i];
        const std::size_t hash = line.find_first_not_of(" \t\v\f");
        if (hash == std::string::npos || line[hash] != '#') continue;
        const std::size_t begin = line.find_first_not_of(" \t\v\f", hash + 1);
        if (begin == std::string::npos) continue;
        const std::string directive = line.substr(begin, line.find_first_of(" \t\v\f(!", begin) - begin);
        if (directive == "if" || directive == "ifdef" || directive == "ifndef") ++view.conditions;
        if (directive == "endif" && --view.conditions < 0) return view;
        if (directive != "line") continue;
        GlslView::Place place;
        const char* end = line.data() + line.size();
        const auto number = std::from_chars(line.data() + begin + 5, end, place.line);
        std::from_chars(number.ptr + 1, end, place.part);
        // A shader's last line but one is the last of the part before.
        if (!view.places.empty() && view.places.back().last_line > view.places.back().line)
            --view.places.back().last_line;
        place.last_line = next_line = place.line;
        view.places.push_back(place);
    }
    return view;
}

}  // namespace glsort::fuzz
