#include "console.h"
#include "fuzz/program_options.h"
#include "help.h"
#include "options.h"

#include <memory>

namespace glsort::fuzz {

// As in the program's main function, which also runs the command.
int parse_options(std::vector<std::string> arguments) {
    using namespace glsort::demo;
    CLI::App app("Sorts keys and pairs on the graphics pipeline.", "glsort");
    app.require_subcommand(0, 1);
    app.formatter(std::make_shared<HelpFormatter>());
    const std::vector<Command> commands = {add_info_command(app), add_plan_command(app), add_sort_command(app),
                                           add_bench_command(app), add_check_command(app)};
    const std::vector<char*> pointers = pointers_to(arguments);
    try {
        app.parse(static_cast<int>(arguments.size()), pointers.data());
        return 0;
    } catch (const CLI::Success& help) {
        return app.exit(help);
    } catch (const CLI::ParseError&) {
        return 2;
    }
}

}  // namespace glsort::fuzz
