#include "files.h"

#include <fmt/format.h>

#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>

namespace glsort::demo {
namespace {

static_assert(std::endian::native == std::endian::little, "files hold words as they are in memory");

struct Closer {
    void operator()(std::FILE* file) const {
        if (file != stdin) std::fclose(file);
    }
};
using File = std::unique_ptr<std::FILE, Closer>;

}  // namespace

std::vector<std::uint32_t> read_keys(const std::filesystem::path& path, std::size_t key_bytes,
                                     std::uint64_t most_keys) {
    const std::string name = path == "-" ? "standard input" : path.string();
    const auto fail = [&name](int error) {
        throw std::runtime_error(fmt::format("cannot read {}: {}", name, std::strerror(error)));
    };
    const File file(path == "-" ? stdin : std::fopen(path.c_str(), "rb"));
    if (!file) fail(errno);
    std::vector<std::uint32_t> words;
    std::size_t bytes = 0;
    // Reads until the end, because a pipe has no size.
    for (;;) {
        words.resize(bytes / 4 + (1u << 16));
        char* const target = reinterpret_cast<char*>(words.data()) + bytes;
        const std::size_t got = std::fread(target, 1, 4 * words.size() - bytes, file.get());
        bytes += got;
        if (std::ferror(file.get()) != 0) fail(errno);
        if (bytes / key_bytes > most_keys)
            throw std::runtime_error(
                fmt::format("--input: {} holds more than {} keys; the limit is what memory and 32-bit indices allow",
                            name, most_keys));
        if (got == 0) break;
    }
    if (bytes % key_bytes != 0)
        throw std::runtime_error(
            fmt::format("{} has {} bytes, no multiple of the {} bytes of a key", name, bytes, key_bytes));
    words.resize(bytes / 4);
    return words;
}

}  // namespace glsort::demo
