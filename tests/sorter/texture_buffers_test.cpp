#include <algorithm>
#include <cstdint>
#include <string>

#include "sorter/gl_spy.h"
#include "sorter/sorting.h"
#include "support/random.h"

/// Fragment shaders read the caller's buffers as textures. Such a texture has a limited length.

namespace glsort::test {
namespace {

constexpr GLint most_texels = 1000;
constexpr GLint alignment = 256;  // of glTexBufferRange: the greatest that OpenGL allows

GLsizeiptr bytes_of(GLenum format) {
    return format == GL_R32UI ? 4 : format == GL_RG32UI ? 8 : 16;
}

int& ranges() {
    static int number = 0;
    return number;
}

void attach(GLenum format, GLuint buffer, GLintptr offset, GLsizeiptr size) {
    GlSpy::gl().TexBufferRange(GL_TEXTURE_BUFFER, format, buffer, offset,
                               std::min(size, most_texels * bytes_of(format)));
}

/// Lets the driver have short textures: texels behind the limit read as zeros.
void shorten_textures(TestContext& context, GlSpy& spy) {
    context.limit(GL_MAX_TEXTURE_BUFFER_SIZE, most_texels);
    spy.replace(
        "glGetIntegerv", +[](GLenum name, GLint* value) {
            GlSpy::gl().GetIntegerv(name, value);
            if (name == GL_TEXTURE_BUFFER_OFFSET_ALIGNMENT) *value = alignment;
        });
    spy.replace(
        "glTexBuffer", +[](GLenum target, GLenum format, GLuint buffer) {
            if (buffer == 0) return GlSpy::gl().TexBuffer(target, format, 0);
            GLint64 size = 0;
            GlSpy::gl().GetNamedBufferParameteri64v(buffer, GL_BUFFER_SIZE, &size);
            attach(format, buffer, 0, static_cast<GLsizeiptr>(size));
        });
    spy.replace(
        "glTexBufferRange", +[](GLenum, GLenum format, GLuint buffer, GLintptr offset, GLsizeiptr size) {
            ++ranges();
            CHECK(offset % alignment == 0);
            attach(format, buffer, offset, size);
        });
}

SortSpec spec_of(KeyType key, Payload payload, std::uint32_t capacity) {
    SortSpec spec;
    spec.order.key = key;
    spec.payload = payload;
    spec.algorithm = "merge";
    spec.backend = Backend::fragment;
    spec.capacity = capacity;
    return spec;
}

TEST_CASE("elements far behind the begin of a buffer are sorted", "[sorter]") {
    const Seed seed;
    if (!available(Tier::gl45)) return;
    TestContext& context = clean_context(Tier::gl45);
    GlSpy spy(context);
    shorten_textures(context, spy);
    std::uint64_t turn = seed.value();
    for (const KeyType key : {KeyType::u32, KeyType::i64})
        for (const Payload payload : {Payload::none(), Payload::index(), Payload::bytes(4), Payload::bytes(16)}) {
            const SortSpec spec = spec_of(key, payload, 900);
            Sorter sorter(spec, spy.loader());
            for (const bool one_buffer : {false, true})
                for (const std::uint32_t before : {0u, 99u, 101u, 1000u, 12345u}) {
                    CAPTURE(describe(spec), before, one_buffer);
                    Arrangement arrangement;
                    arrangement.words_before_keys = before;
                    arrangement.words_before_values = 12345 - before;
                    arrangement.one_buffer = one_buffer;
                    Caller caller(context.gl(), sorter, arrangement);
                    ranges() = 0;
                    for (const std::uint32_t n : {900u, 0u, 1u, 897u}) {
                        const Sample sample = make_sample(spec, demo::Distribution::uniform, n, ++turn);
                        sorter.sort(caller.load(sample));
                        CHECK(caller.wrong(sample) == "");
                    }
                    CHECK((ranges() > 0 || before < 1000));
                    context.require_clean("elements far behind the begin of a buffer");
                }
        }
    context.unlimit();
}

TEST_CASE("a far part of a buffer may be shorter than the capacity", "[sorter]") {
    const Seed seed;
    if (!available(Tier::gl45)) return;
    TestContext& context = clean_context(Tier::gl45);
    GlSpy spy(context);
    shorten_textures(context, spy);
    const SortSpec spec = spec_of(KeyType::u32, Payload::none(), 900);
    Sorter sorter(spec, spy.loader());
    const Sample sample = make_sample(spec, demo::Distribution::uniform, 100, seed.value());
    constexpr std::size_t before = 5001;
    Words words = random_words(seed.value() + 7, before);
    words.insert(words.end(), sample.keys.begin(), sample.keys.end());
    CallerBuffer buffer(context.gl(), words);
    sorter.sort({buffer.name(), 4 * before}, 100);
    std::copy(sample.sorted_keys.begin(), sample.sorted_keys.end(), buffer.expected.begin() + before);
    CHECK(difference(buffer.expected, buffer.read(), "the buffer") == "");
    context.unlimit();
    context.require_clean("a far part of a buffer");
}

TEST_CASE("OpenGL 3.3 refuses elements that no texture of a buffer reaches", "[sorter]") {
    const Seed seed;
    if (!available(Tier::gl33)) return;
    TestContext& context = clean_context(Tier::gl33);
    context.limit(GL_MAX_TEXTURE_BUFFER_SIZE, most_texels);
    const SortSpec spec = spec_of(KeyType::u32, Payload::bytes(4), 900);
    Sorter sorter(spec, TestContext::get_proc_address());
    const Sample sample = make_sample(spec, demo::Distribution::uniform, 900, seed.value());
    for (const std::uint32_t before : {100u, 101u}) {
        Arrangement arrangement;
        arrangement.words_before_values = before;
        Caller caller(context.gl(), sorter, arrangement);
        const SortArguments& arguments = caller.load(sample);
        if (before == 100) {
            sorter.sort(arguments);
            CHECK(caller.wrong(sample) == "");
            continue;
        }
        CHECK_THROWS_WITH(sorter.sort(arguments), Catch::Contains("values: offset 404") &&
                                                      Catch::Contains("first 1000 elements") &&
                                                      Catch::Contains("texture_buffer"));
        CHECK(caller.changed() == "");
    }
    context.unlimit();
    context.require_clean("elements that no texture reaches");
}

}  // namespace
}  // namespace glsort::test
