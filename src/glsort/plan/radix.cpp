#include <fmt/format.h>

#include <glsort/error.h>
#include <glsort/plan/enumeration.h>
#include <glsort/plan/radix.h>
#include <glsort/plan/radix_kernels.h>

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

namespace glsort {
namespace {

using radix::Digit;
using radix::Setting;
using radix::Stretches;

/// Kernels that assume nothing of subgroups; the same for every n up to the capacity.
Setting portable_setting_of(const SortFrame& frame) {
    constexpr std::uint32_t usual_digit_bits = 8;
    Setting setting;
    setting.record = frame.record();
    setting.digit_bits = frame.digit_bits() != 0 ? frame.digit_bits() : usual_digit_bits;
    // A software rasteriser does best with few invocations that do much (docs/experiments.md).
    const bool software = frame.limits().software != 0;
    setting.invocations =
        std::bit_floor(std::clamp(frame.limits().invocations, scan_row, software ? 32u : 128u));
    setting.elements = software ? 64 : 16;
    while (4 * setting.shared_words() > frame.limits().shared_memory && setting.elements > 1) setting.elements /= 2;
    return setting;
}

/// Of the three kernels a digit: what subgroups rank, where there are any, and the digits are short enough.
Setting scatter_setting_of(const SortFrame& frame) {
    const Limits& limits = frame.limits();
    const bool ranked = limits.subgroup_size != 0 && frame.digit_bits() <= radix::most_ranked_bits(limits);
    const bool software = limits.software != 0;
    Setting setting = ranked ? radix::ranking_of(frame, 512, software ? 24 : 8) : portable_setting_of(frame);
    // There barriers in loops take several times as long (docs/experiments.md).
    setting.one_tile = software;
    return setting;
}

/// The digits of the bits that are compared.
std::vector<Digit> digits_of(const BitRange& bits, std::uint32_t digit_bits) {
    std::vector<Digit> digits;
    for (std::uint32_t shift = bits.first; shift < bits.end; shift += digit_bits)
        digits.push_back({shift, std::min(digit_bits, bits.end - shift)});
    return digits;
}

/// As many stretches as keep a GPU busy: fewer elements are scanned than sorted.
constexpr std::uint32_t most_stretches = 256;

Stretches stretches_of(const Setting& setting, std::uint32_t n) {
    const std::uint32_t tiles = records_for(n, setting.tile());
    const std::uint32_t tiles_each = setting.one_tile ? 1 : records_for(tiles, most_stretches);
    return {records_for(tiles, tiles_each), tiles_each * setting.tile()};
}

/// The stretches of any n up to `count`: a smaller n may have more of them, and shorter ones.
std::uint32_t stretches_up_to(const Setting& setting, std::uint32_t count) {
    const std::uint32_t tiles = records_for(count, setting.tile());
    return setting.one_tile ? tiles : std::min(tiles, most_stretches);
}

void add(SortFrame& frame, radix::KernelPtr kernel, std::vector<StreamUse> reads, std::vector<StreamUse> writes,
         const Substream& groups, std::vector<std::uint32_t> parameters, int pass) {
    Op op;
    op.kernel = std::move(kernel);
    op.reads = std::move(reads);
    op.writes = std::move(writes);
    op.domain = groups;
    op.parameters = std::move(parameters);
    op.labels = {.stage = pass};
    frame.add(std::move(op));
}

/// What fits a tile, in one op.
void add_group(SortFrame& frame, const Setting& setting, StreamId records) {
    const BitRange bits = frame.bits();
    const Substream all = frame.elements_of(records);
    add(frame, radix::group_kernel(setting), {{records, all}}, {{records, all}}, Substream::range(0, 1),
        {frame.n(), bits.first, bits.end - bits.first}, -1);
}

/// The same with subgroups, by the smallest tile that holds all; false where none does.
bool add_ranked_group(SortFrame& frame, StreamId records) {
    for (const auto& [invocations, elements] : {std::pair{256u, 4u}, {512u, 4u}, {512u, 8u}, {1024u, 8u}}) {
        const Setting setting = radix::ranking_of(frame, invocations, elements);
        if (frame.n() > setting.tile()) continue;
        add_group(frame, setting, records);
        return true;
    }
    return false;
}

// Few elements: the smallest tiles fill most multiprocessors. More: tiles that leave none without one. Many: as many
// groups to a multiprocessor as its registers hold, in tiles of no power of two, as else all of them write to the same
// channels of memory where the input is sorted. All measured on an H200 (docs/experiments.md).
constexpr std::uint32_t most_of_smallest_tiles = 1u << 18;
constexpr std::uint32_t most_of_one_tile_each = 1u << 20;

/// Of the sweeps of a sort of n elements.
Setting sweep_setting_of(const SortFrame& frame, std::uint32_t n) {
    if (n <= most_of_smallest_tiles) return radix::ranking_of(frame, 512, 4);
    if (n <= most_of_one_tile_each) return radix::ranking_of(frame, 512, 16);
    switch (frame.record().words()) {
        case 1:
            return radix::ranking_of(frame, 384, 18, 2);
        case 2:
            return radix::ranking_of(frame, 512, 12, 2);
        default:
            return radix::ranking_of(frame, 512, 8);
    }
}

}  // namespace

void plan_radix_reduce_then_scan(SortFrame& frame) {
    const std::uint32_t n = frame.n();
    if (n == 0) return;
    const Setting setting = scatter_setting_of(frame);
    const StreamId records = frame.add_stream("records", setting.record.words());
    const std::uint32_t counters = setting.digits() * stretches_up_to(setting, frame.capacity());
    const StreamId counts = frame.add_stream("counts", 1, 1, counters);
    const StreamId offsets = frame.add_stream("offsets", 1, 1, counters);
    frame.set_result(records);

    if (enumeration::add(frame, records)) return;
    const Substream all = frame.elements_of(records);
    const BitRange bits = frame.bits();
    if (setting.subgroups != Subgroups::none) {
        if (add_ranked_group(frame, records)) return;
    } else if (n <= setting.tile()) {
        return add_group(frame, setting, records);
    }
    const Substream one = Substream::range(0, 1);
    const auto count = radix::count_kernel(setting);
    const auto scan = radix::scan_kernel(frame.limits());
    const auto scatter = radix::scatter_kernel(setting);
    const Stretches stretches = stretches_of(setting, n);
    const Substream groups = Substream::range(0, stretches.number);
    const Substream counted = Substream::range(0, setting.digits() * stretches.number);
    int pass = 0;
    for (const Digit& digit : digits_of(bits, setting.digit_bits)) {
        const std::vector<std::uint32_t> parameters{n, digit.shift, digit.bits, stretches.number,
                                                    stretches.length};
        add(frame, count, {{records, all}}, {{counts, counted}}, groups, parameters, pass);
        add(frame, scan, {{counts, counted}}, {{offsets, counted}}, one, {counted.size()}, pass);
        add(frame, scatter, {{records, all}, {offsets, counted}}, {{records, all}}, groups, parameters,
            pass);
        ++pass;
    }
}

void plan_radix_one_sweep(SortFrame& frame) {
    const std::uint32_t n = frame.n();
    if (n == 0) return;
    // Two bits of a word of `status` say what its number is.
    constexpr std::uint32_t largest = (1u << 30) - 1;
    if (frame.capacity() > largest)
        throw Error(fmt::format("plan: {} elements exceed the limit of {} of radix:one-sweep", frame.capacity(),
                                largest));
    const Setting setting = sweep_setting_of(frame, n);
    const BitRange bits = frame.bits();
    const std::vector<Digit> digits = digits_of(bits, setting.digit_bits);
    const auto passes = static_cast<std::uint32_t>(digits.size());
    const auto status_of = [&](std::uint32_t count) {
        return radix::Status{passes, records_for(count, sweep_setting_of(frame, count).tile()), setting.digits()};
    };
    std::uint32_t status_size = 0;
    std::uint32_t most = 0;
    for (const std::uint32_t end : {most_of_smallest_tiles, most_of_one_tile_each, frame.capacity()}) {
        const std::uint32_t count = std::min(end, frame.capacity());
        status_size = std::max(status_size, status_of(count).size());
        most = std::max(most, stretches_up_to(sweep_setting_of(frame, count), count));
    }
    const std::uint32_t histogram_size = passes * setting.digits();
    const StreamId records = frame.add_stream("records", setting.record.words());
    const StreamId histograms = frame.add_stream("histograms", 1, 1, most * histogram_size);
    const StreamId totals = frame.add_stream("totals", 1, 1, histogram_size);
    const StreamId status = frame.add_stream("status", 1, 1, status_size);
    frame.set_result(records);
    if (enumeration::add(frame, records) || add_ranked_group(frame, records)) return;

    const Substream all = frame.elements_of(records);
    const Stretches stretches = stretches_of(setting, n);
    const Substream counted = Substream::range(0, stretches.number * histogram_size);
    const Substream added_up = Substream::range(0, histogram_size);
    const radix::Status words = status_of(n);
    const StreamUse watched{status, Substream::range(0, words.size())};
    add(frame, radix::histogram_kernel(setting, passes), {{records, all}}, {{histograms, counted}, watched},
        Substream::range(0, stretches.number), {n, bits.first, bits.end, words.size(), stretches.length}, -1);
    add(frame, radix::totals_kernel(frame.limits()), {{histograms, counted}}, {{totals, added_up}},
        Substream::range(0, records_for(histogram_size, radix::total_columns)), {stretches.number, histogram_size}, -1);
    const auto sweep = radix::sweep_kernel(setting);
    for (std::uint32_t pass = 0; pass < passes; ++pass)
        add(frame, sweep, {{records, all}, {totals, added_up}}, {{records, all}, watched},
            frame.records_of(setting.tile()),
            {n, digits[pass].shift, digits[pass].bits, pass, words.first(pass), words.ticket(pass)},
            static_cast<int>(pass));
}

}  // namespace glsort
