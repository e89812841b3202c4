#include "support/state_names.h"

#include <algorithm>
#include <string>
#include <utility>

namespace glsort::trial {

namespace {

// Settings that a snapshot reads from a bound object, and the name of the binding.
constexpr std::pair<std::string_view, std::string_view> shown_of_objects[] = {
    {"vertex attribute[", "GL_VERTEX_ARRAY_BINDING"},
    {"vertex binding[", "GL_VERTEX_ARRAY_BINDING"},
    {"GL_ELEMENT_ARRAY_BUFFER_BINDING", "GL_VERTEX_ARRAY_BINDING"},
    {"GL_DRAW_BUFFER[", "GL_DRAW_FRAMEBUFFER_BINDING"},
    // Queries of the reference values are clamped to the stencil bits of the framebuffer.
    {"GL_STENCIL_REF", "GL_DRAW_FRAMEBUFFER_BINDING"},
    {"GL_STENCIL_BACK_REF", "GL_DRAW_FRAMEBUFFER_BINDING"},
    {"GL_READ_BUFFER", "GL_READ_FRAMEBUFFER_BINDING"},
};

}  // namespace

bool stands_for(const StateItem& item, std::string_view setting) {
    const std::size_t end_of_name = setting.find_first_of(":[");
    std::string_view name = setting.substr(0, end_of_name);
    bool indexed = end_of_name != std::string_view::npos && setting[end_of_name] == '[';
    for (const auto& [beginning, binding] : shown_of_objects)
        if (setting.starts_with(beginning)) {
            name = binding;
            indexed = false;
        }
    for (std::size_t from = 0; from < item.names.size();) {
        const std::size_t end = std::min(item.names.find(", ", from), item.names.size());
        if (item.names.substr(from, end - from) == name)
            return !indexed || item.indices == 0 ||
                   std::stoul(std::string(setting.substr(end_of_name + 1))) < item.indices;
        from = end + 2;
    }
    return false;
}

bool is_clobbered(Backend backend, std::string_view setting) {
    return std::ranges::any_of(state_items(), [&](const StateItem& item) {
        return (backend == Backend::fragment ? item.fragment : item.compute) && stands_for(item, setting);
    });
}

}  // namespace glsort::trial
