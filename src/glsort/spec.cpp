#include <fmt/format.h>

#include <glsort/error.h>
#include <glsort/spec.h>
#include <array>
#include <charconv>
#include <utility>

namespace glsort {
namespace {

template <class Enum, std::size_t N>
using Names = std::array<std::pair<Enum, std::string_view>, N>;

constexpr Names<KeyType, 6> key_types{{{KeyType::u32, "u32"},
                                       {KeyType::i32, "i32"},
                                       {KeyType::f32, "f32"},
                                       {KeyType::u64, "u64"},
                                       {KeyType::i64, "i64"},
                                       {KeyType::f64, "f64"}}};
constexpr Names<Direction, 2> directions{{{Direction::ascending, "ascending"}, {Direction::descending, "descending"}}};
constexpr Names<Backend, 4> backends{{{Backend::automatic, "automatic"},
                                      {Backend::fragment, "fragment"},
                                      {Backend::compute, "compute"},
                                      {Backend::cpu, "cpu"}}};
constexpr Names<Layout, 2> layouts{{{Layout::row_wise, "row-wise"}, {Layout::z_order, "z-order"}}};
constexpr Names<Medium, 2> media{{{Medium::buffer, "buffer"}, {Medium::texture, "texture"}}};

template <class Enum, std::size_t N>
std::string_view name_of(const Names<Enum, N>& names, Enum value) {
    for (const auto& [known, name] : names)
        if (known == value) return name;
    return "?";
}

template <class Enum, std::size_t N>
Enum value_of(const Names<Enum, N>& names, std::string_view what, std::string_view text) {
    std::string accepted;
    for (const auto& [value, name] : names) {
        if (name == text) return value;
        accepted += accepted.empty() ? "" : ", ";
        accepted += name;
    }
    throw Error(fmt::format("{} '{}' is unknown; it is one of {}", what, text, accepted));
}

}  // namespace

std::string_view to_string(KeyType type) {
    return name_of(key_types, type);
}
std::string_view to_string(Direction direction) {
    return name_of(directions, direction);
}
std::string_view to_string(Backend backend) {
    return name_of(backends, backend);
}
std::string_view to_string(Layout layout) {
    return name_of(layouts, layout);
}
std::string_view to_string(Medium medium) {
    return name_of(media, medium);
}

std::string to_string(const Payload& payload) {
    switch (payload.kind) {
        case Payload::Kind::none:
            return "none";
        case Payload::Kind::index:
            return "index";
        case Payload::Kind::bytes:
            break;
    }
    return fmt::format("{}", payload.size);
}

KeyType key_type_from_string(std::string_view text) {
    return value_of(key_types, "key type", text);
}
Direction direction_from_string(std::string_view text) {
    return value_of(directions, "order", text);
}
Backend backend_from_string(std::string_view text) {
    return value_of(backends, "backend", text);
}
Layout layout_from_string(std::string_view text) {
    return value_of(layouts, "layout", text);
}
Medium medium_from_string(std::string_view text) {
    return value_of(media, "medium", text);
}

Payload payload_from_string(std::string_view text) {
    if (text == "none") return Payload::none();
    if (text == "index") return Payload::index();
    std::uint32_t size = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (failure != std::errc{} || end != text.data() + text.size() || size == 0)
        throw Error(fmt::format("payload '{}' is unknown; it is none, index, or a size in bytes above 0", text));
    return Payload::bytes(size);
}

}  // namespace glsort
