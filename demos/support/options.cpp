#include "support/options.h"

#include <fmt/format.h>
#include <glsort/error.h>
#include <glsort/planner.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>
#include <stdexcept>

namespace glsort::demo {

namespace {

std::string in_quotes(std::string_view text) {
    return "\"" + std::string(text) + "\"";
}

// All of `text` as decimal digits: no sign, no space, no overflow.
template <class Number>
bool parse_digits(std::string_view text, Number& value) {
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

std::string count_text(std::uint64_t count) {
    constexpr std::uint64_t short_digits = 10000;  // From here on, a power is easier to read.
    if (count < short_digits) return std::to_string(count);
    if (std::has_single_bit(count)) return fmt::format("2^{}", std::bit_width(count) - 1);
    if (std::has_single_bit(count + 1) || count + 1 == 0) return fmt::format("2^{}-1", std::bit_width(count));
    return std::to_string(count);
}

std::uint64_t parse_count(std::string_view text) {
    const auto all_digits = [](std::string_view part) {
        return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
    };
    std::uint64_t value = 0;
    if (all_digits(text)) {
        if (!parse_digits(text, value)) throw LimitExceeded("2^64-1");
        return value;
    }
    if (text.starts_with("2^") && all_digits(text.substr(2))) {
        if (!parse_digits(text.substr(2), value) || value >= 64) throw LimitExceeded("2^64-1");
        return std::uint64_t{1} << value;
    }
    // As count_text() writes limits.
    if (text.starts_with("2^") && text.ends_with("-1") && all_digits(text.substr(2, text.size() - 4))) {
        if (!parse_digits(text.substr(2, text.size() - 4), value) || value > 64) throw LimitExceeded("2^64-1");
        return value == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << value) - 1;
    }
    throw std::invalid_argument(in_quotes(text) + " is not a count: write digits (1000000) or a power of two (2^20)");
}

std::uint64_t parse_seed(std::string_view text) {
    try {
        return parse_count(text);
    } catch (const std::invalid_argument&) {
        throw std::invalid_argument(in_quotes(text) + " is not a seed: write a number from 0 to 2^64-1");
    }
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

std::size_t parse_choice(std::string_view option, std::string_view text, const std::vector<std::string>& choices) {
    std::string known;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        if (choices[i] == text) return i;
        known += (i == 0 ? "" : ", ") + choices[i];
    }
    const std::string meant = nearest(text, choices);
    throw std::invalid_argument("unknown " + std::string(option) + " " + in_quotes(text) + "; choose from " + known +
                                (meant.empty() ? "" : "; did you mean " + meant + "?"));
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
    return static_cast<std::uint32_t>(parse_within(text, 0, std::numeric_limits<std::uint32_t>::max()));
}

std::uint64_t parse_within(const std::string& text, std::uint64_t least, std::uint64_t most) {
    std::uint64_t value = 0;
    try {
        value = parse_count(text);
    } catch (const LimitExceeded&) {
        throw LimitExceeded(count_text(most));
    }
    if (value > most) throw LimitExceeded(count_text(most));
    if (value < least)
        throw std::invalid_argument(fmt::format("{} is not from {} to {}", text, least, count_text(most)));
    return value;
}

Size parse_size(const std::string& text, Size least, Size most) {
    const std::size_t cut = text.find('x');
    Size size;
    if (cut == std::string::npos || !parse_digits(std::string_view(text).substr(0, cut), size.width) ||
        !parse_digits(std::string_view(text).substr(cut + 1), size.height))
        throw std::invalid_argument(in_quotes(text) + " is not WIDTHxHEIGHT, such as 1280x720");
    if (size.width > most.width || size.height > most.height)
        throw LimitExceeded(fmt::format("{}x{} pixels", most.width, most.height));
    if (size.width < least.width || size.height < least.height)
        throw std::invalid_argument(
            fmt::format("{} is not from {}x{} to {}x{}", text, least.width, least.height, most.width, most.height));
    return size;
}

float parse_scale(const std::string& text) {
    float scale = 0;
    if (!parse_digits(text, scale) || !(scale >= 0.5f && scale <= 4.0f))
        throw std::invalid_argument(in_quotes(text) + " is not a scale from 0.5 to 4");
    return scale;
}

double parse_fraction(const std::string& text) {
    double fraction = 0;
    if (!parse_digits(text, fraction) || !(fraction >= 0 && fraction <= 1))
        throw std::invalid_argument(in_quotes(text) + " is not a fraction from 0 to 1");
    return fraction;
}

Api parse_api(const std::string& text) {
    return parse_choice("API", text, {"gl", "gles"}) == 0 ? Api::gl : Api::gles;
}

int parse_gl_version(const std::string& text) {
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    if (text.size() != 3 || !digit(text[0]) || text[1] != '.' || !digit(text[2]))
        throw std::invalid_argument(in_quotes(text) + " is not a version: write MAJOR.MINOR (3.3)");
    return 10 * (text[0] - '0') + (text[2] - '0');
}

void check_gl_version(int version, Api api) {
    const int least = api == Api::gl ? 33 : 30;
    if (version < least)
        throw std::invalid_argument(fmt::format("{}.{} is too old: {} is the least", version / 10, version % 10,
                                                api == Api::gl ? "OpenGL 3.3" : "OpenGL ES 3.0"));
}

std::filesystem::path parse_path(const std::string& text) {
    if (text.empty()) throw std::invalid_argument("the name is empty");
    return text;
}

std::string parse_algorithm(const std::string& text) {
    try {
        choose_algorithm(text);
    } catch (const Error& error) {
        std::vector<std::string> names = algorithm_names();
        for (const Algorithm& algorithm : algorithms())
            names.push_back(algorithm.name);
        const std::string meant = nearest(text, names);
        throw std::invalid_argument(without_function(error.what()) +
                                    (meant.empty() ? "" : "; did you mean " + meant + "?"));
    }
    return text;
}

std::vector<std::string> backend_names() {
    return {"automatic", "fragment", "compute", "cpu"};
}

std::vector<std::string> backend_names_of_lists() {
    return {"fragment", "compute", "cpu"};
}

Backend parse_backend(const std::string& text) {
    const std::vector<std::string> names = backend_names();
    return backend_from_string(names[parse_choice("backend", text, names)]);
}

Distribution parse_distribution(const std::string& text) {
    return distribution_from_name(text);
}

std::vector<std::string> algorithm_names() {
    std::vector<std::string> names = {"automatic"};
    for (const Algorithm& algorithm : algorithms())
        for (const Algorithm::Variant& variant : algorithm.variants)
            names.push_back(algorithm.name + ":" + variant.name);
    return names;
}

std::vector<std::string> distribution_names() {
    std::vector<std::string> names;
    for (const Distribution distribution : all_distributions())
        names.emplace_back(distribution_name(distribution));
    return names;
}

std::string listed(const std::vector<std::string>& words) {
    return fmt::format("{}", fmt::join(words, ", "));
}

std::string without_function(const std::string& message) {
    const std::size_t colon = message.find(": ");
    if (colon == std::string::npos) return message;
    const std::string head = message.substr(0, colon);
    const bool member = head.find("::") != std::string::npos && head.find(' ') == std::string::npos;
    const bool function = head == "plan" || head == "choose_algorithm" || head == "limits" || head == "validate" ||
                          head.ends_with("_from_string");
    return member || function ? message.substr(colon + 2) : message;
}

std::string nearest(std::string_view text, const std::vector<std::string>& words) {
    // Optimal string alignment (Damerau 1964).
    const auto distance = [text](std::string_view word) {
        std::vector<std::vector<std::size_t>> cost(text.size() + 1, std::vector<std::size_t>(word.size() + 1));
        for (std::size_t i = 0; i <= text.size(); ++i)
            for (std::size_t j = 0; j <= word.size(); ++j) {
                if (i == 0 || j == 0) {
                    cost[i][j] = i + j;
                    continue;
                }
                const bool same = text[i - 1] == word[j - 1];
                cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (same ? 0 : 1)});
                if (i > 1 && j > 1 && text[i - 1] == word[j - 2] && text[i - 2] == word[j - 1])
                    cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
            }
        return cost[text.size()][word.size()];
    };
    std::string best;
    std::size_t least = text.size() / 3 + 1;  // A third of the letters wrong may still be a slip.
    for (const std::string& word : words) {
        const bool begins = text.size() > 3 && std::string_view(word).starts_with(text);
        const std::size_t far = begins ? 1 : distance(word);
        if (far < least || (best.empty() && far == least)) {
            best = word;
            least = far;
        }
    }
    return best;
}

}  // namespace glsort::demo
