#include "support/spooled_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <system_error>

#include "support/file_access.h"

namespace glsort::demo {
namespace {

void copy_input(int from, int to, const std::filesystem::path& name, std::uint64_t most_bytes) {
    std::array<char, 1u << 16> bytes;
    std::uint64_t sum = 0;
    for (;;) {
        const ssize_t got = read(from, bytes.data(), bytes.size());
        if (got < 0) fail_reading(name, std::strerror(errno));
        if (got == 0) return;
        sum += static_cast<std::uint64_t>(got);
        if (sum > most_bytes)
            fail_reading(name, "there are more bytes than the limit of " + std::to_string(most_bytes));
        for (ssize_t done = 0; done < got;) {
            const ssize_t written = write(to, bytes.data() + done, static_cast<std::size_t>(got - done));
            if (written < 0) fail_reading(name, std::strerror(errno));
            done += written;
        }
    }
}

}  // namespace

SpooledFile::SpooledFile(const std::filesystem::path& file, std::uint64_t most_bytes) : name_(file), path_(file) {
    const bool standard = file == "-";
    if (standard) name_ = "standard input";
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(file, error);
    if (!standard && (!exists(status) || is_regular_file(status) || is_directory(status))) return;
    const int input = standard ? STDIN_FILENO : open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (input < 0) fail_reading(name_, std::strerror(errno));
    memory_ = memfd_create("glsort", MFD_CLOEXEC);
    try {
        if (memory_ < 0) fail_reading(name_, std::strerror(errno));
        copy_input(input, memory_, name_, most_bytes);
    } catch (...) {
        if (!standard) close(input);
        if (memory_ >= 0) close(memory_);
        throw;
    }
    if (!standard) close(input);
    path_ = "/proc/self/fd/" + std::to_string(memory_);
}

SpooledFile::~SpooledFile() {
    if (memory_ >= 0) close(memory_);
}

}  // namespace glsort::demo
