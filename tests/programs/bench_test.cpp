// glsort bench: lists of measurements, other libraries, what its JSON says, and runs that go on after an end.

#include <fcntl.h>
#include <glsort/planner.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "process.h"
#include "support/paths.h"

namespace {

using Catch::Matchers::Contains;
using nlohmann::json;
using namespace glsort::test;

Result bench(const std::string& arguments) {
    return run_program("bash", {"-c", "'" + paths::program(GLSORT_CLI_PATH) + "' bench " + arguments});
}

const std::string quick = " --backends cpu --repetitions 2 --warm-up-ms 0 ";

json json_of(const std::string& path) {
    return json::parse(read_text(path));
}

// The row of a sort, which must be there once.
json row_of(const json& run, const std::string& algorithm) {
    std::vector<json> found;
    for (const json& row : run.at("rows"))
        if (row.at("algorithm") == algorithm) found.push_back(row);
    INFO(algorithm);
    REQUIRE(found.size() == 1);
    return found[0];
}

void write_text(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

// A program that answers as glsort-peers does, on a machine without CUDA.
std::string peers_program(const Folder& folder, const std::string& answer) {
    const std::string path = folder.file("peers");
    write_text(path,
               "#!/bin/sh\n"
               "if [ $# -eq 0 ]; then\n"
               "  echo '{\"device\": \"GPU\", \"peers\": [{\"name\": \"cub\", \"version\": \"CUB 9.8.7\"}]}'\n"
               "  exit\n"
               "fi\n"
               "echo \"$@\" >'" +
                   folder.file("arguments") +
                   "'\n"
                   "cat >'" +
                   folder.file("keys") + "'\n" + answer + "\n");
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
}

}  // namespace

TEST_CASE("each suite names only what exists", "[programs]") {
    const std::set<std::string> others = {"std_sort", "std_stable_sort", "tbb_parallel_sort"};
    for (const std::string suite : {"papers", "all"}) {
        const Result result = bench("--list --peers --backends fragment,compute,cpu --suite " + suite);
        CAPTURE(suite, result.err);
        REQUIRE(result.code == 0);
        const std::vector<std::string> lines = lines_of(result.out);
        CHECK(std::set<std::string>(lines.begin(), lines.end()).size() == lines.size());
        CHECK(lines.size() > (suite == "all" ? 10000u : 80u));
        std::set<std::string> names;
        for (const std::string& line : lines)
            names.insert(line.substr(0, line.find(' ')));
        for (const std::string& name : names)
            if (!others.contains(name)) CHECK_NOTHROW(glsort::choose_algorithm(name));
        if (suite == "all")
            for (const glsort::Algorithm& algorithm : glsort::algorithms())
                for (const auto& variant : algorithm.variants)
                    CHECK(names.contains(algorithm.name + ":" + variant.name));
        for (const char* paper : {"abisort:paper", "radix:reduce-then-scan", "sample:paper", "bitonic:local"})
            CHECK(names.contains(paper));
        CHECK(names.contains("std_stable_sort"));
    }
    // A backend that was not asked for is in no list.
    CHECK_THAT(bench("--list --backends fragment --suite all").out, !Contains("on compute"));
}

TEST_CASE("the papers' figures stand beside the row", "[programs]") {
    const Folder folder;
    // Without other backends only the sorts of the CPU are left. The time ends before the large ones.
    const std::string file = folder.file("rows");
    REQUIRE(bench("--suite papers --minutes 0.05 --format json --output " + file + quick).code == 0);
    const json rows = json_of(file).at("rows");
    REQUIRE_FALSE(rows.empty());
    CHECK(rows[0].at("algorithm") == "std_sort");
    CHECK(rows[0].at("n") == 32768);
    CHECK(rows[0].at("key") == "f32");
    const json& theirs = rows[0].at("theirs");
    REQUIRE(theirs.size() == 2);
    CHECK(theirs[0].at("where") == "Table 2");
    CHECK(theirs[0].at("section") == "8");
    CHECK(theirs[0].at("hardware").get<std::string>().find("GeForce 6800") == 0);
    CHECK(theirs[0].at("least_ms") == 12);
    CHECK(theirs[0].at("most_ms") == 16);
    CHECK(theirs[1].at("where") == "Table 3");
    CHECK(theirs[1].at("least_ms") == 9);
}

TEST_CASE("bench times sorts of other libraries on the same records", "[programs]") {
    const std::string payload = GENERATE("none", "index", "8");
    const std::string key = payload == "8" ? "f64" : "u32";
    CAPTURE(payload);
    const Folder folder;
    const std::string file = folder.file("rows");
    const Result result = bench("--peers -n 1000 --distributions few-distinct --payload " + payload + " --key " + key +
                                quick + "--format json --output " + file);
    CHECK(result.code == 0);
    const json run = json_of(file);
    for (const char* name : {"std_sort", "std_stable_sort", "merge"}) {
        const json row = row_of(run, name);
        CHECK(row.at("verified") == true);
        CHECK(row.at("ms").size() == 2);
        CHECK(row.at("repetitions") == 2);
        // The lower of two.
        CHECK(row.at("median_ms").get<double>() ==
              Approx(std::min(row.at("ms")[0].get<double>(), row.at("ms")[1].get<double>())).margin(1e-6));
        CHECK(row.at("copy_gb_per_s") > 0.0);
        CHECK(row.at("fraction_of_copy") > 0.0);
        CHECK(row.at("version").is_string() == (std::string(name) != "merge"));
    }
    // Optional: in this build or said to be left out.
    const bool has_tbb = result.err.find("tbb_parallel_sort") == std::string::npos;
    if (has_tbb) CHECK_THAT(row_of(run, "tbb_parallel_sort").at("version").get<std::string>(), Contains("oneTBB "));
}

TEST_CASE("bench gives the program of CUDA's sorts keys as numbers in order, and takes its times", "[programs]") {
    const Folder folder;
    const std::string program =
        peers_program(folder, "echo '{\"device\": \"GPU\", \"verified\": true, \"copy_ms\": 0.25, \"ms\": [3, 1, 2]}'");
    const std::string file = folder.file("rows");
    const Result result =
        bench("--peers --peers-program " + program + " -n 4 --key i32 --distributions zero --payload 4" + quick +
              "--format json --output " + file);
    INFO(result.err);
    CHECK(result.code == 0);
    CHECK(read_text(folder.file("arguments")) ==
          "cub count=4 key-bytes=4 value-bytes=4 first-bit=0 end-bit=32 warm-up-ms=0 min-ms=300 repetitions=2\n");
    // 0 is in the middle of the signed numbers.
    const std::string zero("\0\0\0\x80", 4);
    CHECK(read_text(folder.file("keys")) == zero + zero + zero + zero);
    const json row = row_of(json_of(file), "cub");
    CHECK(row.at("backend") == "cuda");
    CHECK(row.at("version") == "CUB 9.8.7");
    CHECK(row.at("renderer") == "GPU");
    CHECK(row.at("timer") == "events");
    CHECK(row.at("ms") == json({3.0, 1.0, 2.0}));
    CHECK(row.at("median_ms") == 2.0);
    CHECK(row.at("fraction_of_copy") == 0.125);
    CHECK(row.at("verified") == true);
    CHECK(row.at("cpu_us_per_call").is_null());
}

TEST_CASE("a fault of CUDA's program ends no run", "[programs]") {
    const Folder folder;
    struct Case {
        std::string answer;
        std::string message;
    };
    const std::vector<Case> cases = {
        {"exit 3", "exit code 3"},
        {"kill -9 $$", "signal 9"},
        {"echo nonsense", "unexpected output"},
        {"echo '{\"device\": \"GPU\", \"verified\": false, \"copy_ms\": 1, \"ms\": [1]}'", "verification failed"},
    };
    for (const Case& fault : cases) {
        const std::string program = peers_program(folder, fault.answer);
        const Result result = bench("--peers --peers-program " + program + " -n 8 --format text" + quick);
        CAPTURE(fault.answer, result.err);
        CHECK(result.code == 1);
        CHECK_THAT(result.err, Contains(fault.message) && Contains("cub on cuda, n = 8"));
        CHECK_THAT(result.out, Contains("std_sort cpu") && Contains("merge:multiway cpu"));
    }
    const Result missing = bench("--peers --peers-program /no/such/program -n 8" + quick);
    CHECK(missing.code == 1);
    CHECK_THAT(missing.err, Contains("/no/such/program"));
}

TEST_CASE("the JSON of bench names machine, commit and options", "[programs]") {
    const Folder folder;
    const std::string file = folder.file("rows");
    REQUIRE(bench("-n 2^6 --backends fragment --repetitions 3 --warm-up-ms 0 --format json --output " + file).code ==
            0);
    const json run = json_of(file);
    CHECK(run.at("machine").at("cores") >= 1);
    CHECK(run.at("machine").at("memory_bytes") > 1 << 20);
    CHECK(run.at("machine").at("cpu").is_string());
    CHECK_FALSE(run.at("commit").get<std::string>().empty());
    CHECK(run.at("gpu").at("renderer") == run.at("rows")[1].at("renderer"));
    CHECK(run.at("gpu").contains("driver"));
    CHECK(run.at("gpu").contains("clocks"));
    CHECK(run.at("options").at("sizes") == json({64}));
    CHECK(run.at("options").at("repetitions") == 3);
    for (const json& row : run.at("rows")) {
        CHECK(row.at("ms").size() == 3);
        CHECK(row.at("copy_gb_per_s") > 0.0);
    }
}

TEST_CASE("bench goes on where an earlier run was cut", "[programs]") {
    const Folder folder;
    const std::string file = folder.file("rows");
    const std::string run = "-n 8,16,32 --distributions uniform,zero" + quick + "--format json --output " + file;
    REQUIRE(bench(run + " --resume").code == 0);  // There is no file yet.
    const std::string whole = read_text(file);
    const json rows = json::parse(whole).at("rows");
    REQUIRE(rows.size() == 3u * 2 * 2);
    const auto same_but_for_times = [](const json& a, const json& b) {
        for (const char* member : {"asked", "backend", "n", "distribution"})
            if (a.at(member) != b.at(member)) return false;
        return true;
    };
    // Behind the heading, in the first row, in the middle, in the last row, and not at all.
    const std::size_t first_row = whole.find("{\"algorithm\"");
    for (const std::size_t end :
         {first_row - 3, first_row + 20, whole.size() / 2, whole.rfind("\"ms\""), whole.size()}) {
        CAPTURE(end);
        write_text(file, whole.substr(0, end));
        const Result result = bench(run + " --resume");
        INFO(result.err);
        REQUIRE(result.code == 0);
        const std::string text = read_text(file);
        const json again = json::parse(text);
        REQUIRE(again.at("rows").size() == rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i)
            CHECK(same_but_for_times(again.at("rows")[i], rows[i]));
        // What was complete is kept, times and all.
        const std::size_t kept = whole.rfind("},\n", end);
        if (end > first_row + 20) CHECK(text.substr(0, kept) == whole.substr(0, kept));
    }
    // Without --resume all is measured anew.
    CHECK(bench("-n 8" + quick + "--format json --output " + file).code == 0);
    CHECK(json_of(file).at("rows").size() == 2);
}

TEST_CASE("bench resumes no file of another run", "[programs]") {
    const Folder folder;
    const std::string file = folder.file("rows");
    const std::string resume = " --resume --format json --output " + file;
    REQUIRE(bench("-n 8" + quick + "--format json --output " + file).code == 0);
    const std::string text = read_text(file);
    const Result other = bench("-n 16" + quick + resume);
    CHECK(other.code == 1);
    CHECK_THAT(other.err, Contains("cannot resume " + file) && Contains("options"));
    CHECK(read_text(file) == text);
    write_text(file, "keys and values\n");
    CHECK(bench("-n 8" + quick + resume).code == 1);
    CHECK(read_text(file) == "keys and values\n");
    CHECK(bench("-n 8 --resume --format json" + quick).code == 2);
    CHECK(bench("-n 8 --resume --format csv --output " + file + quick).code == 2);
    CHECK(bench("-n 8 --resume --format json --output /dev/stdout" + quick).code == 2);
}

TEST_CASE("bench resumes no file whose rows would be lost", "[programs]") {
    const Folder folder;
    const std::string file = folder.file("rows");
    const std::string run = "-n 8,16" + quick + "--format json --output " + file;
    REQUIRE(bench(run).code == 0);
    const std::string whole = read_text(file);
    const std::string several_lines = nlohmann::ordered_json::parse(whole).dump(2);
    std::string other_line_ends;
    for (const char letter : whole)
        other_line_ends += letter == '\n' ? std::string("\r\n") : std::string(1, letter);
    std::string bad_row = whole;
    bad_row.insert(whole.find("\"algorithm\"", whole.find("\"algorithm\"") + 1), "x");
    std::string one_line = several_lines.substr(0, several_lines.find("\"rows\"")) +
                           "\"rows\": " + nlohmann::ordered_json::parse(whole).at("rows").dump() + "}";
    for (const std::string& text :
         {several_lines, other_line_ends, bad_row, one_line, several_lines.substr(0, several_lines.size() / 2),
          one_line.substr(0, one_line.size() - 9)}) {
        CAPTURE(text);
        write_text(file, text);
        const Result result = bench(run + " --resume");
        CHECK(result.code == 1);
        CHECK_THAT(result.err, Contains("cannot resume " + file));
        CHECK(read_text(file) == text);
    }
    write_text(file, whole.substr(0, whole.rfind("\"ms\"")));
    CHECK_THAT(bench(run + " --resume").err,
               Contains("goes on behind the 3 rows of " + file) && Contains("is dropped"));
}

TEST_CASE("a row that was wrong fails a run that goes on, too", "[programs]") {
    const Folder folder;
    const std::string file = folder.file("rows");
    const std::string run = "-n 8" + quick + "--format json --output " + file;
    REQUIRE(bench(run).code == 0);
    std::string text = read_text(file);
    const std::string right = "\"verified\":true";
    REQUIRE(text.find(right) != std::string::npos);
    text.replace(text.find(right), right.size(), "\"verified\":false");
    write_text(file, text);
    const Result result = bench(run + " --resume");
    CHECK(result.code == 1);
    CHECK_THAT(result.err, Contains("1 of the earlier rows are WRONG") && Contains("1 of 2 measurements failed"));
}

TEST_CASE("bench ends where a row cannot be written, and keeps the rows before", "[programs]") {
    const Folder folder;
    const std::string file = folder.file("rows");
    const std::string run = "-n 8,16,32,64,128,256,512,1024,2048" + quick + "--format json --output " + file;
    // No file may have more than 8 KiB, which is less than all rows have.
    const Result full = run_program(
        "bash", {"-c", "trap '' XFSZ; ulimit -f 8; '" + paths::program(GLSORT_CLI_PATH) + "' bench " + run});
    INFO(full.err);
    CHECK(full.code == 1);
    CHECK(lines_of(full.err).size() == 1);
    CHECK_THAT(full.err, Contains("cannot write " + file + ": File too large"));
    const std::string text = read_text(file);
    CHECK_FALSE(text.empty());
    CHECK((text.ends_with("}") || text.ends_with("}\n")));
    // No row was cut.
    const Result rest = bench(run + " --resume");
    CHECK(rest.code == 0);
    CHECK_THAT(rest.err, Contains("goes on behind the ") && !Contains("dropped"));
    CHECK(json_of(file).at("rows").size() == 18);
}

TEST_CASE("an interrupted bench ends even if nobody reads its rows", "[programs]") {
    const Folder folder;
    const std::string pipe = folder.file("pipe");
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    const int reader = open(pipe.c_str(), O_RDWR | O_CLOEXEC);
    REQUIRE(reader >= 0);
    // Less room than the heading and some rows need.
    fcntl(reader, F_SETPIPE_SZ, 4096);
    for (const int signal : {SIGINT, SIGTERM}) {
        Process process(paths::program(GLSORT_CLI_PATH),
                        {"bench", "-n", "8,16,32,64,128,256,512,1024,2048", "--backends", "cpu", "--repetitions", "1",
                         "--warm-up-ms", "0", "--format", "json"},
                        {}, pipe, folder.file("err"));
        int waiting = 0;
        REQUIRE(eventually([&] { return ioctl(reader, FIONREAD, &waiting) == 0 && waiting > 2048; }));
        CHECK(process.wait(std::chrono::seconds(2)) == -1);  // The program waits for a reader.
        process.send(signal);
        CHECK(process.wait(std::chrono::seconds(60)) == 128 + signal);
    }
    close(reader);
}

TEST_CASE("bench resumes no file of another device", "[programs]") {
    const Folder folder;
    const std::string file = folder.file("rows");
    const std::string run =
        "-n 8 --backends fragment --repetitions 1 --warm-up-ms 0 --resume --format json --output " + file;
    REQUIRE(bench(run).code == 0);
    std::string text = read_text(file);
    const std::string renderer = "\"renderer\": \"";
    text.insert(text.find(renderer) + renderer.size(), "another ");
    text.resize(text.size() - 20);  // The last row is not complete, and stays so.
    write_text(file, text);
    const Result other = bench(run);
    CHECK(other.code == 1);
    CHECK_THAT(other.err, Contains("cannot resume " + file) && Contains("renderer"));
    CHECK(read_text(file) == text);
}

TEST_CASE("bench resumes nothing that it cannot read", "[programs]") {
    const Folder folder;
    const std::string resume = "-n 8 --resume --format json" + quick + "--output ";
    const Result of_folder = bench(resume + folder.path());
    CHECK(of_folder.code == 1);
    CHECK_THAT(of_folder.err, Contains("cannot read " + folder.path() + ": Is a directory"));
    const std::string locked = folder.file("locked");
    write_text(locked, "rows");
    std::filesystem::permissions(locked, std::filesystem::perms::owner_write);
    if (std::ifstream(locked)) return;  // The administrator reads every file.
    const Result of_locked = bench(resume + locked);
    CHECK(of_locked.code == 1);
    CHECK_THAT(of_locked.err, Contains("cannot read " + locked + ": Permission denied"));
    CHECK(std::filesystem::file_size(locked) == 4);
}

TEST_CASE("bench ends with its minutes, and says what it left out", "[programs]") {
    const Result none = bench("-n 8,16 --minutes 0 --format json" + quick);
    CHECK(none.code == 0);
    CHECK(json::parse(none.out).at("rows").empty());
    CHECK_THAT(none.err, Contains("4 of 4 measurements are left out") && !Contains("--resume"));
    const Folder folder;
    CHECK_THAT(bench("-n 8,16 --minutes 0 --format json --output " + folder.file("rows") + quick).err,
               Contains("--resume goes on"));
    const Result all = bench("-n 8,16 --minutes 10 --format json" + quick);
    CHECK(json::parse(all.out).at("rows").size() == 4);
    CHECK(all.err.empty());
}

TEST_CASE("an interrupted suite keeps its rows, and goes on", "[programs]") {
    const Folder folder;
    const std::string file = folder.file("rows");
    const std::vector<std::string> arguments = {"bench", "--suite",       "all", "--backends", "cpu",  "--minutes",
                                                "10",    "--repetitions", "1",   "--format",   "json", "--output",
                                                file,    "--resume"};
    std::size_t rows = 0;
    for (int turn = 0; turn < 2; ++turn) {
        Process suite(paths::program(GLSORT_CLI_PATH), arguments, {}, folder.file("out"), folder.file("err"));
        const auto count = [&file] {
            const std::string text = read_text(file);
            std::size_t lines = 0;
            for (std::size_t at = text.find("{\"algorithm\""); at != std::string::npos;
                 at = text.find("{\"algorithm\"", at + 1))
                ++lines;
            return lines;
        };
        REQUIRE(eventually([&] { return count() >= rows + 3; }));
        suite.send(SIGINT);
        CHECK(suite.wait() == 130);
        const std::size_t now = json_of(file).at("rows").size();
        CHECK(now >= rows + 3);
        rows = now;
    }
}

TEST_CASE("rows of a suite name the seed of their keys", "[programs]") {
    const Result result = bench("--suite papers --seed 7 --minutes 0.05 --format json" + quick);
    INFO(result.err);
    const json rows = json::parse(result.out).at("rows");
    REQUIRE_FALSE(rows.empty());
    CHECK(rows[0].at("seed") == 7);
}

TEST_CASE("bench resumes no file of another API or another version of OpenGL", "[programs]") {
    const Folder folder;
    const std::string file = folder.file("rows");
    const std::string run = "-n 8 --backends fragment --repetitions 1 --warm-up-ms 0 --format json --output " + file;
    REQUIRE(bench(run + " --api gl --max-elements-per-draw 4").code == 0);
    const json options = json_of(file).at("options");
    CHECK(options.at("api") == "gl");
    CHECK(options.at("gl_version").is_null());
    CHECK(options.at("max_elements_per_draw") == 4);
    std::string text = read_text(file);
    for (const std::string other :
         {"--api gles --max-elements-per-draw 4", "--api gl --gl-version 3.3 --max-elements-per-draw 4", "--api gl"}) {
        const Result result = bench(run + " --resume " + other);
        CAPTURE(other, result.err);
        CHECK(result.code == 1);
        CHECK_THAT(result.err, Contains("cannot resume " + file) && Contains("options"));
        CHECK(read_text(file) == text);
    }
    const std::string version = "\"version\": \"";
    text.insert(text.find(version, text.find("\"gpu\"")) + version.size(), "another ");
    write_text(file, text);
    const Result driver = bench(run + " --resume --api gl --max-elements-per-draw 4");
    CHECK(driver.code == 1);
    CHECK_THAT(driver.err, Contains("differs in version"));
}

TEST_CASE("a list of measurements names the sorts of CUDA", "[programs]") {
    const Folder folder;
    const Result list = bench("--list --peers --backends cpu -n 8 --peers-program " + peers_program(folder, "exit 3"));
    CHECK(list.code == 0);
    CHECK_THAT(list.out, Contains("cub on cuda, n = 8") && Contains("in host memory"));
    // Values of 12 bytes are no failure of these sorts.
    CHECK_THAT(bench("--peers --payload 12 -n 8" + quick).err, Contains("4 or 8 bytes, not 12"));
    CHECK(bench("--peers --payload 12 -n 8" + quick).code == 0);
}

TEST_CASE("a suite takes no options for sorts and sizes", "[programs]") {
    for (const char* option : {"--sizes 4", "--algorithms merge", "--key f32", "--sources 2", "--distributions zero"}) {
        const Result result = bench(std::string("--suite all ") + option);
        CAPTURE(option);
        CHECK(result.code == 2);
        CHECK_THAT(result.err, Contains("--suite"));
    }
    CHECK_THAT(bench("--suite paper").err, Contains("papers"));
    CHECK(bench("--peers-program x").code == 2);
}
