#include "binding.h"

#include <glsort/scene.h>
#include <glsort/sorter.h>

#include <chrono>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

/// What glsort.js calls. Functions return 0, or a negative number, if they have failed: `last_text` says why. Objects
/// of WebGL are numbers, which webgl.js hands out.

glsort::GlProcedure webgl_function(const char* name);

namespace glsort::web {
namespace {

std::string text;

/// JavaScript shows the state of the context in its own way, and saves it where it is asked to.
SorterOptions options() {
    return {.state = StatePolicy::caller_resets, .construction = Construction::calls_refuse};
}

/// Reads the numbers of a call from an array, one after the other.
class Numbers {
  public:
    explicit Numbers(const std::uint32_t* next) : next_(next) {}
    std::uint32_t take() { return *next_++; }
    float take_float() {
        float number = 0;
        std::memcpy(&number, next_++, sizeof number);
        return number;
    }
    template <std::size_t N>
    void take(std::array<float, N>& numbers) {
        for (float& number : numbers)
            number = take_float();
    }
    TextureView take_texture() {
        TextureView view;
        view.name = take();
        view.width = take();
        view.height = take();
        return view;
    }

  private:
    const std::uint32_t* next_;
};

struct Scene {
    SceneSpec spec;
    std::vector<std::optional<ViewKeys>> views;  ///< One for each source: empty if it has GLSL of its own.
    std::unique_ptr<SceneSorter> sorter;
    SceneArguments arguments;

    SceneSource& source() { return spec.sources.back(); }
};

View take_view(Numbers& numbers) {
    View view;
    numbers.take(view.view);
    numbers.take(view.projection);
    view.viewport_height = numbers.take_float();
    view.min_pixels = numbers.take_float();
    return view;
}

void take_source(Numbers& numbers, const SceneSource& source, const std::optional<ViewKeys>& view,
                 SceneArguments::Source& given) {
    given.count = numbers.take();
    given.inputs.clear();
    given.textures.clear();
    for (const SceneInput& input : source.inputs) {
        if (input.medium == Medium::texture) {
            given.textures.push_back(numbers.take_texture());
        } else {
            BufferSlice slice;
            slice.name = numbers.take();
            slice.offset = numbers.take();
            given.inputs.push_back(slice);
        }
    }
    if (view) {
        given.values = view_values(*view, take_view(numbers));
        return;
    }
    given.values.resize(source.values.size());
    for (std::array<float, 4>& value : given.values)
        numbers.take(value);
}

}  // namespace

template <class Work>
int guarded(const Work& work) {
    try {
        return work();
    } catch (const std::exception& error) {
        text = error.what();
        return -1;
    }
}

int answer(const std::function<std::string()>& work) {
    return guarded([&] {
        text = work();
        return 1;
    });
}

}  // namespace glsort::web

using namespace glsort;
using namespace glsort::web;

extern "C" {

EXPORT("last_text") const char* last_text() {
    return text.c_str();
}

/// `payload`: 0 none, 1 index. Returns a sorter, or 0.
EXPORT("sorter_new") Sorter* sorter_new(int key, int payload, int descending, std::uint32_t capacity) {
    Sorter* made = nullptr;
    guarded([&] {
        SortSpec spec;
        spec.order.key = static_cast<KeyType>(key);
        spec.order.direction = descending != 0 ? Direction::descending : Direction::ascending;
        spec.payload = payload != 0 ? Payload::index() : Payload::none();
        spec.capacity = capacity;
        spec.backend = Backend::fragment;
        spec.layout = Layout::row_wise;
        spec.input = spec.output = Medium::texture;
        spec.own_output = true;
        made = new Sorter(spec, webgl_function, options());
        return 1;
    });
    return made;
}
EXPORT("sorter_ready") int sorter_ready(Sorter* sorter, int microseconds) {
    return guarded([&] { return sorter->ready(std::chrono::microseconds(microseconds)) ? 1 : 0; });
}
/// Returns the name of the texture with the result, and writes its size.
EXPORT("sorter_sort")
int sorter_sort(Sorter* sorter, std::uint32_t texture, std::uint32_t width, std::uint32_t height, std::uint32_t count,
                std::uint32_t* size) {
    return guarded([&] {
        const TextureView order =
            sorter->sort_to_texture({.input = TextureView{texture, width, height}, .count = count});
        size[0] = order.width;
        size[1] = order.height;
        return static_cast<int>(order.name);
    });
}
/// Without a context, objects are only forgotten.
EXPORT("sorter_delete") void sorter_delete(Sorter* sorter, int lost) {
    if (lost != 0) sorter->abandon();
    delete sorter;
}

/// `form`: that of SceneTexture. `key_bits`: 0 for all.
EXPORT("scene_new") Scene* scene_new(int key, int descending, int form, std::uint32_t key_bits, int reciprocal) {
    auto* scene = new Scene;
    SceneSpec& spec = scene->spec;
    spec.key = static_cast<KeyType>(key);
    spec.direction = descending != 0 ? Direction::descending : Direction::ascending;
    spec.backend = Backend::fragment;
    spec.order = false;
    spec.texture = SceneTexture{static_cast<SceneTexture::Form>(form)};
    using Scale = SceneQuantisation::Scale;
    if (key_bits != 0) spec.quantisation = {reciprocal != 0 ? Scale::reciprocal : Scale::linear, key_bits};
    return scene;
}
/// Further inputs and values are those of this source.
EXPORT("scene_source") void scene_source(Scene* scene, const char* name, std::uint32_t capacity, const char* glsl) {
    scene->spec.sources.emplace_back();
    scene->views.emplace_back();
    scene->source().name = name;
    scene->source().capacity = capacity;
    scene->source().sort_key = glsl;
}
EXPORT("scene_input")
void scene_input(Scene* scene, const char* name, int type, std::uint32_t components, std::uint32_t stride,
                 std::uint32_t offset, int in_texture) {
    SceneInput input;
    input.name = name;
    input.type = static_cast<SceneInput::Type>(type);
    input.components = components;
    input.stride = stride;
    input.offset = offset;
    input.medium = in_texture != 0 ? Medium::texture : Medium::buffer;
    scene->source().inputs.push_back(input);
}
EXPORT("scene_value") void scene_value(Scene* scene, const char* name) {
    scene->source().values.emplace_back(name);
}
EXPORT("scene_view_keys")
int scene_view_keys(Scene* scene, int distance, const char* radius, int frustum, int small) {
    return guarded([&] {
        ViewKeys keys;
        if (distance != 0) keys.measure = ViewKeys::Measure::distance;
        keys.radius = radius;
        keys.frustum = frustum != 0;
        keys.small = small != 0;
        compute_view_keys(scene->source(), keys);
        scene->views.back() = keys;
        return 1;
    });
}
/// The specification is complete. `scene_ready` may be called.
EXPORT("scene_start") int scene_start(Scene* scene) {
    return guarded([&] {
        scene->sorter = std::make_unique<SceneSorter>(scene->spec, webgl_function, options());
        scene->arguments.sources.resize(scene->spec.sources.size());
        return 1;
    });
}
EXPORT("scene_ready") int scene_ready(Scene* scene, int microseconds) {
    return guarded([&] { return scene->sorter->ready(std::chrono::microseconds(microseconds)) ? 1 : 0; });
}
/// `numbers`: the texture; the nearest and the farthest key; for each source the count, its inputs, and its values or
/// its view. A texture is a name, a width and a height, a buffer a name and an offset.
EXPORT("scene_sort") int scene_sort(Scene* scene, const std::uint32_t* given) {
    return guarded([&] {
        Numbers numbers(given);
        SceneArguments& arguments = scene->arguments;
        arguments.texture = numbers.take_texture();
        arguments.nearest = numbers.take_float();
        arguments.farthest = numbers.take_float();
        for (std::size_t i = 0; i < arguments.sources.size(); ++i)
            take_source(numbers, scene->spec.sources[i], scene->views[i], arguments.sources[i]);
        scene->sorter->sort(arguments, Readers::texture);
        return 1;
    });
}
/// The name of the buffer whose first word is the number of visible items.
EXPORT("scene_status") int scene_status(Scene* scene) {
    return guarded([&] { return static_cast<int>(scene->sorter->status().name); });
}
EXPORT("scene_items") int scene_item_glsl(Scene* scene) {
    return answer([&] { return item_glsl(scene->spec.sources); });
}
EXPORT("scene_delete") void scene_delete(Scene* scene, int lost) {
    if (lost != 0 && scene->sorter) scene->sorter->abandon();
    delete scene;
}

}  // extern "C"
