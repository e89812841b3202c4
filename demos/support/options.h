#pragma once

#include <glsort/spec.h>

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "support/distributions.h"
#include "support/headless_context.h"
#include "support/window.h"

/// Values of command-line options that the programs share. The functions do not know CLI11. Errors are
/// std::invalid_argument or glsort::Error, with a complete sentence. check_count() and check_counts() have the
/// signature of CLI11's validators.
namespace glsort::demo {

/// A value above its limit. The message names the limit and its unit. Whoever catches the error names the argument and
/// the value: `--count 2^31: the limit is 2^26`.
class LimitExceeded : public std::invalid_argument {
  public:
    explicit LimitExceeded(const std::string& limit) : std::invalid_argument("the limit is " + limit) {}
};

/// A number as people write it: `1000`, `2^20`, `2^32-1`.
std::string count_text(std::uint64_t count);

/// Reads a number of elements from 0 to 2^64 - 1: decimal digits (`1000000`), a power of two (`2^18`), or one
/// less (`2^32-1`). Refuses
/// everything else with a hint. `1e6` and `4k` are refused, too, because their exact values are ambiguous.
std::uint64_t parse_count(std::string_view text);

/// Reads a seed, from 0 to 2^64 - 1, as parse_count() does.
std::uint64_t parse_seed(std::string_view text);

/// Cuts a list at its commas. Removes spaces around the items. An empty text is an empty list. Refuses an empty item
/// (`a,,b`).
std::vector<std::string> split_list(std::string_view text);

/// Reads a comma-separated list of counts, each as parse_count() does.
std::vector<std::uint64_t> parse_counts(std::string_view text);

/// Checks that `text` is one of `choices`, and returns the position there. The message names the option and lists the
/// choices.
std::size_t parse_choice(std::string_view option, std::string_view text, const std::vector<std::string>& choices);

/// For `CLI::Validator(check_count, "COUNT")`: replaces a count by its decimal digits, or returns the text of an error.
std::string check_count(std::string& text);

/// For `CLI::Validator(check_counts, "COUNT,...")`: as check_count(), for a list.
std::string check_counts(std::string& text);

/// A number of elements, at most 2^32-1. Throws LimitExceeded above.
std::uint32_t parse_elements(const std::string& text);

/// A number of elements, frames or the like, from `least` to `most`. Throws LimitExceeded above `most`.
std::uint64_t parse_within(const std::string& text, std::uint64_t least, std::uint64_t most);

/// WIDTHxHEIGHT in pixels, each side from that of `least` to that of `most`. Throws LimitExceeded above.
Size parse_size(const std::string& text, Size least, Size most);

/// A scale of texts, from 0.5 to 4.
float parse_scale(const std::string& text);

/// Reads a fraction, from 0 to 1.
double parse_fraction(const std::string& text);

/// gl or gles.
Api parse_api(const std::string& text);

/// MAJOR.MINOR, as 10 * major + minor.
int parse_gl_version(const std::string& text);

/// Throws for a version that is too old for the library: OpenGL 3.3 and OpenGL ES 3.0 are the least.
void check_gl_version(int version, Api api);

/// The name of a file or folder; `-` is standard input or output. Throws for a name without letters.
std::filesystem::path parse_path(const std::string& text);

/// Checks that an algorithm exists, and gives its name back.
std::string parse_algorithm(const std::string& text);

/// automatic, fragment, compute or cpu.
Backend parse_backend(const std::string& text);

/// The names of backends: of all, and of those that a list of backends may have.
std::vector<std::string> backend_names();
std::vector<std::string> backend_names_of_lists();

Distribution parse_distribution(const std::string& text);

/// What --algorithm takes: automatic, bitonic:step, ...
std::vector<std::string> algorithm_names();

/// uniform, gaussian, ...
std::vector<std::string> distribution_names();

/// `a, b, c`
std::string listed(const std::vector<std::string>& words);

/// A message of the library without the function that was called: people call programs, not functions.
std::string without_function(const std::string& message);

/// The word that `text` may have been meant to be: the one with the fewest letters inserted, left out, replaced or
/// swapped. Empty where none is near.
std::string nearest(std::string_view text, const std::vector<std::string>& words);

}  // namespace glsort::demo
