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

// Whether only the end of the JSON, or a part of a row, follows the last complete row. `is_json` says whether the whole
// text is JSON.
bool is_end_of_rows(const std::string& rest, bool is_json) {
    constexpr const char* blanks = " \n";
    if (is_json) {
        std::string end = rest;
        std::erase_if(end, [](char letter) { return letter == ' ' || letter == '\n'; });
        return end == "]}";
    }
    const std::size_t line_end = rest.find('\n');
    const std::string of_row = rest.substr(0, line_end);
    if (!of_row.empty() && of_row != "," && of_row != "]") return false;
    if (line_end == std::string::npos) return true;
    const std::size_t part = rest.find_first_not_of(blanks, line_end);
    const std::size_t part_end = part == std::string::npos ? part : rest.find('\n', part);
    return part_end == std::string::npos || rest.find_first_not_of(blanks, part_end) == std::string::npos;
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
            const nlohmann::ordered_json row = nlohmann::ordered_json::parse(line);
            run.rows.insert(identity_of(row));
            if (row.at("verified") == false) ++run.wrong;
        } catch (const nlohmann::json::exception&) {
            break;
        }
        run.bytes = start + line.size();
        start = next;
    }
    const std::string rest = text.substr(run.bytes);
    if (!is_end_of_rows(rest, nlohmann::ordered_json::accept(text)))
        fail("its rows are not one in each line, as bench writes them");
    run.has_cut_row = rest.find('{') != std::string::npos;
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
    if (format_ == Format::table) write_whole(table_heading());
    if (format_ == Format::csv) write_whole(csv_heading());
    if (format_ != Format::json) return;
    std::string text = heading.empty() ? "{\n" : text_of(heading);
    if (!heading.empty()) text.replace(text.rfind("\n}"), std::string::npos, ",\n");
    write_whole(text + rows_begin);
}

void BenchOutput::add(const BenchRow& row) {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    if (format_ == Format::table) write_whole(to_table_line(row));
    if (format_ == Format::csv) write_whole(to_csv_line(row));
    if (format_ == Format::text) write_whole(to_text(row));
    if (format_ == Format::json) write_whole((rows_ == 0 ? "\n" : ",\n") + row_indent + line_of(row));
    ++rows_;
}

void BenchOutput::end() {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    ended_ = true;
    if (file_ == no_file) return;
    if (!begun_) write_heading({});
    write_end();
}

void BenchOutput::write_end() {
    if (format_ == Format::json) write(rows_ == 0 ? "]\n}\n" : "\n  ]\n}\n");
}

// Writes all of a text, or nothing: a row behind a part of a row would make the file unreadable. Standard output and
// pipes keep the part.
void BenchOutput::write_whole(const std::string& text) {
    const off_t begin = file_ == STDOUT_FILENO ? -1 : lseek(file_, 0, SEEK_CUR);
    const auto cut = [this, begin] {
        return begin >= 0 && ftruncate(file_, begin) == 0 && lseek(file_, begin, SEEK_SET) == begin;
    };
    try {
        write(text);
    } catch (const std::runtime_error&) {
        ended_ = true;
        if (cut() && begin > 0) try {
                write_end();
            } catch (const std::runtime_error&) {
                cut();
            }
        throw;
    }
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
