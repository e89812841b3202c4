#include "cli/program.h"

#include <fmt/format.h>
#include <glsort/sorter.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "cli/description.h"
#include "cli/help.h"
#include "cli/manual.h"
#include "cli/values.h"
#include "support/console.h"

namespace glsort::demo {
namespace {

constexpr int exit_failure = 1;
constexpr int exit_usage = 2;

// The chosen command, or the program itself if there is none.
CLI::App& at_work(CLI::App& app) {
    const std::vector<CLI::App*> commands = app.get_subcommands();
    return commands.empty() ? app : *commands.front();
}

std::string name_of(CLI::App& app) {
    CLI::App& command = at_work(app);
    return &command == &app ? app.get_name() : app.get_name() + " " + command.get_name();
}

// An error is one line, even if its text has line ends.
std::string one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

std::string list_of(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "\"" : ", \"") + word + "\"";
    return text;
}

// The message for unknown arguments. If there is an option among them, the message names only the first option: the
// other arguments may be values of the option.
std::string unknown_arguments(CLI::App& app) {
    CLI::App& command = at_work(app);
    const std::vector<std::string> unknown = app.remaining(true);
    const CommandDescription described = describe(command);
    const auto option = std::find_if(unknown.begin(), unknown.end(),
                                     [](const std::string& word) { return word.size() > 1 && word[0] == '-'; });
    const auto suggestion = [](const std::string& word, const std::vector<std::string>& names) {
        const std::string meant = nearest(word, names);
        return meant.empty() ? "" : "; did you mean " + meant + "?";
    };
    if (option != unknown.end()) {
        const std::string name = option->substr(0, option->find('='));
        std::vector<std::string> names;
        for (const OptionDescription& known : described.options)
            names.insert(names.end(), known.names.begin(), known.names.end());
        return fmt::format("unknown option {}{}", name, suggestion(name, names));
    }
    std::vector<std::string> commands;
    for (const CommandDescription& known : described.commands)
        commands.push_back(known.name);
    if (commands.empty())
        return fmt::format("unexpected argument{} {}", unknown.size() == 1 ? "" : "s", list_of(unknown));
    return fmt::format("unknown command {}; the commands are {}{}", list_of({unknown.front()}), listed(commands),
                       suggestion(unknown.front(), commands));
}

int run(CLI::App& app, int argc, char** argv, const std::function<void()>& body) {
    std::filesystem::path manual;
    app.set_version_flag("--version", app.get_name() + " " + version());
    app.formatter(std::make_shared<HelpFormatter>());
    for (CLI::App* command : app.get_subcommands({}))
        command->formatter(app.get_formatter());
    add_path(app, "--write-manual", manual, "Writes the manual page and the completions into this folder")->group("");
    const auto refuse = [&app](const std::string& reason) {
        complain(one_line(fmt::format("{0}: {1} (see {0} --help)", name_of(app), reason)));
        return exit_usage;
    };
    try {
        parse_arguments(app, argc, argv);
        if (manual.empty())
            body();
        else
            write_manual(describe(app), version(), manual);
        return 0;
    } catch (const CLI::CallForHelp&) {
        print(app.help());
        return 0;
    } catch (const CLI::CallForVersion& text) {
        print(std::string(text.what()) + "\n");
        return 0;
    } catch (const CLI::ExtrasError&) {
        return refuse(unknown_arguments(app));
    } catch (const CLI::ParseError& error) {
        return refuse(error.what());
    } catch (const UsageError& error) {
        return refuse(error.what());
    }
}

}  // namespace

int run_program(CLI::App& app, int argc, char** argv, const std::function<void()>& body) {
    open_standard_streams();
    // A pipe without a reader is an error of write(), so that temporary files are removed.
    std::signal(SIGPIPE, SIG_IGN);
    try {
        return run(app, argc, argv, body);
    } catch (const std::bad_alloc&) {
        complain(name_of(app) + ": not enough memory");
    } catch (const std::exception& error) {
        complain(one_line(name_of(app) + ": " + without_function(error.what())));
    }
    return exit_failure;
}

}  // namespace glsort::demo
