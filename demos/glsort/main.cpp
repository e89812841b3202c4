#include <vector>

#include "cli/program.h"
#include "options.h"
#include "support/console.h"

using namespace glsort::demo;

int main(int argc, char** argv) {
    CLI::App app("Sorts keys and pairs on the graphics pipeline.", "glsort");
    app.require_subcommand(0, 1);
    app.footer(
        "glsort COMMAND --help describes a command. Exit codes: 0 done, 1 failed, 2 wrong arguments, 130 ended by "
        "Ctrl-C. After Ctrl-C, check reports its totals, and ends with 0 or 1.");
    const std::vector<Command> commands = {add_info_command(app),  add_plan_command(app),  add_sort_command(app),
                                           add_bench_command(app), add_check_command(app), add_frames_command(app)};
    return run_program(app, argc, argv, [&commands] {
        for (const Command& command : commands)
            if (command.app->parsed()) return command.run();
        throw UsageError("no command given; the commands are info, plan, sort, bench, check and frames");
    });
}
