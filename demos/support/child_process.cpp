#include "child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigemptyset
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <system_error>

namespace glsort::demo {
namespace {

[[noreturn]] void fail(const std::filesystem::path& program, const std::string& reason) {
    throw std::runtime_error(fmt::format("cannot run {}: {}", program.string(), reason));
}

struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Closer>;

// A file without a name, which is gone when all have closed the file.
File file_of(std::span<const std::byte> bytes, const std::filesystem::path& program) {
    File file(std::tmpfile());
    if (!file || std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size() ||
        std::fflush(file.get()) != 0 || lseek(fileno(file.get()), 0, SEEK_SET) != 0)
        fail(program, fmt::format("no temporary file for its input: {}", std::strerror(errno)));
    return file;
}

// The program starts with all signals, whatever this thread has blocked (interruption.h).
class Start {
  public:
    Start(int in, int out) {
        posix_spawn_file_actions_init(&actions_);
        posix_spawn_file_actions_adddup2(&actions_, in, STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions_, out, STDOUT_FILENO);
        posix_spawnattr_init(&attributes_);
        sigset_t none;
        sigemptyset(&none);
        posix_spawnattr_setsigmask(&attributes_, &none);
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK);
    }
    ~Start() {
        posix_spawn_file_actions_destroy(&actions_);
        posix_spawnattr_destroy(&attributes_);
    }
    Start(const Start&) = delete;
    Start& operator=(const Start&) = delete;

    pid_t run(const std::filesystem::path& program, const std::vector<std::string>& arguments) {
        std::vector<std::string> words = {program.string()};
        words.insert(words.end(), arguments.begin(), arguments.end());
        std::vector<char*> pointers;
        pointers.reserve(words.size() + 1);
        for (std::string& word : words)
            pointers.push_back(word.data());
        pointers.push_back(nullptr);
        pid_t child = 0;
        const int error = posix_spawn(&child, words[0].c_str(), &actions_, &attributes_, pointers.data(), environ);
        if (error != 0) fail(program, std::strerror(error));
        return child;
    }

  private:
    posix_spawn_file_actions_t actions_;
    posix_spawnattr_t attributes_;
};

std::string read_all(int file) {
    std::string text;
    char block[4096];
    for (;;) {
        const ssize_t count = read(file, block, sizeof block);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return text;
        text.append(block, static_cast<std::size_t>(count));
    }
}

}  // namespace

std::string output_of_program(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                              std::span<const std::byte> input) {
    const File in = file_of(input, program);
    // Both ends close themselves in the program that starts.
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) fail(program, std::strerror(errno));
    const File from(fdopen(ends[0], "r"));
    File to(fdopen(ends[1], "w"));
    const pid_t child = Start(fileno(in.get()), ends[1]).run(program, arguments);
    to.reset();
    std::string text = read_all(ends[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) fail(program, std::strerror(errno));
    if (WIFSIGNALED(status)) fail(program, fmt::format("ended by signal {}", WTERMSIG(status)));
    if (WEXITSTATUS(status) != 0) fail(program, fmt::format("exit code {}", WEXITSTATUS(status)));
    return text;
}

std::filesystem::path own_folder() {
    std::error_code ignored;
    return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
}

}  // namespace glsort::demo
