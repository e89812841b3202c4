#pragma once

#include <cstddef>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>

#include "bench_row.h"
#include "options.h"

namespace glsort::demo {

/// The JSON of an earlier run of bench, which this run continues.
struct EarlierRun {
    nlohmann::ordered_json heading;  ///< All members but the rows.
    std::set<std::string> rows;      ///< The identities of the complete rows (identity_of).
    std::size_t wrong = 0;           ///< Complete rows whose result was wrong.
    std::size_t bytes = 0;           ///< Of the file, up to the end of the last complete row.
    bool has_cut_row = false;        ///< Whether a part of a row follows there.
};

/// Reads the file of a run that may have been ended at any moment. A half-written last row is left out. Throws
/// std::runtime_error with the file if the file cannot be read, if bench did not write the file, or if the file has
/// another format. Also throws if anything but a half-written row would be lost: another program may have written the
/// rows anew, over several lines. Nothing if there is no such file, or if the file is empty.
std::optional<EarlierRun> read_earlier_run(const std::filesystem::path& path);

/// The rows of bench. Each row is written as soon as it is measured. The output is valid after any row, once `end` is
/// called. Several threads may call all functions.
///
/// JSON is an object. `rows` is its last member, and has a row in each line.
class BenchOutput {
  public:
    /// `-` is standard output. Throws std::runtime_error with the file and the reason if the file cannot be written.
    BenchOutput(const std::filesystem::path& path, Format format, const std::optional<EarlierRun>& earlier = {});
    ~BenchOutput();
    BenchOutput(const BenchOutput&) = delete;
    BenchOutput& operator=(const BenchOutput&) = delete;

    /// Opens the file, and begins the output. Continues the file of an earlier run behind its last complete row. A run
    /// that fails before this call leaves a file as it was. JSON begins with the members of `heading`.
    void begin(const nlohmann::ordered_json& heading);
    /// Throws std::runtime_error with the file and the reason if the row cannot be written. The output then ends behind
    /// the last complete row.
    void add(const BenchRow& row);
    /// Ends the output. A file that was not begun stays as it was. Later rows are ignored.
    void end();

  private:
    void write_heading(const nlohmann::ordered_json& heading);
    void write_end();
    void write(const std::string& text);
    void write_whole(const std::string& text);

    std::filesystem::path path_;
    Format format_;
    int file_;          // Not open before begin().
    std::size_t kept_;  // Bytes of the earlier run.
    std::mutex mutex_;
    std::size_t rows_ = 0;
    bool begun_ = false;
    bool ended_ = false;
};

}  // namespace glsort::demo
