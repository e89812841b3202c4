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

/// What holds for every n up to the capacity: streams must not change with n.
Setting setting_of(const SortFrame& frame) {
    constexpr std::uint32_t usual_digit_bits = 8;
    Setting setting;
    setting.record = frame.record();
    setting.digit_bits = frame.digit_bits() != 0 ? frame.digit_bits() : usual_digit_bits;
    // A software rasteriser does best with few invocations that do much (docs/experiments.md).
    const bool software = frame.limits().software != 0;
    setting.invocations = std::bit_floor(std::clamp(frame.limits().invocations, radix::scan_row, software ? 32u : 128u));
    setting.elements = software ? 64 : 16;
    while (4 * setting.shared_words() > frame.limits().shared_memory && setting.elements > 1) setting.elements /= 2;
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
Stretches stretches_of(const Setting& setting, std::uint32_t n) {
    constexpr std::uint32_t most_stretches = 256;
    const std::uint32_t tiles = (n - 1) / setting.tile() + 1;
    const std::uint32_t tiles_each = (tiles - 1) / most_stretches + 1;
    return {(tiles - 1) / tiles_each + 1, tiles_each * setting.tile()};
}

}  // namespace

void plan_radix_reduce_then_scan(SortFrame& frame) {
    const std::uint32_t n = frame.n();
    if (n == 0) return;
    const Setting setting = setting_of(frame);
    const StreamId records = frame.add_stream("records", setting.record.words());
    const Stretches most = stretches_of(setting, frame.capacity());
    const std::uint32_t counters = setting.digits() * most.number;
    const StreamId counts = frame.add_stream("counts", 1, 1, counters);
    const StreamId offsets = frame.add_stream("offsets", 1, 1, counters);
    frame.set_result(records);

    const Substream all = frame.elements_of(records);
    const BitRange bits = frame.bits();
    const auto add = [&frame](radix::KernelPtr kernel, std::vector<StreamUse> reads, StreamUse write,
                              const Substream& groups, std::vector<std::uint32_t> parameters, int pass) {
        Op op;
        op.kernel = std::move(kernel);
        op.reads = std::move(reads);
        op.writes = {std::move(write)};
        op.domain = groups;
        op.parameters = std::move(parameters);
        op.labels = {.stage = pass};
        frame.add(std::move(op));
    };
    const Substream one = Substream::range(0, 1);
    if (n <= setting.tile())
        return add(radix::group_kernel(setting), {{records, all}}, {records, all}, one,
                   {n, bits.first, bits.end - bits.first}, 0);

    const auto count = radix::count_kernel(setting);
    const auto scan = radix::scan_kernel(setting);
    const auto scatter = radix::scatter_kernel(setting);
    const Stretches stretches = stretches_of(setting, n);
    const Substream groups = Substream::range(0, stretches.number);
    const Substream counted = Substream::range(0, setting.digits() * stretches.number);
    int pass = 0;
    for (const Digit& digit : digits_of(bits, setting.digit_bits)) {
        const std::vector<std::uint32_t> parameters{n, digit.shift, digit.bits, stretches.number,
                                                    stretches.length};
        add(count, {{records, all}}, {counts, counted}, groups, parameters, pass);
        add(scan, {{counts, counted}}, {offsets, counted}, one, {counted.size()}, pass);
        add(scatter, {{records, all}, {offsets, counted}}, {records, all}, groups, parameters, pass);
        ++pass;
    }
}

}  // namespace glsort
