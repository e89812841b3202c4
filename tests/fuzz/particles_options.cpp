// The program itself, but for what draws.
#define main particles_main
#include "particles/main.cpp"
#undef main

#include "fuzz/program_options.h"

namespace glsort::demo {

void run_headless(const Settings&) {}
void run_interactive(const Settings&) {}

}  // namespace glsort::demo

namespace glsort::fuzz {

int parse_options(std::vector<std::string> arguments) {
    return particles_main(static_cast<int>(arguments.size()), pointers_to(arguments).data());
}

}  // namespace glsort::fuzz
