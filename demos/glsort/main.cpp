#include <glsort/sorter.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <string>

#include "console.h"
#include "help.h"
#include "options.h"

using namespace glsort::demo;

namespace {

constexpr int exit_failure = 1;
constexpr int exit_usage = 2;

// The name of the program, or of the command at work.
std::string who(const CLI::App& app) {
    std::string name = app.get_name();
    for (const CLI::App* command : app.get_subcommands())
        name += " " + command->get_name();
    return name;
}

// An error is one line, whatever its text holds.
std::string one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

constexpr const char* commands_there_are = "the commands are info, plan, sort, bench and check";

void run(const std::vector<Command>& commands) {
    for (const Command& command : commands)
        if (command.app->parsed()) {
            command.run();
            return;
        }
    throw UsageError(std::string("no command given; ") + commands_there_are);
}

int guarded_main(int argc, char** argv) {
    CLI::App app("Sorts keys and pairs on the graphics pipeline.", "glsort");
    app.set_version_flag("--version", std::string("glsort ") + glsort::version());
    app.require_subcommand(0, 1);
    app.formatter(std::make_shared<HelpFormatter>());
    app.footer(
        "glsort COMMAND --help describes a command. Exit codes: 0 done, 1 failed, 2 wrong "
        "arguments.");
    const std::vector<Command> commands = {add_info_command(app), add_plan_command(app), add_sort_command(app),
                                           add_bench_command(app), add_check_command(app)};
    try {
        app.parse(argc, argv);
        run(commands);
        return 0;
    } catch (const CLI::Success& help_or_version) {
        return app.exit(help_or_version);
    } catch (const CLI::ExtrasError& error) {
        const bool has_command = !app.get_subcommands().empty();
        complain(one_line(who(app) + ": " + error.what() + "; " +
                          (has_command ? "see " + who(app) + " --help" : commands_there_are)));
        return exit_usage;
    } catch (const CLI::ParseError& error) {
        complain(one_line(who(app) + ": " + error.what()));
        return exit_usage;
    } catch (const UsageError& error) {
        complain(one_line(who(app) + ": " + error.what()));
        return exit_usage;
    } catch (const std::bad_alloc&) {
        complain(who(app) + ": not enough memory");
    } catch (const std::exception& error) {
        complain(one_line(who(app) + ": " + error.what()));
    }
    return exit_failure;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return guarded_main(argc, argv);
    } catch (const std::exception& error) {
        complain(one_line(std::string("glsort: ") + error.what()));
        return exit_failure;
    }
}
