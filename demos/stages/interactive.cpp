#include <stdexcept>

#include "options.h"

namespace glsort::demo {

void run_interactive(const Options&) { throw std::runtime_error("no window yet: run with --headless"); }

}  // namespace glsort::demo
