#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

/// Where texts and complaints go.
namespace glsort::demo {

/// A mistake in the arguments: the program ends with exit code 2. With any other exception the program ends with 1.
class UsageError : public std::runtime_error {
  public:
    explicit UsageError(const std::string& message) : std::runtime_error(message) {}
};

/// Opens /dev/null for each standard stream that is closed. The next file that the program opens would otherwise take
/// the place of the stream, and get its texts.
void open_standard_streams();

/// Writes to standard output. Throws std::runtime_error where that fails (a full disk).
void print(std::string_view text);

/// Writes a line to standard error.
void complain(std::string_view line);

}  // namespace glsort::demo
