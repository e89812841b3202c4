#include <fmt/format.h>

#include <glsort/plan/abisort/abisort_kernels.h>
#include <glsort/stream/cpu_invocation.h>

#include <array>
#include <utility>
#include <vector>

namespace glsort::abisort {
namespace {

struct Node {
    Element value;  ///< Code and index.
    std::uint32_t left = 0;
    std::uint32_t right = 0;

    Element packed() const { return {value[0], value[1], left, right}; }
};

/// An element past the end, greater than every code and index.
constexpr Element missing{0xffffffffu, 0xffffffffu};

// Ports of abisort_phase.
enum : std::size_t { paths, trees, runs };
enum : std::size_t { paths_out, nodes_out };

// Parameters, by kernel.
struct LocalSortParameter {
    enum : std::size_t { odd, count };
};
struct MergeParameter {
    enum : std::size_t { odd, count, tree, one };
};
struct TraverseParameter {
    enum : std::size_t { count, nodes, sequences, roots };
};
struct FinishParameter {
    enum : std::size_t { odd, count, nodes, sequences, roots, spares, tree };
};

/// A node of a tree that lies in order.
Node node_in_order(const TreePointers& pointers, const Element& value, std::uint32_t element) {
    const auto [left, right] = pointers.children_in_order(element);
    return {value, left, right};
}

/// The nodes of a merge, as kernels read them.
struct Trees {
    CpuInvocation& k;
    const KernelPolicy& policy;
    std::size_t port = 0;         ///< The stream `trees`.
    std::size_t runs_port = 0;    ///< The stream `runs`, if the sequences are runs.
    std::uint32_t sequences = 0;  ///< The first record of the sequences.
    std::uint32_t count = 0;      ///< The number of their elements.

    Node at(const TreePointers::Node& place) const {
        if (place.in_order) {
            const std::uint32_t element = place.element - 2 * sequences;
            const bool lies_past = element >= count;
            if (lies_past || policy.run != 0)
                return node_in_order(policy.pointers, lies_past ? missing : k.read(runs_port, element), place.element);
        }
        const Element words = k.read(port, place.element);
        return {{words[0], words[1]}, words[2], words[3]};
    }
    Node at(std::uint32_t pointer) const { return at(policy.pointers.node(pointer)); }

    /// The values of a subtree of 7 nodes, in order, followed by `last`.
    std::array<Element, 8> traverse(std::uint32_t subtree, const Element& last) const {
        const Node middle = at(subtree);
        const Node left = at(middle.left);
        const Node right = at(middle.right);
        return {at(left.left).value,  left.value,  at(left.right).value,  middle.value,
                at(right.left).value, right.value, at(right.right).value, last};
    }
};

/// A comparator. `a` gets the smaller element if `ascending`, else the larger one.
void compare(CpuInvocation& k, Element& a, Element& b, bool ascending) {
    if (k.precedes(b, a) == ascending) std::swap(a, b);
}

/// Sorts a bitonic run: the last three steps of any bitonic merge.
void merge_bitonic(CpuInvocation& k, std::array<Element, 8>& run, bool ascending) {
    for (std::uint32_t distance = 4; distance > 0; distance /= 2)
        for (std::uint32_t i = 0; i < 8; ++i)
            if ((i & distance) == 0) compare(k, run[i], run[i + distance], ascending);
}

/// The specification of shaders/abisort/abisort_local_sort.glsl.
void local_sort(CpuInvocation& k, std::uint32_t length) {
    using P = LocalSortParameter;
    const bool ascending = (k.instance % 2 != 0) == (k.parameter(P::odd) != 0);
    std::vector<Element> run(length);
    for (std::uint32_t i = 0; i < length; ++i) {
        const std::uint32_t element = k.instance * length + i;
        run[i] = element < k.parameter(P::count) ? k.read(0, element) : missing;
    }
    for (std::uint32_t round = 0; round < length; ++round)
        for (std::uint32_t i = round % 2; i + 1 < length; i += 2)
            compare(k, run[i], run[i + 1], ascending);
    for (std::uint32_t i = 0; i < length; ++i)
        k.write(0, i, run[i]);
}

/// The specification of shaders/abisort/abisort_merge.glsl.
void merge(CpuInvocation& k) {
    using P = MergeParameter;
    const std::uint32_t count = k.parameter(P::count);
    const bool ascending = ((k.instance & k.parameter(P::tree)) != 0) == (k.parameter(P::odd) != 0);
    const bool upper = k.instance % 2 != 0;
    const auto element = [&](std::uint32_t index) { return index < count ? k.read(0, index) : missing; };
    const std::uint32_t begin = 16 * (k.instance / 2);
    std::array<Element, 8> run;
    for (std::uint32_t i = 0; i < 8; ++i) {
        const Element a = element(begin + i);
        const Element b = element(begin + 8 + i);
        // The lower half of an ascending result takes the smaller elements.
        run[i] = (k.precedes(b, a) == ascending) != upper ? b : a;
    }
    merge_bitonic(k, run, ascending);
    for (std::uint32_t i = 0; i < 8; ++i)
        k.write(0, i, run[i]);
}

/// The specification of shaders/abisort/abisort_traverse.glsl.
void traverse(CpuInvocation& k, const KernelPolicy& policy) {
    using P = TraverseParameter;
    const Trees trees{k, policy, 0, 0, k.parameter(P::sequences), k.parameter(P::count)};
    const std::uint32_t subtree = k.instance / 2;
    const std::uint32_t place = subtree / 2 ^ k.parameter(P::nodes);
    const std::uint32_t element = subtree % 2;
    const bool upper = k.instance % 2 != 0;
    const Node root = trees.at({false, 2 * (place ^ k.parameter(P::roots)) + element});
    const Element last = upper ? trees.at({false, 2 * place + element}).value : root.value;
    const std::array<Element, 8> run = trees.traverse(upper ? root.right : root.left, last);
    for (std::uint32_t i = 0; i < 8; ++i)
        k.write(0, i, run[i]);
}

/// The specification of shaders/abisort/abisort_finish.glsl.
void finish(CpuInvocation& k, const KernelPolicy& policy) {
    using P = FinishParameter;
    const Trees trees{k, policy, 0, 1, k.parameter(P::sequences), k.parameter(P::count)};
    const std::uint32_t place = k.instance / 2 ^ k.parameter(P::nodes);
    const std::uint32_t element = k.instance % 2;
    const Node root = trees.at({false, 2 * (place ^ k.parameter(P::roots)) + element});
    const Node spare = trees.at({false, 2 * (place ^ k.parameter(P::spares)) + element});
    std::array<Element, 8> lower = trees.traverse(root.left, root.value);
    std::array<Element, 8> upper = trees.traverse(root.right, spare.value);
    const bool ascending = ((k.instance & k.parameter(P::tree)) != 0) == (k.parameter(P::odd) != 0);
    for (std::uint32_t i = 0; i < 8; ++i)
        compare(k, lower[i], upper[i], ascending);
    merge_bitonic(k, lower, ascending);
    merge_bitonic(k, upper, ascending);
    for (std::uint32_t i = 0; i < 8; ++i)
        k.write(0, i, lower[i]);
    for (std::uint32_t i = 0; i < 8; ++i)
        k.write(0, 8 + i, upper[i]);
}

/// The specification of shaders/abisort/abisort_phase.glsl.
class Phase {
  public:
    Phase(CpuInvocation& k, const KernelPolicy& policy)
        : k_(k),
          pointers_(policy.pointers),
          op_{k.parameter(0), k.parameter(1), k.parameter(2), k.parameter(3), k.parameter(4)},
          block_{k.block_parameter(0), k.block_parameter(1), k.block_parameter(2),
                 k.block_parameter(3), k.block_parameter(4), k.block_parameter(5)},
          trees_{k, policy, trees, runs, op_.sequences, op_.count},
          ascending_(((k.instance & block_.tree) != 0) == (op_.odd != 0)) {}

    void run() {
        Node a, b;
        if (block_.phase < 2)
            first_phase(a, b);
        else
            later_phase(a, b);
        k_.write(nodes_out, 0, a.packed());
        k_.write(nodes_out, 1, b.packed());
    }

  private:
    /// Phase 0: the root and the spare node of a subtree.
    void first_phase(Node& a, Node& b) {
        if (block_.phase == 0) {
            const std::uint32_t spare = ((k_.instance + 1) << op_.level) - 1;
            const std::uint32_t root = spare - (1u << (op_.level - 1));
            a = trees_.at({true, 2 * op_.sequences + root});
            b = trees_.at({true, 2 * op_.sequences + spare});
        } else {
            const std::uint32_t parent = k_.instance / 2 ^ op_.nodes;
            const std::uint32_t element = k_.instance % 2;
            a = trees_.at({false, 2 * (parent ^ block_.from) + element});
            b = trees_.at({false, 2 * (parent ^ block_.spares) + element});
        }
        if (k_.precedes(b.value, a.value) == ascending_) {
            std::swap(a.value, b.value);
            std::swap(a.left, a.right);
        }
        k_.write(paths_out, 0, {a.left});
        k_.write(paths_out, 1, {a.right});
        // After the last stage these nodes, which lie in order, are the sequences of the next merge.
        const std::uint32_t place = 2 * (k_.instance ^ op_.nodes);
        a = node_in_order(pointers_, a.value, place);
        b = node_in_order(pointers_, b.value, place + 1);
    }

    void later_phase(Node& a, Node& b) {
        const std::uint32_t from = 2 * (k_.instance ^ block_.from);
        a = trees_.at(k_.read(paths, from)[0]);
        b = trees_.at(k_.read(paths, from + 1)[0]);
        const bool exchange = k_.precedes(b.value, a.value) == ascending_;
        if (exchange) {
            std::swap(a.value, b.value);
            std::swap(a.left, b.left);
        }
        std::uint32_t& path_a = exchange ? a.right : a.left;
        std::uint32_t& path_b = exchange ? b.right : b.left;
        k_.write(paths_out, 0, {path_a});
        k_.write(paths_out, 1, {path_b});
        if (k_.instance == block_.stop) return;
        const std::uint32_t next = 2 * (k_.instance ^ block_.next ^ op_.nodes);
        path_a = pointers_.to({false, next});
        path_b = pointers_.to({false, next + 1});
    }

    CpuInvocation& k_;
    const TreePointers& pointers_;
    PhaseParameters op_;
    PhaseBlockParameters block_;
    Trees trees_;
    bool ascending_;
};

Port run(std::string name, Access access, std::uint32_t elements = 8) {
    return {.name = std::move(name), .access = access, .words = 2, .elements = elements, .role = PortRole::elements};
}

/// A port with two elements per instance. `words`: 4 for nodes, 2 for elements, 1 for pointers.
Port two(std::string name, Access access, std::uint32_t words) {
    const PortRole role = words == 4 ? PortRole::nodes : words == 2 ? PortRole::elements : PortRole::paths;
    return {.name = std::move(name), .access = access, .words = words, .elements = 2, .role = role};
}

/// Blocks of a step that merges up to 2^16 elements, one per stage. All such steps share shader programs.
constexpr std::uint32_t usual_blocks = 16;

/// A kernel with two nodes per instance.
Kernel node_kernel(std::string name) {
    Kernel kernel;
    kernel.name = std::move(name);
    kernel.elements_per_instance = 2;
    return kernel;
}

/// Adds the port of the sequences if these are runs.
void add_sequences(Kernel& kernel, const KernelPolicy& policy) {
    if (policy.run == 0) return;
    kernel.inputs.push_back(run("runs", Access::gather, kernel.inputs.back().elements));
    kernel.defines.emplace_back("GLSORT_RUN_PAIRS", literal(policy.run / 2));
}

}  // namespace

KernelPtr phase_kernel(const KernelPolicy& policy) {
    Kernel kernel = node_kernel("abisort_phase");
    kernel.inputs = {two("paths", Access::gather, 1), two("trees", Access::gather, 4)};
    kernel.outputs = {two("paths_out", Access::linear, 1), two("nodes_out", Access::linear, 4)};
    kernel.parameters = {{"odd", Parameter::Kind::number},
                         {"level", Parameter::Kind::number},
                         {"count", Parameter::Kind::number},
                         {"nodes", Parameter::Kind::index},
                         {"sequences", Parameter::Kind::index}};
    kernel.usual_blocks = usual_blocks;
    kernel.block_parameters = {{"phase", Parameter::Kind::number}, {"from", Parameter::Kind::index},
                               {"next", Parameter::Kind::index},   {"spares", Parameter::Kind::index},
                               {"tree", Parameter::Kind::index},   {"stop", Parameter::Kind::index}};
    add_sequences(kernel, policy);
    if (policy.pruned) kernel.defines.emplace_back("GLSORT_PRUNED", "1");
    kernel.cpu = [policy](CpuInvocation& k) { Phase(k, policy).run(); };
    policy.element_type.declare_in(kernel);
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr copy_back_kernel() {
    Kernel kernel;
    kernel.name = "abisort_copy_back";
    kernel.inputs = {two("nodes_out", Access::gather, 4)};
    kernel.outputs = {two("trees", Access::linear, 4)};
    kernel.parameters = {{"nodes", Parameter::Kind::index}};
    kernel.usual_blocks = usual_blocks;
    kernel.elements_per_instance = 2;
    kernel.shape.copies = true;
    kernel.cpu = [](CpuInvocation& k) {
        const std::uint32_t begin = 2 * (k.instance ^ k.parameter(0));
        for (std::uint32_t i = 0; i < 2; ++i)
            k.write(0, i, k.read(0, begin + i));
    };
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr local_sort_kernel(const ElementType& element_type, std::uint32_t length) {
    Kernel kernel = node_kernel("abisort_local_sort");
    kernel.inputs = {run("source", Access::gather, length)};
    kernel.outputs = {run("target", Access::linear, length)};
    kernel.parameters = {{"odd", Parameter::Kind::number}, {"count", Parameter::Kind::number}};
    kernel.elements_per_instance = length;
    kernel.defines.emplace_back("GLSORT_RUN", fmt::format("{}", length));
    kernel.shape.count = KernelNumber::parameter(LocalSortParameter::count);
    kernel.shape.makes = SortedRuns{.length = length, .in_turns = true};
    kernel.cpu = [length](CpuInvocation& k) { local_sort(k, length); };
    element_type.declare_in(kernel);
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr merge_kernel(const KernelPolicy& policy) {
    Kernel kernel = node_kernel("abisort_merge");
    kernel.inputs = {run("source", Access::gather)};
    kernel.inputs.front().elements = 16;
    kernel.outputs = {run("target", Access::linear)};
    kernel.parameters = {{"odd", Parameter::Kind::number},
                         {"count", Parameter::Kind::number},
                         {"tree", Parameter::Kind::index},
                         {"one", Parameter::Kind::index}};
    kernel.elements_per_instance = 8;
    if (policy.pruned) kernel.defines.emplace_back("GLSORT_PRUNED", "1");
    kernel.shape.count = KernelNumber::parameter(MergeParameter::count);
    kernel.shape.reads = SortedRuns{.length = 8, .merged = 2, .in_turns = true};
    kernel.shape.makes = SortedRuns{.length = 16, .in_turns = true};
    kernel.cpu = merge;
    policy.element_type.declare_in(kernel);
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr convert_kernel(const KernelPolicy& policy) {
    Kernel kernel = node_kernel("abisort_convert");
    kernel.inputs = {two("source", Access::gather, 2)};
    kernel.outputs = {two("trees", Access::linear, 4)};
    kernel.parameters = {{"count", Parameter::Kind::number}};
    kernel.cpu = [pointers = policy.pointers](CpuInvocation& k) {
        for (std::uint32_t i = 0; i < 2; ++i) {
            const std::uint32_t element = 2 * k.instance + i;
            const Element value = element < k.parameter(0) ? k.read(0, element) : missing;
            k.write(0, i, node_in_order(pointers, value, element).packed());
        }
    };
    policy.element_type.declare_in(kernel, false);
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr traverse_kernel(const KernelPolicy& policy) {
    Kernel kernel = node_kernel("abisort_traverse");
    kernel.inputs = {two("trees", Access::gather, 4)};
    kernel.inputs.front().elements = 9;
    kernel.outputs = {run("target", Access::linear)};
    kernel.parameters = {{"count", Parameter::Kind::number},
                         {"nodes", Parameter::Kind::index},
                         {"sequences", Parameter::Kind::index},
                         {"roots", Parameter::Kind::index}};
    kernel.elements_per_instance = 8;
    if (policy.pruned) kernel.defines.emplace_back("GLSORT_PRUNED", "1");
    kernel.cpu = [policy](CpuInvocation& k) { traverse(k, policy); };
    policy.element_type.declare_in(kernel, false);
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr finish_kernel(const KernelPolicy& policy) {
    Kernel kernel = node_kernel("abisort_finish");
    kernel.inputs = {two("trees", Access::gather, 4)};
    kernel.inputs.front().elements = 16;
    kernel.outputs = {run("target", Access::linear, 16)};
    kernel.parameters = {{"odd", Parameter::Kind::number},  {"count", Parameter::Kind::number},
                         {"nodes", Parameter::Kind::index}, {"sequences", Parameter::Kind::index},
                         {"roots", Parameter::Kind::index}, {"spares", Parameter::Kind::index},
                         {"tree", Parameter::Kind::index}};
    kernel.elements_per_instance = 16;
    add_sequences(kernel, policy);
    if (policy.pruned) kernel.defines.emplace_back("GLSORT_PRUNED", "1");
    kernel.cpu = [policy](CpuInvocation& k) { finish(k, policy); };
    policy.element_type.declare_in(kernel);
    return std::make_shared<Kernel>(std::move(kernel));
}

}  // namespace glsort::abisort
