#pragma once

#include <glsort/stream/program.h>
#include <glsort/stream/trace.h>
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace glsort {

/// What a kernel's cpu body, or a chunk's, sees: its ports by number, its parameters, its own
/// number. Every access is checked against the end of the stream.
class CpuInvocation {
  public:
    /// A stream's memory.
    struct View {
        std::span<std::uint32_t> memory;
        std::uint32_t words = 1;
        std::uint32_t elements_per_record = 1;
        const char* name = "";
        /// Where the op writes the same memory: the records it may read.
        const Substream* readable = nullptr;
        std::size_t use = 0;  ///< The place in `Op::reads`, or in `Op::writes`.

        std::uint32_t* element(std::uint32_t index) const {
            const std::size_t first = std::size_t{index} * words;
            if (first + words > memory.size()) throw_past_end(*this, index);
            return memory.data() + first;
        }
    };

    explicit CpuInvocation(const Op& op)
        : op_(&op), loaded_(loaded_input(*op.kernel)), stored_(stored_output(*op.kernel)) {}

    /// The number of the record (or group) this invocation is for.
    std::uint32_t instance = 0;
    /// The number of its block in the op's domain.
    std::size_t block = 0;
    /// Comparisons of elements made so far.
    std::uint64_t comparisons = 0;

    /// Whether the trace is kept: what it alone needs is found only then.
    bool traced() const { return trace != nullptr; }

    std::uint32_t parameter(std::size_t number) const { return op_->parameters[number]; }
    std::span<const Counted> parameters() const { return op_->parameters; }
    std::uint32_t block_parameter(std::size_t number) const { return op_->blocks[block].parameters[number]; }

    /// Element `index` of input `port`: through the load chunk where that replaces the port.
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

    /// Element `k` of the instance's record in output `port`: through the store chunk where that replaces the port.
    void write(std::size_t port, std::uint32_t k, const Element& value) {
        if (store == nullptr)
            scatter(port, instance * outputs[port].elements_per_record + k, value);
        else  // which takes one element an instance
            scatter(port, instance, value);
    }

    /// Element `index` of output `port`: through the store chunk where that replaces the port.
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

    /// Element `index` of output `port`, which the op shares.
    Element shared(std::size_t port, std::uint32_t index) const {
        const View& view = output(port);
        note(view, index, false, true);
        Element value{};
        std::copy_n(view.element(index), view.words, value.begin());
        return value;
    }

    /// Adds `value` to the first word of element `index` of output `port`; returns the sum before.
    std::uint32_t add(std::size_t port, std::uint32_t index, std::uint32_t value) {
        const View& view = output(port);
        note(view, index, true, true);
        std::uint32_t& word = *view.element(index);
        const std::uint32_t before = word;
        word += value;
        return before;
    }

    /// The order of all comparison sorts: word by word, the first counts most, unless the kernel has an
    /// order of its own. Counts.
    bool precedes(const Element& a, const Element& b) {
        ++comparisons;
        if (trace != nullptr) trace->comparisons.push_back({instance, a, b});
        return op_->kernel->order ? op_->kernel->order(*this, a, b) : a < b;
    }

    // Set up by the executor.
    std::vector<View> inputs;
    std::vector<View> outputs;
    CpuInvocation* load = nullptr;    ///< Stands for the loaded input where set.
    CpuInvocation* store = nullptr;   ///< Stands for the stored output where set.
    OpTrace* trace = nullptr;         ///< Written where set.
    CpuInvocation* kernel = nullptr;  ///< Of a load or store: that of the kernel.

  private:
    /// The view of an output that no store chunk replaces.
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
