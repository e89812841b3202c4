#include <algorithm>
#include <glsort/stream/kernel.h>

namespace glsort {

bool Kernel::portable() const {
    const auto positional = [](const Port& port) { return port.access == Access::linear; };
    return group_size == 1 && std::all_of(outputs.begin(), outputs.end(), positional);
}

}  // namespace glsort
