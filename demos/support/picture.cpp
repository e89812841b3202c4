#include "support/picture.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

#include "support/file_access.h"
#include "support/output_file.h"

// The implementations are compiled here, with internal linkage: an application that links its own
// copy of stb does not meet ours.
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#include <stb/stb_image.h>
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace glsort::demo {

namespace {

constexpr int channels = 4;

std::string system_reason() {
    return errno != 0 ? std::strerror(errno) : "unknown reason";
}

}  // namespace

void write_png(const std::filesystem::path& path, const Picture& picture) {
    if (picture.width < 1 || picture.height < 1)
        throw std::invalid_argument("write_png: the picture is " + std::to_string(picture.width) + " by " +
                                    std::to_string(picture.height) + "; it needs at least one pixel");
    if (picture.height > most_png_rows(picture.width))
        fail_writing(path, "a PNG file has a limit of " + std::to_string(most_png_rows(picture.width)) + " rows of " +
                               std::to_string(picture.width) + " pixels, not " + std::to_string(picture.height));
    const std::size_t expected =
        static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height) * channels;
    if (picture.rgba.size() != expected)
        throw std::invalid_argument("write_png: " + std::to_string(picture.rgba.size()) + " bytes for a picture of " +
                                    std::to_string(expected));

    std::vector<std::uint8_t> file;
    const auto append = [](void* context, void* data, int size) {
        const auto* bytes = static_cast<const std::uint8_t*>(data);
        auto& all = *static_cast<std::vector<std::uint8_t>*>(context);
        all.insert(all.end(), bytes, bytes + size);
    };
    if (stbi_write_png_to_func(append, &file, picture.width, picture.height, channels, picture.rgba.data(),
                               picture.width * channels) == 0)
        fail_writing(path, "the PNG encoder failed");

    write_file(path, std::as_bytes(std::span(file)));
}

Picture read_png(const std::filesystem::path& path) {
    errno = 0;
    std::ifstream stream(path, std::ios::binary);
    if (!stream) fail_reading(path, system_reason());
    const std::vector<char> file{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    if (stream.bad()) fail_reading(path, system_reason());
    if (file.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        fail_reading(path, "the file is larger than 2 GiB");

    Picture picture;
    int channels_in_file = 0;
    const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
        stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(file.data()), static_cast<int>(file.size()),
                              &picture.width, &picture.height, &channels_in_file, channels),
        &stbi_image_free);
    if (pixels == nullptr) fail_reading(path, std::string("not a PNG picture: ") + stbi_failure_reason());
    picture.rgba.assign(pixels.get(),
                        pixels.get() + static_cast<std::ptrdiff_t>(picture.width) * picture.height * channels);
    return picture;
}

std::filesystem::path unused_png(const std::filesystem::path& stem) {
    for (int i = 1;; ++i) {
        std::filesystem::path path = stem.string() + "-" + std::to_string(i) + ".png";
        if (!std::filesystem::exists(path)) return path;
    }
}

void flip_vertically(Picture& picture) {
    const auto row = static_cast<std::ptrdiff_t>(picture.width) * channels;
    const auto first = picture.rgba.begin();
    for (int top = 0, bottom = picture.height - 1; top < bottom; ++top, --bottom)
        std::swap_ranges(first + row * top, first + row * (top + 1), first + row * bottom);
}

}  // namespace glsort::demo
