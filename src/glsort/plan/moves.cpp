#include <glsort/base/browser.h>
#include <glsort/plan/moves.h>
#include <glsort/stream/cpu_invocation.h>

#include <algorithm>
#include <utility>

namespace glsort {

KernelPtr copy_kernel(std::uint32_t words, std::uint32_t elements) {
    Kernel kernel;
    kernel.name = "copy";
    kernel.inputs = {{.name = "source", .access = Access::gather, .words = words}};
    kernel.outputs = {{.name = "target", .words = words, .elements = elements}};
    kernel.elements_per_instance = elements;
    kernel.shape.copies = true;
    kernel.cpu = [](CpuInvocation& k) { k.write(0, 0, k.read(0, k.instance)); };
    if (elements > 1) {
        kernel.inputs.front().elements = elements;
        kernel.parameters = {{"count"}};
        kernel.defines.emplace_back("GLSORT_ELEMENTS", literal(elements));
        kernel.cpu = [elements](CpuInvocation& k) {
            for (std::uint32_t i = 0; i < elements; ++i)
                k.write(0, i, k.read(0, std::min(k.instance * elements + i, k.parameter(0) - 1)));
        };
    }
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr download_kernel(std::uint32_t words) {
    Kernel kernel = *copy_kernel(words);
    kernel.name = "download";
    kernel.transfer = true;
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr upload_kernel(std::uint32_t words) {
    const std::uint32_t parts = upload_parts(words);
    Kernel kernel = *copy_kernel(words / parts);
    kernel.name = "upload";
    kernel.transfer = true;
    if (parts > 1) {
        kernel.inputs.front().words = words;
        kernel.shape.copies = false;
        kernel.cpu = [parts](CpuInvocation& k) { k.write(0, 0, {k.read(0, k.instance / parts)[k.instance % parts]}); };
    }
    return std::make_shared<Kernel>(std::move(kernel));
}

bool reads_in_buffer(const Limits& limits, std::uint32_t words, std::uint64_t elements) {
    // From OpenGL 4.3 on, a texture can begin at any multiple of 256 bytes of its buffer. At most 63 texels then lie
    // before the elements.
    constexpr std::uint64_t before = 63;
    // OpenGL 3.3 has no buffer textures with texels of three integers.
    return !in_browser && words != 3 && before + elements <= limits.texture_buffer;
}

std::uint32_t upload_parts(std::uint32_t words) {
    return words == 3 ? 3 : 1;
}

KernelPtr join_words_kernel() {
    Kernel kernel;
    kernel.name = "join_words";
    kernel.inputs = {{.name = "source", .access = Access::gather, .elements = 3}};
    kernel.outputs = {{.name = "target", .words = 3}};
    kernel.cpu = [](CpuInvocation& k) {
        const auto word = [&k](std::uint32_t i) { return k.read(0, 3 * k.instance + i)[0]; };
        k.write(0, 0, {word(0), word(1), word(2)});
    };
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr element_copy_kernel(const ElementType& element_type, std::uint32_t elements) {
    Kernel kernel = *copy_kernel(element_type.words(), elements);
    element_type.declare_in(kernel, false);
    return std::make_shared<Kernel>(std::move(kernel));
}

KernelPtr gather_values_kernel(const ElementType& element_type, std::uint32_t words, std::uint32_t chunks) {
    Kernel kernel;
    kernel.name = "gather_values";
    kernel.inputs = {{.name = "records", .access = Access::gather, .words = element_type.words()},
                     {.name = "values", .access = Access::gather, .words = words, .role = PortRole::values}};
    kernel.outputs = {{.name = "values_out", .words = words, .role = PortRole::values}};
    kernel.defines = {{"GLSORT_CHUNKS", literal(chunks)}};
    element_type.declare_in(kernel, false);
    kernel.cpu = [element_type, chunks](CpuInvocation& k) {
        const std::uint32_t index = element_type.index_of(k.read(0, k.instance / chunks));
        k.write(0, 0, k.read(1, index * chunks + k.instance % chunks));
    };
    return std::make_shared<Kernel>(std::move(kernel));
}

void add_move(StreamProgram& program, StreamId source, StreamId target, KernelPtr kernel) {
    Op op;
    op.kernel = std::move(kernel);
    op.domain = Substream::first(program.streams[target].records);
    op.reads = {{source, Substream::first(program.streams[source].records)}};
    op.writes = {{target, op.domain}};
    program.ops.push_back(std::move(op));
}

}  // namespace glsort
