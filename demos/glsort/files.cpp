#include "files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <list>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>

namespace glsort::demo {
namespace {

static_assert(std::endian::native == std::endian::little, "files hold words as they are in memory");

struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Closer>;

[[noreturn]] void fail(const char* what, const std::filesystem::path& path, int error) {
    throw std::runtime_error(fmt::format("cannot {} {}: {}", what, path.string(), std::strerror(error)));
}

// `shown` is the name that a person knows the file by.
void write(const std::filesystem::path& path, const std::vector<std::uint32_t>& words,
           const std::filesystem::path& shown) {
    File file(std::fopen(path.c_str(), "wb"));
    if (!file) fail("write", shown, errno);
    const bool complete = std::fwrite(words.data(), 4, words.size(), file.get()) == words.size();
    if (!complete || std::fflush(file.get()) != 0) fail("write", shown, errno);
}

// A temporary file that is removed, unless it has been renamed.
class Temporary {
  public:
    explicit Temporary(std::filesystem::path target) : target_(std::move(target)) {
        path_ = target_;
        path_ += fmt::format(".{}.tmp", getpid());
    }
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    ~Temporary() {
        std::error_code ignored;
        if (!path_.empty()) std::filesystem::remove(path_, ignored);
    }
    const std::filesystem::path& path() const { return path_; }
    void publish() {
        std::error_code error;
        std::filesystem::rename(path_, target_, error);
        if (error) fail("write", target_, error.value());
        path_.clear();
    }

  private:
    std::filesystem::path target_;
    std::filesystem::path path_;
};

}  // namespace

std::vector<std::uint32_t> read_keys(const std::filesystem::path& path, std::size_t key_bytes) {
    File file(std::fopen(path.c_str(), "rb"));
    if (!file) fail("read", path, errno);
    std::vector<std::uint32_t> words;
    std::size_t bytes = 0;
    // Until the end rather than by its size: a pipe has none.
    for (;;) {
        words.resize(bytes / 4 + (1u << 16));
        char* const target = reinterpret_cast<char*>(words.data()) + bytes;
        const std::size_t got = std::fread(target, 1, 4 * words.size() - bytes, file.get());
        bytes += got;
        if (std::ferror(file.get()) != 0) fail("read", path, errno);
        if (got == 0) break;
    }
    if (bytes % key_bytes != 0)
        throw std::runtime_error(
            fmt::format("{} has {} bytes, no multiple of the {} bytes of a key", path.string(), bytes, key_bytes));
    words.resize(bytes / 4);
    return words;
}

void write_files(const std::vector<FileContent>& files) {
    std::list<Temporary> complete;
    for (const auto& [path, words] : files) {
        // Renaming would replace a link by a file, so the name behind it counts.
        std::error_code missing;
        const std::filesystem::path target = std::filesystem::weakly_canonical(path, missing);
        if (missing || (exists(target) && !is_regular_file(target))) {
            write(path, *words, path);
            continue;
        }
        complete.emplace_back(target);
        write(complete.back().path(), *words, path);
    }
    for (Temporary& file : complete)
        file.publish();
}

}  // namespace glsort::demo
