#include <fmt/format.h>

#include <glsort/plan/scene/scene_items.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace glsort::scene {
namespace {

struct Place {
    std::size_t source = 0;
    std::uint32_t base = 0;
};

/// Statements that return the source and the element, for an item of one of these sources.
std::string search(std::span<const Place> places, const std::string& indent) {
    if (places.size() == 1)
        return fmt::format("{}return uvec2({}u, item - {}u);\n", indent, places.front().source, places.front().base);
    const std::size_t middle = places.size() / 2;
    return fmt::format("{0}if (item < {1}u) {{\n{2}{0}}}\n{3}", indent, places[middle].base,
                       search(places.first(middle), indent + "    "), search(places.subspan(middle), indent));
}

}  // namespace

std::string item_function(const std::vector<SceneSource>& sources, const std::string& name) {
    std::vector<Place> places;
    std::uint32_t base = 0;
    for (std::size_t i = 0; i < sources.size(); ++i) {
        if (sources[i].capacity > 0) places.push_back({i, base});
        base += sources[i].capacity;
    }
    if (places.empty()) places.push_back({});
    return fmt::format("uvec2 {}(uint item) {{\n{}}}\n", name, search(places, "    "));
}

}  // namespace glsort::scene
