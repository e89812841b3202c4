#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>

#include "gl_io.h"
#include "support/timing.h"

namespace glsort::demo {

/// The time that a device takes to copy the records of a sort: to read each record once, and to write each record once.
/// No sort of records in memory is faster. The copies run in the context and in the way of the sorts that are measured.
class CopyTimes {
  public:
    /// Without a context only host memory is copied. `queries` may be null: then the clock measures. Both must outlive
    /// this object.
    CopyTimes(const GlContext* context, QueryTimer* queries) : context_(context), queries_(queries) {}

    /// Copies of some MiB, to keep the GPU busy.
    std::unique_ptr<Timed> some_work() const;

    /// Milliseconds of a copy in host memory, by one core.
    double in_host_memory(std::uint64_t bytes, const TimingOptions& options);
    /// Milliseconds of a copy from buffer to buffer: by glCopyBufferSubData or by a compute shader, the faster of both.
    double in_buffers(std::uint64_t bytes, const TimingOptions& options);
    /// Milliseconds of a copy from texture to texture by a draw. A texel has 1, 2 or 4 words.
    double in_textures(std::uint64_t bytes, std::uint32_t texel_words, const TimingOptions& options);

  private:
    bool has_compute() const;
    double time(Timed& copy, const TimingOptions& options);

    const GlContext* context_;
    QueryTimer* queries_;
    // By the bytes and by the words of a texel. 0: buffers.
    std::map<std::tuple<std::uint64_t, std::uint32_t>, double> known_;
    std::map<std::uint64_t, double> known_of_host_;
};

}  // namespace glsort::demo
