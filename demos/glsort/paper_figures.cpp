#include "paper_figures.h"

namespace glsort::demo {
namespace {

constexpr PaperSource abisort_agp = {"Greß and Zachmann 2006", "Table 2", "8"};
constexpr PaperSource abisort_pcie = {"Greß and Zachmann 2006", "Table 3", "8"};
constexpr PaperSource radix_rates = {"Merrill and Grimshaw 2010", "Figure 9", "5"};
constexpr PaperSource sample_curves = {"Dehne and Zaboli 2010", "Figures of the run time", "5"};
constexpr PaperSource bitonic_curves = {"Baraglia, Capannini, Nardini and Silvestri 2009", "Figure 4", "6"};

constexpr std::string_view geforce_6800 = "GeForce 6800 Ultra, Athlon XP 3000+";
constexpr std::string_view geforce_7800 = "GeForce 7800 GTX, Athlon 64 4200+";

// The sizes of Tables 2 and 3, with a range of times for each.
struct Range {
    double least;
    double most;
};
std::vector<PaperTime> times_of(const std::vector<Range>& ranges) {
    std::vector<PaperTime> times;
    std::uint32_t n = 1u << 15;
    for (const Range& range : ranges) {
        times.push_back({n, range.least, range.most});
        n *= 2;
    }
    return times;
}
std::vector<PaperTime> times_of(const std::vector<double>& ms) {
    std::vector<Range> ranges;
    ranges.reserve(ms.size());
    for (const double one : ms)
        ranges.push_back({one, one});
    return times_of(ranges);
}

// Values and pointers: f32 keys and their indices, as the paper sorts.
void add_abisort(std::vector<PaperSeries>& list) {
    const auto add = [&list](const PaperSource& source, std::string_view hardware, std::string_view sort,
                             std::string_view algorithm, Backend backend, std::optional<Layout> layout,
                             std::vector<PaperTime> times) {
        list.push_back({source, hardware, sort, algorithm, backend, layout, KeyType::f32, Payload::index(),
                        Distribution::uniform, std::move(times)});
    };
    constexpr std::string_view cpu = "CPU sort (C++ STL)";
    constexpr std::string_view gpusort = "GPUSort (bitonic network)";
    add(abisort_agp, geforce_6800, cpu, "std_sort", Backend::cpu, {},
        times_of(std::vector<Range>{{12, 16}, {27, 35}, {62, 77}, {126, 160}, {270, 342}, {530, 716}}));
    add(abisort_agp, geforce_6800, gpusort, "bitonic:step", Backend::fragment, {},
        times_of(std::vector<double>{13, 29, 63, 139, 302, 658}));
    add(abisort_agp, geforce_6800, "GPU-ABiSort, row-wise", "abisort:paper", Backend::fragment, Layout::row_wise,
        times_of(std::vector<double>{11, 21, 45, 95, 208, 479}));
    add(abisort_agp, geforce_6800, "GPU-ABiSort, Z-order", "abisort:paper", Backend::fragment, Layout::z_order,
        times_of(std::vector<double>{8, 16, 31, 64, 133, 279}));
    add(abisort_pcie, geforce_7800, cpu, "std_sort", Backend::cpu, {},
        times_of(std::vector<Range>{{9, 11}, {19, 24}, {46, 52}, {98, 109}, {203, 226}, {418, 477}}));
    add(abisort_pcie, geforce_7800, gpusort, "bitonic:step", Backend::fragment, {},
        times_of(std::vector<double>{4, 8, 18, 38, 80, 173}));
    add(abisort_pcie, geforce_7800, "GPU-ABiSort, Z-order", "abisort:paper", Backend::fragment, Layout::z_order,
        times_of(std::vector<double>{5, 8, 16, 31, 65, 135}));
}

// The table in Figure 9 has rates, in million elements a second, that hold from 16 million elements on.
void add_radix(std::vector<PaperSeries>& list) {
    constexpr std::uint32_t n = 1u << 24;
    const auto add = [&list](std::string_view hardware, std::string_view sort, std::string_view algorithm,
                             Backend backend, const Payload& payload, double rate) {
        const double ms = 1e-3 * n / rate;
        list.push_back({radix_rates,
                        hardware,
                        sort,
                        algorithm,
                        backend,
                        {},
                        KeyType::u32,
                        payload,
                        Distribution::uniform,
                        {{n, ms, ms}}});
    };
    struct Rates {
        std::string_view hardware;
        double cudpp_pairs, srts_pairs, cudpp_keys, srts_keys;
    };
    constexpr Rates table[] = {
        {"GTX 285", 134, 482, 199, 550},        {"GTX 280", 117, 428, 184, 474},
        {"Tesla C1060", 111, 330, 176, 471},    {"GeForce 9800 GTX+", 82, 165, 111, 226},
        {"GeForce 8800 GT", 63, 129, 83, 171},  {"GeForce 9800 GT", 61, 121, 82, 165},
        {"GeForce 8800 GTX", 57, 116, 72, 153}, {"Quadro FX5600", 55, 110, 66, 147},
    };
    constexpr std::string_view ours = "radix:reduce-then-scan";
    for (const Rates& row : table) {
        add(row.hardware, "CUDPP radix, pairs", ours, Backend::compute, Payload::bytes(4), row.cudpp_pairs);
        add(row.hardware, "SRTS radix, pairs", ours, Backend::compute, Payload::bytes(4), row.srts_pairs);
        add(row.hardware, "CUDPP radix, keys", ours, Backend::compute, Payload::none(), row.cudpp_keys);
        add(row.hardware, "SRTS radix, keys", ours, Backend::compute, Payload::none(), row.srts_keys);
    }
    add("Core 2 Q9550, four cores", "merge sort of Chhugani et al., keys", "std_sort", Backend::cpu, Payload::none(),
        138);
    add("Larrabee, 32 cores, simulated", "merge sort of Chhugani et al., keys", "merge", Backend::compute,
        Payload::none(), 386);
}

// The paper has curves. Its text gives no time.
void add_sample(std::vector<PaperSeries>& list) {
    PaperSeries series = {sample_curves,         "Tesla C1060, GTX 285, GTX 260",
                          "GPU Bucket Sort",     "sample:paper",
                          Backend::compute,      {},
                          KeyType::u32,          Payload::none(),
                          Distribution::uniform, {}};
    for (std::uint32_t n = 1u << 20; n <= 1u << 25; n *= 2)
        series.times.push_back({n, 0, 0});
    list.push_back(series);
    series.algorithm = "sample:multi-level";
    list.push_back(series);
}

// The paper has curves with axes of 1 to 64 million elements. Its text gives no time.
void add_bitonic(std::vector<PaperSeries>& list) {
    for (const Distribution distribution : {Distribution::gaussian, Distribution::uniform, Distribution::zipf}) {
        PaperSeries series = {bitonic_curves,   "GeForce 8800 GT",
                              "bitonic sort",   "bitonic:local",
                              Backend::compute, {},
                              KeyType::u32,     Payload::none(),
                              distribution,     {}};
        for (std::uint32_t n = 1u << 20; n <= 1u << 26; n *= 2)
            series.times.push_back({n, 0, 0});
        list.push_back(series);
    }
}

}  // namespace

std::vector<PaperSeries> paper_series() {
    std::vector<PaperSeries> list;
    add_abisort(list);
    add_radix(list);
    add_sample(list);
    add_bitonic(list);
    return list;
}

}  // namespace glsort::demo
