#include "console.h"

#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>

namespace glsort::demo {

void print(std::string_view text) {
    // Flushed at once, so that a failure shows here and not after main() has returned 0.
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
        throw std::runtime_error("cannot write to standard output");
}

void print_json(const nlohmann::ordered_json& json) {
    print(json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

void progress(bool verbose, std::string_view line) {
    static const bool terminal = isatty(STDERR_FILENO) == 1;
    if (terminal || verbose) complain(line);
}

void complain(std::string_view line) {
    std::fprintf(stderr, "%.*s\n", static_cast<int>(line.size()), line.data());
}

}  // namespace glsort::demo
