// What the three programs say of arguments that they refuse, and of what they wrote.

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "process.h"
#include "support/paths.h"

namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
using namespace glsort::test;

// Runs a command line such as `glsort sort -n 8`. $folder is a folder for files.
Result run(const std::string& line, const Folder& folder) {
    return run_program(
        "bash", {"-c", "glsort() { '" + paths::program(GLSORT_CLI_PATH) + "' \"$@\"; }; particles() { '" +
                           paths::program(PARTICLES_PATH) + "' \"$@\"; }; stages() { '" + paths::program(STAGES_PATH) +
                           "' \"$@\"; }; folder='" + folder.path() + "'; " + line});
}

// The line of a refusal without the name of the program.
std::string refusal(const std::string& line, int code = 2) {
    const Folder folder;
    const Result result = run(line, folder);
    INFO(line << "\n" << result.err);
    CHECK(result.code == code);
    CHECK(result.out.empty());
    CHECK(lines_of(result.err).size() == 1);
    return result.err.substr(std::min(result.err.size(), result.err.find(": ") + 2));
}

std::string text_of_option(const std::string& help, const std::string& option) {
    std::string text;
    bool inside = false;
    for (const std::string& line : lines_of(help)) {
        if (line.starts_with("  -")) inside = line.starts_with("  " + option + " ");
        if (inside && line.size() > 34) text += line.substr(34) + " ";
    }
    return text.substr(0, text.find(" (default"));
}

const std::vector<std::string> commands = {"glsort",       "glsort info",  "glsort plan", "glsort sort",
                                           "glsort bench", "glsort check", "particles",   "stages"};

}  // namespace

TEST_CASE("a missing input is told alike by all programs", "[programs]") {
    const Folder folder;
    for (const std::string command : {"glsort sort --backend cpu --input", "particles --headless --scene"}) {
        CAPTURE(command);
        CHECK(refusal(command + " /no/such/file.ply", 1) ==
              "cannot read /no/such/file.ply: No such file or directory\n");
        CHECK_THAT(refusal(command + " " + folder.path(), 1), EndsWith(": Is a directory\n"));
        std::ofstream(folder.file("locked.ply")) << "ply\n";
        std::filesystem::permissions(folder.file("locked.ply"), std::filesystem::perms::none);
        if (!std::ifstream(folder.file("locked.ply")))
            CHECK_THAT(refusal(command + " " + folder.file("locked.ply"), 1), EndsWith(": Permission denied\n"));
    }
}

TEST_CASE("an output that cannot be written is told alike by all programs, before they work", "[programs]") {
    const Folder folder;
    for (const std::string command :
         {"glsort sort --backend cpu -n 8 --output", "glsort sort --backend cpu -n 8 --payload index --indices",
          "glsort bench --backends cpu --sizes 8 --output", "glsort check --minutes 0.01 --report",
          "particles --headless --output", "stages --headless --output"}) {
        CAPTURE(command);
        CHECK(refusal(command + " /no/such/file.gif", 1) ==
              "cannot write /no/such/file.gif: No such file or directory\n");
        std::filesystem::create_directory(folder.file("folder.gif"));
        const std::string below_file = folder.file("file/pictures");
        std::ofstream(folder.file("file")) << "text";
        if (command.starts_with("particles") || command.starts_with("stages"))
            CHECK(refusal(command + " " + below_file, 1) == "cannot write " + below_file + ": Not a directory\n");
        else
            CHECK_THAT(refusal(command + " " + folder.file("folder.gif"), 1), EndsWith(": Is a directory\n"));
    }
}

TEST_CASE("sizes that are too large are refused alike by all programs", "[programs]") {
    struct Case {
        std::string line;
        std::string start;
    };
    const std::vector<Case> cases = {
        {"glsort sort -n 2^32", "--count 2^32: the limit is 2^32-1"},
        {"glsort plan -n 2^32", "--count 2^32: the limit is 2^32-1"},
        {"glsort plan -n 2^99", "--count 2^99: the limit is 2^32-1"},
        {"glsort bench -n 4,2^32", "--sizes 2^32: the limit is 2^32-1"},
        {"glsort bench --backends cpu --repetitions 1001", "--repetitions 1001: the limit is 1000"},
        {"glsort frames -n 2^31 --backend fragment", "--count 2^31: "},
        {"glsort frames -n 2^10 --grow-to 2^31 --backend fragment", "--grow-to 2^31: "},
        {"glsort frames --ready-us 1e300", "--ready-us 1e300: the limit is 1000000000"},
        {"particles --headless -n 2^31", "--count 2^31: the limit is 2^26"},
        {"particles --headless --size 40000x100", "--size 40000x100: the limit is 32768x32768 pixels"},
        {"stages --headless -n 2^31 --output $folder", "--count 2^31: the limit is 2^20"},
        {"stages --headless --frames 10001 --output $folder", "--frames 10001: the limit is 10000"},
        {"stages --headless --size 17000x200 --output $folder", "--size 17000x200: the limit is 16384x16384 pixels"},
    };
    for (const Case& large : cases)
        CHECK_THAT(refusal(large.line), StartsWith(large.start));
    // What the machine or the device cannot hold.
    const std::string little = "ulimit -v 2000000; ";
    for (const std::string& line :
         {little + "glsort sort -n 2^28 --backend cpu", little + "glsort bench -n 2^28 --backends cpu"})
        CHECK_THAT(refusal(line),
                   Contains(" 2^28: ") && Contains(" GiB of the computer's memory are needed; the limit is"));
    CHECK_THAT(refusal("glsort plan -n 2^29 --backend compute --limits storage_bytes=2^27"),
               StartsWith("--count 2^29: ") && Contains("needs 4.0 GiB; the limit of a storage buffer is 128.0 MiB"));
}

TEST_CASE("limits that are wrong or too small are named", "[programs]") {
    for (const std::string name : {"attachments", "texture_size", "textures_read", "shared_memory", "invocations",
                                   "storage_blocks", "storage_bytes"})
        CHECK_THAT(refusal("glsort plan --limits " + name + "=0"),
                   StartsWith("--limits: " + name + " is 0; the least is 1"));
    const std::vector<std::pair<std::string, std::string>> small = {
        {"--limits attachments=1 --algorithm abisort:overlapped", "the limit is 1 (attachments)"},
        {"--limits texture_size=32 -n 2^12", "the limit is 32 (texture_size)"},
        {"--backend compute --limits invocations=1", "the limit is 1 (invocations)"},
        {"--backend compute --limits shared_memory=2000", "the limit is 2.0 KiB (shared_memory)"},
        {"--backend compute --limits storage_blocks=1", "the limit is 1 (storage_blocks)"},
        {"--backend compute --limits storage_bytes=100 -n 2^12", "a storage buffer is 100 bytes (storage_bytes)"},
        {"--algorithm radix:one-sweep", "needs subgroup operations; the limit subgroup_size is 0"},
        {"--algorithm radix:one-sweep --limits subgroup_size=32,subgroups=none", "the limit subgroups is none"},
        {"--limits attachments=x", "--limits: attachments: \"x\" is not a count"},
        {"--limits attachments=2^40", "attachments 1099511627776 exceeds the limit of 2^32-1"},
    };
    for (const auto& [arguments, words] : small)
        CHECK_THAT(refusal("glsort plan " + arguments), Contains(words) && !Contains("this context"));
    const Folder folder;
    CHECK(run("glsort plan --limits subgroup_size=0,multiprocessors=0,software=0", folder).code == 0);
}

TEST_CASE("versions that are too old for the library are refused", "[programs]") {
    for (const std::string command : {"glsort info", "glsort sort -n 8", "glsort bench -n 8", "glsort frames -n 8"}) {
        CHECK_THAT(refusal(command + " --gl-version 0.0"),
                   StartsWith("--gl-version: 0.0 is too old: OpenGL 3.3 is the least"));
        CHECK_THAT(refusal(command + " --gl-version 2.0 --api gles"),
                   StartsWith("--gl-version: 2.0 is too old: OpenGL ES 3.0 is the least"));
    }
}

TEST_CASE("options that contradict each other are refused, and both are named", "[programs]") {
    struct Case {
        std::string line;
        std::vector<std::string> names;
    };
    const std::vector<Case> cases = {
        {"glsort bench --repetitions 3 --min-ms 5", {"--repetitions", "--min-ms"}},
        {"glsort sort --backend cpu --gl-version 3.3", {"--backend cpu", "--gl-version"}},
        {"glsort sort --backend cpu --api gles", {"--backend cpu", "--api"}},
        {"glsort sort --backend compute --gl-version 3.3", {"--backend compute", "--gl-version 3.3", "OpenGL 4.3"}},
        {"glsort sort --backend compute --gl-version 4.2 --api gl", {"--backend compute", "--gl-version 4.2"}},
        {"glsort sort --backend compute --gl-version 3.0 --api gles",
         {"--backend compute", "--api gles", "--gl-version 3.0", "OpenGL ES 3.1"}},
        {"glsort bench --backends cpu --api gl", {"--backends cpu", "--api"}},
        {"glsort bench --backends cpu --io texture", {"--backends cpu", "--io texture"}},
        {"glsort bench --backends cpu --state caller-resets", {"--backends cpu", "--state caller-resets"}},
        {"glsort bench --backends cpu --max-elements-per-draw 8", {"--backends cpu", "--max-elements-per-draw"}},
        {"glsort bench --peers --peers-program x --sources 2", {"--peers-program", "--sources"}},
        {"glsort bench --list --format json", {"--list", "--format"}},
        {"glsort bench --list --output list", {"--list", "--output"}},
        {"glsort bench --list --minutes 5", {"--list", "--minutes"}},
        {"glsort sort --input keys --seed 5", {"--input", "--seed"}},
        {"glsort bench --backends cpu,compute --gl-version 3.3", {"--backends compute", "--gl-version 3.3"}},
        {"glsort info --state --api gl", {"--state", "--api"}},
        {"glsort info --state --gl-version 4.5", {"--state", "--gl-version"}},
        {"glsort info --state=1 --gl-version 4.5", {"--state", "--gl-version"}},
        {"particles --headless --no-sort --split", {"--no-sort", "--split"}},
        {"particles --headless --sort=false --split=true", {"--no-sort", "--split"}},
        {"particles --headless --no-sort --frustum", {"--no-sort", "--frustum"}},
        {"particles --headless --scale 2", {"--scale", "--panels", "--split"}},
        {"particles --scale 2 --panels", {"--scale", "--headless"}},
        {"particles --headless --panels --api gles", {"--panels", "--api gles"}},
        {"particles --headless --backend compute --gl-version 3.3", {"--backend compute", "--gl-version 3.3"}},
        {"particles --headless --backend compute --api gles --gl-version 3.0",
         {"--backend compute", "--api gles", "--gl-version 3.0"}},
        {"stages --scale 2", {"--scale", "--headless", "the scale of its display"}},
        {"stages --frames 3", {"--frames", "--headless", "F12"}},
        {"stages --panels", {"--panels", "--headless"}},
        {"stages --headless --window --progress", {"--progress", "--headless"}},
        {"stages --headless --output $folder --backend compute --gl-version 3.3",
         {"--backend compute", "--gl-version 3.3"}},
    };
    for (const Case& wrong : cases) {
        const std::string line = refusal(wrong.line);
        for (const std::string& name : wrong.names)
            CHECK_THAT(line, Contains(name));
    }
    // Near relatives that make sense. The last of two options counts.
    const Folder folder;
    const std::string small = "particles --headless --count 9 --size 64x64 --frames 1 ";
    for (const std::string& line : std::vector<std::string>{
             "glsort bench -n 4 --repetitions 1 --warm-up-ms 0 --backends cpu,fragment --gl-version 3.3",
             "glsort sort -n 4 --backend cpu --backend fragment --gl-version 3.3",
             "glsort sort -n 4 --backend compute --gl-version 4.3",
             "glsort sort -n 4 --backend compute --gl-version 3.1 --api gles", small + "--split --no-sort --sort",
             small + "--no-sort --split --no-split", small + "--no-sort --no-frustum", small + "--split --scale 2",
             small + "--no-panels --api gles"}) {
        const Result result = run(line, folder);
        INFO(line << "\n" << result.err);
        CHECK(result.code == 0);
    }
}

TEST_CASE("the option --seed has one text in all programs, and every line of a help fits a terminal", "[programs]") {
    const Folder folder;
    std::set<std::string> seeds;
    for (const std::string& command : commands) {
        const std::string help = run(command + " --help", folder).out;
        CAPTURE(command);
        for (const std::string& line : lines_of(help))
            CHECK(line.size() <= 100);
        if (help.find("--seed") != std::string::npos) seeds.insert(text_of_option(help, "--seed"));
        CHECK_THAT(help, !Contains("[At most"));
    }
    CHECK(seeds.size() == 1);
    CHECK_THAT(*seeds.begin(), Contains("digits or 2^K"));
    CHECK_THAT(run("stages --help", folder).out, Contains("from 0"));
    CHECK_THAT(run("glsort plan --help", folder).out, Contains("numbered from 0"));
}

TEST_CASE("stages says what it wrote", "[programs]") {
    const Folder folder;
    const std::string small = "stages --headless -n 16 --size 320x200 ";
    const Result one = run(small + "--output $folder/a.png", folder);
    CHECK(one.code == 0);
    CHECK(one.out.empty());
    CHECK(one.err == "stages: wrote 1 picture to " + folder.file("a.png") + "\n");
    CHECK(run(small + "--frames 3 --output $folder/b.gif", folder).err ==
          "stages: wrote 3 pictures to " + folder.file("b.gif") + "\n");
    CHECK(run(small + "--frames 2 --output $folder/c", folder).err ==
          "stages: wrote 2 pictures to " + folder.file("c") + "\n");
    const Result piped = run(small + "--output -", folder);
    CHECK_THAT(piped.out, Contains("PNG"));
    CHECK(piped.err == "stages: wrote 1 picture to standard output\n");
}
