#pragma once

#include <glsort/gl/api.h>
#include <glsort/sorter.h>

#include <memory>

namespace glsort {

/// The properties of the context of `api`. `probe`: whether to test subgroups, which compiles shaders.
ContextReport report_on(const std::shared_ptr<const gl::Api>& api, bool probe);

}  // namespace glsort
