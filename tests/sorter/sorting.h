#pragma once

#include <fmt/format.h>
#include <glad/gl.h>
#include <glsort/planner.h>
#include <glsort/sorter.h>
#include <glsort/stream/stream.h>
#include <glsort/stream/validate.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "support/comparisons.h"
#include "support/distributions.h"
#include "support/fewer_modes.h"
#include "support/gl_contexts.h"
#include "support/gl_state_snapshot.h"
#include "support/random.h"
#include "support/skip.h"

/// Common parts of the tests of the sorter: contexts, inputs, and the caller's objects with their expected contents.

namespace glsort::test {

using Words = std::vector<std::uint32_t>;

/// A context and a backend that runs in it.
struct Place {
    Tier tier;
    Backend backend;
};

inline std::string describe(const Place& place) {
    return fmt::format("{} {}", tier_name(place.tier), to_string(place.backend));
}

/// The backends of a tier.
inline std::vector<Backend> backends_of_tier(Tier tier) {
    if (tier == Tier::gl45 || tier == Tier::es31) return {Backend::fragment, Backend::compute};
    return {Backend::fragment};
}

/// The places of this driver that take their turn in this run: those in OpenGL 4.5, and two of the others. The run's
/// seed chooses these two. Each file of tests runs by itself, so a run of all files takes every place many times.
/// GLSORT_TEST_EVERY_PLACE=1 takes every place. Prints once the tiers that the driver lacks. With fewer modes: one of
/// the others.
inline std::vector<Place> places_in_turn() {
    static const std::vector<Place> found = [] {
        std::vector<Place> places;
        for (const Tier tier : all_tiers()) {
            std::string why;
            if (available(tier, &why))
                for (const Backend backend : backends_of_tier(tier))
                    places.push_back({tier, backend});
            else
                WARN("tier " << tier_name(tier) << " is left out: " << why);
        }
        // The backends differ more than the tiers.
        const bool every = std::getenv("GLSORT_TEST_EVERY_PLACE") != nullptr;
        const std::size_t most = fewer_modes ? 3 : every ? places.size() : 4;
        if (places.size() > most) {
            std::mt19937_64 random(run_seed());
            std::shuffle(places.begin() + 2, places.end(), random);
            places.resize(most);
        }
        return places;
    }();
    return found;
}

/// The context of a tier, current, with the state of a new context.
inline TestContext& clean_context(Tier tier) {
    TestContext& found = context(tier);
    reset_state(found.gl());
    return found;
}

/// Whether the backend writes textures in this tier. Compute needs images that OpenGL ES lacks.
inline bool writes_textures(const Place& place) {
    return place.backend == Backend::fragment || tier_api(place.tier) == demo::Api::gl;
}

/// Whether the driver has a format for binaries of programs.
inline bool has_binaries(TestContext& context) {
    GLint formats = 0;
    if (context.gl().GetProgramBinary == nullptr) return false;
    context.gl().GetIntegerv(GL_NUM_PROGRAM_BINARY_FORMATS, &formats);
    return formats > 0;
}

/// Whether the device has what the algorithm of `spec` needs, such as subgroups. Then a sorter must be made. Tests that
/// take every Error for a lack of the device would skip what the library refuses by mistake.
inline bool runs_on(const Limits& limits, const SortSpec& spec) {
    PlanRequest request;
    request.spec = spec;
    request.n = spec.capacity;
    request.limits = limits;
    try {
        validate(plan(request), limits);
        return true;
    } catch (const Error&) {
        return false;
    }
}

inline std::string describe(const SortSpec& spec) {
    const std::string bits =
        compares_part(spec.order) ? fmt::format(" by bits {} to {}", spec.order.bits.first, spec.order.bits.end) : "";
    return fmt::format("{} {}{}, payload {}, {}, {} to {}, capacity {}", name_of_key(spec),
                       to_string(spec.order.direction), bits, to_string(spec.payload),
                       to_string(spec.layout.value_or(Layout::row_wise)), to_string(spec.input), to_string(spec.output),
                       spec.capacity);
}

inline Words random_words(std::uint64_t seed, std::size_t n) {
    std::mt19937_64 random(seed);
    Words words(n);
    for (std::uint32_t& word : words)
        word = static_cast<std::uint32_t>(random());
    return words;
}

/// Keys and values, and the result of std::stable_sort.
struct Sample {
    std::uint32_t count = 0;
    Words keys, values;                ///< As in memory.
    Words sorted_keys, sorted_values;  ///< For the payload `index`, the values are the permutation.

    /// Sets the result to the input in this order: element i of the result is element order[i] of the input.
    void expect(const SortSpec& spec, const Words& order) {
        sorted_keys = gathered(keys, words_of_key(spec), order);
        const bool moves = spec.payload.kind == Payload::Kind::bytes;
        sorted_values = moves ? gathered(values, std::max(value_words(spec.payload), 1u), order) : order;
    }
};

inline Sample make_sample(const SortSpec& spec, demo::Distribution distribution, std::uint32_t n, std::uint64_t seed) {
    Sample sample;
    sample.count = n;
    sample.keys = make_keys_of(spec, distribution, n, seed);
    // Textures have room for a value, even if the sort moves no values.
    const std::uint32_t size = std::max(value_words(spec.payload), 1u);
    sample.values = random_words(seed + 1, std::size_t{n} * size);
    sample.expect(spec, sorted_order_of(spec, sample.keys));
    return sample;
}

/// The first difference between two lists of words. Empty if both are equal.
inline std::string difference(const Words& expected, const Words& found, const std::string& what) {
    if (expected == found) return "";
    if (expected.size() != found.size())
        return fmt::format("{}: {} words instead of {}", what, found.size(), expected.size());
    const auto [e, f] = std::mismatch(expected.begin(), expected.end(), found.begin());
    return fmt::format("{}: word {} is {:#x} instead of {:#x}", what, e - expected.begin(), *f, *e);
}

/// A buffer of the caller, and its expected contents.
class CallerBuffer {
  public:
    CallerBuffer(const GladGLContext& gl, Words words) : gl_(gl), expected(std::move(words)) {
        gl_.GenBuffers(1, &name_);
        gl_.BindBuffer(GL_COPY_WRITE_BUFFER, name_);
        gl_.BufferData(GL_COPY_WRITE_BUFFER, static_cast<GLsizeiptr>(4 * expected.size()), expected.data(),
                       GL_DYNAMIC_COPY);
        gl_.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
    }
    ~CallerBuffer() { gl_.DeleteBuffers(1, &name_); }
    CallerBuffer(const CallerBuffer&) = delete;
    CallerBuffer& operator=(const CallerBuffer&) = delete;

    GLuint name() const { return name_; }

    /// Writes `expected` to the buffer.
    void upload() const {
        gl_.BindBuffer(GL_COPY_WRITE_BUFFER, name_);
        gl_.BufferSubData(GL_COPY_WRITE_BUFFER, 0, static_cast<GLsizeiptr>(4 * expected.size()), expected.data());
        gl_.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
    }

    Words read() const {
        gl_.BindBuffer(GL_COPY_READ_BUFFER, name_);
        const void* mapped =
            gl_.MapBufferRange(GL_COPY_READ_BUFFER, 0, static_cast<GLsizeiptr>(4 * expected.size()), GL_MAP_READ_BIT);
        REQUIRE(mapped != nullptr);
        const auto* words = static_cast<const std::uint32_t*>(mapped);
        Words found(words, words + expected.size());
        gl_.UnmapBuffer(GL_COPY_READ_BUFFER);
        gl_.BindBuffer(GL_COPY_READ_BUFFER, 0);
        return found;
    }

  private:
    const GladGLContext& gl_;
    GLuint name_ = 0;

  public:
    Words expected;
};

/// The texels of an integer texture, four channels each: the only integer format that OpenGL ES guarantees.
inline Words texels_of(const GladGLContext& gl, const TextureView& view) {
    GLuint framebuffer = 0;
    gl.GenFramebuffers(1, &framebuffer);
    // Also for drawing: Mesa's llvmpipe may read old texels otherwise (docs/driver-faults.md).
    gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, view.name, 0);
    Words texels(std::size_t{4} * view.width * view.height);
    gl.ReadPixels(0, 0, static_cast<GLsizei>(view.width), static_cast<GLsizei>(view.height), GL_RGBA_INTEGER,
                  GL_UNSIGNED_INT, texels.data());
    gl.BindFramebuffer(GL_FRAMEBUFFER, 0);
    gl.DeleteFramebuffers(1, &framebuffer);
    return texels;
}

/// A texture of the caller, with 1, 2 or 4 channels of 32 bits, and its expected contents, row by row. The parameters
/// of the texture keep their initial values. Without a sampler, the texture is incomplete.
class CallerTexture {
  public:
    CallerTexture(const GladGLContext& gl, const TextureView& shape, std::uint32_t channels, Words texels)
        : gl_(gl), view_(shape), channels_(channels), expected(std::move(texels)) {
        gl_.GenTextures(1, &view_.name);
        gl_.BindTexture(GL_TEXTURE_2D, view_.name);
        const GLint internal = channels_ == 1 ? GL_R32UI : channels_ == 2 ? GL_RG32UI : GL_RGBA32UI;
        gl_.TexImage2D(GL_TEXTURE_2D, 0, internal, static_cast<GLsizei>(view_.width),
                       static_cast<GLsizei>(view_.height), 0, format(), GL_UNSIGNED_INT, expected.data());
        gl_.BindTexture(GL_TEXTURE_2D, 0);
    }
    ~CallerTexture() { gl_.DeleteTextures(1, &view_.name); }
    CallerTexture(const CallerTexture&) = delete;
    CallerTexture& operator=(const CallerTexture&) = delete;

    const TextureView& view() const { return view_; }
    std::uint32_t channels() const { return channels_; }

    /// The index of a word in `expected`, and in the words of a read.
    std::size_t place(std::uint32_t element, std::uint32_t channel) const {
        const Texel texel = texel_of({view_.layout, view_.width}, element);
        return (std::size_t{texel.y} * view_.width + texel.x) * channels_ + channel;
    }
    std::uint32_t& word(std::uint32_t element, std::uint32_t channel) { return expected[place(element, channel)]; }

    /// Writes `expected` to the texture.
    void upload() const {
        gl_.BindTexture(GL_TEXTURE_2D, view_.name);
        gl_.TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, static_cast<GLsizei>(view_.width), static_cast<GLsizei>(view_.height),
                          format(), GL_UNSIGNED_INT, expected.data());
        gl_.BindTexture(GL_TEXTURE_2D, 0);
    }

    Words read() const {
        const Words texels = texels_of(gl_, view_);
        Words found(expected.size());
        for (std::size_t i = 0; i < found.size(); ++i)
            found[i] = texels[i / channels_ * 4 + i % channels_];
        return found;
    }

  private:
    GLenum format() const { return channels_ == 1 ? GL_RED_INTEGER : channels_ == 2 ? GL_RG_INTEGER : GL_RGBA_INTEGER; }

    const GladGLContext& gl_;
    TextureView view_;
    std::uint32_t channels_;

  public:
    Words expected;
};

/// The buffers in the arguments of a sort from buffers.
inline Buffers& buffers_of(SortArguments& arguments) {
    return std::get<Buffers>(arguments.input);
}
inline const Buffers& buffers_of(const SortArguments& arguments) {
    return std::get<Buffers>(arguments.input);
}

/// The input texture in the arguments.
inline TextureView& input_of(SortArguments& arguments) {
    return std::get<TextureView>(arguments.input);
}
inline const TextureView& input_of(const SortArguments& arguments) {
    return std::get<TextureView>(arguments.input);
}

/// The names of the objects in the arguments, with the texts that errors use.
inline std::vector<std::pair<const char*, std::uint32_t>> names_in(const SortArguments& arguments) {
    std::vector<std::pair<const char*, std::uint32_t>> names;
    if (const auto* buffers = std::get_if<Buffers>(&arguments.input))
        names = {{"keys", buffers->keys.name}, {"values", buffers->values.name}};
    else
        names = {{"input", input_of(arguments).name}};
    names.emplace_back("output", arguments.output.name);
    std::erase_if(names, [](const auto& named) { return named.second == 0; });
    return names;
}

/// The places of the caller's streams.
struct Arrangement {
    /// Words of other data before the keys, rounded up to a valid offset.
    std::uint32_t words_before_keys = 1;
    std::uint32_t words_before_values = 3;  ///< Likewise. If `one_buffer`, counted from the end of the keys.
    bool one_buffer = false;                ///< Keys and values lie in one buffer.
    bool wide_input = false;                ///< The texture has room for a value, but the sort moves no values.
    std::optional<TextureView> input;       ///< Shapes. Empty: the shape of `Sorter::texture_for`.
    std::optional<TextureView> output;
};

/// The texture with the result of the last call, if the sorter writes to its own texture.
inline std::optional<TextureView> own_texture_of(const Sorter& sorter) {
    return sorter.spec().own_output ? std::optional(sorter.own_texture()) : std::nullopt;
}

/// The first wrong word of `sample` in the sorter's own texture. Empty if there is none.
inline std::string wrong_in(const GladGLContext& gl, const SortSpec& spec, const TextureView& own,
                            const Sample& sample) {
    const Words texels = texels_of(gl, own);
    const std::uint32_t words = words_of_key(spec);
    const bool payload = spec.payload.kind != Payload::Kind::none;
    Words keys;
    Words values;
    for (std::uint32_t i = 0; i < sample.count; ++i) {
        const Texel texel = texel_of({own.layout, own.width}, i);
        const std::size_t place = 4 * (std::size_t{texel.y} * own.width + texel.x);
        for (std::uint32_t w = 0; w < words; ++w)
            keys.push_back(texels[place + w]);
        if (payload) values.push_back(texels[place + words]);
    }
    std::string text = difference(sample.sorted_keys, keys, "keys in the own texture");
    if (text.empty() && payload) text = difference(sample.sorted_values, values, "values in the own texture");
    return text;
}

/// The caller's objects for the sorts of one sorter. Every word that a sort must not touch has a random value.
class Caller {
  public:
    Caller(const GladGLContext& gl, const Sorter& sorter, const Arrangement& arrangement = {})
        : gl_(gl), spec_(sorter.spec()), arrangement_(arrangement) {
        const auto round_up = [](std::size_t words, std::uint32_t unit) { return (words + unit - 1) / unit * unit; };
        const std::uint32_t of_a_key = words_of_key(spec_);
        const std::size_t keys_begin = round_up(arrangement.words_before_keys, std::gcd(of_a_key, 4u));
        const std::size_t keys_end = keys_begin + std::size_t{spec_.capacity} * of_a_key;
        const bool payload = spec_.payload.kind != Payload::Kind::none;
        const bool moves = spec_.payload.kind == Payload::Kind::bytes;
        const bool in_place = spec_.output == Medium::buffer;
        if (spec_.input == Medium::buffer) {
            const bool values = moves || (payload && in_place);
            const bool shared = arrangement.one_buffer && values;
            const std::size_t values_begin =
                round_up((shared ? keys_end : 0) + arrangement.words_before_values, chunk_words(spec_.payload));
            const std::size_t values_end = values_begin + std::size_t{spec_.capacity} * value_words(spec_.payload);
            buffers_.push_back(
                std::make_unique<CallerBuffer>(gl, random_words(11, (shared ? values_end : keys_end) + 5)));
            if (values && !shared)
                buffers_.push_back(std::make_unique<CallerBuffer>(gl, random_words(12, values_end + 5)));
            buffers_of(arguments_).keys = {buffers_.front()->name(), 4 * keys_begin};
            if (values) buffers_of(arguments_).values = {buffers_.back()->name(), 4 * values_begin};
        } else {
            const TextureView shape = arrangement.input.value_or(sorter.texture_for(spec_.capacity));
            input_ = make_texture(gl, shape, texel_words(moves || arrangement.wide_input), 13);
            arguments_.input = input_->view();
        }
        if (spec_.output == Medium::texture && !spec_.own_output) {
            const TextureView shape = arrangement.output.value_or(sorter.texture_for(spec_.capacity));
            output_ = make_texture(gl, shape, texel_words(payload), 14);
            arguments_.output = output_->view();
        }
    }

    /// Uploads `sample`, and random words to the output.
    const SortArguments& load(const Sample& sample) {
        arguments_.count = sample.count;
        put(sample.keys, sample.values);
        for (const auto& buffer : buffers_)
            buffer->upload();
        if (input_) input_->upload();
        if (output_) output_->upload();
        return arguments_;
    }

    const SortArguments& arguments() const { return arguments_; }

    /// The first wrong word in the caller's objects, and in the sorter's own texture, after the sort of `sample`. Empty
    /// if there is none. `own`: that of `own_texture_of`, or of `Sorter::sort_to_texture`.
    std::string wrong(const Sample& sample, const std::optional<TextureView>& own = std::nullopt) {
        REQUIRE(spec_.own_output == own.has_value());
        if (own)
            if (std::string text = wrong_in(gl_, spec_, *own, sample); !text.empty()) return text;
        if (spec_.output == Medium::buffer) {
            put(sample.sorted_keys, sample.sorted_values);
            if (spec_.gpu_count && spec_.backend == Backend::fragment) accept_elements_behind();
        } else if (output_) {
            put(*output_, sample.sorted_keys, sample.sorted_values);
            // The last of four channels may be unused, and then has any value.
            const bool payload = spec_.payload.kind != Payload::Kind::none;
            if (words_of_key(spec_) + (payload ? 1 : 0) == 3) {
                const Words found = output_->read();
                for (std::uint32_t i = 0; i < sample.count; ++i)
                    output_->word(i, 3) = found[output_->place(i, 3)];
            }
        }
        return changed();
    }

    /// The first word that differs from the upload.
    std::string changed() const {
        for (std::size_t i = 0; i < buffers_.size(); ++i) {
            std::string text = difference(buffers_[i]->expected, buffers_[i]->read(), fmt::format("buffer {}", i));
            if (!text.empty()) return text;
        }
        for (const auto& [name, texture] : {std::pair{"input", input_.get()}, {"output", output_.get()}}) {
            if (texture == nullptr) continue;
            std::string text = difference(texture->expected, texture->read(), name);
            if (!text.empty()) return text;
        }
        return "";
    }

  private:
    static std::unique_ptr<CallerTexture> make_texture(const GladGLContext& gl, const TextureView& shape,
                                                       std::uint32_t channels, std::uint64_t seed) {
        return std::make_unique<CallerTexture>(gl, shape, channels,
                                               random_words(seed, std::size_t{shape.width} * shape.height * channels));
    }

    /// Channels of a texel that holds a key, or a key and a value.
    std::uint32_t texel_words(bool value) const {
        const std::uint32_t words = words_of_key(spec_) + (value ? 1 : 0);
        return words >= 3 ? 4 : words;
    }

    void put(CallerTexture& texture, const Words& keys, const Words& values) const {
        const std::uint32_t words = words_of_key(spec_);
        for (std::uint32_t i = 0; i < arguments_.count; ++i) {
            for (std::uint32_t w = 0; w < words; ++w)
                texture.word(i, w) = keys[std::size_t{i} * words + w];
            if (texture.channels() > words) texture.word(i, words) = values[i];
        }
    }

    /// Fragments write all elements up to the capacity. Elements after a count on the GPU have any value.
    void accept_elements_behind() {
        const auto accept = [this](CallerBuffer& buffer, std::uint64_t offset, std::uint32_t words) {
            const Words found = buffer.read();
            const auto at = [&](std::uint32_t element) {
                return static_cast<std::ptrdiff_t>(offset / 4 + std::uint64_t{words} * element);
            };
            std::copy(found.begin() + at(arguments_.count), found.begin() + at(spec_.capacity),
                      buffer.expected.begin() + at(arguments_.count));
        };
        const Buffers& buffers = buffers_of(arguments_);
        accept(*buffers_.front(), buffers.keys.offset, words_of_key(spec_));
        if (buffers.values.name != 0) accept(*buffers_.back(), buffers.values.offset, value_words(spec_.payload));
    }

    void put(const Words& keys, const Words& values) {
        if (input_) return put(*input_, keys, values);
        const auto copy = [](const Words& from, Words& to, std::uint64_t offset) {
            std::copy(from.begin(), from.end(), to.begin() + static_cast<std::ptrdiff_t>(offset / 4));
        };
        copy(keys, buffers_.front()->expected, buffers_of(arguments_).keys.offset);
        if (buffers_of(arguments_).values.name != 0)
            copy(values, buffers_.back()->expected, buffers_of(arguments_).values.offset);
    }

    const GladGLContext& gl_;
    SortSpec spec_;
    Arrangement arrangement_;
    std::vector<std::unique_ptr<CallerBuffer>> buffers_;
    std::unique_ptr<CallerTexture> input_;
    std::unique_ptr<CallerTexture> output_;
    SortArguments arguments_;
};

}  // namespace glsort::test
