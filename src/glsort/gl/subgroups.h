#pragma once

#include <glsort/base/work.h>
#include <glsort/gl/api.h>
#include <glsort/gl/objects.h>
#include <glsort/gl/program.h>
#include <glsort/limits.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace glsort::gl {

/// The `#extension` lines that a shader with subgroup operations has after its `#version`. The text begins with a line
/// break. Empty for `Subgroups::none`.
const char* subgroup_extensions(Subgroups subgroups);

/// The subgroups of compute shaders.
struct SubgroupProbe {
    Subgroups extension = Subgroups::none;  ///< The extension that works and that kernels use.
    std::uint32_t size = 0;                 ///< Invocations per subgroup, 4 to 64; 0: no extension.
};

/// Probes KHR_shader_subgroup and, on a software rasteriser, ARB_shader_ballot, in steps that do not wait. Finds the
/// first extension whose subgroups behave as the kernels require. Every subgroup must have `size` neighbouring
/// invocations, numbered in the order of the group. Ballots, sums, maxima and reads of other invocations' values must
/// cover exactly these invocations.
///
/// What a driver reports about its subgroups need not hold in a shader, so a small dispatch tests the subgroups. The
/// dispatch tests one shader. So KHR_shader_subgroup counts only where all shaders have subgroups of one size: on
/// NVIDIA GPUs and software rasterisers.
///
/// Cost: compiling a short shader and waiting for the GPU, for each extension that the context has.
class SubgroupProbing {
  public:
    /// The compute shader of the dispatch.
    static ShaderSource source(bool es, Subgroups extension);

    explicit SubgroupProbing(std::shared_ptr<const Api> api);

    /// Goes on. Without `may_wait`, returns `waiting` as long as the driver or the GPU is busy. Changes the current
    /// program, storage buffer 0 and the copy-read buffer.
    Progress step(bool may_wait);
    /// What was found, once `step` has returned `done`.
    const SubgroupProbe& result() const { return result_; }

  private:
    void next_extension();
    void ask();
    std::uint32_t size_of_answers();

    std::shared_ptr<const Api> api_;
    SubgroupProbe result_;
    std::vector<Subgroups> extensions_;  ///< To be tried. The last one is under way.
    std::optional<IssuedProgram> issued_;
    Program program_;
    Buffer answers_;
    Sync asked_;  ///< Behind the dispatch.
};

/// Probes in one call, which waits for the driver and the GPU.
SubgroupProbe probe_subgroups(const std::shared_ptr<const Api>& api);

}  // namespace glsort::gl
