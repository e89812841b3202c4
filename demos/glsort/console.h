#pragma once

#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

/// Where the commands' output and complaints go.
namespace glsort::demo {

/// A mistake in the arguments: the program ends with exit code 2. With any other exception it ends
/// with 1.
class UsageError : public std::runtime_error {
  public:
    explicit UsageError(const std::string& message) : std::runtime_error(message) {}
};

/// Writes to standard output. Throws std::runtime_error where that fails (a full disk).
void print(std::string_view text);

/// Writes JSON to standard output, indented. Bytes that are no UTF-8 (in a file's name, say) are
/// replaced.
void print_json(const nlohmann::ordered_json& json);

/// Writes a line to standard error, where a person watches: it is a terminal, or `verbose`.
void progress(bool verbose, std::string_view line);

/// Writes a line to standard error.
void complain(std::string_view line);

}  // namespace glsort::demo
