#pragma once

#include <cstddef>
#include <filesystem>
#include <mutex>
#include <string>

#include "bench_row.h"
#include "options.h"

namespace glsort::demo {

/// The rows of bench. Each row is written as soon as it is measured. The output is valid after any row, once `end` is
/// called. Several threads may call all functions.
class BenchOutput {
  public:
    /// Opens the file; `-` is standard output. Throws std::runtime_error with the file and the reason.
    BenchOutput(const std::filesystem::path& path, Format format);
    ~BenchOutput();
    BenchOutput(const BenchOutput&) = delete;
    BenchOutput& operator=(const BenchOutput&) = delete;

    /// Begins the output. A run that fails before this call writes no output.
    void begin();
    void add(const BenchRow& row);
    /// Ends the output, begun or not. Later rows are ignored.
    void end();

  private:
    void write_heading();
    void write(const std::string& text);

    std::filesystem::path path_;
    Format format_;
    int file_;
    std::mutex mutex_;
    std::size_t rows_ = 0;
    bool begun_ = false;
    bool ended_ = false;
};

}  // namespace glsort::demo
