#include "bench_machine.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <future>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "commit.h"
#include "support/options.h"

namespace glsort::demo {
namespace {

using Json = nlohmann::ordered_json;

// The value behind `name` and `separator` in a file such as /proc/cpuinfo. Empty if there is none.
std::string value_in(const char* path, const std::string& name, char separator) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        const std::size_t end = line.find(separator);
        if (end == std::string::npos || !line.starts_with(name)) continue;
        std::string value = line.substr(end + 1);
        for (const char* around : {" \t", "\""}) {
            value.erase(0, value.find_first_not_of(around));
            value.erase(value.find_last_not_of(around) + 1);
        }
        return value;
    }
    return {};
}

Json or_null(const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
}

std::string text_of(const GladGLContext& gl, GLenum name) {
    const auto* text = reinterpret_cast<const char*>(gl.GetString(name));
    return text != nullptr ? text : "";
}

// The output of nvidia-smi for the first GPU, cut at its commas. Empty if the program is not there.
std::vector<std::string> ask_nvidia_smi() {
    std::FILE* pipe = popen(
        "nvidia-smi --query-gpu=driver_version,clocks.sm,clocks.max.sm,clocks.mem,clocks.max.mem "
        "--format=csv,noheader,nounits 2>/dev/null",
        "r");
    if (pipe == nullptr) return {};
    std::string text;
    for (int letter = std::fgetc(pipe); letter != EOF; letter = std::fgetc(pipe))
        text += static_cast<char>(letter);
    if (pclose(pipe) != 0) return {};
    return split_list(text.substr(0, text.find('\n')));
}

// `null` for `[N/A]` and the like.
Json number_of(const std::string& text) {
    std::istringstream stream(text);
    int number = 0;
    return stream >> number ? Json(number) : Json(nullptr);
}

}  // namespace

std::string commit_name() {
    return GLSORT_COMMIT;
}

Json machine_facts() {
    Json json;
    json["cpu"] = or_null(value_in("/proc/cpuinfo", "model name", ':'));
    json["cores"] = sysconf(_SC_NPROCESSORS_ONLN);
    json["memory_bytes"] = sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
    json["system"] = or_null(value_in("/etc/os-release", "PRETTY_NAME", '='));
    utsname kernel{};
    json["kernel"] = uname(&kernel) == 0 ? Json(std::string(kernel.sysname) + " " + kernel.release) : Json(nullptr);
    return json;
}

Json gpu_facts(const GlContext& context, Timed& work) {
    Json json;
    json["renderer"] = or_null(text_of(context.gl, GL_RENDERER));
    json["vendor"] = or_null(text_of(context.gl, GL_VENDOR));
    json["version"] = or_null(text_of(context.gl, GL_VERSION));
    json["shading_language"] = or_null(text_of(context.gl, GL_SHADING_LANGUAGE_VERSION));
    json["context"] = or_null(context.context.platform());
    json["driver"] = nullptr;
    json["clocks"] = nullptr;
    if (context.software) return json;

    const auto work_for = [&work](std::chrono::milliseconds time, const auto& is_over) {
        const auto end = std::chrono::steady_clock::now() + time;
        while (std::chrono::steady_clock::now() < end || !is_over()) {
            for (int i = 0; i < 32; ++i)
                work.run();
            work.finish();
        }
    };
    work_for(std::chrono::milliseconds(400), [] { return true; });
    std::future<std::vector<std::string>> answer = std::async(std::launch::async, ask_nvidia_smi);
    work_for({}, [&answer] { return answer.wait_for(std::chrono::seconds(0)) == std::future_status::ready; });
    const std::vector<std::string> fields = answer.get();
    if (fields.size() != 5) return json;
    json["driver"] = fields[0];
    json["clocks"] = {{"sm_mhz", number_of(fields[1])},
                      {"sm_mhz_most", number_of(fields[2])},
                      {"memory_mhz", number_of(fields[3])},
                      {"memory_mhz_most", number_of(fields[4])}};
    return json;
}

}  // namespace glsort::demo
