#include "support/gif.h"

#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include "support/output_file.h"

namespace glsort::demo {

namespace {

constexpr std::size_t most_colours = 255;  // One more place stands for "as before".
constexpr std::size_t frequent_colours = 160;
constexpr int as_before = 255;

using Rgb = std::uint32_t;  // 0xrrggbb

Rgb rgb_at(const Picture& picture, std::size_t pixel) {
    const std::uint8_t* p = picture.rgba.data() + 4 * pixel;
    return static_cast<Rgb>(p[0]) << 16 | static_cast<Rgb>(p[1]) << 8 | p[2];
}

int distance(Rgb a, Rgb b) {
    int sum = 0;
    for (const int shift : {16, 8, 0}) {
        const int difference = static_cast<int>(a >> shift & 255u) - static_cast<int>(b >> shift & 255u);
        sum += difference * difference;
    }
    return sum;
}

std::vector<Rgb> choose_palette(const std::vector<Picture>& pictures) {
    std::unordered_map<Rgb, std::size_t> pixels;
    for (const Picture& picture : pictures)
        for (std::size_t i = 0; i < picture.rgba.size() / 4; ++i)
            ++pixels[rgb_at(picture, i)];
    std::vector<std::pair<Rgb, std::size_t>> colours(pixels.begin(), pixels.end());
    // Equally frequent colours are sorted by their bits. Equal pictures then make equal files.
    std::ranges::sort(colours, [](const auto& a, const auto& b) {
        return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    std::vector<Rgb> palette;
    const std::size_t first =
        std::min(colours.size(), colours.size() <= most_colours ? most_colours : frequent_colours);
    for (std::size_t i = 0; i < first; ++i)
        palette.push_back(colours[i].first);
    std::vector<int> nearest(colours.size(), std::numeric_limits<int>::max());
    const auto add = [&](Rgb chosen) {
        for (std::size_t i = 0; i < colours.size(); ++i)
            nearest[i] = std::min(nearest[i], distance(colours[i].first, chosen));
    };
    if (palette.size() == colours.size()) return palette;
    for (const Rgb colour : palette)
        add(colour);
    while (palette.size() < most_colours) {
        const auto farthest = std::ranges::max_element(nearest);
        palette.push_back(colours[static_cast<std::size_t>(farthest - nearest.begin())].first);
        add(palette.back());
    }
    return palette;
}

// Finds the nearest colour of a palette, and remembers the answers.
class Quantiser {
  public:
    explicit Quantiser(const std::vector<Rgb>& palette) : palette_(palette) {}
    GifPixelType operator()(Rgb colour) {
        const auto [place, added] = known_.try_emplace(colour);
        if (added) {
            const auto best =
                std::ranges::min_element(palette_, {}, [colour](Rgb candidate) { return distance(candidate, colour); });
            place->second = static_cast<GifPixelType>(best - palette_.begin());
        }
        return place->second;
    }

  private:
    const std::vector<Rgb>& palette_;
    std::unordered_map<Rgb, GifPixelType> known_;
};

[[noreturn]] void fail_gif(const char* what, const std::filesystem::path& path, int error) {
    const char* reason = GifErrorString(error);
    throw std::runtime_error(std::string("cannot ") + what + " " + path.string() + ": " +
                             (reason != nullptr ? reason : "unknown reason"));
}

}  // namespace

void write_gif(const std::filesystem::path& path, const std::vector<Picture>& pictures, double seconds) {
    if (pictures.empty()) throw std::invalid_argument("write_gif: no pictures");
    const int width = pictures.front().width;
    const int height = pictures.front().height;
    for (const Picture& picture : pictures)
        if (picture.width != width || picture.height != height)
            throw std::invalid_argument("write_gif: a picture of " + std::to_string(picture.width) + " by " +
                                        std::to_string(picture.height) + " among those of " + std::to_string(width) +
                                        " by " + std::to_string(height));
    const std::vector<Rgb> palette = choose_palette(pictures);
    std::array<GifColorType, 256> entries{};
    for (std::size_t i = 0; i < palette.size(); ++i)
        entries[i] = {static_cast<GifByteType>(palette[i] >> 16), static_cast<GifByteType>(palette[i] >> 8),
                      static_cast<GifByteType>(palette[i])};
    const std::unique_ptr<ColorMapObject, void (*)(ColorMapObject*)> colours(GifMakeMapObject(256, entries.data()),
                                                                             &GifFreeMapObject);
    // Encoded in memory first: an error then leaves an existing file as it is.
    std::string encoded;
    const auto append = [](GifFileType* to, const GifByteType* bytes, int size) {
        static_cast<std::string*>(to->UserData)->append(reinterpret_cast<const char*>(bytes), size);
        return size;
    };
    int error = 0;
    std::unique_ptr<GifFileType, void (*)(GifFileType*)> opened(EGifOpen(&encoded, append, &error), [](GifFileType* f) {
        int ignored = 0;
        EGifCloseFile(f, &ignored);
    });
    GifFileType* file = opened.get();
    if (file == nullptr) fail_gif("write", path, error);
    const auto check = [&](int result) {
        if (result == GIF_ERROR) fail_gif("write", path, file->Error);
    };
    EGifSetGifVersion(file, true);
    check(EGifPutScreenDesc(file, width, height, 8, 0, colours.get()));
    const GifByteType for_ever[] = {1, 0, 0};
    check(EGifPutExtensionLeader(file, APPLICATION_EXT_FUNC_CODE));
    check(EGifPutExtensionBlock(file, 11, "NETSCAPE2.0"));
    check(EGifPutExtensionBlock(file, 3, for_ever));
    check(EGifPutExtensionTrailer(file));

    Quantiser quantise(palette);
    std::vector<GifPixelType> shown;
    std::vector<GifPixelType> line(static_cast<std::size_t>(width));
    for (const Picture& picture : pictures) {
        GraphicsControlBlock control{};
        control.DisposalMode = DISPOSE_DO_NOT;
        control.DelayTime = static_cast<int>(std::max(2.0, std::round(100.0 * seconds)));
        control.TransparentColor = shown.empty() ? NO_TRANSPARENT_COLOR : as_before;
        GifByteType bytes[4];
        check(EGifPutExtension(file, GRAPHICS_EXT_FUNC_CODE, static_cast<int>(EGifGCBToExtension(&control, bytes)),
                               bytes));
        check(EGifPutImageDesc(file, 0, 0, width, height, false, nullptr));
        const bool first = shown.empty();
        shown.resize(picture.rgba.size() / 4);
        for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y) {
            for (std::size_t x = 0; x < line.size(); ++x) {
                const std::size_t pixel = y * line.size() + x;
                const GifPixelType colour = quantise(rgb_at(picture, pixel));
                line[x] = !first && shown[pixel] == colour ? static_cast<GifPixelType>(as_before) : colour;
                shown[pixel] = colour;
            }
            check(EGifPutLine(file, line.data(), width));
        }
    }
    if (EGifCloseFile(opened.release(), &error) == GIF_ERROR) fail_gif("write", path, error);
    write_file(path, encoded);
}

std::vector<Picture> read_gif(const std::filesystem::path& path) {
    int error = 0;
    GifFileType* opened = DGifOpenFileName(path.c_str(), &error);
    if (opened == nullptr) fail_gif("read", path, error);
    const std::unique_ptr<GifFileType, void (*)(GifFileType*)> file(opened, [](GifFileType* f) {
        int ignored = 0;
        DGifCloseFile(f, &ignored);
    });
    if (DGifSlurp(file.get()) == GIF_ERROR) fail_gif("read", path, file->Error);
    std::vector<Picture> pictures;
    Picture seen{file->SWidth, file->SHeight, {}};
    seen.rgba.resize(std::size_t{4} * static_cast<std::size_t>(seen.width) * static_cast<std::size_t>(seen.height));
    for (int i = 0; i < file->ImageCount; ++i) {
        const SavedImage& image = file->SavedImages[i];
        const GifImageDesc& area = image.ImageDesc;
        const ColorMapObject* map = area.ColorMap != nullptr ? area.ColorMap : file->SColorMap;
        GraphicsControlBlock control{};
        control.TransparentColor = NO_TRANSPARENT_COLOR;
        DGifSavedExtensionToGCB(file.get(), i, &control);
        if (map == nullptr || area.Left + area.Width > seen.width || area.Top + area.Height > seen.height)
            fail_gif("read", path, D_GIF_ERR_IMAGE_DEFECT);
        for (int y = 0; y < area.Height; ++y)
            for (int x = 0; x < area.Width; ++x) {
                const int index = image.RasterBits[y * area.Width + x];
                if (index == control.TransparentColor || index >= map->ColorCount) continue;
                const GifColorType& colour = map->Colors[index];
                std::uint8_t* pixel = seen.rgba.data() + 4 * (static_cast<std::size_t>(area.Top + y) *
                                                                  static_cast<std::size_t>(seen.width) +
                                                              static_cast<std::size_t>(area.Left + x));
                pixel[0] = colour.Red;
                pixel[1] = colour.Green;
                pixel[2] = colour.Blue;
                pixel[3] = 255;
            }
        pictures.push_back(seen);
    }
    return pictures;
}

}  // namespace glsort::demo
