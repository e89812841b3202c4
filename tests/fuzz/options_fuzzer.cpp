#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/manual.h"
#include "fuzz/program_options.h"
#include "fuzz/require.h"
#include "support/file_access.h"
#include "support/folder_access.h"

/// Command lines of a program, an argument a line: each is taken, or refused as a wrong usage. Nothing runs.

namespace glsort::demo {

// No command line of a fuzzer reads or writes files. A missing file would end a program with exit code 1.
void write_manual(const CommandDescription&, const std::string&, const std::filesystem::path&) {}
void check_readable(const std::filesystem::path&) {}
void check_writable(const std::filesystem::path&) {}
void check_folder(const std::filesystem::path&) {}

}  // namespace glsort::demo

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::vector<std::string> arguments{"program"};
    std::string argument;
    for (std::size_t i = 0; i < size; ++i) {
        if (data[i] == '\0') break;  // No argument holds one.
        if (data[i] != '\n') {
            argument += static_cast<char>(data[i]);
            continue;
        }
        arguments.push_back(argument);
        argument.clear();
    }
    if (!argument.empty()) arguments.push_back(argument);
    const int code = glsort::fuzz::parse_options(arguments);
    glsort::fuzz::require(code == 0 || code == 2, "an exit code is 0 or 2, not " + std::to_string(code));
    return 0;
}
