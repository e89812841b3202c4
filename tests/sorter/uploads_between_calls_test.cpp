#include <array>
#include <cstring>
#include <memory>

#include "sorter/between_calls.h"
#include "sorter/capture.h"
#include "support/random.h"

/// Uploads of keys right before and right after a call, in every usual way, without a wait.

namespace glsort::test {
namespace {

/// A way to upload words to the buffer at GL_COPY_WRITE_BUFFER.
struct BufferWay {
    const char* name;
    void (*upload)(const GladGLContext& gl, const Words& words);
};

GLsizeiptr size_of(const Words& words) {
    return static_cast<GLsizeiptr>(4 * words.size());
}

void write_mapped(const GladGLContext& gl, const Words& words, GLbitfield how) {
    void* mapped = gl.MapBufferRange(GL_COPY_WRITE_BUFFER, 0, size_of(words), GL_MAP_WRITE_BIT | how);
    REQUIRE(mapped != nullptr);
    std::memcpy(mapped, words.data(), 4 * words.size());
    if ((how & GL_MAP_FLUSH_EXPLICIT_BIT) != 0) gl.FlushMappedBufferRange(GL_COPY_WRITE_BUFFER, 0, size_of(words));
    gl.UnmapBuffer(GL_COPY_WRITE_BUFFER);
}

// Each test uses one kind of update. A driver loses updates if both kinds are mixed (docs/driver-faults.md).
constexpr std::array buffer_ways{
    BufferWay{"glBufferSubData",
              [](const GladGLContext& gl, const Words& words) {
                  gl.BufferSubData(GL_COPY_WRITE_BUFFER, 0, size_of(words), words.data());
              }},
    BufferWay{"glBufferData",
              [](const GladGLContext& gl, const Words& words) {
                  gl.BufferData(GL_COPY_WRITE_BUFFER, size_of(words), words.data(), GL_STREAM_DRAW);
              }},
    BufferWay{"orphaned",
              [](const GladGLContext& gl, const Words& words) {
                  gl.BufferData(GL_COPY_WRITE_BUFFER, size_of(words), nullptr, GL_STREAM_DRAW);
                  gl.BufferSubData(GL_COPY_WRITE_BUFFER, 0, size_of(words), words.data());
              }},
    BufferWay{"mapped", [](const GladGLContext& gl, const Words& words) { write_mapped(gl, words, 0); }},
    BufferWay{"mapped, invalidated", [](const GladGLContext& gl,
                                        const Words& words) { write_mapped(gl, words, GL_MAP_INVALIDATE_BUFFER_BIT); }},
    BufferWay{"mapped, flushed",
              [](const GladGLContext& gl, const Words& words) {
                  write_mapped(gl, words, GL_MAP_FLUSH_EXPLICIT_BIT | GL_MAP_INVALIDATE_RANGE_BIT);
              }},
    BufferWay{"orphaned, mapped unsynchronized",
              [](const GladGLContext& gl, const Words& words) {
                  gl.BufferData(GL_COPY_WRITE_BUFFER, size_of(words), nullptr, GL_STREAM_DRAW);
                  write_mapped(gl, words, GL_MAP_UNSYNCHRONIZED_BIT);
              }},
    BufferWay{"glCopyBufferSubData",
              [](const GladGLContext& gl, const Words& words) {
                  GLuint staging = 0;
                  gl.GenBuffers(1, &staging);
                  gl.BindBuffer(GL_COPY_READ_BUFFER, staging);
                  gl.BufferData(GL_COPY_READ_BUFFER, size_of(words), words.data(), GL_STREAM_DRAW);
                  gl.CopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, size_of(words));
                  gl.DeleteBuffers(1, &staging);
              }},
};

void upload_by(const GladGLContext& gl, const BufferWay& way, GLuint buffer, const Words& words) {
    gl.BindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    way.upload(gl, words);
    gl.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
}

constexpr std::uint32_t elements = 99;
constexpr std::size_t frames = 8;

/// Sorts every second frame without steps, and the others in steps.
void sort_frame(Sorter& sorter, const SortArguments& arguments, std::size_t frame) {
    if (frame % 2 == 0) return sorter.sort(arguments);
    Stepper stepper(sorter);
    stepper.begin(arguments);
    while (stepper.step()) {
    }
}

TEST_CASE("keys are uploaded right before and right after every call, and nobody waits", "[sorter]") {
    const Seed seed;
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        const GladGLContext& gl = context.gl();
        SortSpec spec = small_spec(place.backend, elements);
        spec.payload = Payload::none();
        Sorter sorter(spec, context.get_proc_address());
        for (const BufferWay& way : buffer_ways) {
            INFO(describe(place) << ", " << way.name);
            std::vector<Sample> samples;
            std::vector<std::unique_ptr<CallerBuffer>> results;
            for (std::size_t frame = 0; frame < frames; ++frame) {
                samples.push_back(make_sample(spec, demo::Distribution::uniform, elements, seed.value() + frame));
                results.push_back(std::make_unique<CallerBuffer>(gl, Words(elements)));
            }
            const CallerBuffer keys(gl, Words(elements));
            for (std::size_t frame = 0; frame < frames; ++frame) {
                upload_by(gl, way, keys.name(), samples[frame].keys);
                sort_frame(sorter, {.input = Buffers{{keys.name()}}, .count = elements}, frame);
                gl.BindBuffer(GL_COPY_READ_BUFFER, keys.name());
                gl.BindBuffer(GL_COPY_WRITE_BUFFER, results[frame]->name());
                gl.CopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, 4 * elements);
                // Random words for the next call. A late sort would sort these words.
                upload_by(gl, way, keys.name(), samples[(frame + 3) % frames].keys);
            }
            for (std::size_t frame = 0; frame < frames; ++frame)
                CHECK(difference(samples[frame].sorted_keys, results[frame]->read(), fmt::format("frame {}", frame)) ==
                      "");
        }
        reset_state(gl);
        context.require_clean("uploads to buffers");
    }
}

TEST_CASE("keys are captured right before and right after every call, and nobody waits", "[sorter]") {
    const Seed seed;
    // One op sorts a few elements. The op reads the keys last of all.
    constexpr std::uint32_t few = 4;
    for (const Place& place : places_in_turn()) {
        if (!writes_textures(place)) continue;
        INFO(describe(place));
        TestContext& context = clean_context(place.tier);
        const GladGLContext& gl = context.gl();
        SortSpec spec = small_spec(place.backend, few);
        spec.payload = Payload::none();
        spec.output = Medium::texture;
        Sorter sorter(spec, context.get_proc_address());
        Capture capture(context, few, "layout(location = 0) in uint key;\n", "result = key;");
        const CallerBuffer keys(gl, Words(few));
        const auto fill = [&](const Words& words) {
            const CallerBuffer staging(gl, words);
            gl.BindBuffer(GL_ARRAY_BUFFER, staging.name());
            gl.VertexAttribIPointer(0, 1, GL_UNSIGNED_INT, 0, nullptr);
            gl.EnableVertexAttribArray(0);
            gl.BindBuffer(GL_ARRAY_BUFFER, 0);
            capture.run_to(keys.name(), [&] { gl.DrawArrays(GL_POINTS, 0, few); });
        };
        std::vector<Sample> samples;
        std::vector<std::unique_ptr<CallerTexture>> outputs;
        for (std::size_t frame = 0; frame < frames; ++frame) {
            samples.push_back(make_sample(spec, demo::Distribution::uniform, few, seed.value() + frame));
            outputs.push_back(std::make_unique<CallerTexture>(gl, TextureView{.width = 2, .height = 2}, 1, Words(few)));
        }
        for (std::size_t frame = 0; frame < frames; ++frame) {
            fill(samples[frame].keys);
            const SortArguments arguments{
                .input = Buffers{{keys.name()}}, .output = outputs[frame]->view(), .count = few};
            sort_frame(sorter, arguments, frame);
            // Random words, as above.
            fill(samples[(frame + 3) % frames].keys);
        }
        for (std::size_t frame = 0; frame < frames; ++frame)
            CHECK(difference(samples[frame].sorted_keys, outputs[frame]->read(), fmt::format("frame {}", frame)) == "");
        reset_state(gl);
        context.require_clean("captures of keys");
    }
}

TEST_CASE("values are uploaded right before and right after every call, and nobody waits", "[sorter]") {
    const Seed seed;
    for (const Place& place : places_in_turn()) {
        INFO(describe(place));
        TestContext& context = clean_context(place.tier);
        const GladGLContext& gl = context.gl();
        Bench bench(context, small_spec(place.backend, elements));
        std::vector<Sample> samples;
        std::vector<std::unique_ptr<CallerBuffer>> results;
        for (std::size_t frame = 0; frame < frames; ++frame) {
            samples.push_back(bench.sample(seed.value() + frame));
            results.push_back(std::make_unique<CallerBuffer>(gl, Words(elements)));
        }
        for (std::size_t frame = 0; frame < frames; ++frame) {
            const SortArguments& arguments = bench.caller.load(samples[frame]);
            sort_frame(bench.sorter, arguments, frame);
            gl.BindBuffer(GL_COPY_READ_BUFFER, buffers_of(arguments).values.name);
            gl.BindBuffer(GL_COPY_WRITE_BUFFER, results[frame]->name());
            gl.CopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER,
                                 static_cast<GLintptr>(buffers_of(arguments).values.offset), 0, 4 * elements);
            bench.caller.load(samples[(frame + 3) % frames]);
        }
        for (std::size_t frame = 0; frame < frames; ++frame)
            CHECK(difference(samples[frame].sorted_values, results[frame]->read(), fmt::format("frame {}", frame)) ==
                  "");
        context.require_clean("uploads of values");
    }
}

/// A way to fill the bound input texture with keys.
struct TextureWay {
    const char* name;
    void (*upload)(const GladGLContext& gl, GLsizei width, GLsizei height, const Words& texels);
};

constexpr std::array texture_ways{
    TextureWay{"glTexSubImage2D",
               [](const GladGLContext& gl, GLsizei width, GLsizei height, const Words& texels) {
                   gl.TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_RED_INTEGER, GL_UNSIGNED_INT,
                                    texels.data());
               }},
    TextureWay{"glTexImage2D",
               [](const GladGLContext& gl, GLsizei width, GLsizei height, const Words& texels) {
                   gl.TexImage2D(GL_TEXTURE_2D, 0, GL_R32UI, width, height, 0, GL_RED_INTEGER, GL_UNSIGNED_INT,
                                 texels.data());
               }},
    TextureWay{"a pixel buffer",
               [](const GladGLContext& gl, GLsizei width, GLsizei height, const Words& texels) {
                   GLuint buffer = 0;
                   gl.GenBuffers(1, &buffer);
                   gl.BindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
                   gl.BufferData(GL_PIXEL_UNPACK_BUFFER, size_of(texels), texels.data(), GL_STREAM_DRAW);
                   gl.TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
                   gl.BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
                   gl.DeleteBuffers(1, &buffer);
               }},
    TextureWay{"a copy from a framebuffer",
               [](const GladGLContext& gl, GLsizei width, GLsizei height, const Words& texels) {
                   GLint bound = 0;
                   gl.GetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
                   const TextureView shape{.width = static_cast<std::uint32_t>(width),
                                           .height = static_cast<std::uint32_t>(height)};
                   const CallerTexture staging(gl, shape, 1, texels);
                   GLuint framebuffer = 0;
                   gl.GenFramebuffers(1, &framebuffer);
                   gl.BindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
                   gl.FramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                                           staging.view().name, 0);
                   gl.BindTexture(GL_TEXTURE_2D, static_cast<GLuint>(bound));
                   gl.CopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, width, height);
                   gl.BindFramebuffer(GL_READ_FRAMEBUFFER, 0);
                   gl.DeleteFramebuffers(1, &framebuffer);
               }},
};

TEST_CASE("textures are filled right before and right after every call, and nobody waits", "[sorter]") {
    const Seed seed;
    for (const Place& place : places_in_turn()) {
        if (!writes_textures(place)) continue;
        TestContext& context = clean_context(place.tier);
        const GladGLContext& gl = context.gl();
        SortSpec spec = small_spec(place.backend, elements);
        spec.payload = Payload::none();
        spec.input = spec.output = Medium::texture;
        Sorter sorter(spec, context.get_proc_address());
        TextureView shape{.width = 11, .height = 9};
        for (const TextureWay& way : texture_ways) {
            INFO(describe(place) << ", " << way.name);
            CallerTexture input(gl, shape, 1, Words(elements));
            const auto fill = [&](const Words& texels) {
                gl.BindTexture(GL_TEXTURE_2D, input.view().name);
                way.upload(gl, 11, 9, texels);
                gl.BindTexture(GL_TEXTURE_2D, 0);
            };
            std::vector<Sample> samples;
            std::vector<std::unique_ptr<CallerTexture>> outputs;
            for (std::size_t frame = 0; frame < frames; ++frame) {
                samples.push_back(make_sample(spec, demo::Distribution::uniform, elements, seed.value() + frame));
                outputs.push_back(std::make_unique<CallerTexture>(gl, shape, 1, Words(elements)));
            }
            for (std::size_t frame = 0; frame < frames; ++frame) {
                fill(samples[frame].keys);
                sort_frame(sorter, {.input = input.view(), .output = outputs[frame]->view(), .count = elements}, frame);
                // Random words, as above.
                fill(samples[(frame + 3) % frames].keys);
            }
            for (std::size_t frame = 0; frame < frames; ++frame)
                CHECK(difference(samples[frame].sorted_keys, outputs[frame]->read(), fmt::format("frame {}", frame)) ==
                      "");
        }
        reset_state(gl);
        context.require_clean("uploads to textures");
    }
}

// zink lets uploads overtake what was drawn since the last glFlush (docs/driver-faults.md).
TEST_CASE("behind glFlush, an upload to a texture does not reach the sort before", "[sorter]") {
    const Seed seed;
    for (const Place& place : places_in_turn()) {
        if (!writes_textures(place)) continue;
        INFO(describe(place));
        TestContext& context = clean_context(place.tier);
        const GladGLContext& gl = context.gl();
        SortSpec spec = small_spec(place.backend, elements);
        spec.payload = Payload::none();
        spec.input = spec.output = Medium::texture;
        Sorter sorter(spec, context.get_proc_address());
        const TextureView shape{.width = 11, .height = 9};
        for (std::size_t frame = 0; frame < frames; ++frame) {
            const Sample sample = make_sample(spec, demo::Distribution::uniform, elements, seed.value() + frame);
            CallerTexture input(gl, shape, 1, sample.keys);
            const CallerTexture output(gl, shape, 1, Words(elements));
            gl.Flush();
            sort_frame(sorter, {.input = input.view(), .output = output.view(), .count = elements}, frame);
            input.expected = Words(elements, 1);
            input.upload();
            CHECK(difference(sample.sorted_keys, output.read(), fmt::format("frame {}", frame)) == "");
        }
        reset_state(gl);
        context.require_clean("uploads behind glFlush");
    }
}

}  // namespace
}  // namespace glsort::test
