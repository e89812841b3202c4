// What glsort does with files that are there: what is refused leaves them alone, and new contents replace old ones.

#include <signal.h>
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "process.h"
#include "support/paths.h"
#include "support/skip.h"

namespace {

using namespace glsort::test;
using std::filesystem::perms;

// Runs a bash script in which $glsort is the program and $folder is the folder.
Result shell(const Folder& folder, const std::string& script) {
    return run_program(
        "bash", {"-c", "glsort='" + paths::program(GLSORT_CLI_PATH) + "'; folder='" + folder.path() + "'; " + script});
}

std::string old_file(const Folder& folder) {
    std::ofstream(folder.file("old")) << "old";
    return folder.file("old");
}

std::set<std::string> names_in(const Folder& folder) {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
        names.insert(entry.path().filename().string());
    return names;
}

const std::string sort_to = "\"$glsort\" sort --backend cpu -n 8 --output ";
constexpr std::uintmax_t bytes_of_sort = 32;

}  // namespace

TEST_CASE("a call that is refused leaves an old file as it was, and makes no new file", "[programs]") {
    for (const std::string command :
         {"\"$glsort\" sort -n 8 --gl-version 9.9 --output", "\"$glsort\" bench -n 8 --gl-version 9.9 --output",
          "ulimit -v 2000000; \"$glsort\" bench -n 2^28 --backends cpu --output",
          "\"$glsort\" check --rounds 1 --contexts gl33 --backends compute --report"}) {
        const Folder folder;
        const std::string old = old_file(folder);
        for (const std::string name : {"old", "new"}) {
            const Result result = shell(folder, command + " \"$folder/" + name + "\"");
            CAPTURE(command, result.err);
            CHECK(result.code != 0);
        }
        CHECK(read_text(old) == "old");
        CHECK(names_in(folder) == std::set<std::string>{"old"});
    }
}

TEST_CASE("a new file has the mode of the old file", "[programs]") {
    const Folder folder;
    const std::string old = old_file(folder);
    for (const perms mode : {perms::owner_read | perms::owner_write,
                             perms::owner_read | perms::owner_write | perms::group_write | perms::others_read}) {
        std::filesystem::permissions(old, mode);
        CHECK(shell(folder, "umask 027; " + sort_to + "\"$folder/old\"").code == 0);
        CHECK(std::filesystem::status(old).permissions() == mode);
        CHECK(std::filesystem::file_size(old) == bytes_of_sort);
    }
}

TEST_CASE("a file is written in place where its folder cannot be changed", "[programs]") {
    const Folder folder;
    const std::string old = old_file(folder);
    std::filesystem::permissions(folder.path(), perms::owner_read | perms::owner_exec);
    const Result result = shell(folder, sort_to + "\"$folder/old\"");
    std::filesystem::permissions(folder.path(), perms::owner_all);
    INFO(result.err);
    CHECK(result.code == 0);
    CHECK(std::filesystem::file_size(old) == bytes_of_sort);
    CHECK(names_in(folder) == std::set<std::string>{"old"});
}

TEST_CASE("a file that is a mount point is written in place", "[programs]") {
    const Folder folder;
    const std::string old = old_file(folder);
    const auto mounted = [&folder](const std::string& script) {
        return shell(folder,
                     "export glsort folder; unshare --user --map-root-user --mount bash -c '"
                     "mount --bind \"$folder/old\" \"$folder/old\" && " +
                         script + "'");
    };
    if (mounted("true").code != 0) return skip("this user may not mount files");
    const Result result = mounted(sort_to + "\"$folder/old\"");
    INFO(result.err);
    CHECK(result.code == 0);
    CHECK(std::filesystem::file_size(old) == bytes_of_sort);
    CHECK(names_in(folder) == std::set<std::string>{"old"});
}

TEST_CASE("a sort whose output nobody reads leaves no temporary file", "[programs]") {
    const Folder folder;
    const std::string old = old_file(folder);
    const Result result = shell(folder,
                                "{ \"$glsort\" sort --backend cpu -n 2^15 --output \"$folder/old\" --indices -; "
                                "echo $? >&2; } | true");
    CHECK(lines_of(result.err).back() == "1");
    CHECK_THAT(result.err, Catch::Contains("cannot write to standard output: Broken pipe"));
    CHECK(names_in(folder) == std::set<std::string>{"old"});
    CHECK(read_text(old) == "old");
}

TEST_CASE("shaders stay as they were if the list of their names cannot be written", "[programs]") {
    const Folder folder;
    const std::string plan = "\"$glsort\" plan -n 8 --glsl \"$folder\" --output ";
    REQUIRE(shell(folder, plan + "/dev/null").code == 0);
    const std::set<std::string> shaders = names_in(folder);
    REQUIRE_FALSE(shaders.empty());
    for (const std::string& name : shaders)
        std::ofstream(folder.file(name)) << "old";
    CHECK(shell(folder, plan + "/no/such/folder/names").code == 1);
    for (const std::string& name : shaders)
        CHECK(read_text(folder.file(name)) == "old");
}

TEST_CASE("an output of bench does not take the place of a closed stream", "[programs]") {
    const Folder folder;
    const Result result = shell(folder,
                                "\"$glsort\" bench --backends cpu -n 8 --minutes 0 --format json --output "
                                "\"$folder/rows\" 2>&-");
    CHECK(result.code == 0);
    CHECK(read_text(folder.file("rows")).ends_with("]\n}\n"));
}

TEST_CASE("an interrupted sort leaves no temporary file", "[programs]") {
    const Folder folder;
    const Folder streams;
    const std::string old = old_file(folder);
    // Nobody reads the pipe, so the sort waits between its two files.
    REQUIRE(mkfifo(folder.file("pipe").c_str(), 0600) == 0);
    Process sort(paths::program(GLSORT_CLI_PATH),
                 {"sort", "--backend", "cpu", "-n", "8", "--output", old, "--indices", folder.file("pipe")}, {},
                 streams.file("out"), streams.file("err"));
    REQUIRE(eventually([&folder] { return names_in(folder).size() == 3; }));
    sort.send(SIGINT);
    CHECK(sort.wait() == 130);
    CHECK(names_in(folder) == std::set<std::string>{"old", "pipe"});
    CHECK(read_text(old) == "old");
}
