#include <fmt/format.h>

#include <glsort/plan/radix_kernels.h>
#include <glsort/stream/cpu_invocation.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace glsort::radix {
namespace {

// Parameters of radix_count and radix_scatter, and the first three of radix_group.
enum : std::size_t {
    count_parameter,
    shift_parameter,
    bits_parameter,
    stretches_parameter,
    length_parameter
};

/// Bits of a digit that are scanned at once, and the words that hold a counter for each value of them
/// (shaders/radix_tile.glsl).
constexpr std::uint32_t round_bits = 4;
constexpr std::uint32_t counter_words = (1u << round_bits) / 2;

std::string literal(std::uint32_t value) { return fmt::format("{}u", value); }

/// The value of the digit that a kernel's parameters name; of `radix_group` all the bits it sorts by.
std::uint64_t digit_of(CpuInvocation& k, const Setting& setting, const Element& record) {
    std::uint64_t code = record[0];
    if (setting.record.code_words() == 2) code = code << 32 | record[1];
    const std::uint32_t bits = k.parameter(bits_parameter);
    return code >> k.parameter(shift_parameter) & (~std::uint64_t{0} >> (64 - bits));
}

/// Calls `visit` with the number, the record and the digit of each element of the group's stretch.
template <class Visit>
void for_stretch(CpuInvocation& k, const Setting& setting, const Visit& visit) {
    const std::uint32_t begin = k.instance * k.parameter(length_parameter);
    const std::uint32_t end = std::min(begin + k.parameter(length_parameter), k.parameter(count_parameter));
    for (std::uint32_t i = begin; i < end; ++i) {
        const Element record = k.read(0, i);
        visit(record, static_cast<std::uint32_t>(digit_of(k, setting, record)));
    }
}

/// The specification of shaders/radix_count.glsl.
void count(CpuInvocation& k, const Setting& setting) {
    std::vector<std::uint32_t> counts(setting.digits());
    for_stretch(k, setting, [&](const Element&, std::uint32_t digit) { ++counts[digit]; });
    for (std::uint32_t digit = 0; digit < counts.size(); ++digit)
        k.scatter(0, digit * k.parameter(stretches_parameter) + k.instance, {counts[digit]});
}

/// The specification of shaders/radix_scan.glsl.
void scan(CpuInvocation& k) {
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < k.parameter(0); ++i) {
        k.scatter(0, i, {sum});
        sum += k.read(0, i)[0];
    }
}

/// The specification of shaders/radix_scatter.glsl.
void scatter(CpuInvocation& k, const Setting& setting) {
    std::vector<std::uint32_t> taken(setting.digits());
    for_stretch(k, setting, [&](const Element& record, std::uint32_t digit) {
        const std::uint32_t first = k.read(1, digit * k.parameter(stretches_parameter) + k.instance)[0];
        k.scatter(0, first + taken[digit]++, record);
    });
}

/// The specification of shaders/radix_group.glsl.
void sort_group(CpuInvocation& k, const Setting& setting) {
    std::vector<Element> records;
    for (std::uint32_t i = 0; i < k.parameter(count_parameter); ++i) records.push_back(k.read(0, i));
    std::ranges::stable_sort(records, {}, [&](const Element& record) { return digit_of(k, setting, record); });
    for (std::uint32_t i = 0; i < records.size(); ++i) k.scatter(0, i, records[i]);
}

/// What all kernels share.
Kernel group_of(const char* name, const Setting& setting) {
    Kernel kernel;
    kernel.name = name;
    kernel.group_size = setting.invocations;
    kernel.defines = {{"ELEMENTS", literal(setting.elements)},
                      {"TILE", literal(setting.tile())},
                      {"DIGITS", literal(setting.digits())},
                      {"ROUND_BITS", literal(round_bits)},
                      {"SCAN_ROW", literal(scan_row)}};
    return kernel;
}

Port source(const Setting& setting, std::uint32_t elements) {
    return {.name = "source",
            .access = Access::gather,
            .words = setting.record.words(),
            .elements = elements};
}

Port target(const Setting& setting, std::uint32_t elements) {
    return {.name = "target",
            .access = Access::scatter,
            .words = setting.record.words(),
            .elements = elements};
}

/// Elements of a stretch are as many as an op says.
constexpr std::uint32_t any = 0xffffffffu;

}  // namespace

std::uint32_t Setting::tile_words() const {
    const std::uint32_t scan_words = invocations + invocations / scan_row;
    return record.words() * tile() + counter_words * invocations + scan_words;
}

std::uint32_t Setting::shared_words() const { return tile_words() + 2 * digits(); }

KernelPtr count_kernel(const Setting& setting) {
    Kernel kernel = group_of("radix_count", setting);
    kernel.inputs = {source(setting, any)};
    kernel.outputs = {{.name = "counts", .access = Access::scatter, .elements = setting.digits()}};
    kernel.parameters = {{"count"}, {"shift"}, {"bits"}, {"stretches"}, {"length"}};
    kernel.shared_words = setting.digits();
    kernel.includes = {"radix_digit"};
    kernel.cpu = [setting](CpuInvocation& k) { count(k, setting); };
    setting.record.declare_in(kernel, false);
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr scan_kernel(const Setting& setting) {
    Kernel kernel = group_of("radix_scan", setting);
    kernel.inputs = {{.name = "counts", .access = Access::gather, .elements = any}};
    kernel.outputs = {{.name = "offsets", .access = Access::scatter, .elements = any}};
    kernel.parameters = {{"elements"}};
    kernel.shared_words = setting.invocations + setting.invocations / scan_row;
    kernel.includes = {"group_scan"};
    kernel.cpu = [](CpuInvocation& k) { scan(k); };
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr scatter_kernel(const Setting& setting) {
    Kernel kernel = group_of("radix_scatter", setting);
    kernel.inputs = {source(setting, any),
                     {.name = "offsets", .access = Access::gather, .elements = setting.digits()}};
    kernel.outputs = {target(setting, any)};
    kernel.parameters = {{"count"}, {"shift"}, {"bits"}, {"stretches"}, {"length"}};
    kernel.shared_words = setting.shared_words();
    kernel.includes = {"shared_tile", "group_scan", "radix_digit", "radix_tile"};
    kernel.cpu = [setting](CpuInvocation& k) { scatter(k, setting); };
    setting.record.declare_in(kernel, false);
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr group_kernel(const Setting& setting) {
    Kernel kernel = group_of("radix_group", setting);
    kernel.inputs = {source(setting, setting.tile())};
    kernel.outputs = {target(setting, setting.tile())};
    kernel.parameters = {{"count"}, {"shift"}, {"bits"}};
    kernel.shared_words = setting.tile_words();
    kernel.includes = {"shared_tile", "group_scan", "radix_digit", "radix_tile"};
    kernel.reads_first = true;
    kernel.cpu = [setting](CpuInvocation& k) { sort_group(k, setting); };
    setting.record.declare_in(kernel, false);
    return std::make_shared<Kernel>(std::move(kernel));
}

}  // namespace glsort::radix
