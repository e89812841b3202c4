#include "cli/program.h"
#include "fuzz/program_options.h"
#include "options.h"

namespace glsort::fuzz {

// As in the program's main function, which also runs the command.
int parse_options(std::vector<std::string> arguments) {
    using namespace glsort::demo;
    CLI::App app("Sorts keys and pairs on the graphics pipeline.", "glsort");
    app.require_subcommand(0, 1);
    const std::vector<Command> commands = {add_info_command(app),  add_plan_command(app),  add_sort_command(app),
                                           add_bench_command(app), add_check_command(app), add_frames_command(app)};
    return run_program(app, static_cast<int>(arguments.size()), pointers_to(arguments).data(), [] {});
}

}  // namespace glsort::fuzz
