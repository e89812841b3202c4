#include "files.h"

#include <fmt/format.h>

#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "support/console.h"
#include "support/file_access.h"
#include "support/options.h"

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
    const auto fail = [&path](int error) { fail_reading(path, std::strerror(error)); };
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
            throw UsageError(fmt::format("--input {}: the limit is {} keys, by the free memory and 32-bit indices",
                                         path.string(), count_text(most_keys)));
        if (got == 0) break;
    }
    if (bytes % key_bytes != 0)
        fail_reading(path, fmt::format("{} bytes are no multiple of the {} bytes of a key", bytes, key_bytes));
    words.resize(bytes / 4);
    return words;
}

}  // namespace glsort::demo
