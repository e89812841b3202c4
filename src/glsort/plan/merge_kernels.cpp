#include <fmt/format.h>

#include <glsort/plan/merge_kernels.h>
#include <glsort/plan/sorting_network.h>
#include <glsort/stream/cpu_invocation.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include <vector>

namespace glsort::merge {
namespace {

/// Greater than every code and index: what lies past the end.
constexpr Element missing{0xffffffffu, 0xffffffffu};

constexpr std::uint32_t splits_per_element = 4;
constexpr std::uint32_t slots_per_element = 16;

enum : std::size_t { count_parameter, run_parameter };

/// The sorted runs of a merge, and the group of them that makes one run.
struct Runs {
    std::uint32_t count;   ///< Elements of the input.
    std::uint32_t length;  ///< Elements of a run.
    std::uint32_t runs;    ///< Of a group.

    std::uint32_t group_of(std::uint32_t element) const {
        return element & ~(runs * length - 1);
    }
    std::uint32_t begin(std::uint32_t group, std::uint32_t i) const { return group + i * length; }
    std::uint32_t size(std::uint32_t group, std::uint32_t i) const {
        return std::min(count - std::min(begin(group, i), count), length);
    }
};

Runs runs_of(const CpuInvocation& k, std::uint32_t runs) {
    return {k.parameter(count_parameter), k.parameter(run_parameter), runs};
}

/// Elements of [0, size) in a run that begins at `begin` for which `before` holds; they come first.
template <class Before>
std::uint32_t partition_point(std::uint32_t size, const Before& before) {
    std::uint32_t low = 0;
    while (low < size) {
        const std::uint32_t middle = low + (size - low) / 2;
        if (before(middle)) low = middle + 1;
        else size = middle;
    }
    return low;
}

/// The specification of shaders/merge_runs.glsl. Parameter: count.
void sort_run(CpuInvocation& k, const KernelSetting& setting, std::uint32_t length,
              const std::vector<std::pair<std::uint32_t, std::uint32_t>>& network) {
    const std::uint32_t first = k.instance * setting.elements;
    const std::uint32_t begin = first - first % length;
    std::vector<Element> run(length);
    for (std::uint32_t i = 0; i < length; ++i)
        run[i] = begin + i < k.parameter(count_parameter) ? k.read(0, begin + i) : missing;
    for (const auto& [a, b] : network)
        if (k.precedes(run[b], run[a])) std::swap(run[a], run[b]);
    for (std::uint32_t i = 0; i < setting.elements; ++i) k.write(0, i, run[first - begin + i]);
}

/// The specification of shaders/merge_split.glsl: an element belongs before the window if fewer than
/// `rank` elements come before it; equal keys in the order of their runs.
void split(CpuInvocation& k, const KernelSetting& setting, std::uint32_t count) {
    const Runs runs = runs_of(k, count);
    const std::uint32_t first = k.instance * setting.window();
    const std::uint32_t group = runs.group_of(first);
    const std::uint32_t rank = first - group;
    const auto key = [&](std::uint32_t i, std::uint32_t element) {
        return Element{k.read(0, runs.begin(group, i) + element)[0]};
    };
    const auto rank_of = [&](std::uint32_t i, std::uint32_t element) {
        const Element mine = key(i, element);
        std::uint32_t before = element;
        for (std::uint32_t j = 0; j < count; ++j)
            if (j != i)
                before += partition_point(runs.size(group, j), [&](std::uint32_t other) {
                    return j < i ? !k.precedes(mine, key(j, other)) : k.precedes(key(j, other), mine);
                });
        return before;
    };
    std::array<std::uint32_t, 8> splits{};
    for (std::uint32_t i = 0; i < count; ++i)
        splits[i] = partition_point(runs.size(group, i), [&](std::uint32_t element) {
            return rank_of(i, element) < rank;
        });
    for (std::uint32_t part = 0; part < setting.most_runs / splits_per_element; ++part)
        k.write(0, part, {splits[4 * part], splits[4 * part + 1], splits[4 * part + 2],
                          splits[4 * part + 3]});
}

// Ports of merge_order and merge_gather.
enum : std::size_t { source_port, splits_port, slots_port };

/// The specification of shaders/merge_window.glsl.
struct Window {
    std::array<std::uint32_t, 8> begin{};  ///< The window's first element of each run.
    std::array<std::uint32_t, 8> size{};   ///< How many it takes of each.

    Window(CpuInvocation& k, const KernelSetting& setting, std::uint32_t count, std::uint32_t number) {
        const Runs runs = runs_of(k, count);
        const std::uint32_t first = number * setting.window();
        const std::uint32_t group = runs.group_of(first);
        const std::uint32_t next = first + setting.window();
        const auto split = [&](std::uint32_t window, std::uint32_t i) {
            return k.read(splits_port, (window * setting.most_runs + i) / splits_per_element)
                [i % splits_per_element];
        };
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t low = first == group ? 0 : split(number, i);
            const std::uint32_t high = next >= runs.count || runs.group_of(next) != group
                                           ? runs.size(group, i)
                                           : split(number + 1, i);
            begin[i] = runs.begin(group, i) + low;
            size[i] = high - low;
        }
    }

    std::uint32_t elements() const {
        std::uint32_t sum = 0;
        for (const std::uint32_t part : size) sum += part;
        return sum;
    }
    /// The element that has a slot.
    std::uint32_t element(std::uint32_t slot) const {
        std::size_t i = 0;
        while (slot >= size[i]) slot -= size[i++];
        return begin[i] + slot;
    }
};

/// The specification of shaders/merge_order.glsl: the window's slots in the order of their keys, equal
/// keys in the order of the slots; the lower side from the begin, the upper side from the end.
void order(CpuInvocation& k, const KernelSetting& setting, std::uint32_t count) {
    const Window window(k, setting, count, k.instance / 2);
    const std::uint32_t elements = window.elements();
    const auto key = [&](std::uint32_t slot) {
        return Element{k.read(source_port, window.element(slot))[0]};
    };
    std::array<std::uint32_t, 8> next{};  // slot of each run's next element
    std::array<std::uint32_t, 8> end{};
    for (std::uint32_t i = 0, slot = 0; i < count; ++i) {
        next[i] = slot;
        end[i] = slot += window.size[i];
    }
    std::vector<std::uint32_t> slots;
    while (slots.size() < elements) {
        std::uint32_t chosen = count;
        for (std::uint32_t i = 0; i < count; ++i)
            if (next[i] < end[i] && (chosen == count || k.precedes(key(next[i]), key(next[chosen]))))
                chosen = i;
        slots.push_back(next[chosen]++);
    }
    const bool down = k.instance % 2 != 0;
    for (std::uint32_t part = 0; part < setting.side / slots_per_element; ++part) {
        Element bytes{};
        for (std::uint32_t i = 0; i < slots_per_element; ++i) {
            const std::uint32_t step = part * slots_per_element + i;
            const std::uint32_t place = down ? setting.window() - 1 - step : step;
            if (place < elements) bytes[i / 4] |= slots[place] << (i % 4 * 8);
        }
        k.write(0, part, bytes);
    }
}

/// The specification of shaders/merge_gather.glsl.
void gather(CpuInvocation& k, const KernelSetting& setting, std::uint32_t count) {
    const std::uint32_t first = k.instance * setting.elements;
    const std::uint32_t side = first / setting.side;
    const Window window(k, setting, count, side / 2);
    const std::uint32_t parts = setting.side / slots_per_element;
    for (std::uint32_t i = 0; i < setting.elements; ++i) {
        const std::uint32_t place = (first + i) % setting.side;
        const std::uint32_t step = side % 2 != 0 ? setting.side - 1 - place : place;
        const Element bytes = k.read(slots_port, side * parts + step / slots_per_element);
        const std::uint32_t slot = bytes[step % slots_per_element / 4] >> (step % 4 * 8) & 255;
        k.write(0, i, first + i < k.parameter(count_parameter)
                          ? k.read(source_port, window.element(slot))
                          : missing);
    }
}

std::string number(std::uint32_t value) { return fmt::format("{}u", value); }

Port source(std::uint32_t words, std::uint32_t elements) {
    return {.name = "source", .access = Access::gather, .words = words, .elements = elements};
}

/// What the kernels that know windows share.
Kernel window_kernel(const char* name, const KernelSetting& setting, std::uint32_t runs) {
    Kernel kernel;
    kernel.name = name;
    kernel.parameters = {{"count"}, {"run"}};
    kernel.defines = {{"RECORD_WORDS", fmt::format("{}", setting.words)},
                      {"RUNS", fmt::format("{}", runs)},
                      {"WINDOW", number(setting.window())},
                      {"SPLIT_TEXELS", number(setting.most_runs / splits_per_element)},
                      {"SIDE", number(setting.side)},
                      {"PARTS", number(setting.side / slots_per_element)},
                      {"ELEMENTS", number(setting.elements)}};
    return kernel;
}

Port splits_input() {
    return {.name = "splits", .access = Access::gather, .words = 4, .elements = 4};  // of two windows
}

}  // namespace

KernelPtr runs_kernel(const KernelSetting& setting, std::uint32_t run) {
    Kernel kernel;
    kernel.name = "merge_runs";
    kernel.inputs = {source(setting.words, run)};
    kernel.outputs = {{.name = "target", .words = setting.words, .elements = setting.elements}};
    kernel.parameters = {{"count"}};
    kernel.elements_per_instance = setting.elements;
    kernel.defines = {{"RECORD_WORDS", fmt::format("{}", setting.words)},
                      {"RUN", number(run)},
                      {"ELEMENTS", number(setting.elements)},
                      {"SORTING_NETWORK", odd_even_merge_sort_text(run)}};
    kernel.includes = {"record", "compare"};
    kernel.cpu = [setting, run, network = odd_even_merge_sort(run)](CpuInvocation& k) {
        sort_run(k, setting, run, network);
    };
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr split_kernel(const KernelSetting& setting, std::uint32_t runs, std::uint32_t run) {
    Kernel kernel = window_kernel("merge_split", setting, runs);
    // Every step halves one run's range.
    const auto steps = static_cast<std::uint32_t>(std::bit_width(run));
    kernel.inputs = {source(1, runs * steps)};
    const std::uint32_t elements = setting.most_runs / splits_per_element;
    kernel.outputs = {{.name = "splits", .words = 4, .elements = elements}};
    kernel.elements_per_instance = elements;
    kernel.cpu = [setting, runs](CpuInvocation& k) { split(k, setting, runs); };
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr order_kernel(const KernelSetting& setting, std::uint32_t runs) {
    Kernel kernel = window_kernel("merge_order", setting, runs);
    const std::uint32_t parts = setting.side / slots_per_element;
    kernel.inputs = {source(1, setting.side + runs), splits_input()};
    kernel.outputs = {{.name = "slots", .words = 4, .elements = parts}};
    kernel.elements_per_instance = parts;
    kernel.includes = {"merge_window"};
    kernel.cpu = [setting, runs](CpuInvocation& k) { order(k, setting, runs); };
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr gather_kernel(const KernelSetting& setting, std::uint32_t runs) {
    Kernel kernel = window_kernel("merge_gather", setting, runs);
    kernel.inputs = {source(setting.words, setting.elements), splits_input(),
                     {.name = "slots",
                      .access = Access::gather,
                      .words = 4,
                      .elements = (setting.elements + slots_per_element - 1) / slots_per_element}};
    kernel.outputs = {{.name = "target", .words = setting.words, .elements = setting.elements}};
    kernel.elements_per_instance = setting.elements;
    kernel.includes = {"record", "merge_window"};
    kernel.cpu = [setting, runs](CpuInvocation& k) { gather(k, setting, runs); };
    return std::make_shared<Kernel>(std::move(kernel));
}

}  // namespace glsort::merge
