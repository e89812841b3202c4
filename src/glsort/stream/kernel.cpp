#include <glsort/stream/kernel.h>
#include <algorithm>

namespace glsort {

bool Kernel::portable() const {
    const auto positional = [](const Port& port) { return port.access == Access::linear; };
    return group_size == 1 && std::all_of(outputs.begin(), outputs.end(), positional);
}

namespace {

std::size_t first_of_elements(const std::vector<Port>& ports) {
    const auto found =
        std::find_if(ports.begin(), ports.end(), [](const Port& port) { return port.role == PortRole::elements; });
    return static_cast<std::size_t>(found - ports.begin());
}

}  // namespace

std::size_t loaded_input(const Kernel& kernel) {
    return first_of_elements(kernel.inputs);
}
std::size_t stored_output(const Kernel& kernel) {
    return first_of_elements(kernel.outputs);
}

}  // namespace glsort
