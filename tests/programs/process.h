#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <thread>
#include <vector>

/// Runs the programs as their users run them.
namespace glsort::test {

/// Max time to wait for a condition: far more than a busy machine needs.
constexpr std::chrono::seconds patience(300);

/// Checks a condition again and again. Returns false if the condition is never true.
template <class Condition>
bool eventually(const Condition& condition, std::chrono::seconds limit = patience) {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));  // Between two checks.
    }
    return true;
}

using Environment = std::map<std::string, std::string>;  ///< An empty value removes the variable.

/// A new folder. The destructor removes the folder and its contents.
class Folder {
  public:
    Folder() {
        static int made = 0;
        path_ = std::filesystem::temp_directory_path() / fmt::format("glsort-program-test-{}-{}", getpid(), made++);
        std::filesystem::create_directories(path_);
    }
    ~Folder() {
        std::error_code error;
        std::filesystem::remove_all(path_, error);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    std::string path() const { return path_.string(); }
    std::string file(const std::string& name) const { return (path_ / name).string(); }

  private:
    std::filesystem::path path_;
};

inline std::string read_text(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

/// A running program. The destructor kills the program if it still runs.
class Process {
  public:
    Process(const std::string& program, std::vector<std::string> arguments, const Environment& environment,
            const std::string& out, const std::string& err, const std::string& folder = ".") {
        arguments.insert(arguments.begin(), program);
        std::vector<char*> argv;
        argv.reserve(arguments.size() + 1);
        for (std::string& argument : arguments)
            argv.push_back(argument.data());
        argv.push_back(nullptr);
        pid_ = fork();
        if (pid_ != 0) return;
        redirect("/dev/null", O_RDONLY, STDIN_FILENO);
        redirect(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
        redirect(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
        if (chdir(folder.c_str()) != 0) _exit(126);
        for (const auto& [name, value] : environment) {
            if (value.empty())
                unsetenv(name.c_str());
            else
                setenv(name.c_str(), value.c_str(), 1);
        }
        execvp(argv[0], argv.data());
        _exit(127);
    }
    ~Process() {
        if (pid_ <= 0) return;
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    /// Returns the exit code, or 128 + the signal that ended the program, or -1 if the program still runs after
    /// `limit`.
    int wait(std::chrono::seconds limit = patience) {
        int status = 0;
        if (!eventually([&] { return waitpid(pid_, &status, WNOHANG) != 0; }, limit)) return -1;
        pid_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    void terminate() { send(SIGTERM); }
    void send(int signal) { kill(pid_, signal); }

  private:
    static void redirect(const char* path, int flags, int descriptor) {
        const int opened = open(path, flags, 0644);
        if (opened < 0 || dup2(opened, descriptor) < 0) _exit(126);
        if (opened != descriptor) close(opened);
    }

    pid_t pid_ = -1;
};

struct Result {
    int code = 0;
    std::string out;
    std::string err;
};

inline Result run_program(const std::string& program, const std::vector<std::string>& arguments,
                          const Environment& environment = {}) {
    const Folder folder;
    Process process(program, arguments, environment, folder.file("out"), folder.file("err"));
    const int code = process.wait();
    return {code, read_text(folder.file("out")), read_text(folder.file("err"))};
}

}  // namespace glsort::test
