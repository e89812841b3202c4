#include <fmt/format.h>

#include <glsort/base/browser.h>
#include <glsort/error.h>
#include <glsort/plan/scene/scene_access.h>
#include <glsort/plan/scene/scene_program.h>
#include <glsort/plan/scene/scene_sinks.h>
#include <glsort/session/arguments.h>
#include <glsort/session/ranges.h>
#include <glsort/session/scene_arguments.h>
#include <glsort/session/scene_numbers.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace glsort {
namespace {

class ArgumentCheck {
  public:
    ArgumentCheck(const SceneTerms& terms, const SceneArguments& arguments)
        : api_(terms.api), spec_(terms.spec), given_(arguments), ask_(terms.options.state == StatePolicy::restore) {
        results_[results_noted_++] = {"status()", terms.status, std::uint64_t{4} * scene::status_words};
    }

    void run() {
        check_context(api_);
        check_numbers();
        items_ = scene::most_items(spec_, given_);
        scene::check_depths(spec_, given_.nearest, given_.farthest);
        check_results();
        for (std::size_t i = 0; i < spec_.sources.size(); ++i)
            check_source(i);
        if (!in_browser && spec_.triangles) check_indices();
        for (std::size_t i = 0; i < spec_.results.size(); ++i) {
            scene::check_tables("results", i, spec_.results[i].inputs, given_.results[i].table_elements);
            check_inputs({"results[{}].inputs[{}] ({})", "results[{}].textures[{}] ({})", i}, spec_.results[i].inputs,
                         given_.results[i].inputs, given_.results[i].textures, {0, given_.results[i].table_elements});
        }
    }

  private:
    static void check_number(const ArgumentName& name, std::size_t given, const char* what, std::size_t needed) {
        if (given != needed)
            throw Error(fmt::format("{} has {} {}; the specification has {}", name.text(), given, what, needed));
    }

    void check_numbers() const {
        const auto check = [](std::size_t given, const char* what, std::size_t needed) {
            if (given != needed)
                throw Error(fmt::format("{} {} are given; the specification has {}", given, what, needed));
        };
        check(given_.sources.size(), "sources", spec_.sources.size());
        check(given_.commands.size(), "commands", spec_.commands.size());
        check(given_.results.size(), "results", spec_.results.size());
        for (std::size_t i = 0; i < spec_.sources.size(); ++i)
            if (given_.sources[i].count > spec_.sources[i].capacity)
                throw Error(fmt::format("sources[{}].count {} exceeds the capacity {} given at construction", i,
                                        given_.sources[i].count, spec_.sources[i].capacity));
        check_unused("order", given_.order.name, spec_.order, "order");
        check_unused("triangles", given_.triangles.name, spec_.triangles.has_value(), "triangles");
        check_unused("indices", given_.indices.name, spec_.triangles.has_value(), "triangles");
        if (!spec_.triangles && given_.index_count != 0)
            throw Error(fmt::format("index_count {} is given, but the specification was made without triangles",
                                    given_.index_count));
        check_unused("texture", given_.texture.name, spec_.texture.has_value(), "texture");
    }

    static void check_unused(const char* name, std::uint32_t object, bool used, const char* member) {
        if (!used && object != 0)
            throw Error(
                fmt::format("{}.name {} is given, but the specification was made without {}", name, object, member));
    }

    /// Checks a buffer that the sort writes, and notes it: no two results may overlap.
    void add_result(Range range, std::uint64_t alignment) {
        range.captured = spec_.backend == Backend::fragment;
        check_range(api_, range, alignment, ask_);
        for (std::size_t i = 0; i < results_noted_; ++i)
            check_apart(range, results_[i]);
        results_[results_noted_++] = range;
    }

    void check_results() {
        if (spec_.order) add_result({"order", given_.order, std::uint64_t{4} * items_}, 4);
        if (!in_browser && spec_.triangles) {
            const std::uint32_t bytes = 4 * spec_.triangles->corners;
            // Shaders write two words at once, and three words one by one.
            add_result({"triangles", given_.triangles, std::uint64_t{bytes} * items_}, bytes == 8 ? 8 : 4);
        }
        for (std::size_t i = 0; i < spec_.commands.size(); ++i)
            add_result({{"commands[{}]", i}, given_.commands[i], command_bytes(spec_.commands[i].kind)}, 4);
        for (std::size_t i = 0; i < spec_.results.size(); ++i) {
            const SceneResult& result = spec_.results[i];
            add_result(
                {{"results[{}].target", i}, given_.results[i].target, std::uint64_t{16} * result.vectors * items_}, 16);
            check_number({"results[{}].inputs", i}, given_.results[i].inputs.size(), "slices",
                         number_in(result.inputs, Medium::buffer));
            check_number({"results[{}].textures", i}, given_.results[i].textures.size(), "textures",
                         number_in(result.inputs, Medium::texture));
            check_number({"results[{}].values", i}, given_.results[i].values.size(), "values", result.values.size());
        }
        if (!spec_.texture) return;
        if (given_.texture.layout != Layout::row_wise) throw Error("texture.layout must be row_wise");
        const std::uint32_t words = scene::texel_words(spec_);
        check_texture(api_, "texture", given_.texture, scene::texels(spec_), words, words, ask_);
    }

    void check_slice(const ArgumentName& name, const BufferSlice& slice, std::uint64_t bytes) const {
        const Range range{name, slice, bytes};
        check_range(api_, range, 4, ask_);
        for (std::size_t i = 0; i < results_noted_; ++i)
            check_apart(range, results_[i]);
    }

    /// Patterns of the names of slices and textures, and the number of the source or result that has the inputs.
    struct Owner {
        const char* slices;
        const char* textures;
        std::size_t number;
    };

    void check_inputs(const Owner& owner, const std::vector<SceneInput>& inputs, const std::vector<BufferSlice>& slices,
                      const std::vector<TextureView>& textures, scene::InputSizes sizes) const {
        std::size_t slice = 0;
        std::size_t texture = 0;
        for (const SceneInput& input : inputs) {
            const std::uint32_t elements = sizes.next(input);
            if (scene::in_texture(input)) {
                check_texture_input({owner.textures, owner.number, texture, input.name.c_str()}, textures[texture],
                                    elements, input.type == SceneInput::Type::f32);
                ++texture;
            } else {
                check_slice({owner.slices, owner.number, slice, input.name.c_str()}, slices[slice],
                            4 * scene::words_for(input, elements));
                ++slice;
            }
        }
    }

    /// The inputs of one medium.
    static std::size_t number_in(const std::vector<SceneInput>& inputs, Medium medium) {
        return static_cast<std::size_t>(std::count_if(inputs.begin(), inputs.end(),
                                                      [&](const SceneInput& input) { return input.medium == medium; }));
    }

    void check_texture_input(const ArgumentName& name, const TextureView& view, std::uint32_t elements,
                             bool floats) const {
        if (view.layout != Layout::row_wise) throw Error(name.text() + ".layout must be row_wise");
        if (spec_.texture && view.name == given_.texture.name)
            throw Error(fmt::format("{} and texture are both texture {}", name.text(), view.name));
        check_readable_texture(api_, name, view, elements, floats, ask_);
    }

    void check_source(std::size_t i) const {
        const SceneSource& source = spec_.sources[i];
        const SceneArguments::Source& given = given_.sources[i];
        if (source.gpu_count && given.count != 0)
            throw Error(
                fmt::format("sources[{}].count {} is given, but the source was made with gpu_count", i, given.count));
        const bool in_texture = source.gpu_count_medium == Medium::texture;
        if ((!source.gpu_count || in_texture) && given.gpu_count.name != 0)
            throw Error(
                fmt::format("sources[{}].gpu_count.name {} is given, but the source was made without gpu_count{}", i,
                            given.gpu_count.name, source.gpu_count ? " in a buffer" : ""));
        if ((!source.gpu_count || !in_texture) && given.gpu_count_texture.name != 0)
            throw Error(
                fmt::format("sources[{}].gpu_count_texture.name {} is given, but the source was made without "
                            "gpu_count in a texture",
                            i, given.gpu_count_texture.name));
        if (!spec_.triangles && (given.first_index != 0 || given.base_vertex != 0))
            throw Error(
                fmt::format("sources[{}].first_index {} and base_vertex {} are given, but the specification was "
                            "made without triangles",
                            i, given.first_index, given.base_vertex));
        if (source.capacity == 0) return;
        check_number({"sources[{}].inputs", i}, given.inputs.size(), "slices",
                     number_in(source.inputs, Medium::buffer));
        check_number({"sources[{}].textures", i}, given.textures.size(), "textures",
                     number_in(source.inputs, Medium::texture));
        check_number({"sources[{}].values", i}, given.values.size(), "values", source.values.size());
        scene::check_tables("sources", i, source.inputs, given.table_elements);
        check_inputs({"sources[{}].inputs[{}] ({})", "sources[{}].textures[{}] ({})", i}, source.inputs, given.inputs,
                     given.textures, {scene::most_elements(source, given.count), given.table_elements});
        if (!source.gpu_count) return;
        if (source.gpu_count_medium == Medium::texture)
            check_texture_input({"sources[{}].gpu_count_texture", i}, given.gpu_count_texture, 1, false);
        else
            check_slice({"sources[{}].gpu_count", i}, given.gpu_count, 4);
    }

    void check_indices() const {
        if (given_.index_count > spec_.triangles->indices)
            throw Error(fmt::format("index_count {} exceeds the {} indices given at construction", given_.index_count,
                                    spec_.triangles->indices));
        const std::uint32_t indices = scene::index_count(spec_, given_);
        const std::uint64_t bytes = std::uint64_t{component_bytes(spec_.triangles->type)} * indices;
        // Shaders read whole words.
        check_slice("indices", given_.indices, (bytes + 3) / 4 * 4);
        for (std::size_t i = 0; i < spec_.sources.size(); ++i) {
            const std::uint64_t corners = std::uint64_t{spec_.triangles->corners} *
                                          scene::most_elements(spec_.sources[i], given_.sources[i].count);
            if (corners > 0 && given_.sources[i].first_index + corners > indices)
                throw Error(fmt::format("sources[{}].first_index {} and the {} corners behind exceed the {} indices", i,
                                        given_.sources[i].first_index, corners, indices));
        }
    }

    const gl::Api& api_;
    const SceneSpec& spec_;
    const SceneArguments& given_;
    bool ask_;                 ///< Whether OpenGL is asked for sizes and formats.
    std::uint32_t items_ = 0;  ///< Items for which the call must have room.
    /// What the sort writes: status, order, triangles, commands and results. An array, because a list would allocate.
    std::array<Range, 3 + max_scene_commands + max_scene_results> results_;
    std::size_t results_noted_ = 0;
};

}  // namespace

void check_scene_arguments(const SceneTerms& terms, const SceneArguments& arguments) {
    ArgumentCheck(terms, arguments).run();
}

}  // namespace glsort
