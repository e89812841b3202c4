#include "bench_output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "print_json.h"
#include "support/file_access.h"
#include "support/output_file.h"

namespace glsort::demo {
namespace {

std::string indented(std::string text) {
    text.pop_back();  // The line end.
    for (std::size_t i = text.find('\n'); i != std::string::npos; i = text.find('\n', i + 1))
        text.insert(i + 1, "  ");
    return "  " + text;
}

}  // namespace

BenchOutput::BenchOutput(const std::filesystem::path& path, Format format)
    : path_(path),
      format_(format),
      file_(is_standard_output(path) ? STDOUT_FILENO
                                     : open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
    if (file_ < 0) fail_writing(path_, std::strerror(errno));
}

BenchOutput::~BenchOutput() {
    if (file_ != STDOUT_FILENO) close(file_);
}

void BenchOutput::begin() {
    const std::lock_guard lock(mutex_);
    if (!ended_) write_heading();
}

void BenchOutput::write_heading() {
    begun_ = true;
    if (format_ == Format::table) write(table_heading());
    if (format_ == Format::csv) write(csv_heading());
    if (format_ == Format::json) write("[");
}

void BenchOutput::add(const BenchRow& row) {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    if (format_ == Format::table) write(to_table_line(row));
    if (format_ == Format::csv) write(to_csv_line(row));
    if (format_ == Format::text) write(to_text(row));
    if (format_ == Format::json) write((rows_ == 0 ? "\n" : ",\n") + indented(text_of(to_json(row))));
    ++rows_;
}

void BenchOutput::end() {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    ended_ = true;
    if (!begun_) write_heading();
    if (format_ == Format::json) write(rows_ == 0 ? "]\n" : "\n]\n");
}

void BenchOutput::write(const std::string& text) {
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t written = ::write(file_, text.data() + done, text.size() - done);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) fail_writing(path_, std::strerror(errno));
        done += static_cast<std::size_t>(written);
    }
}

}  // namespace glsort::demo
