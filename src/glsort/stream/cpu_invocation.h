#pragma once

#include <glsort/stream/kernel.h>
#include <glsort/stream/program.h>
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace glsort {

/// What the cpu body of a kernel or chunk works on: ports and parameters by number, and the number of the instance.
/// Every access is checked against the end of the stream.
class CpuInvocation {
  public:
    /// A stream's memory.
    struct View {
        std::span<std::uint32_t> memory;
        std::uint32_t words = 1;
        std::uint32_t elements_per_record = 1;
        const char* name = "";
        /// The records that the kernel may read. Null: all records. Set if the op also writes this memory.
        const Substream* readable = nullptr;
        std::size_t use = 0;  ///< Index into `Op::reads` or `Op::writes`.

        std::uint32_t* element(std::uint32_t index) const {
            const std::size_t first = std::size_t{index} * words;
            if (first + words > memory.size()) throw_past_end(*this, index);
            return memory.data() + first;
        }
    };

    explicit CpuInvocation(const Op& op)
        : op_(&op), loaded_(loaded_input(*op.kernel)), stored_(stored_output(*op.kernel)) {}

    /// The number of the record or group that this invocation handles.
    std::uint32_t instance = 0;
    /// The block of the op's domain that contains `instance`.
    std::size_t block = 0;
    /// Comparisons of elements made so far.
    std::uint64_t comparisons = 0;

    /// Whether a trace is recorded. If not, bodies skip computations that serve the trace alone.
    bool traced() const { return trace != nullptr; }

    std::uint32_t parameter(std::size_t number) const { return op_->parameters[number]; }
    std::span<const Counted> parameters() const { return op_->parameters; }
    std::uint32_t block_parameter(std::size_t number) const { return op_->blocks[block].parameters[number]; }

    /// Element `index` of input `port`. If a load chunk replaces the port, the chunk computes the element.
    Element read(std::size_t port, std::uint32_t index) {
        if (load != nullptr && port == loaded_) return op_->load->load(*load, index);
        const View& view = inputs[load != nullptr && port > loaded_ ? port - 1 : port];
        const std::uint32_t* words = view.element(index);
        if (view.readable != nullptr && !view.readable->contains(index / view.elements_per_record))
            throw_race(view, index);
        note(view, index, false, false);
        Element value{};
        for (std::uint32_t i = 0; i < view.words; ++i)
            value[i] = words[i];
        return value;
    }

    /// Writes element `k` of the instance's record to output `port`, or hands the element to the store chunk that
    /// replaces the port.
    void write(std::size_t port, std::uint32_t k, const Element& value) {
        if (store == nullptr)
            scatter(port, instance * outputs[port].elements_per_record + k, value);
        else  // A store chunk takes one element per instance.
            scatter(port, instance, value);
    }

    /// Writes element `index` of output `port`, or hands the element to the store chunk that replaces the port.
    void scatter(std::size_t port, std::uint32_t index, const Element& value) {
        if (store != nullptr && port == stored_) {
            store->instance = index;
            return op_->store->store(*store, index, value);
        }
        const View& view = output(port);
        note(view, index, true, true);
        std::uint32_t* words = view.element(index);
        for (std::uint32_t i = 0; i < view.words; ++i)
            words[i] = value[i];
    }

    /// Reads element `index` of output `port`, which has access `shared`.
    Element shared(std::size_t port, std::uint32_t index) const {
        const View& view = output(port);
        note(view, index, false, true);
        Element value{};
        std::copy_n(view.element(index), view.words, value.begin());
        return value;
    }

    /// Adds `value` to the first word of element `index` of output `port`. Returns the word before the addition.
    std::uint32_t add(std::size_t port, std::uint32_t index, std::uint32_t value) {
        const View& view = output(port);
        note(view, index, true, true);
        std::uint32_t& word = *view.element(index);
        const std::uint32_t before = word;
        word += value;
        return before;
    }

    /// Whether `a` sorts before `b`: by `Kernel::order` if there is one, otherwise by the lexicographic order of the
    /// words. Counts the comparison.
    bool precedes(const Element& a, const Element& b) {
        ++comparisons;
        if (trace != nullptr) trace->comparisons.push_back({instance, a, b});
        return op_->kernel->order ? op_->kernel->order(*this, a, b) : a < b;
    }

    // Set up by the executor.
    std::vector<View> inputs;
    std::vector<View> outputs;
    CpuInvocation* load = nullptr;    ///< Computes the loaded input; null: no load chunk.
    CpuInvocation* store = nullptr;   ///< Takes the stored output; null: no store chunk.
    OpTrace* trace = nullptr;         ///< Receives the trace; null: none.
    CpuInvocation* kernel = nullptr;  ///< For the invocation of a chunk: the invocation of the kernel.

  private:
    /// The view of an output port of the kernel. A port that a store chunk replaces has no view.
    const View& output(std::size_t port) const { return outputs[store != nullptr && port > stored_ ? port - 1 : port]; }
    void note(const View& view, std::uint32_t index, bool write, bool of_output) const {
        if (trace != nullptr)
            trace->touches.push_back({.instance = kernel != nullptr ? kernel->instance : instance,
                                      .use = view.use,
                                      .write = write,
                                      .of_output = of_output,
                                      .element = index});
    }

    [[noreturn]] static void throw_past_end(const View& view, std::uint32_t index);
    [[noreturn]] static void throw_race(const View& view, std::uint32_t index);

    const Op* op_;
    std::size_t loaded_;
    std::size_t stored_;
};

}  // namespace glsort
