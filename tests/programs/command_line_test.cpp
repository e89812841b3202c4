// The common part of the three programs: help, versions, wrong arguments, manual pages and completions.

#include <catch2/catch.hpp>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "process.h"
#include "support/paths.h"
#include "support/skip.h"

namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using namespace glsort::test;

struct Program {
    std::string name;
    std::string path;
    std::vector<std::string> commands;
};

std::vector<Program> programs() {
    return {{"glsort", paths::program(GLSORT_CLI_PATH), {"info", "plan", "sort", "bench", "check", "frames"}},
            {"particles", paths::program(PARTICLES_PATH), {}},
            {"stages", paths::program(STAGES_PATH), {}}};
}

bool is_there(const std::string& program) {
    return run_program("sh", {"-c", "command -v " + program}).code == 0;
}

Result shell(const std::string& script) {
    return run_program("bash", {"-c", script});
}

// The names of options in a help text, from the starts of lines.
std::set<std::string> options_in(const std::string& help) {
    std::set<std::string> names;
    for (const std::string& line : lines_of(help)) {
        if (!line.starts_with("  -")) continue;
        const std::string column = line.substr(2, line.find(' ', 2) - 2);
        std::istringstream words(column);
        for (std::string name; std::getline(words, name, ',');)
            names.insert(name);
    }
    return names;
}

std::string without(std::string text, const std::string& what) {
    for (std::size_t i = text.find(what); i != std::string::npos; i = text.find(what))
        text.erase(i, what.size());
    return text;
}

}  // namespace

TEST_CASE("all programs answer --help and --version, and fail where nobody can read that", "[programs]") {
    for (const Program& program : programs()) {
        CAPTURE(program.name);
        const Result version = run_program(program.path, {"--version"});
        CHECK(version.code == 0);
        CHECK_THAT(version.out, StartsWith(program.name + " "));
        CHECK(version.out.substr(program.name.size()) ==
              run_program(paths::program(GLSORT_CLI_PATH), {"--version"}).out.substr(6));
        if (!std::filesystem::exists("/dev/full")) continue;
        for (const std::string option : {"--help", "--version"}) {
            const Result full = shell("'" + program.path + "' " + option + " >/dev/full");
            CHECK(full.code == 1);
            CHECK_THAT(full.err, Contains("cannot write to standard output"));
        }
    }
}

TEST_CASE("unknown options suggest the nearest", "[programs]") {
    for (const Program& program : programs()) {
        CAPTURE(program.name);
        std::vector<std::string> arguments = {"--algoritm", "bitonic"};
        if (!program.commands.empty()) arguments.insert(arguments.begin(), "sort");
        const Result result = run_program(program.path, arguments);
        CHECK(result.code == 2);
        CHECK(result.out.empty());
        CHECK(lines_of(result.err).size() == 1);
        CHECK_THAT(result.err, Contains("unknown option --algoritm; did you mean --algorithm?") && Contains("--help"));
    }
    const std::string glsort = paths::program(GLSORT_CLI_PATH);
    CHECK_THAT(run_program(glsort, {"srot"}).err,
               Contains("unknown command \"srot\"") && Contains("did you mean sort?"));
    CHECK_THAT(run_program(glsort, {"plan", "x", "y", "z"}).err, Contains("unexpected arguments \"x\", \"y\", \"z\""));
    CHECK_THAT(run_program(glsort, {"plan", "--algorithm", "bitonc"}).err, Contains("did you mean bitonic?"));
}

TEST_CASE("one thing has one name in all programs", "[programs]") {
    // The values of an option, by the option's name. Each command must have equal values. Lists of bench have more
    // values.
    std::map<std::string, std::string> values;
    for (const Program& program : programs()) {
        std::vector<std::vector<std::string>> helps = {{"--help"}};
        for (const std::string& command : program.commands)
            helps.push_back({command, "--help"});
        for (const std::vector<std::string>& arguments : helps)
            for (const std::string& line : lines_of(run_program(program.path, arguments).out)) {
                if (!line.starts_with("  -")) continue;
                std::istringstream words(line);
                std::string names;
                std::string value;
                words >> names >> value;
                const std::string name = names.substr(names.find("--"));
                // The values of these options differ from program to program.
                if (name == "--format" || name == "--output" || name == "--backend" || name.starts_with("--sizes"))
                    continue;
                CAPTURE(program.name, line);
                // The description of a flag follows its name.
                const bool flag = value.find('|') == std::string::npos && value.size() > 1 &&
                                  std::isupper(static_cast<unsigned char>(value[1])) == 0;
                if (!flag) CHECK(values.emplace(name, value).first->second == value);
            }
    }
    CHECK(values.contains("--count"));
    CHECK(values.at("--seed") == "S");
    CHECK(values.size() > 20);
}

TEST_CASE("manual pages and completions have every option", "[programs]") {
    const Folder folder;
    for (const Program& program : programs()) {
        CAPTURE(program.name);
        const Result written = run_program(program.path, {"--write-manual", folder.path()});
        REQUIRE(written.code == 0);
        const std::string page = folder.file("man/man1/" + program.name + ".1");
        // Hyphens are escaped, and names are bold.
        const std::string manual = without(read_text(page), "\\");
        const std::string bash = read_text(folder.file("bash-completion/completions/" + program.name));
        const std::string zsh = read_text(folder.file("zsh/site-functions/_" + program.name));
        const std::string fish = read_text(folder.file("fish/vendor_completions.d/" + program.name + ".fish"));

        std::vector<std::vector<std::string>> helps = {{"--help"}};
        for (const std::string& command : program.commands)
            helps.push_back({command, "--help"});
        std::set<std::string> all;
        for (const std::vector<std::string>& arguments : helps) {
            const std::set<std::string> names = options_in(run_program(program.path, arguments).out);
            CHECK(names.size() >= 2);
            all.insert(names.begin(), names.end());
        }
        for (const std::string& name : all) {
            CAPTURE(name);
            CHECK_THAT(manual, Contains("fB" + name + "fR"));
            CHECK_THAT(bash, Contains(name));
            CHECK_THAT(zsh, Contains("*" + name + "["));
            CHECK_THAT(fish, Contains(name.starts_with("--") ? "-l " + name.substr(2) : "-s " + name.substr(1)));
        }
        CHECK_THAT(manual, !Contains("--write-manual"));
        CHECK_THAT(bash, !Contains("--write-manual"));

        if (is_there("man")) {
            const Result read =
                run_program("man", {"--warnings", "-E", "UTF-8", "-l", "-Tutf8", page}, {{"MANWIDTH", "80"}});
            CHECK(read.code == 0);
            CHECK(read.err.empty());
        }
        for (const std::string& checker : {"zsh -n zsh/site-functions/_" + program.name,
                                           "fish -n fish/vendor_completions.d/" + program.name + ".fish",
                                           "bash -n bash-completion/completions/" + program.name})
            if (is_there(checker.substr(0, checker.find(' '))))
                CHECK(shell("cd '" + folder.path() + "' && " + checker).code == 0);
    }
}

TEST_CASE("bash completes commands, options and values", "[programs]") {
    const Folder folder;
    for (const Program& program : programs())
        REQUIRE(run_program(program.path, {"--write-manual", folder.path()}).code == 0);
    // Calls the function as bash does, which splits words at : and =.
    const auto completed = [&folder](const std::string& line) {
        const std::string program = line.substr(0, line.find(' '));
        const Result result =
            shell("source '" + folder.file("bash-completion/completions/" + program) + "'; COMP_LINE='" + line +
                  "'; COMP_POINT=${#COMP_LINE}; _" + program + "; printf '%s\\n' \"${COMPREPLY[@]}\"");
        INFO(result.err);
        CHECK(result.code == 0);
        return lines_of(result.out);
    };
    using Words = std::vector<std::string>;
    CHECK(completed("glsort so") == Words{"sort"});
    CHECK(completed("glsort sort --key f") == Words{"f32", "f64"});
    CHECK(completed("glsort sort --key=u3") == Words{"u32"});
    CHECK(completed("glsort sort --ver") == Words{"--verify"});
    CHECK(completed("glsort plan --algorithm abisort:f") == Words{"fused"});
    CHECK(completed("glsort bench --backends fragment,com") == Words{"fragment,compute"});
    CHECK(completed("glsort frames --binaries " + folder.file("zs")) == Words{folder.file("zsh")});
    CHECK(completed("particles --scene gal") == Words{"galaxy"});
    CHECK(completed("stages --view merge") == Words{"merge-path"});
}
