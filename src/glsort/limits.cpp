#include <fmt/format.h>

#include <glsort/error.h>
#include <glsort/limits.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <type_traits>

namespace glsort {
namespace {

constexpr LimitRow every_limit[] = {
    {"attachments", &Limits::attachments, "colour attachments of a framebuffer"},
    {"texture_size", &Limits::texture_size, "texels of a texture's side"},
    {"textures_read", &Limits::textures_read, "textures that a fragment shader reads"},
    {"texture_buffer", &Limits::texture_buffer, "texels of a buffer that is read as a texture; 0: none is", 0},
    {"shared_memory", &Limits::shared_memory, "bytes that a group shares"},
    {"invocations", &Limits::invocations, "invocations of a group"},
    {"storage_blocks", &Limits::storage_blocks, "storage buffers of a kernel"},
    {"storage_bytes", &Limits::storage_bytes, "bytes of a storage buffer"},
    {"block_arrays", &Limits::block_arrays, "a kernel may choose storage buffers by number"},
    {"subgroup_size", &Limits::subgroup_size, "invocations of a subgroup; 0: no subgroup operations", 0},
    {"subgroups", &Limits::subgroups, "the extension of subgroups: ARB_shader_ballot, KHR_shader_subgroup"},
    {"look_back", &Limits::look_back, "groups that have begun are run while others wait for them"},
    {"multiprocessors", &Limits::multiprocessors, "multiprocessors of the GPU; 0: not known", 0},
    {"texture_barrier", &Limits::texture_barrier, "a texture may be read while other texels of it are written"},
    {"pixel_pack", &Limits::pixel_pack, "textures of any format can be packed into buffers"},
    {"software", &Limits::software, "a software rasteriser"},
    {"array_stores", &Limits::array_stores, "invocations store to arrays at indices of their own"},
};

std::optional<std::uint64_t> number_in(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || failure != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

[[noreturn]] void refuse(const LimitRow& row, std::string_view value) {
    throw Error(fmt::format("limits: {} is '{}'; it is one of {}", row.name, value, row.values()));
}

template <class Number>
void set_number(Limits& limits, Number Limits::*member, const LimitRow& row, std::string_view text) {
    const auto value = number_in(text);
    if (!value) throw Error(fmt::format("limits: '{}={}' is not of the form name=number", row.name, text));
    if (*value > std::numeric_limits<Number>::max())
        throw Error(fmt::format("limits: {} {} exceeds the limit of 2^32-1", row.name, *value));
    if (*value < row.least) throw Error(fmt::format("limits: {} is {}; the least is {}", row.name, *value, row.least));
    limits.*member = static_cast<Number>(*value);
}

void set(Limits& limits, const LimitRow& row, std::string_view text) {
    const auto set_member = [&](auto member) {
        using Value = std::remove_reference_t<decltype(limits.*member)>;
        if constexpr (std::is_same_v<Value, bool>) {
            if (text != "yes" && text != "1" && text != "no" && text != "0") refuse(row, text);
            limits.*member = text == "yes" || text == "1";
        } else if constexpr (std::is_same_v<Value, Subgroups>) {
            for (const Subgroups value : {Subgroups::none, Subgroups::ballot, Subgroups::khr})
                if (text == to_string(value)) return void(limits.*member = value);
            refuse(row, text);
        } else {
            set_number(limits, member, row, text);
        }
    };
    std::visit(set_member, row.member);
}

const LimitRow& row_of(std::string_view name) {
    std::string known;
    for (const LimitRow& row : every_limit) {
        if (row.name == name) return row;
        known += (known.empty() ? "" : ", ") + std::string(row.name);
    }
    throw Error(fmt::format("limits: '{}' is unknown; it is one of {}", name, known));
}

}  // namespace

std::string_view LimitRow::values() const {
    constexpr std::string_view of_member[] = {"number", "number", "yes|no", "none|ballot|khr"};
    return of_member[member.index()];
}

std::string LimitRow::text(const Limits& limits) const {
    const auto text_of = [&limits](auto value) -> std::string {
        using Value = std::remove_cvref_t<decltype(limits.*value)>;
        if constexpr (std::is_same_v<Value, bool>)
            return limits.*value ? "yes" : "no";
        else if constexpr (std::is_same_v<Value, Subgroups>)
            return std::string(to_string(limits.*value));
        else
            return std::to_string(limits.*value);
    };
    return std::visit(text_of, member);
}

std::span<const LimitRow> limit_table() {
    return every_limit;
}

void apply_limits(Limits& limits, std::string_view text) {
    Limits changed = limits;
    while (!text.empty()) {
        const std::string_view part = text.substr(0, text.find(','));
        text.remove_prefix(std::min(text.size(), part.size() + 1));
        const std::size_t equals = part.find('=');
        if (equals == std::string_view::npos)
            throw Error(fmt::format("limits: '{}' is not of the form name=number", part));
        set(changed, row_of(part.substr(0, equals)), part.substr(equals + 1));
    }
    limits = changed;
}

std::string_view to_string(Subgroups subgroups) {
    switch (subgroups) {
        case Subgroups::none:
            return "none";
        case Subgroups::ballot:
            return "ballot";
        case Subgroups::khr:
            return "khr";
    }
    return "unknown";
}

}  // namespace glsort
