#include <fmt/format.h>

#include <glsort/base/in_function.h>
#include <glsort/error.h>
#include <glsort/exec/cpu_executor.h>
#include <glsort/plan/scene/scene_access.h>
#include <glsort/plan/scene/whole_scene.h>
#include <glsort/scene.h>
#include <glsort/session/scene_numbers.h>
#include <glsort/stream/scheduler.h>

#include <algorithm>
#include <map>
#include <utility>

namespace glsort {
namespace {

using Words = std::vector<std::uint32_t>;

void check_number(const std::string& name, std::size_t given, const char* what, std::size_t needed) {
    if (given != needed) throw Error(fmt::format("{} has {} {}; the specification has {}", name, given, what, needed));
}

void check_data(const std::string& name, const std::vector<SceneInput>& inputs, std::size_t values,
                scene::InputSizes sizes, const std::vector<std::span<const std::uint32_t>>& given,
                std::size_t given_values) {
    check_number(name + ".inputs", given.size(), "spans", inputs.size());
    check_number(name + ".values", given_values, "values", values);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const std::uint32_t elements = sizes.next(inputs[i]);
        const std::uint64_t words = scene::in_texture(inputs[i]) ? std::uint64_t{inputs[i].components} * elements
                                                                 : scene::words_for(inputs[i], elements);
        if (given[i].size() < words)
            throw Error(fmt::format("{}.inputs[{}] ({}) has {} words; the elements take {}", name, i, inputs[i].name,
                                    given[i].size(), words));
    }
}

void check_arguments(const SceneSpec& spec, const CpuSceneArguments& given) {
    check_number("sources", given.sources.size(), "entries", spec.sources.size());
    check_number("results", given.results.size(), "entries", spec.results.size());
    scene::check_depths(spec, given.nearest, given.farthest);
    for (std::size_t i = 0; i < spec.sources.size(); ++i) {
        const SceneSource& source = spec.sources[i];
        const CpuSceneArguments::Source& of_source = given.sources[i];
        const std::string name = fmt::format("sources[{}]", i);
        if (of_source.count > source.capacity && !source.gpu_count)
            throw Error(fmt::format("{}.count {} exceeds the capacity {} given at construction", name, of_source.count,
                                    source.capacity));
        if (source.capacity == 0) continue;
        scene::check_tables("sources", i, source.inputs, of_source.table_elements);
        check_data(name, source.inputs, source.values.size(),
                   {std::min(of_source.count, source.capacity), of_source.table_elements}, of_source.inputs,
                   of_source.values.size());
    }
    for (std::size_t i = 0; i < spec.results.size(); ++i) {
        scene::check_tables("results", i, spec.results[i].inputs, given.results[i].table_elements);
        check_data(fmt::format("results[{}]", i), spec.results[i].inputs, spec.results[i].values.size(),
                   {0, given.results[i].table_elements}, given.results[i].inputs, given.results[i].values.size());
    }
    if (!spec.triangles) return;
    const std::uint64_t per_word = spec.triangles->type == SceneInput::Type::u16 ? 2 : 1;
    for (std::size_t i = 0; i < spec.sources.size(); ++i) {
        const std::uint32_t count = std::min(given.sources[i].count, spec.sources[i].capacity);
        if (count == 0) continue;
        const std::uint64_t indices = given.sources[i].first_index + std::uint64_t{spec.triangles->corners} * count;
        if (given.indices.size() < (indices + per_word - 1) / per_word)
            throw Error(fmt::format("indices has {} words; the corners of source {} end at index {}",
                                    given.indices.size(), i, indices));
    }
}

}  // namespace

class CpuSceneSorter::Implementation {
  public:
    /// A program in host memory.
    struct Runner {
        CpuExecutor executor;
        Scheduler scheduler{executor};
        std::map<StreamId, Words> memory;  ///< Of the caller's streams.

        void prepare(StreamProgram program, const Limits& limits) {
            scheduler.prepare(std::move(program), limits);
            memory.clear();
            const std::vector<Stream>& streams = scheduler.program().streams;
            for (StreamId id = 0; id < streams.size(); ++id) {
                if (streams[id].role == StreamRole::scratch) continue;
                memory[id].resize(static_cast<std::size_t>(streams[id].bytes() / 4));
                executor.bind(id, memory[id]);
            }
        }
        void fill(StreamId id, std::span<const std::uint32_t> words) {
            Words& held = memory.at(id);
            std::copy_n(words.begin(), std::min(words.size(), held.size()), held.begin());
        }
    };

    Implementation(const SceneSpec& spec, const Limits& limits) : spec_(spec), limits_(limits) {
        scene::check_spec(spec_);
        if (spec_.backend != Backend::fragment) spec_.backend = Backend::compute;
        for (const SceneSource& source : spec_.sources)
            if (!source.host && source.capacity > 0)
                throw Error(fmt::format("source {} has no host function", source.name));
        for (const SceneResult& result : spec_.results)
            if (!result.host) throw Error(fmt::format("result {} has no host function", result.name));
        keys_ = scene::plan_scene(spec_, limits_);
        sinks_ = scene::plan_sinks(spec_, limits_);
        planned_ = scene::join(spec_, limits_, keys_, sinks_, scene::items_of(spec_)).program;
    }

    void begin(const CpuSceneArguments& arguments) {
        check_arguments(spec_, arguments);
        const std::uint32_t visible = count_visible(arguments);
        auto runner = std::make_unique<Runner>();
        scene::WholeScene whole = scene::join(spec_, limits_, keys_, sinks_, visible);
        runner->prepare(std::exchange(whole.program, {}), limits_);
        give(*runner, whole.keys, arguments);
        give(*runner, whole.sinks, arguments);
        runner_ = std::move(runner);
        whole_ = std::move(whole);
        visible_ = visible;
    }

    Words order() {
        if (!runner_ || runner_->scheduler.done() < runner_->scheduler.program().ops.size())
            throw Error("the sort has ops that have not run");
        const Stream& stream = runner_->scheduler.program().streams[whole_.sinks.sorted];
        const Words sorted = runner_->scheduler.read(whole_.sinks.sorted);
        const scene::KeyForm form = scene::key_form(spec_);
        // The number of an item is the word behind its key, if the stream has keys.
        const std::size_t item_word = stream.words > 1 ? form.words() : 0;
        Words order;
        for (std::size_t i = 0; i < visible_; ++i)
            order.push_back(form.packed() ? sorted[i] & ((1u << form.item_bits) - 1)
                                          : sorted[i * stream.words + item_word]);
        return order;
    }

    SceneSpec spec_;
    std::unique_ptr<Runner> runner_;  ///< Null before the first sort.
    std::uint32_t visible_ = 0;
    StreamProgram planned_;  ///< With all items visible.

  private:
    std::uint32_t count_visible(const CpuSceneArguments& arguments) const {
        Runner keys;
        keys.prepare(keys_.program, limits_);
        give(keys, keys_, arguments);
        keys.scheduler.run();
        return keys.memory.at(keys_.status).front();
    }

    void give(Runner& runner, const scene::ScenePlan& plan, const CpuSceneArguments& arguments) const {
        scene::DepthRange range;
        if (spec_.quantisation) range = scene::depth_range(*spec_.quantisation, arguments.nearest, arguments.farthest);
        for (const scene::ScenePlan::Source& planned : plan.sources) {
            const CpuSceneArguments::Source& given = arguments.sources[planned.number];
            for (std::size_t i = 0; i < planned.inputs.size(); ++i)
                runner.fill(planned.inputs[i], given.inputs[i]);
            if (planned.count)
                runner.fill(*planned.count, {&given.count, 1});
            else
                scene::set_source_count(runner.scheduler, planned, given.count);
            scene::set_source_values(runner.scheduler, planned, given.values);
            if (spec_.quantisation) scene::set_depths(runner.scheduler, planned, range);
        }
    }

    void give(Runner& runner, const scene::SinkPlan& plan, const CpuSceneArguments& arguments) const {
        if (plan.triangles) {
            runner.fill(*plan.indices, arguments.indices);
            for (std::size_t i = 0; i < arguments.sources.size(); ++i)
                scene::set_corners(runner.scheduler, plan.triangles_op, i, arguments.sources[i].first_index,
                                   arguments.sources[i].base_vertex);
        }
        for (std::size_t i = 0; i < plan.results.size(); ++i) {
            const CpuSceneArguments::Result& given = arguments.results[i];
            for (std::size_t input = 0; input < given.inputs.size(); ++input)
                runner.fill(plan.results[i].inputs[input], given.inputs[input]);
            scene::set_values(runner.scheduler, plan.results[i].op, 0, given.values);
        }
    }

    Limits limits_;
    scene::ScenePlan keys_;
    scene::SinkPlan sinks_;
    scene::WholeScene whole_;  ///< Its program is the scheduler's.
};

CpuSceneSorter::CpuSceneSorter(const SceneSpec& spec, const Limits& limits)
    : implementation_(in_function("CpuSceneSorter::CpuSceneSorter",
                                  [&] { return std::make_unique<Implementation>(spec, limits); })) {}
CpuSceneSorter::~CpuSceneSorter() = default;
CpuSceneSorter::CpuSceneSorter(CpuSceneSorter&&) noexcept = default;
CpuSceneSorter& CpuSceneSorter::operator=(CpuSceneSorter&&) noexcept = default;

void CpuSceneSorter::sort(const CpuSceneArguments& arguments) {
    in_function("CpuSceneSorter::sort", [&] { implementation_->begin(arguments); });
    implementation_->runner_->scheduler.run();
}

void CpuSceneSorter::begin(const CpuSceneArguments& arguments) {
    in_function("CpuSceneSorter::begin", [&] { implementation_->begin(arguments); });
}

bool CpuSceneSorter::step() {
    return implementation_->runner_ && implementation_->runner_->scheduler.step();
}

bool CpuSceneSorter::step(OpTrace& trace) {
    trace = {};
    if (!implementation_->runner_) return false;
    return implementation_->runner_->executor.traced(trace, [&] { return implementation_->runner_->scheduler.step(); });
}

std::size_t CpuSceneSorter::steps_done() const {
    return implementation_->runner_ ? implementation_->runner_->scheduler.done() : 0;
}

std::vector<std::uint32_t> CpuSceneSorter::read(StreamId stream) {
    return in_function("CpuSceneSorter::read", [&] {
        if (!implementation_->runner_) throw Error("no sort has begun");
        return implementation_->runner_->scheduler.read(stream);
    });
}

const StreamProgram& CpuSceneSorter::program() const {
    return implementation_->runner_ ? implementation_->runner_->scheduler.program() : implementation_->planned_;
}

std::uint32_t CpuSceneSorter::visible() const {
    return implementation_->visible_;
}

std::vector<std::uint32_t> CpuSceneSorter::order() {
    return in_function("CpuSceneSorter::order", [&] { return implementation_->order(); });
}

std::uint64_t CpuSceneSorter::comparisons() const {
    return implementation_->runner_ ? implementation_->runner_->executor.comparisons() : 0;
}

const SceneSpec& CpuSceneSorter::spec() const {
    return implementation_->spec_;
}

}  // namespace glsort
