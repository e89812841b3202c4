#include <glsort/plan/enumeration.h>
#include <glsort/stream/cpu_invocation.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>
#include <vector>

namespace glsort::enumeration {
namespace {

/// Elements that a group ranks (shaders/enumeration_sort.glsl).
constexpr std::uint32_t targets = 32;

// Parameters of enumeration_sort: what of a code is compared, its low word and its high one.
enum : std::size_t { count_parameter, mask_parameter, high_mask_parameter };

/// Bits `first` to `end` - 1.
std::uint64_t mask_of(const BitRange& bits) {
    return (~std::uint64_t{0} >> (64 - (bits.end - bits.first))) << bits.first;
}

/// The specification of shaders/enumeration_sort.glsl.
void enumerate(CpuInvocation& k, const RecordType& record, std::uint32_t most) {
    constexpr std::size_t ranked_port = 1;
    constexpr std::uint32_t first_ranked = 1;  // Behind the number of groups that are done.
    const std::uint32_t n = k.parameter(count_parameter);
    const std::uint64_t mask = std::uint64_t{k.parameter(high_mask_parameter)} << 32 | k.parameter(mask_parameter);
    std::vector<std::uint64_t> codes;
    for (std::uint32_t i = 0; i < n; ++i) {
        const Element other = k.read(0, i);
        codes.push_back((record.code_words() == 2 ? std::uint64_t{other[0]} << 32 | other[1] : other[0]) & mask);
    }
    const std::uint32_t first = k.instance * targets;
    for (std::uint32_t i = first; i < std::min(first + targets, n); ++i) {
        std::uint32_t rank = 0;
        for (std::uint32_t j = 0; j < n; ++j) rank += codes[j] < codes[i] || (codes[j] == codes[i] && j < i) ? 1 : 0;
        const Element mine = k.read(0, i);
        for (std::uint32_t word = 0; word < record.words(); ++word)
            k.scatter(ranked_port, first_ranked + word * most + rank, {mine[word]});
    }
    // One group after the other: the last one is the last that is done.
    if (first + targets < n) return;
    for (std::uint32_t place = 0; place < n; ++place) {
        Element sorted{};
        for (std::uint32_t word = 0; word < record.words(); ++word)
            sorted[word] = k.shared(ranked_port, first_ranked + word * most + place)[0];
        k.scatter(0, place, sorted);
    }
}

std::shared_ptr<const Kernel> kernel_of(const SortFrame& frame, std::uint32_t most) {
    const RecordType& record = frame.record();
    Kernel kernel;
    kernel.name = "enumeration_sort";
    kernel.group_size = std::bit_floor(frame.limits().invocations);
    kernel.inputs = {record.port("source", Access::gather, any_elements)};
    kernel.outputs = {record.port("target", Access::scatter, any_elements),
                      {.name = "ranked", .access = Access::shared, .elements = any_elements, .specified = false}};
    kernel.parameters = {{"count"}, {"mask"}, {"high_mask"}};
    kernel.defines = {{"MOST", literal(most)}};
    kernel.shared_words = most * record.code_words() + targets + 1;
    kernel.reads_first = ReadsFirst::always;
    kernel.cpu = [record, most](CpuInvocation& k) { enumerate(k, record, most); };
    record.declare_in(kernel, false);
    return std::make_shared<Kernel>(std::move(kernel));
}

}  // namespace

std::uint32_t most_elements(const SortFrame& frame) {
    const Limits& limits = frame.limits();
    // Comparisons that a multiprocessor makes while another sort of few elements waits (docs/experiments.md).
    constexpr std::uint64_t comparisons = 1u << 19;
    constexpr std::uint32_t most = 8192;
    constexpr std::uint32_t storage_blocks = 5;
    if (limits.multiprocessors == 0 || limits.storage_blocks < storage_blocks || limits.invocations < targets ||
        frame.record().comparison())
        return 0;
    std::uint32_t count = most;
    while (std::uint64_t{count} * count > limits.multiprocessors * comparisons) count /= 2;
    while (4 * (count * frame.record().code_words() + targets + 1) > limits.shared_memory) count /= 2;
    return count < targets ? 0 : count;
}

bool add(SortFrame& frame, StreamId records) {
    const std::uint32_t most = most_elements(frame);
    if (most == 0) return false;
    // How many groups are done, and all words of all records.
    const std::uint32_t words = most * frame.record().words() + 1;
    const StreamId ranked = frame.add_stream("ranked", 1, 1, words);
    frame.begin_zero(ranked);
    if (frame.n() > most) return false;
    const std::uint64_t mask = mask_of(frame.bits());
    const Substream all = frame.elements_of(records);
    Op op;
    op.kernel = kernel_of(frame, most);
    op.reads = {{records, all}};
    op.writes = {{records, all}, {ranked, Substream::range(0, words)}};
    op.domain = frame.records_of(targets);
    op.parameters = {frame.n(), static_cast<std::uint32_t>(mask), static_cast<std::uint32_t>(mask >> 32)};
    frame.add(std::move(op));
    return true;
}

}  // namespace glsort::enumeration
