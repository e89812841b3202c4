#include <glsort/sorter.h>

namespace glsort {

const char* version() noexcept {
    return GLSORT_VERSION;
}

}  // namespace glsort
