#pragma once

#include <string>
#include <vector>

#include "bench_options.h"
#include "job.h"

namespace glsort::demo {

/// What the options ask for, in the order of the measurements. Complains about what is left out. Throws UsageError for
/// an algorithm that no backend can run.
std::vector<Measurement> measurements_of(const BenchOptions& options, const std::vector<Backend>& backends,
                                         const std::vector<std::string>& cuda_peers);

/// The sort of a measurement that has `Contender::host`.
HostSort host_sort_of(const Measurement& measurement);

}  // namespace glsort::demo
