#pragma once

#include <glsort/sorter.h>

#include <memory>
#include <optional>
#include <string>

#include "gl_io.h"
#include "job.h"

namespace glsort::demo {

/// Throws UsageError if the device cannot hold a sort of `count` elements. The message has `argument` (the option with
/// its value), the required bytes, and the limit. Allocates nothing. Returns the required bytes.
std::uint64_t check_device_holds(const GlContext& context, SortSpec spec, std::uint32_t count,
                                 const std::string& argument);

/// A Sorter and its GPU memory: buffers that are sorted in place, with copies of the input to restore them, or an input
/// and an output texture.
class GlJob : public SortJob {
  public:
    /// `spec.input` and `spec.output` must be the same medium. With `spec.gpu_count` the count lies in a buffer. Waits
    /// until the input is in GPU memory. The context must outlive the job, and stay current.
    GlJob(const GlContext& context, const SortSpec& spec, const Items& input, const SorterOptions& options = {});
    ~GlJob() override { reset_state(gl_); }

    AlgorithmChoice algorithm() const override { return choose_algorithm(spec().algorithm); }
    void restore() override;
    void sort() override { sorter_.sort(arguments_); }
    void sort_in_steps(const std::function<void(std::size_t done, std::size_t ops)>& done) override;
    void finish() override { gl_.Finish(); }
    Items result() override;

    /// With algorithm and backend resolved.
    const SortSpec& spec() const { return sorter_.spec(); }

  private:
    void upload_buffers(const Items& input);
    void upload_texture(const Items& input);

    const GladGLContext& gl_;
    Sorter sorter_;
    std::uint32_t count_;
    SortArguments arguments_;
    std::optional<GlBuffer> gpu_count_;
    std::optional<GlBuffer> unsorted_keys_, unsorted_values_, keys_, values_;
    std::optional<GlTexture> input_, output_;
};

}  // namespace glsort::demo
