#pragma once

#include <glsort/plan/sort_frame.h>

#include <array>
#include <memory>
#include <optional>
#include <vector>

/// Sorting networks, one step an op, on every backend.

namespace glsort {

class CpuInvocation;

/// What an element is compared with in a step.
struct Comparator {
    std::uint32_t partner = 0;  ///< An element's number. Past the end it acts as +infinity, and is skipped.
    bool smaller = true;        ///< Whether the element becomes the smaller of the two.
};

/// Where the partners of a record's two elements are.
enum class Partners {
    within,   ///< They are each other's.
    across,   ///< The first and the second of another record.
    crossed,  ///< The second and the first of other records.
};

/// A sorting network, as its steps know it.
struct Network {
    const char* kernel;    ///< The name of the kernel.
    const char* partners;  ///< The stem of its own file in shaders/ (network_step.glsl).
    std::vector<Parameter> parameters;  ///< Of a step. The count of elements follows them.
    /// The specification: the comparator of an element in the step that the parameters describe, if it has one.
    std::optional<Comparator> (*comparator)(const CpuInvocation& k, std::uint32_t element);
};

/// Adds the steps of a network to a program, over a stream of records of two neighbours: so a fragment fetches and
/// writes whole texels of four words, half the fragments and half the fetches of one element a texel. A last `copy`
/// takes them apart.
///
/// No comparator may exchange elements that are missing, past n, with others: they act as +infinity, and must lie
/// behind all others already.
class NetworkSteps {
  public:
    NetworkSteps(SortFrame& frame, Network network);

    /// `parameters`: the network's own.
    void add(Partners partners, std::vector<std::uint32_t> parameters, const Labels& labels);

  private:
    std::shared_ptr<const Kernel> make_kernel(Partners partners) const;

    SortFrame* frame_;
    Network network_;
    StreamId records_;
    std::array<std::shared_ptr<const Kernel>, 3> kernels_;  ///< By `Partners`, where there is such a step.
};

}  // namespace glsort
