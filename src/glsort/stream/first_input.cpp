#include <glsort/stream/cpu_invocation.h>
#include <glsort/stream/first_input.h>

#include <algorithm>
#include <utility>

namespace glsort {

class FirstInput::Reader {
  public:
    Reader(const StreamProgram& program, const Op& op, const WordsOf& words_of) : op_(op), invocation_(op) {
        // The input ports of the load chunk follow the kernel's remaining inputs.
        const std::size_t first = op.load ? op.kernel->inputs.size() - 1 : loaded_input(*op.kernel);
        const std::size_t ports = op.load ? op.load->inputs.size() : 1;
        memory_.reserve(ports);
        for (std::size_t i = 0; i < ports; ++i) {
            const StreamId id = op.reads[first + i].stream;
            const Stream& stream = program.streams[id];
            memory_.push_back(words_of(id));
            invocation_.inputs.push_back({.memory = memory_.back(),
                                          .words = stream.words,
                                          .elements_per_record = stream.elements_per_record,
                                          .name = stream.name.c_str()});
        }
    }

    Element element(std::uint32_t index) {
        if (op_.load) return op_.load->load(invocation_, index);
        const CpuInvocation::View& view = invocation_.inputs.front();
        Element element{};
        std::copy_n(view.element(index), view.words, element.begin());
        return element;
    }

  private:
    const Op& op_;
    CpuInvocation invocation_;
    std::vector<std::vector<std::uint32_t>> memory_;
};

FirstInput::FirstInput(const StreamProgram& program, const Op& op, const WordsOf& words_of)
    : reader_(std::make_unique<Reader>(program, op, words_of)) {}
FirstInput::~FirstInput() = default;
FirstInput::FirstInput(FirstInput&&) noexcept = default;
FirstInput& FirstInput::operator=(FirstInput&&) noexcept = default;

Element FirstInput::element(std::uint32_t index) const {
    return reader_->element(index);
}

}  // namespace glsort
