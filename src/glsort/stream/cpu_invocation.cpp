#include <fmt/format.h>

#include <glsort/error.h>
#include <glsort/stream/cpu_invocation.h>

namespace glsort {

void CpuInvocation::throw_past_end(const View& view, std::uint32_t index) {
    throw Error(fmt::format("cpu backend: element {} lies past the end of stream {}, which has {}", index, view.name,
                            view.memory.size() / view.words));
}

void CpuInvocation::throw_race(const View& view, std::uint32_t index) {
    throw Error(
        fmt::format("cpu backend: element {} of stream {} is read, but the op writes that stream "
                    "and does not declare the read",
                    index, view.name));
}

}  // namespace glsort
