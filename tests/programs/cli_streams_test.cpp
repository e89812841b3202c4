// glsort between pipes, its limits, and the output of an interrupted bench.

#include <signal.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "process.h"
#include "support/paths.h"

namespace {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using nlohmann::json;
using namespace glsort::test;

const std::string on_cpu = " --backend cpu ";

std::string program_path() {
    return "'" + paths::program(GLSORT_CLI_PATH) + "'";
}

// Runs a bash script in which $glsort is the program. Returns the output.
Result shell(const std::string& script) {
    return run_program("bash", {"-c", "glsort=" + program_path() + "; " + script});
}

Result cli(const std::string& arguments) {
    return shell("\"$glsort\" " + arguments);
}

std::string bytes_of(const std::vector<std::uint32_t>& words) {
    std::string bytes(4 * words.size(), '\0');
    std::memcpy(bytes.data(), words.data(), bytes.size());
    return bytes;
}

std::string without_line_ends(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

}  // namespace

TEST_CASE("sort reads standard input and writes standard output", "[programs]") {
    const Folder folder;
    std::vector<std::uint32_t> keys = {5, 3, 9, 1, 4};
    std::ofstream(folder.file("keys"), std::ios::binary) << bytes_of(keys);
    std::sort(keys.begin(), keys.end());
    for (const std::string output : {"-", "/dev/stdout"}) {
        const Result piped = shell("cat '" + folder.file("keys") + "' | \"$glsort\" sort --input - --output " + output +
                                   on_cpu + " | cat");
        CHECK(piped.code == 0);
        CHECK(piped.out == bytes_of(keys));
        // The report goes to standard error.
        CHECK_THAT(piped.err, Contains("sorted    5 u32 keys") && Contains("from standard input"));
    }
    // If standard output is a file, /dev/stdout is that file.
    const std::string sorted = folder.file("sorted");
    CHECK(shell("\"$glsort\" sort --output /dev/stdout -n 100 --format json" + on_cpu + ">'" + sorted + "'").code == 0);
    CHECK(std::filesystem::file_size(sorted) == 400);
    CHECK(json::parse(cli("sort -n 100 --output - --format json" + on_cpu).err)["n"] == 100);
    const Result indices = shell("\"$glsort\" sort --input - --indices -" + on_cpu + "<'" + folder.file("keys") + "'");
    CHECK(indices.out == bytes_of({3, 1, 4, 0, 2}));
}

TEST_CASE("sort refuses files without a name, and one file twice", "[programs]") {
    const Folder folder;
    for (const std::string option : {"--input", "--output", "--indices"}) {
        const Result result = cli("sort " + option + " ''" + on_cpu);
        CHECK(result.code == 2);
        CHECK(result.out.empty());
        CHECK_THAT(result.err, Contains(option + ": the name is empty"));
    }
    const std::string a = folder.file("a");
    const Result twice = cli("sort -n 8 --output '" + a + "' --indices '" + folder.path() + "/./a'" + on_cpu);
    CHECK(twice.code == 2);
    CHECK_THAT(twice.err, Contains("name the same file"));
    CHECK_FALSE(std::filesystem::exists(a));
    CHECK(cli("sort -n 8 --output - --indices /dev/stdout" + on_cpu).code == 2);
}

TEST_CASE("plan and bench write files, and - is standard output", "[programs]") {
    const Folder folder;
    const Result plan = cli("plan -n 8");
    CHECK(cli("plan -n 8 --output -").out == plan.out);
    CHECK(cli("plan -n 8 --output '" + folder.file("plan") + "'").out.empty());
    CHECK(read_text(folder.file("plan")) == plan.out);
    const Result shaders = cli("plan -n 8 --glsl -");
    CHECK_THAT(shaders.out, StartsWith("// 00-") && Contains("#version"));

    const std::string rows = folder.file("rows");
    const std::string quick = "bench -n 10,20 --backends cpu --repetitions 1 --output '" + rows + "' --format ";
    CHECK(cli(quick + "csv").out.empty());
    const std::vector<std::string> lines = lines_of(read_text(rows));
    REQUIRE(lines.size() == 5);
    CHECK_THAT(lines[0], StartsWith("algorithm,variant,backend,io,n,"));
    CHECK_THAT(lines[1], StartsWith("std_sort,,cpu,buffer,10,u32,index,ascending,"));
    for (const std::string& line : lines)
        CHECK(std::count(line.begin(), line.end(), ',') == std::count(lines[0].begin(), lines[0].end(), ','));
    CHECK(cli(quick + "json").code == 0);
    CHECK(json::parse(read_text(rows))["rows"].size() == 4);
    CHECK_THAT(cli("bench -n 10 --backends cpu --output /no/such/folder/rows").err, Contains("/no/such/folder/rows"));
}

TEST_CASE("bench writes rows as it measures, and keeps them when it is interrupted", "[programs]") {
    const std::string format = GENERATE("json", "csv", "table", "text");
    const bool progress = GENERATE(false, true);  // The progress has a thread of its own.
    CAPTURE(format, progress);
    const Folder folder;
    const std::string out = folder.file("out");
    // The last row takes much longer than all others.
    std::vector<std::string> arguments = {"bench",    "-n", "64,2^24",  "--backends", "cpu",
                                          "--min-ms", "1",  "--format", format};
    if (progress) arguments.emplace_back("--progress");
    Process bench(paths::program(GLSORT_CLI_PATH), arguments, {}, out, folder.file("err"));
    REQUIRE(eventually([&out] { return read_text(out).find("multiway") != std::string::npos; }));
    bench.send(SIGINT);
    CHECK(bench.wait() == 130);
    const std::string text = read_text(out);
    if (format == "json") {
        const json rows = json::parse(text)["rows"];
        REQUIRE(rows.size() >= 2);
        CHECK(rows[1]["n"] == 64);
        CHECK(rows.size() < 4);
    } else {
        CHECK(text.ends_with("\n"));
        CHECK_THAT(text, Contains("std_sort") && Contains("64"));
    }
}

TEST_CASE("counts that nothing can hold are refused before anything is made", "[programs]") {
    const auto refused = [](const std::string& script) {
        const auto start = std::chrono::steady_clock::now();
        const Result result = shell(script);
        CHECK(result.code == 2);
        CHECK(result.out.empty());
        // To make this number of keys would take longer.
        CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
        return result.err;
    };
    CHECK_THAT(refused("\"$glsort\" sort -n 4294967295 --backend fragment --io texture"),
               Contains("--count 2^32-1: ") && Contains("the limit is"));
    const std::string little = "ulimit -v 2000000; ";
    CHECK_THAT(refused(little + "\"$glsort\" sort -n 2^28" + on_cpu),
               Contains("--count 2^28: 10.0 GiB of the computer's memory are needed; the limit is"));
    CHECK_THAT(refused(little + "\"$glsort\" bench -n 2^28 --backends cpu | grep -v algorithm; exit ${PIPESTATUS[0]}"),
               Contains("--sizes 2^28: "));
    // An endless input has a limit, too.
    CHECK_THAT(refused(little + "\"$glsort\" sort --input /dev/zero" + on_cpu),
               Contains("--input /dev/zero: the limit is ") && Contains("keys"));
    const Folder folder;
    const std::string sparse = folder.file("sparse");
    CHECK_THAT(refused(little + "truncate -s 4G '" + sparse + "'; \"$glsort\" sort --input '" + sparse + "'" + on_cpu),
               Contains("of 2^30 keys: ") && Contains("the limit is"));
}

TEST_CASE("sort says what the first sort took, and times one without the driver's compiler", "[programs]") {
    const Result result = cli("sort -n 1024 --backend fragment --format json");
    INFO(result.err);
    REQUIRE(result.code == 0);
    const json report = json::parse(result.out);
    CHECK(report["ms"].get<double>() > 0);
    CHECK(report["first_ms"].get<double>() > report["ms"].get<double>());
    CHECK_THAT(cli("sort -n 1024 --backend fragment").out, Contains("; the first sort "));
}

TEST_CASE("plan takes compute where the sort needs compute", "[programs]") {
    CHECK_THAT(cli("plan --digit-bits 4").out, StartsWith("radix:reduce-then-scan") && Contains("compute backend"));
    CHECK_THAT(cli("plan --bits 0-16").out, StartsWith("merge:multiway") && Contains("fragment backend"));
    CHECK_THAT(cli("plan").out, Contains("fragment backend"));
    CHECK_THAT(cli("plan -n 2^31").err, Contains("--count 2^31: ") && Contains("the limit is 16384 (texture_size)"));
}

TEST_CASE("mistakes are told in the words of the command line", "[programs]") {
    struct Mistake {
        std::string arguments;
        std::string message;
    };
    const std::vector<Mistake> mistakes = {
        {"plan --digit-bits 0", "--digit-bits: 0 is not from 1 to 11"},
        {"plan --samples 0", "--samples: 0 is not from 1"},
        {"plan --tile 0", "--tile: 0 is not from 1"},
        {"plan --algorithm bogo", "--algorithm: algorithm 'bogo' is unknown"},
        {"plan --limits foo=1", "--limits: 'foo' is unknown"},
        {"plan --algorithm radix --backend fragment", "glsort plan: radix:reduce-then-scan does not run"},
        {"plan --algorithm sample --tile 16 --samples 4 -n 256", "up to "},
    };
    for (const Mistake& mistake : mistakes) {
        CAPTURE(mistake.arguments);
        const Result result = cli(mistake.arguments);
        CHECK(result.code == 2);
        CHECK_THAT(result.err, Contains(mistake.message));
    }
    // Every limit is in the help, in the error and in the output of info.
    const std::string error = cli("plan --limits foo=1").err;
    const std::string help = without_line_ends(cli("plan --help").out);
    for (const auto& [name, value] : json::parse(cli("info --format json").out)["limits"].items()) {
        CHECK_THAT(error, Contains(name));
        CHECK_THAT(help, Contains(name));
    }
    // The error names a way to work without EGL.
    const Result blind = shell("EGL_PLATFORM=none __EGL_VENDOR_LIBRARY_FILENAMES=/dev/null \"$glsort\" sort -n 8");
    if (blind.code != 0) CHECK_THAT(blind.err, Contains("--backend cpu sorts without OpenGL"));
}

TEST_CASE("check writes its report to standard output where asked", "[programs]") {
    const Result result = cli("check --rounds 1 --seed 1 --contexts gl33 --report - --format json");
    CHECK(result.code == 0);
    CHECK_THAT(result.out, StartsWith("glsort ") && Contains("failed rounds"));
    CHECK_THAT(result.err, Contains("\"failures\""));
    CHECK_FALSE(std::filesystem::exists("-"));
}
