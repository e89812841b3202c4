#include "radix_pass.h"

#include <algorithm>
#include <numeric>

#include "op_records.h"

namespace glsort::demo {
namespace {

/// The digits of bits first ... end-1.
std::vector<Digit> digits_of_bits(std::uint32_t first, std::uint32_t end, std::uint32_t digit_bits) {
    std::vector<Digit> digits;
    for (std::uint32_t shift = first; shift < end && digit_bits > 0; shift += digit_bits)
        digits.push_back({shift, std::min(digit_bits, end - shift)});
    return digits;
}

/// The digit of an op that uses one digit.
Digit digit_of(const Op& op) {
    const DigitShape& digit = op.kernel->shape.digit.value();
    return {digit.first_bit.of(op), digit.bits.of(op)};
}

bool moves_elements(const Op& op) {
    return reads(op, PortRole::elements) && writes(op, PortRole::elements);
}

/// What an op does. Nothing for ops that use no digits.
std::optional<RadixOp::Does> radix_does(const Op& op) {
    using Does = RadixOp::Does;
    const auto& digit = op.kernel->shape.digit;
    if (reads(op, PortRole::elements) && writes(op, PortRole::sums) && !moves_elements(op)) return Does::count_all;
    if (writes(op, PortRole::offsets)) return Does::scan;
    if (digit && writes(op, PortRole::counts)) return Does::count;
    if (digit && moves_elements(op)) return digit->round_bits > 0 ? Does::group : Does::scatter;
    return std::nullopt;
}

/// The digits of the passes. Each pass moves the elements once.
std::vector<Digit> digits_of_passes(const StreamProgram& program) {
    std::vector<Digit> digits;
    for (const Op& op : program.ops)
        if (radix_does(op) == RadixOp::Does::scatter) digits.push_back(digit_of(op));
    return digits;
}

/// The stream that the last op so far with that stage label has written at a port of that role.
std::optional<StreamId> last_written(const Moment& moment, PortRole role, int stage) {
    for (std::size_t i = moment.done; i-- > 0;) {
        const Op& op = moment.program->ops[i];
        if (op.labels.stage == stage && radix_does(op))
            if (const auto stream = stream_written(op, role)) return stream;
    }
    return std::nullopt;
}

/// The stream with the totals of all digits, in the sums until the first sweep moves them.
std::optional<StreamId> totals_so_far(const Moment& moment) {
    for (std::size_t i = moment.done; i-- > 0;) {
        const Op& op = moment.program->ops[i];
        if (const auto totals = stream_written(op, PortRole::totals)) return totals;
        if (radix_does(op) == RadixOp::Does::count_all) return stream_written(op, PortRole::sums);
    }
    return std::nullopt;
}

}  // namespace

std::uint32_t digit_of(const StreamProgram& program, const Element& record, Digit digit) {
    std::uint64_t code = record[0];
    if (key_bytes(program.key) == 8) code = code << 32 | record[1];
    return static_cast<std::uint32_t>(code >> digit.shift) & (digit.values() - 1);
}

std::optional<RadixOp> radix_op_of(const StreamProgram& program, std::size_t number) {
    const Op& op = program.ops[number];
    const auto does = radix_does(op);
    if (!does) return std::nullopt;
    // A scan does not know the elements. The count before the scan does.
    const Op& of_elements = *does == RadixOp::Does::scan && number > 0 ? program.ops[number - 1] : op;
    const KernelShape& shape = of_elements.kernel->shape;
    RadixOp radix;
    radix.does = *does;
    radix.count = shape.count.value_or(program.n).of(of_elements);
    radix.length = shape.tile.value_or(radix.count).of(of_elements);
    radix.pass = op.labels.stage > 0 ? static_cast<std::size_t>(op.labels.stage) : 0;
    if (*does == RadixOp::Does::group) {
        const Digit all = digit_of(op);
        radix.digits = digits_of_bits(all.shift, all.shift + all.bits, op.kernel->shape.digit->round_bits);
    } else {
        radix.digits = digits_of_passes(program);
    }
    return radix;
}

DigitTable digit_table(const Moment& moment, const RadixOp& op, std::size_t pass) {
    const auto words = [&](StreamId stream) -> const std::vector<std::uint32_t>& { return (*moment.streams)[stream]; };
    const std::size_t values = op.digits[pass].values();
    DigitTable table;
    // Totals of sweeps cover all passes. A sweep computes the starts of values itself.
    if (const auto totals = totals_so_far(moment)) {
        const std::size_t max_values = op.digits.front().values();
        std::uint32_t start = 0;
        for (std::size_t value = 0; value < values; ++value) {
            const std::uint32_t count = words(*totals)[pass * max_values + value];
            table.counts.push_back(count);
            table.starts.push_back({start});
            start += count;
        }
        return table;
    }
    const int stage = static_cast<int>(pass);
    const std::size_t partitions = (op.count + op.length - 1) / op.length;
    const auto of_partitions = [&](StreamId stream, std::size_t value) {
        return std::span(words(stream)).subspan(value * partitions, partitions);
    };
    if (const auto counts = last_written(moment, PortRole::counts, stage))
        for (std::size_t value = 0; value < values; ++value) {
            const auto some = of_partitions(*counts, value);
            table.counts.push_back(std::accumulate(some.begin(), some.end(), 0u));
        }
    if (const auto offsets = last_written(moment, PortRole::offsets, stage))
        for (std::size_t value = 0; value < values; ++value) {
            const auto some = of_partitions(*offsets, value);
            table.starts.emplace_back(some.begin(), some.end());
        }
    return table;
}

std::vector<std::uint32_t> sorted_by_digit(const StreamProgram& program, std::span<const Element> records, Digit digit,
                                           std::span<const std::uint32_t> order) {
    std::vector<std::uint32_t> sorted(order.begin(), order.end());
    std::ranges::stable_sort(sorted, {}, [&](std::uint32_t i) { return digit_of(program, records[i], digit); });
    return sorted;
}

}  // namespace glsort::demo
