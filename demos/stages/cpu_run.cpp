#include "cpu_run.h"

#include <glsort/scene.h>
#include <glsort/sorter.h>

namespace glsort::demo {

namespace {

class PlainRun : public CpuRun {
  public:
    PlainRun(const Input& input, const Method& method, const Limits& limits, std::span<const std::uint32_t> keys)
        : input_(keys.begin(), keys.end()), values_(input.n), sorter_(sort_spec(input, method), limits) {
        begin();
    }
    const StreamProgram& program() const override { return sorter_.program(); }
    void begin() override {
        keys_ = input_;
        values_.assign(values_.size(), 0);
        sorter_.begin(keys_, values_);
    }
    bool step(OpTrace* trace) override { return trace != nullptr ? sorter_.step(*trace) : sorter_.step(); }
    std::vector<std::uint32_t> read(StreamId stream) override { return sorter_.read(stream); }
    std::uint64_t comparisons() const override { return sorter_.comparisons(); }

  private:
    std::vector<std::uint32_t> input_;
    std::vector<std::uint32_t> keys_;
    std::vector<std::uint32_t> values_;
    CpuSorter sorter_;
};

class SceneRun : public CpuRun {
  public:
    SceneRun(const Input& input, const Method& method, const Limits& limits, std::span<const std::uint32_t> keys)
        : keys_(keys.begin(), keys.end()), sorter_(scene_spec(input, method), limits) {
        marks_.resize(input.n);
        for (const std::uint32_t element : shown_elements(input))
            marks_[element] = 1;
        begin();
    }
    const StreamProgram& program() const override { return sorter_.program(); }
    void begin() override {
        CpuSceneArguments arguments;
        std::size_t first = 0;
        for (const SceneSource& source : sorter_.spec().sources) {
            const std::size_t words = source.inputs[0].components;
            const std::uint32_t count = source.capacity;
            arguments.sources.push_back(
                {.inputs = {std::span(keys_).subspan(words * first, words * count)}, .count = count});
            if (source.inputs.size() > 1)
                arguments.sources.back().inputs.push_back(std::span(marks_).subspan(first, count));
            first += count;
        }
        sorter_.begin(arguments);
    }
    bool step(OpTrace* trace) override { return trace != nullptr ? sorter_.step(*trace) : sorter_.step(); }
    std::vector<std::uint32_t> read(StreamId stream) override { return sorter_.read(stream); }
    std::uint64_t comparisons() const override { return sorter_.comparisons(); }

  private:
    std::vector<std::uint32_t> keys_;
    std::vector<std::uint32_t> marks_;  // 0: the element is not visible
    CpuSceneSorter sorter_;
};

}  // namespace

std::unique_ptr<CpuRun> make_cpu_run(const Input& input, const Method& method, const Limits& limits,
                                     std::span<const std::uint32_t> keys) {
    if (input.is_scene()) return std::make_unique<SceneRun>(input, method, limits, keys);
    return std::make_unique<PlainRun>(input, method, limits, keys);
}

}  // namespace glsort::demo
