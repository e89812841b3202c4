// The program glsort, as its users run it.

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "support/paths.h"

using Catch::Contains;
using Catch::EndsWith;
using Catch::StartsWith;
using nlohmann::json;

namespace {

// A temporary folder for each test. The destructor removes the folder and its contents.
class Folder {
  public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "glsort-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        path_ = name;
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    std::string file(const std::string& name) const { return (path_ / name).string(); }
    std::size_t size() const {
        return static_cast<std::size_t>(
            std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator()));
    }

  private:
    std::filesystem::path path_;
};

template <class T>
std::vector<T> read_binary(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    std::vector<T> values(bytes.size() / sizeof(T));
    std::copy_n(bytes.data(), values.size() * sizeof(T), reinterpret_cast<char*>(values.data()));
    return values;
}

template <class T>
void write_binary(const std::string& path, const std::vector<T>& values) {
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(T)));
}

struct Result {
    int code = 0;
    std::string out;
    std::string err;
};

// Runs glsort. The arguments are words for the shell.
Result glsort(const std::string& arguments) {
    const Folder folder;
    const std::string command = "'" + paths::program(GLSORT_CLI_PATH) + "' " + arguments + " >" + folder.file("out") +
                                " 2>" + folder.file("err");
    const int status = std::system(command.c_str());
    Result result;
    result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    for (const auto& [name, text] : {std::pair{"out", &result.out}, {"err", &result.err}}) {
        const std::vector<char> bytes = read_binary<char>(folder.file(name));
        text->assign(bytes.begin(), bytes.end());
    }
    return result;
}

// Runs glsort. The output must be JSON and nothing else.
json glsort_json(const std::string& arguments) {
    const Result result = glsort(arguments + " --format json");
    INFO(arguments << "\n" << result.err);
    REQUIRE(result.code == 0);
    return json::parse(result.out);
}

bool has_fields(const json& object, const std::vector<std::string>& names) {
    return std::all_of(names.begin(), names.end(), [&](const std::string& name) { return object.contains(name); });
}

std::size_t lines(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

TEST_CASE("glsort describes itself", "[programs]") {
    const Result help = glsort("--help");
    CHECK(help.code == 0);
    for (const char* command : {"info", "plan", "sort", "bench", "check", "frames"}) {
        CHECK_THAT(help.out, Contains(command));
        const Result described = glsort(std::string(command) + " --help");
        CHECK(described.code == 0);
        CHECK_THAT(described.out, Contains("--format"));
        CHECK(described.err.empty());
    }
    CHECK_THAT(glsort("plan --help").out, Contains("u32|i32|f32|u64|i64|f64"));
    CHECK_THAT(glsort("plan --passes").out, Contains("== fuse load: ") && Contains("load_record > "));
    CHECK_THAT(glsort("--version").out, StartsWith("glsort "));
}

TEST_CASE("plan --full lists the streams and operations that the sums count", "[programs]") {
    for (const std::string arguments : {"--algorithm bitonic -n 16", "--algorithm abisort -n 64",
                                        "--algorithm radix -n 2^12", "--algorithm merge -n 0"}) {
        const auto result = glsort("plan --format json --full " + arguments);
        CAPTURE(arguments, result.err);
        REQUIRE(result.code == 0);
        const json full = json::parse(result.out);
        json sums = full;
        sums.erase("streams");
        sums.erase("operations");
        CHECK(sums == json::parse(glsort("plan --format json " + arguments).out));
        CHECK(full.at("operations").size() == full.at("ops"));
        std::map<std::string, int> kernels;
        std::set<std::string> names;
        for (const json& stream : full.at("streams")) {
            names.insert(stream.at("name"));
            CHECK(stream.at("bytes") == 4 * stream.at("words").get<int>() *
                                            stream.at("elements_per_record").get<int>() *
                                            stream.at("records").get<int>());
        }
        for (const json& operation : full.at("operations")) {
            ++kernels[operation.at("kernel")];
            for (const char* uses : {"reads", "writes"})
                for (const json& use : operation.at(uses)) {
                    CHECK(names.contains(use.at("stream")));
                    for (const json& range : use.at("records"))
                        CHECK(range.at("begin") < range.at("end"));
                }
        }
        CHECK(json(kernels) == full.at("kernels"));
    }
    const json bitonic = json::parse(glsort("plan --format json --full --algorithm bitonic -n 16").out);
    CHECK(bitonic.at("operations")[1].at("stage") == 2);
    CHECK(bitonic.at("operations")[1].at("domain") == json::parse(R"([{"begin": 0, "end": 8}])"));
}

TEST_CASE("plan --glsl writes each distinct shader as it is compiled", "[programs]") {
    const Folder folder;
    const std::string shaders = folder.file("new/folder");
    const auto text_of = [](const std::filesystem::path& path) {
        std::ifstream file(path, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    };
    const auto check_files = [&](const std::string& arguments, const std::string& extension,
                                 const std::string& version) {
        std::filesystem::remove_all(shaders);
        const auto result = glsort("plan " + arguments + " --glsl " + shaders);
        CAPTURE(arguments, result.err);
        REQUIRE(result.code == 0);
        std::set<std::string> texts;
        std::string names;
        for (std::size_t begin = 0; begin < result.out.size();) {
            const std::size_t end = result.out.find('\n', begin);
            const std::filesystem::path path = result.out.substr(begin, end - begin);
            begin = end + 1;
            CHECK(path.parent_path() == shaders);
            CHECK_THAT(path.filename().string(), EndsWith(extension));
            const std::string text = text_of(path);
            CHECK_THAT(text, StartsWith(version + "\n") && Contains("void main()"));
            CHECK(texts.insert(text).second);
            names += path.filename().string() + " ";
        }
        const auto files =
            std::distance(std::filesystem::directory_iterator(shaders), std::filesystem::directory_iterator());
        CHECK(texts.size() == static_cast<std::size_t>(files));
        return names;
    };
    // The ops between the first and the last share a shader.
    const std::string names = check_files("--algorithm bitonic -n 2^10", ".frag", "#version 330 core");
    CHECK_THAT(names, StartsWith("00-bitonic_step.frag 01-bitonic_step.frag "));
    // Transfers have no shader. If no transfer writes the buffers, a vertex shader does.
    const std::string buffers = check_files("--algorithm bitonic -n 2^10 --io buffer", "frag", "#version 330 core");
    CHECK_THAT(buffers, StartsWith("00-bitonic_step.frag ") && !Contains("load.frag"));
    CHECK_THAT(check_files("--algorithm bitonic -n 2^10 --io buffer --limits pixel_pack=0", "", "#version 330 core"),
               EndsWith(".vert "));
    check_files("--algorithm radix -n 2^12", ".comp", "#version 430 core");

    // Files with names of shaders are overwritten. Other files stay.
    const std::string first = shaders + "/00-" + "mine.txt";
    std::ofstream(first) << "mine";
    std::string written;
    for (const auto& entry : std::filesystem::directory_iterator(shaders))
        if (entry.path().extension() == ".comp") written = entry.path().string();
    const std::string text = text_of(written);
    std::ofstream(written) << "old";
    CHECK(glsort("plan --algorithm radix -n 2^12 --glsl " + shaders).code == 0);
    CHECK(text_of(written) == text);
    CHECK(text_of(first) == "mine");

    const auto refused = glsort("plan --glsl " + first);
    CHECK(refused.code == 1);
    CHECK_THAT(refused.err, Contains(first));
    CHECK_THAT(glsort("plan --help").out, Contains("--glsl DIR"));
}

TEST_CASE("wrong arguments end with code 2 and a line that names them", "[programs]") {
    struct Case {
        std::string arguments;
        std::vector<std::string> words;
    };
    const std::vector<Case> cases = {
        {"", {"info", "plan", "sort", "bench", "check", "frames"}},
        {"frobnicate", {"frobnicate", "info"}},
        {"plan --frobnicate", {"--frobnicate"}},
        {"plan stray", {"stray"}},
        {"plan --passes --format json", {"--passes", "--format"}},
        {"plan --full", {"--full", "json"}},
        {"plan --full --format json --tuning", {"--full", "--tuning"}},
        {"plan --tuning --format table", {"--tuning", "json"}},
        {"plan --tuning --passes", {"--tuning", "--passes"}},
        {"plan --limits software=maybe", {"--limits", "software", "yes|no"}},
        {"plan --limits subgroups=arb", {"--limits", "subgroups", "none|ballot|khr"}},
        {"plan --glsl /tmp --format json", {"--glsl", "--format"}},
        {"plan --glsl /tmp --tuning", {"--glsl", "--tuning"}},
        {"plan --glsl ''", {"--glsl"}},
        {"plan --glsl /tmp --backend cpu --algorithm merge", {"--glsl", "cpu"}},
        {"plan -n", {"--count"}},
        {"plan -n 1e6", {"--count", "1e6", "2^20"}},
        {"plan -n -1", {"--count", "-1"}},
        {"plan -n 2^32", {"--count", "2^32", "2^32-1"}},
        {"plan --key u16", {"--key", "u16", "f32"}},
        {"plan --key ''", {"--key", "f32"}},
        {"plan --payload some", {"--payload", "some", "index"}},
        {"plan --payload 10", {"10 bytes", "multiple of 4"}},
        {"plan --payload 12 --io texture", {"12 bytes", "not supported in textures"}},
        {"sort --payload 12 --io texture", {"12 bytes", "not supported in textures"}},
        {"plan --order up", {"--order", "up", "descending"}},
        {"plan --layout hilbert", {"--layout", "hilbert", "z-order"}},
        {"plan --algorithm quick", {"--algorithm", "quick", "bitonic:step"}},
        {"plan --algorithm bitonic:quick", {"--algorithm", "bitonic:quick", "bitonic:step"}},
        {"plan --backend gpu", {"--backend", "gpu", "fragment", "compute", "cpu"}},
        {"plan --algorithm bitonic:local --tile 24", {"24 elements", "power of two"}},
        {"sort --algorithm bitonic:local --tile 2^20 -n 4", {"1048576 elements", "limit of 4096"}},
        {"plan --algorithm bitonic:step --tile 4", {"tile 4", "bitonic:step", "bitonic:local"}},
        {"plan --algorithm merge --samples 32", {"samples 32", "merge:", "sample"}},
        {"plan --algorithm sample --tile 100", {"100", "16 to 4096"}},
        {"plan --algorithm sample --tile 64 --samples 128", {"128 samples", "4 to 64"}},
        {"plan --io file", {"--io", "file", "texture"}},
        {"plan --seed x", {"--seed", "x"}},
        {"plan --format xml", {"--format", "xml", "dot"}},
        {"plan --limits texels=4", {"--limits", "texels", "attachments"}},
        {"plan --limits attachments", {"--limits", "attachments"}},
        {"plan --limits attachments=0", {"attachments"}},
        {"plan -n 2^12 --limits texture_size=32", {"32"}},
        {"plan --layout-table --algorithm bitonic:step", {"--layout-table", "bitonic:step", "16"}},
        {"plan --layout-table --algorithm abisort:overlapped -n 1", {"--layout-table", "--count 1"}},
        {"plan --layout-table --algorithm abisort:overlapped -n 129", {"--count", "129", "128"}},
        {"plan --layout-table --algorithm abisort:overlapped --format json", {"--format"}},
        {"info --api vulkan", {"--api", "vulkan", "gles"}},
        {"info --gl-version three", {"--gl-version", "three", "3.3"}},
        {"sort --format dot", {"--format", "dot", "json"}},
        {"sort --distribution normal", {"--distribution", "normal", "gaussian"}},
        {"sort --input keys -n 4", {"--input", "--count"}},
        {"sort --indices x --payload none", {"--indices", "--payload"}},
        {"sort --output x --indices x", {"--output", "--indices", "x"}},
        {"sort --backend cpu --io texture", {"--io", "texture", "cpu"}},
        {"bench --sizes 4,,8", {"--sizes", "4,,8"}},
        {"bench --sizes 4,8k", {"--sizes", "8k"}},
        {"bench --backends cpu,gpu", {"--backends", "gpu", "fragment"}},
        {"bench --algorithms bitonic,quick", {"--algorithms", "quick", "bitonic:step"}},
        {"bench --distributions uniform,normal", {"--distributions", "normal", "gaussian"}},
        {"bench --repetitions 0", {"--repetitions", "0", "1000"}},
        {"bench --min-ms soon", {"--min-ms", "soon"}},
        {"bench --state keep", {"--state", "keep", "caller-resets"}},
    };
    for (const Case& wrong : cases) {
        const Result result = glsort(wrong.arguments);
        INFO("glsort " << wrong.arguments << "\n" << result.err);
        CHECK(result.code == 2);
        CHECK(result.out.empty());
        CHECK(lines(result.err) == 1);
        for (const std::string& word : wrong.words)
            CHECK_THAT(result.err, Contains(word));
    }
}

TEST_CASE("plan prints the fields of its contract", "[programs]") {
    const json plan = glsort_json("plan -n 1000 --key f32 --payload none --layout z-order");
    CHECK(plan.size() == 12);
    CHECK(has_fields(plan, {"ops", "kernels", "bytes_read", "bytes_written", "scratch_bytes"}));
    CHECK(plan["backend"] == "fragment");
    CHECK(plan["layout"] == "z-order");
    CHECK(plan["n"] == 1000);
    CHECK(plan["key"] == "f32");
    CHECK(plan["payload"] == "none");
    CHECK(plan["algorithm"].is_string());
    CHECK(plan["variant"].is_string());
}

TEST_CASE("plan prints the tuning, and what decided it", "[programs]") {
    const std::string radix = "plan --tuning --algorithm radix:one-sweep ";
    const std::string known = glsort(radix + "--limits subgroup_size=32,look_back=yes,multiprocessors=132").out;
    CHECK_THAT(known,
               Contains("radix:one-sweep on compute") && Contains("known GPU") && Contains("multiprocessors is 132"));
    CHECK_THAT(known, Contains("512 x 22 x 2") && Contains("Tiles that fill whole rounds"));
    const json unknown = glsort_json(radix + "--limits subgroup_size=32");
    CHECK(unknown["row"] == "unknown GPU");
    CHECK(unknown["families"]["radix"]["enumerated"]["value"] == 0);
    CHECK(unknown["families"]["radix"]["scan_invocations"]["value"].is_null());
    CHECK(unknown["families"]["radix"]["key_1_shape"]["value"] == json{512, 4, 1, 0});
    const json software = glsort_json("plan --tuning --backend compute --limits software=1");
    CHECK(software["algorithm"] == "merge");
    CHECK(software["reason"].get<std::string>().find("software is yes") != std::string::npos);
    CHECK(software["families"]["merge"]["shared"]["value"] == 0);
    CHECK_THAT(glsort("plan --tuning --algorithm abisort").out, Contains("no value"));
}

TEST_CASE("plan says what every limit is", "[programs]") {
    const std::string help = glsort("plan --help").out;
    // All limits that `info` names.
    const json limits = glsort_json("info")["limits"];
    CHECK(limits.size() == 17);
    for (const auto& limit : limits.items())
        CHECK_THAT(help, Contains(limit.key()));
    CHECK_THAT(help, Contains("--tuning"));
}

TEST_CASE("plan takes keys of 64 bits and values of any size", "[programs]") {
    const json plan = glsort_json("plan -n 1000 --key u64 --payload 12");
    CHECK(plan["key"] == "u64");
    CHECK(plan["payload"] == "12");
    CHECK(plan["backend"] == "fragment");
    CHECK_THAT(glsort("plan --key u64 --payload 64").out, Contains("gather_values"));
    // If textures can hold the keys and values, fragment reads textures.
    CHECK_THAT(glsort("plan --key u64 --payload 4").out, Contains("records of 1 x 3 words  texture"));
}

TEST_CASE("plan counts the steps of a bitonic network", "[programs]") {
    for (int k = 1; k <= 12; ++k)
        for (const char* backend : {"fragment", "compute"}) {
            const json plan =
                glsort_json("plan --algorithm bitonic:step -n 2^" + std::to_string(k) + " --backend " + backend);
            CHECK(plan["backend"] == backend);
            CHECK(plan["n"] == 1 << k);
            CHECK(plan["kernels"]["bitonic_step"] == k * (k + 1) / 2);
            std::size_t ops = 0;
            for (const json& count : plan["kernels"])
                ops += count.get<std::size_t>();
            CHECK(plan["ops"] == ops);
        }
}

TEST_CASE("plan counts the kernels of a bitonic network in tiles", "[programs]") {
    const auto kernels = [](const std::string& arguments) {
        return glsort_json("plan --algorithm bitonic:local " + arguments)["kernels"];
    };
    CHECK(kernels("-n 2^20") == json{{"bitonic_local_sort", 1}, {"bitonic_local_steps", 11}});
    CHECK(kernels("-n 2^20 --tile 2^10") == json{{"bitonic_local_sort", 1}, {"bitonic_local_steps", 16}});
    CHECK(kernels("-n 4096") == json{{"bitonic_local_sort", 1}});
}

TEST_CASE("plan has four forms, and defaults that options replace", "[programs]") {
    const std::string bitonic = "plan --algorithm bitonic:step -n 8 ";
    const Result text = glsort(bitonic);
    CHECK(text.code == 0);
    CHECK_THAT(text.out,
               StartsWith("bitonic:step, n = 8") && Contains("fragment backend") && Contains("stage 3, step 0"));
    CHECK_THAT(glsort(bitonic + "--format table").out, Contains("scratch bytes"));
    CHECK_THAT(glsort(bitonic + "--format dot").out, StartsWith("digraph"));

    // If an option is given twice, the last one counts.
    CHECK(glsort_json(bitonic + "-n 4 -n 2^5 --key u32 --key i32")["n"] == 32);
    CHECK(glsort_json(bitonic + "--format text")["n"] == 8);
    // Textures on fragment, buffers on other backends. Textures need no upload.
    CHECK(!glsort_json(bitonic)["kernels"].contains("upload"));
    CHECK(glsort_json(bitonic + "--io buffer")["kernels"]["upload"] == 1);
    // Six steps, and a copy that separates the two elements of a record.
    const json limited = glsort_json(bitonic + "--limits attachments=1,texture_size=2^10");
    CHECK(limited["ops"] == 7);
    CHECK(limited["kernels"] == json{{"bitonic_step", 6}, {"copy", 1}});
    // A plan need not fit this machine.
    CHECK(glsort_json("plan -n 2^28 --backend compute")["n"] == 1 << 28);
}

TEST_CASE("plan shows where the phases of GPU-ABiSort write", "[programs]") {
    const Result sequential = glsort("plan --layout-table --algorithm abisort:appendix-a -n 4");
    CHECK(sequential.code == 0);
    CHECK(sequential.err.empty());
    CHECK(sequential.out ==
          "abisort:appendix-a, n = 4, output stream layout: tree levels of node pairs\n"
          "\n"
          "level 1: 2 trees of 2 nodes\n"
          "  stage  phase    0    1\n"
          "      0  0      [0s] [0s]\n"
          "\n"
          "level 2: 1 tree of 4 nodes\n"
          "  stage  phase    0    1\n"
          "      0  0      [0s]\n"
          "      0  1       0s  [11]\n"
          "      1  0      [10] [1s]\n");
    // Up to the limit, and with other options for the program.
    const Result overlapped =
        glsort("plan --layout-table --algorithm abisort:overlapped -n 2^7 --backend compute --key f32");
    CHECK(overlapped.code == 0);
    CHECK(lines(overlapped.out) == 1 + 7 * 3 + 7 * 7);
    CHECK_THAT(glsort("plan --help").out, Contains("--layout-table"));
}

TEST_CASE("sort sorts on each backend", "[programs]") {
    for (const char* backend : {"cpu", "fragment", "compute"})
        for (const char* n : {"0", "1", "2", "3", "1000"}) {
            const Result result = glsort(std::string("sort --verify --backend ") + backend + " -n " + n);
            INFO(backend << " " << n << "\n" << result.err);
            CHECK(result.code == 0);
            CHECK(result.err.empty());
            CHECK_THAT(result.out, Contains(backend) && EndsWith("\nverified\n"));
        }
}

TEST_CASE("sort sorts each type of item", "[programs]") {
    for (const char* items : {"--key f32 --distribution special", "--key i32 --order descending",
                              "--key f32 --distribution special --order descending --payload none",
                              "--payload 4 --distribution few-distinct"}) {
        INFO(items);
        const std::string command = std::string("sort --verify -n 777 ") + items;
        CHECK(glsort(command + " --backend cpu").code == 0);
        CHECK(glsort(command + " --backend fragment --io texture --layout z-order").code == 0);
        CHECK(glsort(command + " --backend compute").code == 0);
    }
    // Values of more than 4 bytes need buffers.
    for (const char* items : {"--key f64 --payload 12 --distribution special",
                              "--key u64 --payload 64 --order descending --algorithm bitonic"})
        for (const char* backend : {"cpu", "fragment", "compute"}) {
            INFO(items << " " << backend);
            const Result sorted = glsort(std::string("sort --verify -n 777 ") + items + " --backend " + backend);
            CHECK(sorted.code == 0);
            CHECK_THAT(sorted.out, Contains(backend) && EndsWith("\nverified\n"));
        }
    CHECK(glsort("sort --verify -n 777 --key i64 --payload 4 --backend fragment --io texture").code == 0);
    CHECK(glsort("sort --verify -n 777 --algorithm bitonic:local --tile 32 --backend compute").code == 0);
    const json result = glsort_json("sort --backend fragment --api gles --gl-version 3.0 -n 100");
    CHECK(has_fields(result, {"algorithm", "variant", "renderer", "ms", "mitems_per_s"}));
    CHECK(result["backend"] == "fragment");
    CHECK(result["n"] == 100);
    CHECK(result["verified"].is_null());
}

TEST_CASE("sort reads and writes files", "[programs]") {
    const Folder folder;
    const std::string in = folder.file("keys");
    const std::string out = folder.file("sorted");
    const std::string indices = folder.file("indices");
    std::mt19937 random(20);
    std::vector<std::int32_t> keys(3001);
    for (std::int32_t& key : keys)
        key = static_cast<std::int32_t>(random() >> 22) - 512;
    write_binary(in, keys);

    const std::string command = "sort --key i32 --order descending --verify --input " + in + " --output " + out +
                                " --indices " + indices + " --backend ";
    for (const char* backend : {"cpu", "fragment", "compute"}) {
        const json result = glsort_json(command + backend);
        CHECK(result["n"] == keys.size());
        CHECK(result["input"] == in);
        CHECK(result["verified"] == true);
        const auto sorted = read_binary<std::int32_t>(out);
        const auto order = read_binary<std::uint32_t>(indices);
        REQUIRE(sorted.size() == keys.size());
        REQUIRE(order.size() == keys.size());
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            wrong += sorted[i] != keys.at(order[i]);
            if (i > 0 && sorted[i - 1] < sorted[i]) ++wrong;
            if (i > 0 && sorted[i - 1] == sorted[i] && order[i - 1] > order[i]) ++wrong;
        }
        CHECK(wrong == 0);
        CHECK(folder.size() == 3);  // There are no temporary files.
        std::filesystem::remove(out);
        std::filesystem::remove(indices);
    }

    // Sorts a file in place, through a symbolic link. The link stays.
    std::filesystem::create_symlink(in, folder.file("link"));
    CHECK(glsort("sort --backend cpu --key i32 --input " + in + " --output " + folder.file("link")).code == 0);
    std::sort(keys.begin(), keys.end());
    CHECK(read_binary<std::int32_t>(in) == keys);
    CHECK(std::filesystem::is_symlink(folder.file("link")));
}

TEST_CASE("what fails at run time ends with code 1", "[programs]") {
    const Folder folder;
    const std::string odd = folder.file("odd");
    write_binary(odd, std::vector<char>(6, 'x'));
    struct Case {
        std::string arguments;
        std::vector<std::string> words;
    };
    std::vector<Case> cases = {
        {"sort --input " + folder.file("nothing"), {folder.file("nothing"), "No such file"}},
        {"sort --input " + odd, {odd, "6 bytes", "4 bytes"}},
        {"sort --backend cpu -n 4 --output " + folder.file("no/where"), {folder.file("no/where")}},
        {"info --gl-version 9.9", {"9.9"}},
        {"sort --gl-version 9.9", {"9.9"}},
        {"bench --sizes 4 --gl-version 9.9", {"9.9"}},
    };
    for (const Case& failing : cases) {
        const Result result = glsort(failing.arguments + " --format json");
        INFO("glsort " << failing.arguments << "\n" << result.err);
        CHECK(result.code == 1);
        CHECK(result.out.empty());
        CHECK(lines(result.err) == 1);
        for (const std::string& word : failing.words)
            CHECK_THAT(result.err, Contains(word));
    }
    CHECK(folder.size() == 1);
    if (std::filesystem::exists("/dev/full"))
        CHECK(std::system(("'" + paths::program(GLSORT_CLI_PATH) + "' plan >/dev/full 2>/dev/null").c_str()) != 0);
}

TEST_CASE("info describes the context", "[programs]") {
    const json info = glsort_json("info");
    CHECK(has_fields(info, {"renderer", "version", "limits", "automatic", "algorithms"}));
    for (const char* backend : {"fragment", "compute", "cpu"}) {
        CHECK(info["backends"][backend]["available"].is_boolean());
        CHECK_FALSE(info["backends"][backend]["reason"].get<std::string>().empty());
    }
    CHECK(info["limits"]["texture_size"] >= 2048);
    CHECK(info["limits"]["look_back"].is_boolean());
    CHECK(info["limits"]["subgroups"].is_string());
    CHECK_FALSE(info["automatic"]["reason"].get<std::string>().empty());
    const Result text = glsort("info --api gles");
    CHECK(text.code == 0);
    CHECK_THAT(text.out, Contains("OpenGL ES 3.") && Contains("bitonic:step") && Contains("automatic"));
}

TEST_CASE("bench measures and verifies every combination", "[programs]") {
    const json rows = glsort_json(
        "bench --sizes 0,1,100 --distributions uniform,special --key f32 "
        "--algorithms bitonic:step --backends fragment,compute --backends cpu "
        "--min-ms 1 --warm-up-ms 0")["rows"];
    REQUIRE(rows.size() == 3u * 2 * (1 + 3));
    std::set<std::string> seen;
    for (const json& row : rows) {
        INFO(row.dump());
        CHECK(has_fields(
            row, {"algorithm", "variant", "backend", "io", "n", "key", "payload", "layout", "distribution", "median_ms",
                  "mitems_per_s", "cpu_us_per_call", "cpu_us_per_call_caller_resets", "comparisons", "verified"}));
        CHECK(row["key"] == "f32");
        CHECK(row["payload"] == "index");
        CHECK(row["verified"] == true);
        CHECK(row["median_ms"] >= 0.0);
        CHECK(row["cpu_us_per_call"] >= 0.0);
        CHECK(row["io"] == (row["backend"] == "fragment" ? "texture" : "buffer"));
        CHECK(row["cpu_us_per_call_caller_resets"].is_number() == (row["backend"] != "cpu"));
        seen.insert(row["algorithm"].get<std::string>() + row["backend"].get<std::string>() +
                    row["distribution"].get<std::string>() + row["n"].dump());
    }
    CHECK(seen.size() == rows.size());
    CHECK(rows[0]["algorithm"] == "std_sort");
    CHECK(rows[0]["backend"] == "cpu");
}

TEST_CASE("bench has options for what it measures and how", "[programs]") {
    const json rows = glsort_json(
        "bench -n 2^6 --backend fragment --io buffer --payload none "
        "--repetitions 3 --state caller-resets --no-verify")["rows"];
    REQUIRE(rows.size() == 2);
    CHECK(rows[1]["io"] == "buffer");
    CHECK(rows[1]["payload"] == "none");
    CHECK(rows[1]["repetitions"] == 3);
    CHECK(rows[1]["state"] == "caller-resets");
    CHECK(rows[1]["verified"].is_null());
    CHECK(rows[1]["cpu_us_per_call"] == rows[1]["cpu_us_per_call_caller_resets"]);

    const std::string quick = "bench --sizes 10,20 --backends cpu --repetitions 1 --format ";
    const Result table = glsort(quick + "table");
    CHECK(table.code == 0);
    CHECK(table.err.empty());
    CHECK(lines(table.out) == 1 + 2 * 2);
    const Result text = glsort(quick + "text --progress");
    CHECK(lines(text.out) == 2 * 2);
    CHECK_THAT(text.out, Contains("std_sort cpu buffer n=20 uniform") && Contains("verified"));
    CHECK_THAT(text.err, Contains("std_sort"));  // --progress
}
