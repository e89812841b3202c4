#include "support/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <list>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include "support/console.h"
#include "support/file_access.h"

namespace glsort::demo {
namespace {

struct FileCloser {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using StdFile = std::unique_ptr<std::FILE, FileCloser>;

// Errors name the file by `content.path`, which a person knows.
void write_and_close(StdFile file, const FileContent& content) {
    const auto& [path, bytes] = content;
    const bool complete = std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
    if (!complete || std::fflush(file.get()) != 0) fail_writing(path, std::strerror(errno));
}

void write_in_place(const std::filesystem::path& path, const FileContent& content) {
    StdFile file(std::fopen(path.c_str(), "wb"));
    if (!file) fail_writing(content.path, std::strerror(errno));
    write_and_close(std::move(file), content);
}

// Opens a file that shall replace `target`, with the mode of a target that is there. Null if the folder refuses the
// file; `errno` has the reason.
StdFile open_replacement(const std::filesystem::path& path, const std::filesystem::path& target) {
    struct stat old = {};
    const bool replaces = stat(target.c_str(), &old) == 0;
    const mode_t mode = replaces ? old.st_mode & 0777 : 0666;
    const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
    if (descriptor < 0) return nullptr;
    // open() leaves out what the mask of the process has.
    if (replaces) fchmod(descriptor, mode);
    return StdFile(fdopen(descriptor, "wb"));
}

// Whether a file that cannot be replaced can be written in place: the folder cannot be changed, or the file is a mount
// point.
bool can_be_written_in_place(const std::filesystem::path& file, int refusal) {
    const bool may_be = refusal == EACCES || refusal == EPERM || refusal == EROFS || refusal == EBUSY;
    return may_be && access(file.c_str(), W_OK) == 0;
}

// The file that a name stands for: behind all links, the last of which may name a file that does not exist yet. Empty
// if the system refuses.
std::filesystem::path behind_links(std::filesystem::path path) {
    constexpr int most_links = 40;  // As Linux has it.
    std::error_code error;
    for (int link = 0; link < most_links && std::filesystem::is_symlink(path, error); ++link) {
        const std::filesystem::path next = std::filesystem::read_symlink(path, error);
        if (error) return {};
        path = path.parent_path() / next;  // An absolute link replaces all.
    }
    const std::filesystem::path canonical = std::filesystem::weakly_canonical(path, error);
    return error ? std::filesystem::path() : canonical;
}

// The names of temporary files that have not been renamed.
struct Unfinished {
    std::mutex mutex;
    std::set<std::filesystem::path> paths;
};

Unfinished& unfinished() {
    static Unfinished files;
    return files;
}

// A temporary file that is removed, unless it has been renamed. A folder may refuse the temporary file, or the new
// name. The target is then written in place.
class Temporary {
  public:
    Temporary(std::filesystem::path target, const FileContent& content)
        : target_(std::move(target)), content_(content), path_(target_) {
        const std::lock_guard lock(unfinished().mutex);
        std::string suffix = "." + std::to_string(getpid()) + ".tmp";
        // A name has at most 255 bytes. Of two long names, the beginnings may be equal.
        constexpr std::size_t most_bytes = 200;
        if (std::string name = target_.filename().string(); name.size() > most_bytes) {
            name.resize(most_bytes);
            path_.replace_filename(name);
            suffix = "." + std::to_string(unfinished().paths.size()) + suffix;
        }
        path_ += suffix;
        unfinished().paths.insert(path_);
    }
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    ~Temporary() {
        const std::lock_guard lock(unfinished().mutex);
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
        unfinished().paths.erase(path_);
    }

    void write() {
        StdFile file = open_replacement(path_, target_);
        const int refusal = file ? 0 : errno;
        in_place_ = can_be_written_in_place(target_, refusal);
        if (in_place_) return;
        if (!file) fail_writing(content_.path, std::strerror(refusal));
        write_and_close(std::move(file), content_);
    }
    void publish() const {
        std::error_code error;
        if (!in_place_) std::filesystem::rename(path_, target_, error);
        if (in_place_ || can_be_written_in_place(target_, error.value()))
            write_in_place(target_, content_);
        else if (error)
            fail_writing(content_.path, error.message());
    }

  private:
    std::filesystem::path target_;
    const FileContent& content_;
    std::filesystem::path path_;
    bool in_place_ = false;
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
    for (const FileContent& content : files) {
        const auto& [path, bytes] = content;
        if (is_standard_output(path)) {
            print({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
            continue;
        }
        // Renaming would replace a link by a file, so the name behind it counts.
        const std::filesystem::path target = behind_links(path);
        if (target.empty() || (exists(target) && !is_regular_file(target))) {
            write_in_place(path, content);
            continue;
        }
        complete.emplace_back(target, content);
        complete.back().write();
    }
    for (const Temporary& file : complete)
        file.publish();
}

void remove_unfinished_files() {
    const std::lock_guard lock(unfinished().mutex);
    std::error_code ignored;
    for (const std::filesystem::path& path : unfinished().paths)
        std::filesystem::remove(path, ignored);
}

void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes) {
    write_files({{path, bytes}});
}

void write_file(const std::filesystem::path& path, std::string_view text) {
    write_file(path, std::as_bytes(std::span(text)));
}

}  // namespace glsort::demo
