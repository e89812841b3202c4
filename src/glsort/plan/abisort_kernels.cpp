#include <glsort/plan/abisort_kernels.h>
#include <glsort/stream/cpu_invocation.h>

#include <tuple>
#include <utility>

namespace glsort::abisort {
namespace {

struct Node {
    Element value;  ///< Code and index.
    std::uint32_t left = 0;
    std::uint32_t right = 0;

    Element packed() const { return {value[0], value[1], left, right}; }
};

/// Greater than every code and index: what lies past the end.
constexpr Element missing{0xffffffffu, 0xffffffffu};

// Ports of abisort_phase.
enum : std::size_t { paths, trees };
enum : std::size_t { paths_out, nodes_out };

/// The specification of shaders/abisort_phase.glsl.
class Phase {
  public:
    Phase(CpuInvocation& k, const TreePointers& pointers)
        : k_(k),
          pointers_(pointers),
          op_{k.parameter(0), k.parameter(1), k.parameter(2), k.parameter(3), k.parameter(4)},
          block_{k.block_parameter(0), k.block_parameter(1), k.block_parameter(2),
                 k.block_parameter(3)},
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
    Node node_at(const TreePointers::Node& place) {
        if (place.in_order && place.element - 2 * op_.sequences >= op_.count) {
            const auto [left, right] = pointers_.children_in_order(place.element);
            return {missing, left, right};
        }
        const Element words = k_.read(trees, place.element);
        return {{words[0], words[1]}, words[2], words[3]};
    }

    /// Phase 0: the root and the spare node of a subtree.
    void first_phase(Node& a, Node& b) {
        if (block_.phase == 0) {
            const std::uint32_t spare = ((k_.instance + 1) << op_.level) - 1;
            const std::uint32_t root = spare - (1u << (op_.level - 1));
            a = node_at({true, 2 * op_.sequences + root});
            b = node_at({true, 2 * op_.sequences + spare});
        } else {
            const std::uint32_t parent = k_.instance / 2 ^ op_.nodes;
            const std::uint32_t element = k_.instance % 2;
            a = node_at({false, 2 * (parent ^ block_.from) + element});
            b = node_at({false, 2 * parent + element});
        }
        if (k_.precedes(b.value, a.value) == ascending_) {
            std::swap(a.value, b.value);
            std::swap(a.left, a.right);
        }
        k_.write(paths_out, 0, {a.left});
        k_.write(paths_out, 1, {a.right});
        // After the last stage these are the sequences of the next merge: they lie in order.
        a.left = a.right = 0;
        std::tie(b.left, b.right) = pointers_.children_in_order(2 * (k_.instance ^ op_.nodes) + 1);
    }

    void later_phase(Node& a, Node& b) {
        const std::uint32_t from = 2 * (k_.instance ^ block_.from);
        a = node_at(pointers_.node(k_.read(paths, from)[0]));
        b = node_at(pointers_.node(k_.read(paths, from + 1)[0]));
        const bool exchange = k_.precedes(b.value, a.value) == ascending_;
        if (exchange) {
            std::swap(a.value, b.value);
            std::swap(a.left, b.left);
        }
        std::uint32_t& path_a = exchange ? a.right : a.left;
        std::uint32_t& path_b = exchange ? b.right : b.left;
        k_.write(paths_out, 0, {path_a});
        k_.write(paths_out, 1, {path_b});
        const std::uint32_t next = 2 * (k_.instance ^ block_.next ^ op_.nodes);
        path_a = pointers_.to({false, next});
        path_b = pointers_.to({false, next + 1});
    }

    CpuInvocation& k_;
    const TreePointers& pointers_;
    PhaseParameters op_;
    PhaseBlockParameters block_;
    bool ascending_;
};

Port two(std::string name, Access access, std::uint32_t words) {
    return {.name = std::move(name), .access = access, .words = words, .elements = 2};
}

/// A kernel of two nodes an instance.
Kernel node_kernel(std::string name) {
    Kernel kernel;
    kernel.name = std::move(name);
    kernel.elements_per_instance = 2;
    kernel.defines = {{"RECORD_WORDS", "2"}};
    kernel.includes = {"tree"};
    return kernel;
}

}  // namespace

KernelPtr load_kernel(const KernelSetting& setting) {
    Kernel kernel = node_kernel("abisort_load");
    kernel.inputs = {two("source", Access::gather, 2)};
    kernel.outputs = {two("target", Access::linear, 4)};
    kernel.parameters = {{"count", Parameter::Kind::number}};
    kernel.cpu = [pointers = setting.pointers](CpuInvocation& k) {
        const std::uint32_t begin = 2 * k.instance;
        Node a, b;
        a.value = k.read(0, begin);
        b.value = begin + 1 < k.parameter(0) ? k.read(0, begin + 1) : missing;
        std::tie(b.left, b.right) = pointers.children_in_order(begin + 1);
        k.write(0, 0, a.packed());
        k.write(0, 1, b.packed());
    };
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr phase_kernel(const KernelSetting& setting) {
    Kernel kernel = node_kernel("abisort_phase");
    kernel.includes.push_back("node_at");
    kernel.inputs = {two("paths", Access::gather, 1), two("trees", Access::gather, 4)};
    kernel.outputs = {two("paths_out", Access::linear, 1), two("nodes_out", Access::linear, 4)};
    kernel.parameters = {{"odd", Parameter::Kind::number},
                         {"level", Parameter::Kind::number},
                         {"count", Parameter::Kind::number},
                         {"nodes", Parameter::Kind::index},
                         {"sequences", Parameter::Kind::index}};
    kernel.block_parameters = {{"phase", Parameter::Kind::number},
                               {"from", Parameter::Kind::index},
                               {"next", Parameter::Kind::index},
                               {"tree", Parameter::Kind::index}};
    if (setting.pruned) kernel.defines.emplace_back("PRUNED", "1");
    kernel.cpu = [pointers = setting.pointers](CpuInvocation& k) { Phase(k, pointers).run(); };
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr copy_back_kernel() {
    Kernel kernel;
    kernel.name = "abisort_copy_back";
    kernel.inputs = {two("nodes_out", Access::gather, 4)};
    kernel.outputs = {two("trees", Access::linear, 4)};
    kernel.parameters = {{"nodes", Parameter::Kind::index}};
    kernel.elements_per_instance = 2;
    kernel.cpu = [](CpuInvocation& k) {
        const std::uint32_t begin = 2 * (k.instance ^ k.parameter(0));
        for (std::uint32_t i = 0; i < 2; ++i) k.write(0, i, k.read(0, begin + i));
    };
    return std::make_shared<Kernel>(std::move(kernel));
}

}  // namespace glsort::abisort
