#pragma once

#include <glad/gl.h>

#include <glsort/sorter.h>
#include <cstdint>
#include <string>
#include <vector>

#include "settings.h"
#include "support/headless_context.h"

namespace glsort::demo {

/// Something to choose, and whether it can be had here.
struct Offer {
    std::string name;
    std::string summary;   ///< A line about it.
    std::string obstacle;  ///< Why it cannot run here. Empty: it can.
};

/// The largest --count.
inline constexpr std::uint32_t most_particles = 1u << 26;

/// The sorter's specification for particles: f32 keys, ascending, with their index.
SortSpec sort_spec(const Method& method);

/// What the current context can do for particles. Asks the planner, which needs no GPU memory.
class Device {
  public:
    /// `element_bytes` are those of a particle, or splat, without what the sorter needs.
    Device(const GladGLContext& gl, Api api, GetProcAddress get_proc_address, std::uint32_t element_bytes);

    const std::string& renderer() const { return report_.renderer; }
    /// automatic, fragment, compute.
    const std::vector<Offer>& backends() const { return backends_; }
    /// automatic, and every NAME:VARIANT, for a number of particles on a backend.
    std::vector<Offer> algorithms(std::uint32_t count, Backend backend) const;
    /// Why that cannot run here. Empty: it can.
    std::string obstacle(const Method& method) const;
    /// Throws std::runtime_error where particles and sorter do not fit in here: --count, its value, and the limit.
    void check_room(const Method& method) const;
    /// The largest power of two up to most_particles of which sorter and particles fit in here.
    std::uint32_t largest_count(const Method& method) const;

  private:
    std::string obstacle_on(Backend backend, const Method& method) const;
    bool has_room(const Method& method) const;
    /// The backend that `automatic` is for that method.
    Backend backend_of(const Method& method) const;
    std::uint64_t bytes_for(const Method& method, Backend backend) const;

    ContextReport report_;
    std::vector<Offer> backends_;
    std::uint64_t element_bytes_;
    std::uint64_t memory_;  // bytes for all that we have, roughly
    const char* whose_memory_;
    std::uint64_t largest_index_;  // of a draw
};

}  // namespace glsort::demo
