#include "support/memory.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <map>
#include <regex>
#include <string>

#include "support/console.h"

namespace glsort::demo {
namespace {

constexpr std::uint64_t unknown_bytes = std::numeric_limits<std::uint64_t>::max();

// The number in a file that holds nothing else. `max` and what is missing are unknown.
std::uint64_t number_in(const char* path) {
    std::ifstream file(path);
    std::uint64_t number = unknown_bytes;
    return file >> number ? number : unknown_bytes;
}

// The number behind a name, in a file that has a name and a number in each line.
std::uint64_t number_behind(std::string_view wanted, const char* path) {
    std::ifstream file(path);
    std::string name;
    std::uint64_t number = 0;
    std::string rest;
    while (file >> name >> number && std::getline(file, rest))
        if (name == wanted) return number;
    return unknown_bytes;
}

std::uint64_t available_to_system() {
    const std::uint64_t kib = number_behind("MemAvailable:", "/proc/meminfo");
    return kib == unknown_bytes ? unknown_bytes : 1024 * kib;
}

// Pages of files that were read some time ago. The kernel frees these pages for other memory.
std::uint64_t reclaimable_in_group() {
    const std::uint64_t bytes = std::min(number_behind("inactive_file", "/sys/fs/cgroup/memory.stat"),
                                         number_behind("total_inactive_file", "/sys/fs/cgroup/memory/memory.stat"));
    return bytes == unknown_bytes ? 0 : bytes;
}

// Within a container the root of the control groups is that of the container.
std::uint64_t available_to_group() {
    const std::uint64_t most =
        std::min(number_in("/sys/fs/cgroup/memory.max"), number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
    if (most == unknown_bytes) return unknown_bytes;
    const std::uint64_t used =
        std::min(number_in("/sys/fs/cgroup/memory.current"), number_in("/sys/fs/cgroup/memory/memory.usage_in_bytes"));
    if (used == unknown_bytes) return most;
    const std::uint64_t kept = used - std::min(used, reclaimable_in_group());
    return most - std::min(most, kept);
}

// What `ulimit -v` leaves.
std::uint64_t available_to_process() {
    rlimit limit = {};
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unknown_bytes;
    std::ifstream file("/proc/self/statm");
    std::uint64_t pages = 0;
    file >> pages;
    const std::uint64_t used = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    return limit.rlim_cur - std::min<std::uint64_t>(limit.rlim_cur, used);
}

bool has_extension(const GladGLContext& gl, std::string_view wanted) {
    GLint extensions = 0;
    gl.GetIntegerv(GL_NUM_EXTENSIONS, &extensions);
    for (GLint i = 0; i < extensions; ++i) {
        const GLubyte* name = gl.GetStringi(GL_EXTENSIONS, static_cast<GLuint>(i));
        if (name != nullptr && reinterpret_cast<const char*>(name) == wanted) return true;
    }
    return false;
}

}  // namespace

std::uint64_t free_memory() {
    return std::min({available_to_system(), available_to_group(), available_to_process()});
}

std::uint64_t free_gpu_memory(const GladGLContext& gl) {
    constexpr GLenum current_available_kib = 0x9049;  // GL_NVX_gpu_memory_info
    constexpr GLenum buffer_free_kib = 0x87FB;        // GL_ATI_meminfo: the first of four numbers is the sum.
    GLint kib[4] = {};
    if (has_extension(gl, "GL_NVX_gpu_memory_info"))
        gl.GetIntegerv(current_available_kib, kib);
    else if (has_extension(gl, "GL_ATI_meminfo"))
        gl.GetIntegerv(buffer_free_kib, kib);
    return std::uint64_t{1024} * static_cast<std::uint64_t>(std::max(kib[0], 0));
}

std::string bytes_text(std::uint64_t bytes) {
    constexpr const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    double number = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; number >= 1024 && unit + 1 < std::size(units); ++unit)
        number /= 1024;
    return unit == 0 ? fmt::format("{} bytes", bytes) : fmt::format("{:.1f} {}", number, units[unit]);
}

std::string in_units(const std::string& message) {
    const std::regex number_of_bytes("([0-9]{4,19}) bytes");
    std::string text;
    std::map<std::string, std::uint64_t> numbers;
    std::string::const_iterator end_of_last = message.begin();
    for (std::sregex_iterator found(message.begin(), message.end(), number_of_bytes), end; found != end; ++found) {
        const std::uint64_t bytes = std::stoull((*found)[1]);
        const std::string rounded = bytes_text(bytes);
        // A need that is hardly above a limit would look like the limit.
        if (numbers.emplace(rounded, bytes).first->second != bytes) return message;
        text.append(end_of_last, (*found)[0].first);
        text += rounded;
        end_of_last = (*found)[0].second;
    }
    return text.append(end_of_last, message.end());
}

void require_memory(std::string_view argument, std::uint64_t needed, std::uint64_t free, std::string_view whose) {
    if (needed > free)
        throw UsageError(fmt::format("{}: {} of {} memory are needed; the limit is the {} that are free", argument,
                                     bytes_text(needed), whose, bytes_text(free)));
}

}  // namespace glsort::demo
