#pragma once

#include <glsort/gl/api.h>
#include <glsort/sorter.h>

#include <memory>

namespace glsort {

/// What the context of `api` offers. `probe`: whether to find out about subgroups, which compiles shaders.
ContextReport report_on(const std::shared_ptr<const gl::Api>& api, bool probe);

}  // namespace glsort
