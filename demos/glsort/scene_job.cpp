#include "scene_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "gl_job.h"
#include "support/key_scene.h"
#include "support/memory.h"

namespace glsort::demo {
namespace {

// A camera at the origin that looks along -z and sees x and y from -1 to 1, at any depth.
View camera() {
    View view;
    for (const std::size_t diagonal : {0u, 5u, 10u, 15u})
        view.view[diagonal] = view.projection[diagonal] = 1;
    view.projection[10] = 0;
    return view;
}

SceneSpec scene_spec(const SortSpec& spec, std::uint32_t count, const SceneOptions& options) {
    SceneSpec scene{
        .key = spec.order.key, .direction = spec.order.direction, .algorithm = spec.algorithm, .backend = spec.backend};
    SceneSource source =
        options.computed_keys ? source_of_positions() : source_of_keys(spec.order.key, options.visible.has_value());
    source.gpu_count = options.gpu_count;
    scene.sources = divided(source, count, options.sources_or_one());
    // A scene has at least one element, which need not be drawn.
    if (count == 0) scene.sources.front().capacity = 1;
    return scene;
}

// Bytes of the inputs and the order of a scene on the GPU.
std::uint64_t bytes_of_scene(const SceneOptions& options, KeyType key, std::uint64_t count) {
    const std::uint64_t of_an_input =
        options.computed_keys ? 16 : key_bytes(key) + (options.visible ? std::uint64_t{4} : 0);
    return count * (of_an_input + 4);
}

}  // namespace

SceneSource source_of_positions() {
    SceneSource source;
    source.inputs = {{.name = "position"}};
    compute_view_keys(source, ViewKeys{});
    return source;
}

std::vector<std::array<float, 4>> values_of_positions() {
    return view_values(ViewKeys{}, camera());
}

std::array<std::uint32_t, 4> position_of(std::uint32_t depth, bool drawn) {
    return {std::bit_cast<std::uint32_t>(drawn ? 0.0f : 2.0f), 0, depth ^ 0x80000000u, 0};
}

SceneJob::SceneJob(const GlContext& context, const SortSpec& spec, const Items& input, const SceneOptions& options,
                   std::uint64_t seed, const SorterOptions& how)
    : gl_(context.gl),
      input_(input),
      sorter_(scene_spec(spec, static_cast<std::uint32_t>(input.count), options), HeadlessContext::get_proc_address(),
              how),
      order_(gl_, std::vector<std::uint32_t>(std::max<std::size_t>(input.count, 1))) {
    arguments_.order = {order_.name(), 0};
    upload(input, options, seed);
    gl_.Finish();
}

std::uint32_t SceneJob::add_buffer(const std::vector<std::uint32_t>& words) {
    buffers_.push_back(std::make_unique<GlBuffer>(gl_, words));
    return buffers_.back()->name();
}

void SceneJob::upload(const Items& input, const SceneOptions& options, std::uint64_t seed) {
    const std::size_t key_words = key_bytes(sorter_.spec().key) / 4;
    std::size_t first = 0;
    for (const SceneSource& source : sorter_.spec().sources) {
        const std::uint32_t count = input.count == 0 ? 0 : source.capacity;
        SceneArguments::Source given;
        std::vector<std::uint32_t> words;
        std::vector<std::uint32_t> marks;
        for (std::size_t i = first; i < first + count; ++i) {
            const bool drawn = options.draws(seed, i);
            if (options.computed_keys) {
                const auto position = position_of(input.keys[i], drawn);
                words.insert(words.end(), position.begin(), position.end());
            } else {
                words.insert(words.end(), input.keys.begin() + static_cast<std::ptrdiff_t>(i * key_words),
                             input.keys.begin() + static_cast<std::ptrdiff_t>((i + 1) * key_words));
                marks.push_back(drawn ? 1 : 0);
            }
        }
        // Room for the one element of an empty scene.
        if (words.empty()) words.resize(4);
        if (marks.empty()) marks.resize(1);
        given.inputs.push_back({add_buffer(words), 0});
        if (!options.computed_keys && options.visible) given.inputs.push_back({add_buffer(marks), 0});
        if (options.computed_keys) given.values = values_of_positions();
        if (options.gpu_count)
            given.gpu_count = {add_buffer({count}), 0};
        else
            given.count = count;
        arguments_.sources.push_back(std::move(given));
        first += count;
    }
}

void SceneJob::sort_in_steps(const std::function<void(std::size_t done, std::size_t ops)>& done) {
    sort();
    finish();
    done(1, 1);
}

Items SceneJob::result() {
    gl_.BindBuffer(GL_COPY_READ_BUFFER, sorter_.status().name);
    const auto* status =
        static_cast<const std::uint32_t*>(gl_.MapBufferRange(GL_COPY_READ_BUFFER, 0, 4, GL_MAP_READ_BIT));
    if (status == nullptr) throw std::runtime_error("the status of the scene cannot be read");
    const std::size_t count = *status;
    gl_.UnmapBuffer(GL_COPY_READ_BUFFER);
    std::vector<std::uint32_t> order = order_.download();
    order.resize(count);
    return gathered(input_, {.key = sorter_.spec().key}, order);
}

DrawnItems drawn_items(const Items& input, const ItemType& type, const SceneOptions& options, std::uint64_t seed) {
    DrawnItems drawn;
    for (std::size_t i = 0; i < input.count; ++i)
        if (options.draws(seed, i)) drawn.elements.push_back(static_cast<std::uint32_t>(i));
    drawn.items = gathered(input, type, drawn.elements);
    return drawn;
}

Items scene_reference(const Items& input, const ItemType& type, const SceneOptions& options, std::uint64_t seed) {
    const DrawnItems drawn = drawn_items(input, type, options, seed);
    // The values are positions among the drawn elements.
    std::vector<std::uint32_t> order = sorted_reference(drawn.items, type).values;
    for (std::uint32_t& position : order)
        position = drawn.elements[position];
    return gathered(input, type, order);
}

void check_memory(const GlContext& context, const SortSpec& spec, const SceneOptions& scene, std::uint32_t count,
                  std::uint64_t bytes_on_host, const std::string& argument) {
    std::uint64_t bytes_on_device = check_device_holds(context, spec, count, argument);
    if (scene.is_scene()) bytes_on_device += bytes_of_scene(scene, spec.order.key, count);
    const std::uint64_t shared = free_gpu_memory(context.gl) == 0 ? bytes_on_device : 0;
    require_memory(argument, bytes_on_host + shared, free_memory(), "the computer's");
}

}  // namespace glsort::demo
