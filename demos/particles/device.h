#pragma once

#include <glad/gl.h>

#include <glsort/sorter.h>
#include <cstdint>
#include <string>
#include <vector>

#include "settings.h"
#include "support/headless_context.h"

namespace glsort::demo {

/// A choice, and whether the device offers the choice.
struct Offer {
    std::string name;
    std::string summary;   ///< One line on the choice.
    std::string obstacle;  ///< The reason why the choice cannot run here. Empty: the choice can run.
};

/// The max value of --count.
inline constexpr std::uint32_t most_particles = 1u << 26;

/// What the current context can do for particles. Asks the planner, which needs no GPU memory.
class Device {
  public:
    /// `element_bytes`: the bytes of a particle or splat, without the memory of the sorter.
    Device(const GladGLContext& gl, Api api, GetProcAddress get_proc_address, std::uint32_t element_bytes);

    const std::string& renderer() const { return report_.renderer; }
    /// The backends: automatic, fragment, compute.
    const std::vector<Offer>& backends() const { return backends_; }
    /// The algorithms that could take the place of the method's: automatic, and every NAME:VARIANT.
    std::vector<Offer> algorithms(const Method& method) const;
    /// The reason why a method cannot run here. Empty: the method can run.
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
