#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace glsort::demo {

/// Runs a program with arguments. The program reads `input` on standard input, from a file without a name: a pipe would
/// stop both programs as soon as each waits for the other. Standard error is that of this process. Ctrl-C ends the
/// program, too. Returns what the program wrote to standard output. Throws std::runtime_error with the program and the
/// reason if the program cannot be started, ends with another exit code than 0, or is ended by a signal.
std::string output_of_program(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                              std::span<const std::byte> input = {});

/// The folder of the program that runs. Empty if the system does not tell.
std::filesystem::path own_folder();

}  // namespace glsort::demo
