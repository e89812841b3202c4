#include "bench_output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

#include "print_json.h"
#include "support/file_access.h"
#include "support/output_file.h"

namespace glsort::demo {
namespace {

constexpr int no_file = -1;

// What is between the members of the heading and the first row.
const std::string rows_begin = "  \"rows\": [";
const std::string row_indent = "    ";

// A row in one line. Bytes that are not UTF-8 are replaced.
std::string line_of(const BenchRow& row) {
    return to_json(row).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

// Keeps the first `kept` bytes of a file that is there.
int open_file(const std::filesystem::path& path, std::size_t kept) {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | (kept == 0 ? O_TRUNC : 0), 0666);
    if (file < 0) fail_writing(path, std::strerror(errno));
    if (kept == 0) return file;
    const auto end = static_cast<off_t>(kept);
    if (ftruncate(file, end) != 0 || lseek(file, end, SEEK_SET) != end) fail_writing(path, std::strerror(errno));
    return file;
}

}  // namespace

std::optional<EarlierRun> read_earlier_run(const std::filesystem::path& path) {
    std::error_code missing;
    if (!std::filesystem::exists(path, missing)) return std::nullopt;
    check_readable(path);
    std::ifstream file(path, std::ios::binary);
    if (!file) fail_reading(path, std::strerror(errno));
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (text.empty()) return std::nullopt;
    const auto fail = [&path](const std::string& reason) {
        throw std::runtime_error(fmt::format("cannot resume {}: {}", path.string(), reason));
    };
    const std::size_t rows = text.find(rows_begin);
    if (rows == std::string::npos) fail("the file is not JSON that bench wrote");
    EarlierRun run;
    try {
        run.heading = nlohmann::ordered_json::parse(text.substr(0, rows) + rows_begin + "]}");
        run.heading.erase("rows");
    } catch (const nlohmann::json::exception& error) {
        fail(error.what());
    }
    run.bytes = rows + rows_begin.size();
    // A row ends in front of a comma or at the end of its line. A row that is cut is no JSON.
    for (std::size_t start = text.find('\n', run.bytes); start != std::string::npos;) {
        ++start;
        const std::size_t next = text.find('\n', start);
        std::string line = text.substr(start, next == std::string::npos ? next : next - start);
        if (line.ends_with(',')) line.pop_back();
        try {
            run.rows.insert(identity_of(nlohmann::ordered_json::parse(line)));
        } catch (const nlohmann::json::exception&) {
            break;
        }
        run.bytes = start + line.size();
        start = next;
    }
    return run;
}

BenchOutput::BenchOutput(const std::filesystem::path& path, Format format, const std::optional<EarlierRun>& earlier)
    : path_(path),
      format_(format),
      file_(is_standard_output(path) ? STDOUT_FILENO : no_file),
      kept_(earlier ? earlier->bytes : 0),
      rows_(earlier ? earlier->rows.size() : 0),
      begun_(earlier.has_value()) {
    check_writable(path_);
}

BenchOutput::~BenchOutput() {
    if (file_ != no_file && file_ != STDOUT_FILENO) close(file_);
}

void BenchOutput::begin(const nlohmann::ordered_json& heading) {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    if (file_ == no_file) file_ = open_file(path_, kept_);
    if (!begun_) write_heading(heading);
}

void BenchOutput::write_heading(const nlohmann::ordered_json& heading) {
    begun_ = true;
    if (format_ == Format::table) write(table_heading());
    if (format_ == Format::csv) write(csv_heading());
    if (format_ != Format::json) return;
    std::string text = heading.empty() ? "{\n" : text_of(heading);
    if (!heading.empty()) text.replace(text.rfind("\n}"), std::string::npos, ",\n");
    write(text + rows_begin);
}

void BenchOutput::add(const BenchRow& row) {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    if (format_ == Format::table) write(to_table_line(row));
    if (format_ == Format::csv) write(to_csv_line(row));
    if (format_ == Format::text) write(to_text(row));
    if (format_ == Format::json) write((rows_ == 0 ? "\n" : ",\n") + row_indent + line_of(row));
    ++rows_;
}

void BenchOutput::end() {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    ended_ = true;
    if (file_ == no_file) return;
    if (!begun_) write_heading({});
    if (format_ == Format::json) write(rows_ == 0 ? "]\n}\n" : "\n  ]\n}\n");
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
