#include <fmt/format.h>

#include <glsort/plan/merge/merge_bounds.h>
#include <glsort/plan/merge/merge_kernels.h>
#include <glsort/plan/merge/tuning.h>
#include <glsort/plan/networks/sorting_network.h>
#include <glsort/stream/cpu_invocation.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include <vector>

namespace glsort::merge {
namespace {

constexpr std::uint32_t places_per_element = 16;

/// The specification of shaders/merge/merge_runs.glsl. Parameter: count.
void sort_run(CpuInvocation& k, const KernelPolicy& policy, std::uint32_t length,
              const std::vector<std::pair<std::uint32_t, std::uint32_t>>& network) {
    const std::uint32_t first = k.instance * policy.elements;
    const std::uint32_t begin = first - first % length;
    std::vector<Element> run(length);
    for (std::uint32_t i = 0; i < length; ++i)
        run[i] = begin + i < k.parameter(count_parameter) ? k.read(0, begin + i) : missing;
    for (const auto& [a, b] : network)
        if (k.precedes(run[b], run[a])) std::swap(run[a], run[b]);
    for (std::uint32_t i = 0; i < policy.elements; ++i)
        k.write(0, i, run[first - begin + i]);
}

/// The specification of shaders/merge/merge_split.glsl.
void split(CpuInvocation& k, const KernelPolicy& policy, std::uint32_t count) {
    const Runs runs(k, policy, count);
    const std::uint32_t first = k.instance * policy.window();
    const std::uint32_t group = runs.group_of(first);
    const auto splits = elements_before(k, runs, group, first - runs.group_begin(group));
    for (std::uint32_t part = 0; part < policy.split_elements(); ++part)
        k.write(0, part, {splits[4 * part], splits[4 * part + 1], splits[4 * part + 2], splits[4 * part + 3]});
}

// Ports of merge_order and merge_gather.
enum : std::size_t { source_port, splits_port, sources_port };

/// Half a window of the merged sequence (shaders/merge/merge_window.glsl).
struct Side {
    Runs runs;
    std::uint32_t first;  ///< The first place of the window.
    std::uint32_t group;
    bool down;  ///< Whether the side merges downwards, from the window's end.
    /// For each run, the first element in the window. Downwards: one past the last element in the window.
    std::array<std::uint32_t, 8> bound{};

    Side(CpuInvocation& k, const KernelPolicy& policy, std::uint32_t count, std::uint32_t number)
        : runs(k, policy, count),
          first(number / 2 * policy.window()),
          group(runs.group_of(first)),
          down(number % 2 != 0) {
        const std::uint32_t place = first + (down ? policy.window() : 0);
        bound = bounds_at(k, splits_port, policy, runs, group, place);
    }

    /// The number of steps before the first step that takes an element. Only the last window (of each group, for lists)
    /// lacks elements. Downwards, the missing elements come first.
    std::uint32_t missing_steps(const KernelPolicy& policy) const {
        return down ? policy.window() - std::min(runs.elements_end(first) - first, policy.window()) : 0;
    }
    /// Element number `taken` of run i, counted from the side's start.
    std::uint32_t element(std::uint32_t i, std::uint32_t taken) const {
        return down ? bound[i] - 1 - taken : bound[i] + taken;
    }
    /// The number of elements that run i has in the side's direction.
    std::uint32_t left(std::uint32_t i) const {
        const std::uint32_t before = bound[i] - runs.begin(group, i);
        return down ? before : runs.size(group, i) - before;
    }
};

/// The record that `merge_order` writes for 16 places.
struct Sources {
    static constexpr std::uint32_t no_run = 8;

    std::array<std::uint32_t, 8> taken{};  ///< Elements of each run before these places.
    std::array<std::uint32_t, places_per_element> run{};

    Element packed() const {
        Element words{};
        for (std::uint32_t i = 0; i < run.size(); ++i)
            words[i / 8] |= run[i] << (i % 8 * 4);
        for (std::uint32_t i = 0; i < taken.size(); ++i)
            words[2 + i / 4] |= taken[i] << (i % 4 * 8);
        return words;
    }
    explicit Sources(const std::array<std::uint32_t, 8>& taken_before) : taken(taken_before) { run.fill(no_run); }
    explicit Sources(const Element& words) {
        for (std::uint32_t i = 0; i < run.size(); ++i)
            run[i] = words[i / 8] >> (i % 8 * 4) & 15;
        for (std::uint32_t i = 0; i < taken.size(); ++i)
            taken[i] = words[2 + i / 4] >> (i % 4 * 8) & 255;
    }
};

/// The specification of shaders/merge/merge_order.glsl. Upwards, the side takes the smallest next key, and among equal
/// keys the key of the first run. Downwards, the side takes the greatest next key, and among equal keys the key of the
/// last run.
void order(CpuInvocation& k, const KernelPolicy& policy, std::uint32_t count) {
    const Side side(k, policy, count, k.instance);
    const std::uint32_t missing_steps = side.missing_steps(policy);
    std::array<std::uint32_t, 8> taken{};
    const auto key = [&](std::uint32_t i) { return k.read(source_port, side.element(i, taken[i])); };
    for (std::uint32_t part = 0; part < policy.source_elements(); ++part) {
        Sources sources(taken);
        for (std::uint32_t place = 0; place < places_per_element; ++place) {
            if (part * places_per_element + place < missing_steps) continue;
            std::uint32_t chosen = count;
            for (std::uint32_t i = 0; i < count; ++i) {
                if (taken[i] == side.left(i)) continue;
                if (chosen == count || (side.down ? !k.precedes(key(i), key(chosen)) : k.precedes(key(i), key(chosen))))
                    chosen = i;
            }
            if (chosen == count) continue;
            sources.run[place] = chosen;
            ++taken[chosen];
        }
        k.write(0, part, sources.packed());
    }
}

/// The specification of shaders/merge/merge_gather.glsl.
void gather(CpuInvocation& k, const KernelPolicy& policy, std::uint32_t count) {
    if (policy.fills && k.instance >= k.parameter(count_parameter)) return k.write(0, 0, missing);
    const std::uint32_t first = k.instance * policy.elements;
    const std::uint32_t number = first / policy.side;
    const Side side(k, policy, count, number);
    for (std::uint32_t i = 0; i < policy.elements; ++i) {
        const std::uint32_t place = (first + i) % policy.side;
        const std::uint32_t step = side.down ? policy.side - 1 - place : place;
        Sources sources(k.read(sources_port, number * policy.source_elements() + step / places_per_element));
        const std::uint32_t run = sources.run[step % places_per_element];
        const auto earlier = sources.run.begin() + step % places_per_element;
        const auto taken = static_cast<std::uint32_t>(std::count(sources.run.begin(), earlier, run));
        k.write(0, i,
                run != Sources::no_run ? k.read(source_port, side.element(run, sources.taken[run] + taken)) : missing);
    }
}

/// The words of the key at the front of an element: the code, or the index by which the key is looked up.
std::uint32_t key_words(const KernelPolicy& policy) {
    return std::max(policy.element_type.code_words(), 1u);
}

Port source(std::uint32_t words, std::uint32_t elements) {
    return {
        .name = "source", .access = Access::gather, .words = words, .elements = elements, .role = PortRole::elements};
}

Port target(const KernelPolicy& policy) {
    return {.name = "target",
            .words = policy.element_type.words(),
            .elements = policy.elements,
            .role = PortRole::elements};
}

Port splits_input() {
    return {.name = "splits", .access = Access::gather, .words = 4, .elements = 2, .role = PortRole::splits};
}

}  // namespace

Op make_op(KernelPtr kernel, std::vector<StreamUse> reads, const StreamUse& write, const Substream& domain,
           std::vector<Counted> parameters, int level) {
    Op op;
    op.kernel = std::move(kernel);
    op.reads = std::move(reads);
    op.writes = {write};
    op.domain = domain;
    op.parameters = std::move(parameters);
    op.labels = {.level = level};
    return op;
}

Kernel window_kernel(const char* name, const KernelPolicy& policy, std::uint32_t runs) {
    Kernel kernel;
    kernel.name = name;
    kernel.parameters = {{"count"}, {"run"}, {"log_run"}};
    kernel.defines = {{"GLSORT_RUNS", fmt::format("{}", runs)},
                      {"GLSORT_WINDOW", literal(policy.window())},
                      {"GLSORT_SPLIT_TEXELS", literal(policy.split_elements())},
                      {"GLSORT_SIDE", literal(policy.side)},
                      {"GLSORT_PARTS", literal(policy.source_elements())},
                      {"GLSORT_ELEMENTS", literal(policy.elements)}};
    if (policy.groups > 0) {
        kernel.parameters.clear();
        for (std::string& parameter : list_parameters(policy.groups, runs))
            kernel.parameters.push_back({std::move(parameter)});
        kernel.defines.emplace_back("GLSORT_LISTS", "1");
        kernel.defines.emplace_back("GLSORT_GROUPS", literal(policy.groups));
        kernel.defines.emplace_back("GLSORT_GROUP_PARAMETERS", literal(ListTable{runs}.group_parameters()));
        return kernel;
    }
    kernel.shape = shape_of_merge(policy, runs);
    return kernel;
}

KernelShape shape_of_merge(const KernelPolicy& policy, std::uint32_t runs) {
    KernelShape shape;
    shape.count = KernelNumber::parameter(count_parameter);
    shape.reads = SortedRuns{.length = KernelNumber::parameter(run_parameter), .merged = runs};
    shape.window = policy.window();
    return shape;
}

std::uint32_t texels_written(const Limits& limits) {
    return std::bit_floor(std::clamp(limits.attachments, 1u, 8u));
}

bool sort_in_one_draw(SortFrame& frame, KernelPolicy policy, StreamId records) {
    const std::uint32_t n = frame.n();
    if (frame.backend() != Backend::fragment || n > tuning_of(frame).max_in_one_draw) return false;
    policy.elements = 1;
    const std::uint32_t run = std::max(std::bit_ceil(n), tuning_of(frame).min_in_one_draw);
    // Instances behind the count find no elements, and sort what is missing.
    const Substream elements = frame.stored_elements();
    Op op = make_op(runs_kernel(policy, run), {{records, frame.elements_of(records)}}, {records, elements}, elements,
                    {frame.count()}, std::bit_width(run) - 1);
    if (!frame.can_store(op)) return false;
    frame.add(std::move(op));
    frame.set_counts(narrowed_to_one_draw(frame, {1, tuning_of(frame).max_in_one_draw}, n));
    return true;
}

std::vector<std::uint32_t> counts_in_one_draw(const SortFrame& frame) {
    return {tuning_of(frame).min_in_one_draw, tuning_of(frame).max_in_one_draw};
}

CountRange narrowed_to_one_draw(const SortFrame& frame, CountRange counts, std::uint32_t count) {
    for (const std::uint32_t end : counts_in_one_draw(frame))
        counts = counts.cut_behind(end, count);
    return counts;
}

KernelPtr runs_kernel(const KernelPolicy& policy, std::uint32_t run) {
    Kernel kernel;
    kernel.name = "merge_runs";
    kernel.inputs = {source(policy.element_type.words(), run)};
    kernel.outputs = {target(policy)};
    kernel.parameters = {{"count"}};
    kernel.elements_per_instance = policy.elements;
    kernel.defines = {{"GLSORT_RUN", literal(run)},
                      {"GLSORT_ELEMENTS", literal(policy.elements)},
                      {"GLSORT_SORTING_NETWORK", odd_even_merge_sort_text(run)}};
    kernel.shape.count = KernelNumber::parameter(count_parameter);
    if (policy.loads_runs) kernel.defines.emplace_back("GLSORT_LOADED_RUN", literal(run));
    kernel.shape.makes = SortedRuns{.length = run};
    kernel.cpu = [policy, run, network = odd_even_merge_sort(run)](CpuInvocation& k) {
        sort_run(k, policy, run, network);
    };
    policy.element_type.declare_in(kernel);
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr split_kernel(const KernelPolicy& policy, std::uint32_t runs, std::uint32_t run) {
    Kernel kernel = window_kernel("merge_split", policy, runs);
    // For each block size: the next block of every run, and about a quarter as many later blocks.
    const auto sizes = static_cast<std::uint32_t>(std::bit_width(run));
    kernel.inputs = {source(key_words(policy), (runs + runs / 4) * sizes)};
    kernel.outputs = {{.name = "splits", .words = 4, .elements = policy.split_elements(), .role = PortRole::splits}};
    kernel.elements_per_instance = policy.split_elements();
    kernel.cpu = [policy, runs](CpuInvocation& k) { split(k, policy, runs); };
    policy.element_type.declare_in(kernel);
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr order_kernel(const KernelPolicy& policy, std::uint32_t runs) {
    Kernel kernel = window_kernel("merge_order", policy, runs);
    kernel.inputs = {source(key_words(policy), policy.side + runs), splits_input()};
    kernel.outputs = {{.name = "sources", .words = 4, .elements = policy.source_elements(), .role = PortRole::sources}};
    kernel.elements_per_instance = policy.source_elements();
    kernel.cpu = [policy, runs](CpuInvocation& k) { order(k, policy, runs); };
    policy.element_type.declare_in(kernel);
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr gather_kernel(const KernelPolicy& policy, std::uint32_t runs) {
    Kernel kernel = window_kernel(policy.elements == 1 ? "merge_place" : "merge_gather", policy, runs);
    kernel.inputs = {source(policy.element_type.words(), policy.elements),
                     splits_input(),
                     {.name = "sources",
                      .access = Access::gather,
                      .words = 4,
                      .elements = (policy.elements + places_per_element - 1) / places_per_element,
                      .role = PortRole::sources}};
    kernel.outputs = {target(policy)};
    kernel.elements_per_instance = policy.elements;
    if (policy.fills) kernel.defines.emplace_back("GLSORT_FILLS", "1");
    if (policy.elements > 1 && policy.elements < places_per_element)
        kernel.defines.emplace_back("GLSORT_SHARED_TEXEL", "1");
    kernel.cpu = [policy, runs](CpuInvocation& k) { gather(k, policy, runs); };
    policy.element_type.declare_in(kernel, false);
    return std::make_shared<Kernel>(std::move(kernel));
}

}  // namespace glsort::merge
