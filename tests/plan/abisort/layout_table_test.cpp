#include <glsort/error.h>
#include <glsort/plan/abisort/layout_table.h>
#include <glsort/planner.h>

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

using namespace glsort;
using Catch::Contains;

// The tables are those of the paper's figures (Greß and Zachmann 2006). The figures show the records that an op writes
// in black, and reachable records in grey. Here the former have brackets, the latter none.

namespace {

StreamProgram layout_program(const std::string& algorithm, std::uint32_t n, Backend backend) {
    PlanRequest request;
    request.n = n;
    request.spec.algorithm = algorithm;
    request.spec.backend = backend;
    return plan(request);
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

// The table of one level: the lines after its title.
std::vector<std::string> level_table(const std::string& text, int level) {
    std::vector<std::string> table;
    bool inside = false;
    for (const std::string& line : lines_of(text)) {
        if (line.empty()) inside = false;
        if (inside) table.push_back(line);
        if (line.starts_with("level " + std::to_string(level) + ":")) inside = true;
    }
    return table;
}

// Compares line by line, so that a failure shows the op.
void check_table(const std::string& algorithm, std::uint32_t n, int level, const std::string& figure) {
    for (const Backend backend : {Backend::fragment, Backend::compute, Backend::cpu}) {
        CAPTURE(algorithm, n, level, to_string(backend));
        const std::vector<std::string> table =
            level_table(to_layout_table(layout_program(algorithm, n, backend)), level);
        std::vector<std::string> expected = lines_of(figure);
        expected.erase(expected.begin());  // The empty line after R"(.
        REQUIRE(table.size() == expected.size());
        for (std::size_t i = 0; i < table.size(); ++i)
            CHECK(table[i] == expected[i]);
    }
}

}  // namespace

TEST_CASE("output stream layout of a merge of 16 values: the paper's Figure 4", "[plan]") {
    check_table("abisort:appendix-a", 16, 4, R"(
  stage  phase    0    1    2    3    4    5    6    7
      0  0      [0s]
      0  1       0s  [11]
      0  2       0s   11       [22]
      0  3       0s   11        22       [33]
      1  0      [10] [1s]       22        33
      1  1       10   1s  [22] [22]       33
      1  2       10   1s   22   22        33  [33] [33]
      2  0      [21] [20] [21] [2s]       33   33   33
      2  1       21   20   21   2s  [33] [33] [33] [33]
      3  0      [32] [31] [32] [30] [32] [31] [32] [3s]
)");
}

// The copy of the paper has lost blank cells of this figure. Table 1 gives their places: phases 2 and 3 of stage 0
// begin at records 6 and 10, phase 2 of stage 1 at record 12.
TEST_CASE("output stream layout of two merges of 16 values: the paper's Figure 5", "[plan]") {
    check_table("abisort:appendix-a", 32, 4, R"(
  stage  phase    0    1    2    3    4    5    6    7    8    9   10   11   12   13   14   15
      0  0      [0s] [0s]
      0  1       0s   0s  [11] [11]
      0  2       0s   0s   11   11            [22] [22]
      0  3       0s   0s   11   11             22   22            [33] [33]
      1  0      [10] [1s] [10] [1s]            22   22             33   33
      1  1       10   1s   10   1s  [22] [22] [22] [22]            33   33
      1  2       10   1s   10   1s   22   22   22   22             33   33  [33] [33] [33] [33]
      2  0      [21] [20] [21] [2s] [21] [20] [21] [2s]            33   33   33   33   33   33
      2  1       21   20   21   2s   21   20   21   2s  [33] [33] [33] [33] [33] [33] [33] [33]
      3  0      [32] [31] [32] [30] [32] [31] [32] [3s] [32] [31] [32] [30] [32] [31] [32] [3s]
)");
}

TEST_CASE("output stream layout of overlapped stages: the paper's Figure 6", "[plan]") {
    check_table("abisort:overlapped", 32, 4, R"(
   step  stages   0    1    2    3    4    5    6    7    8    9   10   11   12   13   14   15
      0  0      [0s] [0s]
      1  0       0s   0s  [11] [11]
      2  0,1    [10] [1s] [10] [1s]           [22] [22]
      3  0,1     10   1s   10   1s  [22] [22] [22] [22]           [33] [33]
      4  1,2    [21] [20] [21] [2s] [21] [20] [21] [2s]            33   33  [33] [33] [33] [33]
      5  2       21   20   21   2s   21   20   21   2s  [33] [33] [33] [33] [33] [33] [33] [33]
      6  3      [32] [31] [32] [30] [32] [31] [32] [3s] [32] [31] [32] [30] [32] [31] [32] [3s]
)");
}

TEST_CASE("output stream layout without the last four stages: the paper's Figure 7", "[plan]") {
    // The figure omits the records 12 to 16 and all records from 20 on, which are blank.
    check_table("abisort:paper", 64, 6,
                "\n"
                "   step  stages   0    1    2    3    4    5    6    7    8    9   10   11   12   13   "
                "14   15   16   17   18   19   20   21   22   23   24   25   26   27   28   29   30   31\n"
                "      0  0      [0s]\n"
                "      1  0       0s  [11]\n"
                "      2  0,1    [10] [1s]      [22]\n"
                "      3  0,1     10   1s  [22] [22]      [33]\n"
                "      4  0,1     10   1s   22   22        33  [33] [33]      [44]\n"
                "      5  0,1     10   1s   22   22        33   33   33        44  [44] [44]               "
                "           [55]\n"
                "      6  1       10   1s   22   22        33   33   33        44   44   44                "
                "            55  [55] [55]\n");
}

TEST_CASE("output stream layout of a pruned tree", "[plan]") {
    // Two of 8 nodes are missing. After phase 0 of stage 2 has written all existing nodes, record 3 still holds leaves.
    // No pointer leads to these leaves any more.
    check_table("abisort:appendix-a", 6, 3, R"(
  stage  phase    0    1    2    3
      0  0      [0s]
      0  1       0s  [11]
      0  2       0s   11       [22]
      1  0      [10] [1s]       22
      1  1       10   1s  [22] [22]
      2  0      [21] [20] [21]
)");
    check_table("abisort:overlapped", 6, 2, R"(
   step  stages   0    1    2    3
      0  0      [0s] [0s]
      1  0       0s   0s  [11] [11]
      2  1      [10] [1s] [10]
)");
}

TEST_CASE("a layout table has a table for each level", "[plan]") {
    for (const std::string algorithm : {"abisort:appendix-a", "abisort:overlapped"})
        for (std::uint32_t n = 2; n <= layout_table_elements; ++n) {
            CAPTURE(algorithm, n);
            const std::string text = to_layout_table(layout_program(algorithm, n, Backend::compute));
            CHECK(text.starts_with(algorithm + ", n = " + std::to_string(n) + ","));
            const int levels = std::bit_width(n - 1);
            for (int level = 1; level <= levels; ++level) {
                const std::vector<std::string> table = level_table(text, level);
                REQUIRE(table.size() > 1);
                // The last op writes every node, and no other block is left.
                const std::string& last = table.back();
                const auto cells = std::count(last.begin(), last.end(), '[');
                CHECK(cells == static_cast<std::ptrdiff_t>((n + 1) / 2));
                CHECK(last.find_first_not_of("[]0123456789s ") == std::string::npos);
                CHECK(last.size() == 15 + 5 * static_cast<std::size_t>(cells));
            }
            CHECK(level_table(text, levels + 1).empty());
        }
}

TEST_CASE("what has no layout table is refused", "[plan]") {
    const auto table = [](const std::string& algorithm, std::uint32_t n) {
        return to_layout_table(layout_program(algorithm, n, Backend::compute));
    };
    CHECK_THROWS_AS(table("bitonic:step", 16), Error);
    CHECK_THROWS_WITH(table("bitonic:step", 16), Contains("bitonic:step") && Contains("16"));
    CHECK_THROWS_WITH(table("abisort:appendix-a", 1), Contains("n = 1"));
    CHECK_THROWS_WITH(table("abisort:appendix-a", 0), Contains("n = 0"));
    CHECK_NOTHROW(table("abisort:appendix-a", 128));
    CHECK_THROWS_WITH(table("abisort:appendix-a", 129), Contains("129") && Contains("128"));
}

TEST_CASE("the lines of a layout table say what each op writes, for any n", "[plan]") {
    for (const std::string algorithm : {"abisort:appendix-a", "abisort:overlapped", "abisort:paper", "abisort:fused"})
        for (const std::uint32_t n : {64u, 1000u, 1u << 16}) {
            const StreamProgram program = layout_program(algorithm, n, Backend::compute);
            const std::vector<LayoutLine> lines = layout_lines(program);
            CAPTURE(algorithm, n);
            CHECK(lines.size() == static_cast<std::size_t>(std::ranges::count_if(
                                      program.ops, [](const Op& op) { return op.kernel->name == "abisort_phase"; })));
            for (const LayoutLine& line : lines) {
                CAPTURE(line.op);
                std::vector<Block> written;
                std::uint32_t end = 0;
                for (const LayoutBlock& block : line.blocks) {
                    REQUIRE(block.records.begin >= end);
                    REQUIRE(block.records.begin < block.records.end);
                    end = block.records.end;
                    if (block.written) written.push_back(block.records);
                }
                CHECK(written == program.ops[line.op].domain.blocks());
            }
        }
    CHECK(layout_lines(layout_program("bitonic", 64, Backend::compute)).empty());
}
