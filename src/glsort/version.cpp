#include <glsort/version.h>

namespace glsort {

const char* version() noexcept {
    return GLSORT_VERSION;
}

}  // namespace glsort
