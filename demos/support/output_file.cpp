#include "support/output_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <list>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>

#include "support/console.h"
#include "support/file_access.h"

namespace glsort::demo {
namespace {

struct FileCloser {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using StdFile = std::unique_ptr<std::FILE, FileCloser>;

// `shown` is the name that a person knows the file by.
void write_content(const std::filesystem::path& path, std::span<const std::byte> bytes,
                   const std::filesystem::path& shown) {
    StdFile file(std::fopen(path.c_str(), "wb"));
    if (!file) fail_writing(shown, std::strerror(errno));
    const bool complete = std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
    if (!complete || std::fflush(file.get()) != 0) fail_writing(shown, std::strerror(errno));
}

// A temporary file that is removed, unless it has been renamed.
class Temporary {
  public:
    explicit Temporary(std::filesystem::path target) : target_(std::move(target)) {
        path_ = target_;
        path_ += "." + std::to_string(getpid()) + ".tmp";
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
        if (error) fail_writing(target_, error.message());
        path_.clear();
    }

  private:
    std::filesystem::path target_;
    std::filesystem::path path_;
};

}  // namespace

bool is_standard_output(const std::filesystem::path& path) {
    if (path == "-") return true;
    struct stat named = {};
    struct stat standard = {};
    if (stat(path.c_str(), &named) != 0 || fstat(STDOUT_FILENO, &standard) != 0) return false;
    // What goes to /dev/null meets nobody there.
    if (S_ISCHR(named.st_mode) && isatty(STDOUT_FILENO) == 0) return false;
    return named.st_dev == standard.st_dev && named.st_ino == standard.st_ino;
}

bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
    if (is_standard_output(a) && is_standard_output(b)) return true;
    std::error_code error;
    if (std::filesystem::equivalent(a, b, error)) return true;
    const std::filesystem::path first = std::filesystem::weakly_canonical(a, error);
    if (error) return a == b;
    const std::filesystem::path second = std::filesystem::weakly_canonical(b, error);
    // A relative name whose first part does not exist stays relative.
    return !error && std::filesystem::absolute(first) == std::filesystem::absolute(second);
}

void write_files(const std::vector<FileContent>& files) {
    std::list<Temporary> complete;
    for (const auto& [path, bytes] : files) {
        if (is_standard_output(path)) {
            print({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
            continue;
        }
        // Renaming would replace a link by a file, so the name behind it counts.
        std::error_code missing;
        const std::filesystem::path target = std::filesystem::weakly_canonical(path, missing);
        if (missing || (exists(target) && !is_regular_file(target))) {
            write_content(path, bytes, path);
            continue;
        }
        complete.emplace_back(target);
        write_content(complete.back().path(), bytes, path);
    }
    for (Temporary& file : complete)
        file.publish();
}

void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes) {
    write_files({{path, bytes}});
}

void write_file(const std::filesystem::path& path, std::string_view text) {
    write_file(path, std::as_bytes(std::span(text)));
}

}  // namespace glsort::demo
