#pragma once

#include <glsort/scene.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "gl_io.h"
#include "job.h"
#include "scene_options.h"

namespace glsort::demo {

/// A SceneSorter and its GPU memory: for each source a buffer of keys, or of positions whose depths are the keys.
/// Elements that are not drawn are marked in the input.
class SceneJob : public SortJob {
  public:
    /// `spec` gives key, direction, algorithm and backend. The context must outlive the job, and stay current.
    SceneJob(const GlContext& context, const SortSpec& spec, const Items& input, const SceneOptions& options,
             std::uint64_t seed, const SorterOptions& how = {});
    ~SceneJob() override { reset_state(gl_); }

    AlgorithmChoice algorithm() const override { return choose_algorithm(sorter_.spec().algorithm); }
    void restore() override {}  // A sort of a scene leaves its input alone.
    void sort() override { sorter_.sort(arguments_); }
    void sort_in_steps(const std::function<void(std::size_t done, std::size_t ops)>& done) override;
    void finish() override { gl_.Finish(); }
    /// The drawn items in their order: keys, and as values the positions in the input.
    Items result() override;

    Backend backend() const { return sorter_.spec().backend; }

  private:
    void upload(const Items& input, const SceneOptions& options, std::uint64_t seed);
    std::uint32_t add_buffer(const std::vector<std::uint32_t>& words);

    const GladGLContext& gl_;
    Items input_;
    SceneSorter sorter_;
    SceneArguments arguments_;
    std::vector<std::unique_ptr<GlBuffer>> buffers_;
    GlBuffer order_;
};

/// A source whose keys are the depths of positions, without elements yet.
SceneSource source_of_positions();
/// The values of such a source (`SceneArguments::Source::values`): a camera that sees all positions of `position_of`.
std::vector<std::array<float, 4>> values_of_positions();
/// The words of a position with that depth, given as the bits of a float. Elements that are not drawn are beside the
/// view.
std::array<std::uint32_t, 4> position_of(std::uint32_t depth, bool drawn);

/// The elements of the input that are drawn, in their order.
struct DrawnItems {
    Items items;
    std::vector<std::uint32_t> elements;  ///< Their positions in the input.
};
DrawnItems drawn_items(const Items& input, const ItemType& type, const SceneOptions& options, std::uint64_t seed);

/// The input without the elements that are not drawn, in the order of std::stable_sort. Values are positions in the
/// input.
Items scene_reference(const Items& input, const ItemType& type, const SceneOptions& options, std::uint64_t seed);

/// Throws UsageError if the device cannot hold a sort of `count` elements and what `scene` adds, or if the computer
/// cannot hold `bytes_on_host`. A GPU without memory of its own uses the memory of the computer. The message has
/// `argument` (the option with its value), the required bytes, and the limit. Allocates nothing.
void check_memory(const GlContext& context, const SortSpec& spec, const SceneOptions& scene, std::uint32_t count,
                  std::uint64_t bytes_on_host, const std::string& argument);

}  // namespace glsort::demo
