#include "support/ply.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "support/random.h"

using namespace glsort::demo;
using Catch::Contains;

namespace {

// A temporary file. The destructor removes the file.
class PlyFile {
  public:
    explicit PlyFile(const std::string& content) {
        path_ =
            std::filesystem::temp_directory_path() / ("glsort-ply-" + std::to_string(std::random_device{}()) + ".ply");
        std::ofstream(path_, std::ios::binary) << content;
    }
    ~PlyFile() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    PlyFile(const PlyFile&) = delete;
    PlyFile& operator=(const PlyFile&) = delete;
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

template <typename T>
void append(std::string& bytes, T value, bool big) {
    char own[sizeof(T)];
    std::memcpy(own, &value, sizeof(T));
    const bool swap = big == (std::endian::native == std::endian::little);
    bytes += swap ? std::string(std::rbegin(own), std::rend(own)) : std::string(own, sizeof(T));
}

// Rows of a float, a byte and a list, in each format.
struct Row {
    float x;
    std::uint8_t shade;
    std::vector<std::int16_t> list;
};

std::string table(const std::string& format, const std::vector<Row>& rows) {
    std::string text = "ply\r\nformat " + format + " 1.0\r\ncomment of no matter\r\nelement face 1\r\n" +
                       "property list uchar int indices\r\nelement vertex " + std::to_string(rows.size()) +
                       "\r\nproperty list uint8 short list\r\nproperty float x\r\nproperty uchar shade\r\n" +
                       "end_header\r\n";
    if (format == "ascii") {
        text += "3 0 1 2\n";
        for (const Row& row : rows) {
            text += std::to_string(row.list.size());
            for (const std::int16_t value : row.list)
                text += " " + std::to_string(value);
            char x[64];
            std::snprintf(x, sizeof x, " %.9g", static_cast<double>(row.x));
            text += x + (" " + std::to_string(row.shade)) + "\n";
        }
        return text;
    }
    const bool big = format == "binary_big_endian";
    append<std::uint8_t>(text, 2, big);
    append<std::int32_t>(text, 7, big);
    append<std::int32_t>(text, 8, big);
    for (const Row& row : rows) {
        append(text, static_cast<std::uint8_t>(row.list.size()), big);
        for (const std::int16_t value : row.list)
            append(text, value, big);
        append(text, row.x, big);
        append(text, row.shade, big);
    }
    return text;
}

std::string ascii(const std::string& header, const std::string& body) {
    return "ply\nformat ascii 1.0\n" + header + "end_header\n" + body;
}

std::vector<float> read(const std::string& content) {
    const PlyFile file(content);
    return read_ply(file.path(), "vertex", {"x", "y"});
}

const std::string two_floats = "element vertex 2\nproperty float x\nproperty float y\n";

}  // namespace

TEST_CASE("a PLY file gives back the numbers written to it, in every format", "[demos]") {
    const glsort::test::Seed seed;
    std::mt19937_64 random(seed.value());
    std::vector<Row> rows;
    std::vector<float> expected;
    for (int i = 0; i < 50; ++i) {
        Row row{std::ldexp(static_cast<float>(random() % 100000) - 5e4f, static_cast<int>(random() % 40) - 20),
                static_cast<std::uint8_t>(random()),
                {}};
        row.list.resize(random() % 4, static_cast<std::int16_t>(random()));
        rows.push_back(row);
        expected.push_back(row.shade);
        expected.push_back(row.x);
    }
    for (const std::string format : {"ascii", "binary_little_endian", "binary_big_endian"}) {
        CAPTURE(format);
        const PlyFile file(table(format, rows));
        const PlyHeader header = read_ply_header(file.path());
        REQUIRE(header.elements.size() == 2);
        CHECK(header.elements[1].count == 50);
        CHECK(header.elements[1].has("shade"));
        CHECK_FALSE(header.elements[1].has("indices"));
        CHECK(read_ply(file.path(), "vertex", {"shade", "x"}) == expected);
    }
}

TEST_CASE("numbers of every type come from a PLY file", "[demos]") {
    std::string text =
        "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty char a\nproperty uchar "
        "b\n"
        "property short c\nproperty ushort d\nproperty int e\nproperty uint f\nproperty float g\n"
        "property double h\nend_header\n";
    append<std::int8_t>(text, -3, false);
    append<std::uint8_t>(text, 200, false);
    append<std::int16_t>(text, -300, false);
    append<std::uint16_t>(text, 60000, false);
    append<std::int32_t>(text, -70000, false);
    append<std::uint32_t>(text, 3000000000u, false);
    append<float>(text, 0.5f, false);
    append<double>(text, -0.25, false);
    const PlyFile file(text);
    CHECK(read_ply(file.path(), "vertex", {"a", "b", "c", "d", "e", "f", "g", "h"}) ==
          std::vector<float>{-3, 200, -300, 60000, -70000, 3e9f, 0.5f, -0.25f});
}

TEST_CASE("a PLY file that is cut off says where", "[demos]") {
    CHECK(read(ascii(two_floats, "1 2\n3 4")) == std::vector<float>{1, 2, 3, 4});
    CHECK_THROWS_WITH(read(ascii(two_floats, "1 2\n3 \n")), Contains("line 8: vertex 1 of 2: no value for y"));
    CHECK_THROWS_WITH(read(ascii(two_floats, "1.25 2.25\n")), Contains("line 8: vertex 1 of 2: the file ends"));
    CHECK_THROWS_WITH(read("ply\nformat ascii 1.0\n" + two_floats),
                      Contains("line 6: the file ends before end_header"));

    std::vector<Row> rows(20, Row{1.0f, 2, {3, 4}});
    const std::string whole = table("binary_little_endian", rows);
    const PlyFile file(whole.substr(0, whole.size() - 3));
    CHECK_THROWS_WITH(read_ply(file.path(), "vertex", {"x"}),
                      Contains(file.path().string()) && Contains("vertex 19 of 20: the file ends"));
    // The reader refuses such a number before it allocates memory.
    const std::string many =
        "ply\nformat binary_little_endian 1.0\nelement vertex 4294967295\n"
        "property float x\nproperty float y\nend_header\n";
    CHECK_THROWS_WITH(read(many + "12345678"), Contains("cut off") && Contains("4294967295"));
}

TEST_CASE("billions of rows without a byte are passed over at once", "[demos]") {
    // A reader that counts these exceeds the time limit of the tests.
    std::string text =
        "ply\nformat binary_little_endian 1.0\nelement nothing 4294967295\nelement more 4294967295\n"
        "element vertex 1\nproperty float x\nend_header\n";
    append<float>(text, 0.5f, false);
    const PlyFile file(text);
    CHECK(read_ply(file.path(), "vertex", {"x"}) == std::vector<float>{0.5f});
    CHECK(read_ply(file.path(), "nothing", {}).empty());
}

TEST_CASE("a header that ends with its file has the bytes of the file", "[demos]") {
    const std::string text = "ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nend_header";
    for (const std::string end : {"", "\n", "\r\n"}) {
        const PlyFile file(text + end);
        CHECK(read_ply_header(file.path()).bytes == text.size() + end.size());
        CHECK(read_ply(file.path(), "vertex", {"x"}).empty());
    }
}

TEST_CASE("a PLY file that breaks the format is refused with the line", "[demos]") {
    const PlyFile none("");
    CHECK_THROWS_WITH(read_ply_header(none.path() / "missing"), Contains("no such file"));
    CHECK_THROWS_WITH(read(""), Contains("no PLY file"));
    CHECK_THROWS_WITH(read("plywood\n"), Contains("no PLY file"));
    CHECK_THROWS_WITH(read("ply\nelement vertex 0\nend_header\n"), Contains("names no format"));
    CHECK_THROWS_WITH(read("ply\nformat text 1.0\nend_header\n"), Contains("line 2") && Contains("\"text\""));
    CHECK_THROWS_WITH(read(ascii("element vertex -1\n", "")), Contains("line 3") && Contains("\"-1\""));
    CHECK_THROWS_WITH(read(ascii("element vertex 1e3\n", "")), Contains("\"1e3\""));
    CHECK_THROWS_WITH(read(ascii("property float x\n", "")), Contains("before any element"));
    CHECK_THROWS_WITH(read(ascii("element vertex 1\nproperty half x\n", "")),
                      Contains("line 4") && Contains("\"half\""));
    CHECK_THROWS_WITH(read(ascii("element vertex 1\nproperty list float int x\n", "")), Contains("length of a list"));
    CHECK_THROWS_WITH(read(ascii("element vertex 1\nproperty float x\nproperty float x\n", "")),
                      Contains("second property x"));
    CHECK_THROWS_WITH(read(ascii("vertices 1\n", "")), Contains("\"vertices\" is unknown"));
    CHECK_THROWS_WITH(read(ascii("element " + std::string(5000, 'x') + "\n", "")), Contains("4096"));
    CHECK_THROWS_WITH(read(ascii(two_floats, "1 2\n3 four\n")),
                      Contains("line 8: vertex 1 of 2: \"four\" for y is no number"));
    CHECK_THROWS_WITH(read(ascii(two_floats, "1 2 3\n3 4\n")), Contains("\"3\" is one value too many"));
}

TEST_CASE("numbers of a PLY file that are not of their type are refused", "[demos]") {
    const auto read_x = [](const std::string& type, const std::string& value) {
        const PlyFile file(ascii("element vertex 1\nproperty " + type + " x\n", value + "\n"));
        return read_ply(file.path(), "vertex", {"x"}).front();
    };
    CHECK(read_x("uchar", "255") == 255.0f);
    CHECK(read_x("char", "-128") == -128.0f);
    CHECK(std::isinf(read_x("float", "-inf")));
    for (const auto& [type, value] : {std::pair{"uchar", "256"},
                                      {"uchar", "-1"},
                                      {"char", "128"},
                                      {"int", "1.5"},
                                      {"uint", "nan"},
                                      {"float", "1e39"}}) {
        CAPTURE(type, value);
        CHECK_THROWS_WITH(read_x(type, value), Contains("is not of its type"));
    }
    CHECK_THROWS_WITH(read_x("double", "1e39"), Contains("too large"));
    CHECK_THROWS_WITH(read_x("float", "1e999"), Contains("no number"));

    std::string text =
        "ply\nformat binary_little_endian 1.0\nelement vertex 1\n"
        "property list char float l\nproperty float x\nend_header\n";
    append<std::int8_t>(text, -1, false);
    append<float>(text, 1.0f, false);
    const PlyFile file(text);
    CHECK_THROWS_WITH(read_ply(file.path(), "vertex", {"x"}), Contains("length below 0"));
}

TEST_CASE("numbers of a PLY file may have plus signs", "[demos]") {
    CHECK(read(ascii(two_floats, "+1.5 +2\n-3 +4e+1\n")) == std::vector<float>{1.5f, 2, -3, 40});
    for (const std::string word : {"+", "++1", "+-1", "-+1"}) {
        CAPTURE(word);
        CHECK_THROWS_WITH(read(ascii(two_floats, "1 " + word + "\n3 4\n")),
                          Contains("\"" + word + "\" for y is no number"));
    }
}

TEST_CASE("a PLY file without what is wanted says what is missing", "[demos]") {
    CHECK_THROWS_WITH(read(ascii("element face 0\nproperty float x\n", "")), Contains("no element vertex"));
    const PlyFile file(ascii(two_floats, "1 2\n3 4\n"));
    CHECK_THROWS_WITH(read_ply(file.path(), "vertex", {"x", "opacity", "y", "rot_3"}),
                      Contains("element vertex has no property opacity, rot_3"));
    const PlyFile list(ascii("element vertex 1\nproperty list uchar float x\n", "1 2\n"));
    CHECK_THROWS_WITH(read_ply(list.path(), "vertex", {"x"}), Contains("x of vertex is a list"));
}

TEST_CASE("a PLY file of nothing much is read at once", "[demos]") {
    // Rows without properties have no bytes.
    std::string text = "ply\nformat binary_little_endian 1.0\n";
    for (int i = 0; i < 50; ++i)
        text += "element nothing" + std::to_string(i) + " 4294967295\n";
    text += "element vertex 1\nproperty float x\nend_header\n";
    append(text, 2.5f, false);
    const PlyFile empty_rows(text);
    CHECK(read_ply(empty_rows.path(), "vertex", {"x"}) == std::vector<float>{2.5f});

    // A reader that searched all properties for each property took 23 s.
    std::string many = "ply\nformat binary_little_endian 1.0\nelement vertex 1\n";
    for (int i = 0; i < 60000; ++i)
        many += "property uchar p" + std::to_string(i) + "\n";
    const PlyFile properties(many + "end_header\n" + std::string(60000, '\7'));
    CHECK(read_ply(properties.path(), "vertex", {"p59999"}) == std::vector<float>{7.0f});
    const PlyFile twice(many + "property uchar p30000\nend_header\n");
    CHECK_THROWS_WITH(read_ply_header(twice.path()), Contains("a second property p30000"));
}

TEST_CASE("long comments and blanks in the first line of a PLY file are no matter", "[demos]") {
    const std::string rest = "format ascii 1.0\ncomment " + std::string(9000, 'x') + "\nobj_info " +
                             std::string(9000, 'y') + "\nelement vertex 1\nproperty float x\nend_header\n1.5\n";
    for (const std::string first : {"ply\n", "ply \n", "ply\t \r\n"}) {
        const PlyFile file(first + rest);
        CHECK(read_ply(file.path(), "vertex", {"x"}) == std::vector<float>{1.5f});
    }
    const PlyFile other("ply format\n" + rest);
    CHECK_THROWS_WITH(read_ply_header(other.path()), Contains("no PLY file"));
}
