#include "support/ply.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <system_error>
#include <unordered_set>

#include "support/file_access.h"

namespace glsort::demo {

namespace {

constexpr std::size_t longest_line = 4096;

std::vector<std::string_view> words_of(std::string_view line) {
    std::vector<std::string_view> words;
    constexpr std::string_view spaces = " \t";
    for (std::size_t begin = line.find_first_not_of(spaces); begin != std::string_view::npos;
         begin = line.find_first_not_of(spaces, begin)) {
        const std::size_t end = std::min(line.find_first_of(spaces, begin), line.size());
        words.push_back(line.substr(begin, end - begin));
        begin = end;
    }
    return words;
}

struct TypeName {
    std::string_view name;
    PlyType type;
};
constexpr std::array<TypeName, 16> type_names{{{"char", PlyType::i8},
                                               {"int8", PlyType::i8},
                                               {"uchar", PlyType::u8},
                                               {"uint8", PlyType::u8},
                                               {"short", PlyType::i16},
                                               {"int16", PlyType::i16},
                                               {"ushort", PlyType::u16},
                                               {"uint16", PlyType::u16},
                                               {"int", PlyType::i32},
                                               {"int32", PlyType::i32},
                                               {"uint", PlyType::u32},
                                               {"uint32", PlyType::u32},
                                               {"float", PlyType::f32},
                                               {"float32", PlyType::f32},
                                               {"double", PlyType::f64},
                                               {"float64", PlyType::f64}}};

std::size_t bytes_of(PlyType type) {
    constexpr std::array<std::size_t, 8> bytes{1, 1, 2, 2, 4, 4, 4, 8};
    return bytes[static_cast<std::size_t>(type)];
}

// Whether a type can hold a number that was written as text. Infinities and NaN are floats.
bool fits(PlyType type, double value) {
    constexpr std::array<double, 7> lowest{-0x1p7, 0, -0x1p15, 0, -0x1p31, 0, -std::numeric_limits<float>::max()};
    constexpr std::array<double, 7> highest{
        0x1p7 - 1, 0x1p8 - 1, 0x1p15 - 1, 0x1p16 - 1, 0x1p31 - 1, 0x1p32 - 1, std::numeric_limits<float>::max()};
    if (type == PlyType::f64) return true;
    const auto i = static_cast<std::size_t>(type);
    if (type == PlyType::f32) return !std::isfinite(value) || (value >= lowest[i] && value <= highest[i]);
    return value == std::floor(value) && value >= lowest[i] && value <= highest[i];
}

// The number that is all of a word. std::from_chars takes no plus sign.
std::optional<double> parse_number(std::string_view word) {
    if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
    double number = 0.0;
    const char* end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, number);
    return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

// Reads the file from its first line on. Errors name the file and the place.
class Reader {
  public:
    explicit Reader(const std::filesystem::path& path) : path_(path), stream_(path, std::ios::binary) {
        std::error_code error;
        if (!std::filesystem::is_regular_file(path, error) || !stream_) fail("no such file, or no right to read it");
        size_ = std::filesystem::file_size(path, error);
        header_ = read_header();
    }

    const PlyHeader& header() const { return header_; }

    std::vector<float> read(std::string_view name, const std::vector<std::string>& properties) {
        const PlyElement* element = header_.find(name);
        if (element == nullptr) fail(fmt::format("it has no element {}", name));
        const std::vector<std::size_t> columns = columns_of(*element, properties);
        for (const PlyElement* before = header_.elements.data(); before != element; ++before) {
            check_room(*before);
            for (std::uint64_t row = 0; row < rows_to_read(*before); ++row)
                read_row(*before, row);
        }
        check_room(*element);

        std::vector<float> values;
        values.reserve(element->count * columns.size());
        for (std::uint64_t row = 0; row < rows_to_read(*element); ++row) {
            read_row(*element, row);
            for (const std::size_t column : columns) {
                if (!fits(PlyType::f32, row_[column]))
                    fail_row(*element, row, fmt::format("{} is too large", row_[column]));
                values.push_back(static_cast<float>(row_[column]));
            }
        }
        return values;
    }

  private:
    [[noreturn]] void fail(const std::string& reason) const { fail_reading(path_, reason); }
    [[noreturn]] void fail_line(const std::string& reason) const {
        fail(fmt::format("line {}: {}", line_number_, reason));
    }
    [[noreturn]] void fail_row(const PlyElement& element, std::uint64_t row, const std::string& reason) const {
        const std::string where = fmt::format("{} {} of {}: ", element.name, row, element.count);
        if (header_.format == PlyFormat::ascii) fail_line(where + reason);
        fail(where + reason);
    }

    // False at the end of the file. Without what ends the line. Of a remark longer than any line the beginning is kept.
    bool read_line(std::string& line) {
        line.clear();
        ++line_number_;
        char c = 0;
        while (stream_.get(c)) {
            if (c == '\n') {
                if (line.ends_with('\r')) line.pop_back();
                return true;
            }
            if (line.size() < longest_line)
                line += c;
            else if (!is_remark(line))
                fail_line(fmt::format("it is longer than {} bytes", longest_line));
        }
        return !line.empty();
    }

    bool is_remark(const std::string& line) const {
        return in_header_ && (line.starts_with("comment") || line.starts_with("obj_info"));
    }

    PlyHeader read_header() {
        PlyHeader header;
        std::string line;
        if (!read_line(line) || !is_first_line_of_ply(line)) fail("it is no PLY file: line 1 is not \"ply\"");
        bool has_format = false;
        std::unordered_set<std::string> properties;  // Of the last element.
        while (true) {
            if (!read_line(line)) fail_line("the file ends before end_header");
            const std::vector<std::string_view> words = words_of(line);
            if (words.empty()) fail_line("it is empty");
            if (words[0] == "end_header") break;
            if (words[0] == "comment" || words[0] == "obj_info") continue;
            if (words[0] == "format") {
                header.format = parse_format(words);
                has_format = true;
            } else if (words[0] == "element") {
                header.elements.push_back(parse_element(words));
                properties.clear();
            } else if (words[0] == "property") {
                if (header.elements.empty()) fail_line("a property before any element");
                PlyProperty property = parse_property(words);
                if (!properties.insert(property.name).second)
                    fail_line(fmt::format("a second property {}", property.name));
                header.elements.back().properties.push_back(std::move(property));
            } else {
                fail_line(fmt::format("\"{}\" is unknown", words[0]));
            }
        }
        if (!has_format) fail("its header names no format");
        header.lines = line_number_;
        header.bytes = position();
        in_header_ = false;
        return header;
    }

    PlyFormat parse_format(const std::vector<std::string_view>& words) const {
        if (words.size() != 3 || words[2] != "1.0") fail_line("the format is not \"... 1.0\"");
        if (words[1] == "ascii") return PlyFormat::ascii;
        if (words[1] == "binary_little_endian") return PlyFormat::binary_little_endian;
        if (words[1] == "binary_big_endian") return PlyFormat::binary_big_endian;
        fail_line(fmt::format("format \"{}\" is unknown", words[1]));
    }

    PlyElement parse_element(const std::vector<std::string_view>& words) const {
        PlyElement element;
        if (words.size() != 3) fail_line("not \"element NAME COUNT\"");
        const char* end = words[2].data() + words[2].size();
        const auto [stop, error] = std::from_chars(words[2].data(), end, element.count);
        if (error != std::errc() || stop != end || element.count > std::numeric_limits<std::uint32_t>::max())
            fail_line(fmt::format("\"{}\" is no count from 0 to 2^32 - 1", words[2]));
        element.name = words[1];
        return element;
    }

    PlyProperty parse_property(const std::vector<std::string_view>& words) const {
        if (words.size() == 3) return {std::string(words[2]), parse_type(words[1]), std::nullopt};
        if (words.size() != 5 || words[1] != "list")
            fail_line("not \"property TYPE NAME\" or \"property list TYPE TYPE NAME\"");
        const PlyType count = parse_type(words[2]);
        if (count == PlyType::f32 || count == PlyType::f64) fail_line("the length of a list is no whole number");
        return {std::string(words[4]), parse_type(words[3]), count};
    }

    PlyType parse_type(std::string_view name) const {
        for (const TypeName& candidate : type_names)
            if (candidate.name == name) return candidate.type;
        fail_line(fmt::format("type \"{}\" is unknown", name));
    }

    std::vector<std::size_t> columns_of(const PlyElement& element, const std::vector<std::string>& wanted) const {
        std::vector<std::size_t> columns;
        std::string missing;
        for (const std::string& name : wanted) {
            const auto found = std::find_if(element.properties.begin(), element.properties.end(),
                                            [&name](const PlyProperty& property) { return property.name == name; });
            if (found == element.properties.end()) {
                missing += (missing.empty() ? "" : ", ") + name;
                continue;
            }
            if (found->list_count) fail(fmt::format("{} of {} is a list", name, element.name));
            columns.push_back(static_cast<std::size_t>(found - element.properties.begin()));
        }
        if (!missing.empty()) fail(fmt::format("element {} has no property {}", element.name, missing));
        return columns;
    }

    // Checks, before any allocation, that the rows of the header fit the rest of the file.
    void check_room(const PlyElement& element) {
        // Bytes of a row. In a text a line without values has the end of the line.
        std::uint64_t least = header_.format == PlyFormat::ascii && element.properties.empty() ? 1 : 0;
        for (const PlyProperty& property : element.properties) {
            const PlyType first = property.list_count.value_or(property.type);
            least += header_.format == PlyFormat::ascii ? 2 : bytes_of(first);
        }
        const std::uint64_t here = position();
        const std::uint64_t rest = size_ > here ? size_ - here : 0;
        // The last line of a text may lack its line break.
        if (least * element.count > rest + 1)
            fail(fmt::format("it is cut off: {} rows of {} cannot be in the {} bytes that are left", element.count,
                             element.name, rest));
    }

    // A row without properties takes no byte of a binary file. The header may name billions of such rows.
    std::uint64_t rows_to_read(const PlyElement& element) const {
        const bool takes_bytes = header_.format == PlyFormat::ascii || !element.properties.empty();
        return takes_bytes ? element.count : 0;
    }

    // Bytes read so far. A stream that met the end of the file no longer tells.
    std::uint64_t position() { return stream_ ? static_cast<std::uint64_t>(stream_.tellg()) : size_; }

    // Fills row_ with a number for each property. The number of a list is its length.
    void read_row(const PlyElement& element, std::uint64_t row) {
        row_.clear();
        if (header_.format == PlyFormat::ascii)
            read_text_row(element, row);
        else
            read_binary_row(element, row);
    }

    void read_text_row(const PlyElement& element, std::uint64_t row) {
        if (!read_line(line_)) fail_row(element, row, "the file ends before it");
        const std::vector<std::string_view> words = words_of(line_);
        std::size_t next = 0;
        const auto number = [&](const PlyProperty& property, PlyType type) {
            if (next == words.size()) fail_row(element, row, fmt::format("no value for {}", property.name));
            const std::string_view word = words[next++];
            const std::optional<double> value = parse_number(word);
            if (!value) fail_row(element, row, fmt::format("\"{}\" for {} is no number", word, property.name));
            if (!fits(type, *value))
                fail_row(element, row, fmt::format("{} for {} is not of its type", word, property.name));
            return *value;
        };
        for (const PlyProperty& property : element.properties) {
            row_.push_back(number(property, property.list_count.value_or(property.type)));
            if (!property.list_count) continue;
            check_length(element, row);
            for (double i = 0.0; i < row_.back(); ++i)
                number(property, property.type);
        }
        if (next != words.size()) fail_row(element, row, fmt::format("\"{}\" is one value too many", words[next]));
    }

    void check_length(const PlyElement& element, std::uint64_t row) const {
        if (row_.back() < 0.0) fail_row(element, row, "a list of a length below 0");
    }

    void read_binary_row(const PlyElement& element, std::uint64_t row) {
        for (const PlyProperty& property : element.properties) {
            row_.push_back(read_binary(property.list_count.value_or(property.type), element, row));
            if (!property.list_count) continue;
            check_length(element, row);
            for (double i = 0.0; i < row_.back(); ++i)
                read_binary(property.type, element, row);
        }
    }

    double read_binary(PlyType type, const PlyElement& element, std::uint64_t row) {
        std::array<char, 8> bytes{};
        const std::size_t size = bytes_of(type);
        if (!stream_.read(bytes.data(), static_cast<std::streamsize>(size)))
            fail_row(element, row, "the file ends within it");
        const bool is_little = std::endian::native == std::endian::little;
        if (is_little != (header_.format == PlyFormat::binary_little_endian))
            std::reverse(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
        const auto as = [&bytes]<typename T>(T value) {
            std::memcpy(&value, bytes.data(), sizeof(value));
            return static_cast<double>(value);
        };
        switch (type) {
            case PlyType::i8:
                return as(std::int8_t{});
            case PlyType::u8:
                return as(std::uint8_t{});
            case PlyType::i16:
                return as(std::int16_t{});
            case PlyType::u16:
                return as(std::uint16_t{});
            case PlyType::i32:
                return as(std::int32_t{});
            case PlyType::u32:
                return as(std::uint32_t{});
            case PlyType::f32:
                return as(float{});
            case PlyType::f64:
                break;
        }
        return as(double{});
    }

    std::filesystem::path path_;
    std::ifstream stream_;
    std::uint64_t size_ = 0;
    std::uint64_t line_number_ = 0;
    bool in_header_ = true;
    PlyHeader header_;
    std::string line_;
    std::vector<double> row_;
};

}  // namespace

bool is_first_line_of_ply(std::string_view line) {
    const std::vector<std::string_view> words = words_of(line);
    return words.size() == 1 && words[0] == "ply" && line.starts_with("ply");
}

bool PlyElement::has(std::string_view property) const {
    return std::any_of(properties.begin(), properties.end(),
                       [property](const PlyProperty& p) { return p.name == property; });
}

const PlyElement* PlyHeader::find(std::string_view element) const {
    const auto found = std::find_if(elements.begin(), elements.end(),
                                    [element](const PlyElement& candidate) { return candidate.name == element; });
    return found == elements.end() ? nullptr : &*found;
}

PlyHeader read_ply_header(const std::filesystem::path& path) {
    return Reader(path).header();
}

std::vector<float> read_ply(const std::filesystem::path& path, std::string_view element,
                            const std::vector<std::string>& properties) {
    return Reader(path).read(element, properties);
}

}  // namespace glsort::demo
