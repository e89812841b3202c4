#pragma once

#include <glsort/spec.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/distributions.h"

/// Values of command-line options that the programs share. The functions know nothing of CLI11;
/// they throw std::invalid_argument (or glsort::Error) with a complete sentence, and check_count() and check_counts()
/// have the form that CLI11's validators want.
namespace glsort::demo {

/// Reads a number of elements: decimal digits (`1000000`) or a power of two (`2^18`), from 0 to
/// 2^64 - 1. Anything else is refused with a hint, `1e6` and `4k` too: their exact value is a
/// matter of taste.
std::uint64_t parse_count(std::string_view text);

/// Cuts a list at its commas. Spaces around the items go; an empty text is an empty list; an empty
/// item (`a,,b`) is refused.
std::vector<std::string> split_list(std::string_view text);

/// Reads a comma-separated list of counts, as parse_count().
std::vector<std::uint64_t> parse_counts(std::string_view text);

/// Reads a list of assignments (`shared_memory=16384,invocations=2^7`): names and counts, in the
/// order given. A name that is empty or given twice is refused.
std::vector<std::pair<std::string, std::uint64_t>> parse_assignments(std::string_view text);

/// Checks that `text` is one of `choices` and gives its position there. The message says what the
/// option is called and lists the choices.
std::size_t parse_choice(std::string_view option, std::string_view text, const std::vector<std::string>& choices);

/// For `CLI::Validator(check_count, "COUNT")`: replaces a count by its decimal digits, or returns
/// the error's text.
std::string check_count(std::string& text);

/// For `CLI::Validator(check_counts, "COUNT,...")`: as check_count(), for a list.
std::string check_counts(std::string& text);

/// A number of elements, at most 2^32-1.
std::uint32_t parse_elements(const std::string& text);

/// Checks that an algorithm exists, and gives its name back.
std::string parse_algorithm(const std::string& text);

/// fragment, compute or cpu.
Backend parse_backend(const std::string& text);

Distribution parse_distribution(const std::string& text);

/// `bitonic:step, ...`: what --algorithm takes.
std::string algorithm_names();

/// `uniform, gaussian, ...`
std::string distribution_names();

}  // namespace glsort::demo
