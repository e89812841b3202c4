#pragma once

#include <glsort/spec.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/distributions.h"

/// What the papers of the algorithms report, for `bench --suite papers`.
namespace glsort::demo {

/// A table or a figure of a paper.
struct PaperSource {
    std::string_view paper;  ///< Authors and year.
    std::string_view where;  ///< `Table 2`
    std::string_view section;
};

/// A time that a paper reports for a number of elements.
struct PaperTime {
    std::uint32_t n = 0;
    /// Milliseconds. Of a range, from the least to the most. Both are 0 if the paper has a curve and no numbers.
    double least_ms = 0;
    double most_ms = 0;
};

/// Times that a paper reports for one sort on one machine, and the sort of this library to put beside them.
struct PaperSeries {
    PaperSource source;
    std::string_view hardware;
    std::string_view sort;  ///< In the words of the paper.

    // Ours.
    std::string_view algorithm;
    Backend backend = Backend::automatic;
    std::optional<Layout> layout;
    KeyType key = KeyType::u32;
    Payload payload = Payload::none();
    Distribution distribution = Distribution::uniform;

    std::vector<PaperTime> times;
};

/// One of the times, as rows of bench name it.
struct PaperFigure {
    PaperSource source;
    std::string_view hardware;
    std::string_view sort;
    PaperTime time;
};

/// In the order of the papers and of their tables.
std::vector<PaperSeries> paper_series();

}  // namespace glsort::demo
