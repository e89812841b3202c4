#include "support/options.h"

#include <fmt/format.h>
#include <glsort/planner.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <stdexcept>

namespace glsort::demo {

namespace {

std::string in_quotes(std::string_view text) {
    return "\"" + std::string(text) + "\"";
}

// The number, if all of `text` is decimal digits: no sign, no space, no overflow.
bool parse_digits(std::string_view text, std::uint64_t& value) {
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && stop == end;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace

std::uint64_t parse_count(std::string_view text) {
    const auto all_digits = [](std::string_view part) {
        return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
    };
    std::uint64_t value = 0;
    if (all_digits(text)) {
        if (!parse_digits(text, value))
            throw std::invalid_argument(in_quotes(text) + " is too large: the largest count is 2^64-1");
        return value;
    }
    if (text.starts_with("2^") && all_digits(text.substr(2))) {
        if (!parse_digits(text.substr(2), value) || value >= 64)
            throw std::invalid_argument(in_quotes(text) + " is too large: the largest power of two is 2^63");
        return std::uint64_t{1} << value;
    }
    throw std::invalid_argument(in_quotes(text) + " is not a count: write digits (1000000) or a power of two (2^20)");
}

std::vector<std::string> split_list(std::string_view text) {
    std::vector<std::string> items;
    if (trimmed(text).empty()) return items;
    for (std::size_t start = 0;;) {
        const std::size_t comma = text.find(',', start);
        const std::string_view item = trimmed(text.substr(start, comma - start));
        if (item.empty()) throw std::invalid_argument("empty item in the list " + in_quotes(text));
        items.emplace_back(item);
        if (comma == std::string_view::npos) return items;
        start = comma + 1;
    }
}

std::vector<std::uint64_t> parse_counts(std::string_view text) {
    std::vector<std::uint64_t> counts;
    for (const std::string& item : split_list(text))
        counts.push_back(parse_count(item));
    return counts;
}

std::vector<std::pair<std::string, std::uint64_t>> parse_assignments(std::string_view text) {
    std::vector<std::pair<std::string, std::uint64_t>> assignments;
    for (const std::string& item : split_list(text)) {
        const std::size_t equals = item.find('=');
        if (equals == std::string::npos || equals == 0)
            throw std::invalid_argument(in_quotes(item) + " is not an assignment: write NAME=COUNT");
        const std::string name(trimmed(std::string_view(item).substr(0, equals)));
        const bool known =
            std::any_of(assignments.begin(), assignments.end(), [&](const auto& other) { return other.first == name; });
        if (known) throw std::invalid_argument(in_quotes(name) + " is assigned twice");
        assignments.emplace_back(name, parse_count(trimmed(std::string_view(item).substr(equals + 1))));
    }
    return assignments;
}

std::size_t parse_choice(std::string_view option, std::string_view text, const std::vector<std::string>& choices) {
    std::string known;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        if (choices[i] == text) return i;
        known += (i == 0 ? "" : ", ") + choices[i];
    }
    throw std::invalid_argument("unknown " + std::string(option) + " " + in_quotes(text) + "; choose from " + known);
}

std::string check_count(std::string& text) {
    try {
        text = std::to_string(parse_count(text));
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return {};
}

std::string check_counts(std::string& text) {
    try {
        std::string digits;
        for (const std::uint64_t count : parse_counts(text))
            digits += (digits.empty() ? "" : ",") + std::to_string(count);
        text = digits;
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return {};
}

std::uint32_t parse_elements(const std::string& text) {
    const std::uint64_t count = parse_count(text);
    if (count > std::numeric_limits<std::uint32_t>::max())
        throw std::invalid_argument(text + " exceeds the limit of 2^32-1 elements");
    return static_cast<std::uint32_t>(count);
}

std::string parse_algorithm(const std::string& text) {
    choose_algorithm(text);
    return text;
}

Backend parse_backend(const std::string& text) {
    static const std::vector<std::string> names = {"fragment", "compute", "cpu"};
    return backend_from_string(names[parse_choice("backend", text, names)]);
}

Distribution parse_distribution(const std::string& text) {
    return distribution_from_name(text);
}

std::string algorithm_names() {
    std::vector<std::string> names = {"automatic"};
    for (const Algorithm& algorithm : algorithms())
        for (const Algorithm::Variant& variant : algorithm.variants)
            names.push_back(algorithm.name + ":" + variant.name);
    return fmt::format("{}", fmt::join(names, ", "));
}

std::string distribution_names() {
    std::vector<std::string> names;
    for (const Distribution distribution : all_distributions())
        names.emplace_back(distribution_name(distribution));
    return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace glsort::demo
