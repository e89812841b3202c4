// The program itself, but for what draws.
#define main particles_main
#include "particles/main.cpp"
#undef main

#include "fuzz/program_options.h"

namespace glsort::demo {

int run_headless(const Settings&) {
    return 0;
}
int run_interactive(const Settings&) {
    return 0;
}

}  // namespace glsort::demo

namespace glsort::fuzz {

int parse_options(std::vector<std::string> arguments) {
    return particles_main(static_cast<int>(arguments.size()), pointers_to(arguments).data());
}

}  // namespace glsort::fuzz
