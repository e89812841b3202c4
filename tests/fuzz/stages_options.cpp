// The program itself, but for what draws.
#define main stages_main
#include "stages/main.cpp"
#undef main

#include "fuzz/program_options.h"

namespace glsort::demo {

std::string run_headless(const Options&) {
    return "nothing";
}
void run_interactive(const Options&) {}

// Without views any name of one is unknown.
std::vector<std::unique_ptr<View>> make_views() {
    return {};
}
const View& choose_view(const std::vector<std::unique_ptr<View>>&, std::string_view name, const StreamProgram&) {
    throw Error("there is no view " + std::string(name));
}

}  // namespace glsort::demo

namespace glsort::fuzz {

int parse_options(std::vector<std::string> arguments) {
    return stages_main(static_cast<int>(arguments.size()), pointers_to(arguments).data());
}

}  // namespace glsort::fuzz
