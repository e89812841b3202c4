#pragma once

#include <cstddef>
#include <filesystem>
#include <mutex>
#include <string>

#include "bench_row.h"
#include "options.h"

namespace glsort::demo {

/// Rows as they are measured: each one is written at once, and the output is valid after any of them once `end` was
/// called. For several threads at a time.
class BenchOutput {
  public:
    /// Opens the file; `-` is standard output. Throws std::runtime_error naming the file and the reason.
    BenchOutput(const std::filesystem::path& path, Format format);
    ~BenchOutput();
    BenchOutput(const BenchOutput&) = delete;
    BenchOutput& operator=(const BenchOutput&) = delete;

    /// Begins the output: what fails before has no output.
    void begin();
    void add(const BenchRow& row);
    /// Ends the output, begun or not. Rows that come later are left out.
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
