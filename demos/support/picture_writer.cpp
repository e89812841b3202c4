#include "support/picture_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "support/file_access.h"
#include "support/folder_access.h"
#include "support/gif.h"
#include "support/output_file.h"

namespace glsort::demo {
namespace {

// Of other pictures and films. A folder of such a name is hardly meant.
constexpr auto other_endings = std::to_array<std::string_view>(
    {".apng", ".avi", ".avif", ".bmp", ".eps", ".exr", ".hdr",  ".heic", ".heif", ".ico",  ".jp2",  ".jpe",  ".jpeg",
     ".jpg",  ".jxl", ".m4v",  ".mkv", ".mov", ".mp4", ".mpeg", ".mpg",  ".ogv",  ".pam",  ".pbm",  ".pdf",  ".pgm",
     ".pnm",  ".ppm", ".ps",   ".psd", ".qoi", ".svg", ".svgz", ".tga",  ".tif",  ".tiff", ".webm", ".webp", ".xcf"});

std::string ending_of(const std::filesystem::path& path) {
    std::string ending = path.extension().string();
    std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return std::tolower(c); });
    return ending;
}

void refuse_other_file(const std::filesystem::path& output, const std::string& ending) {
    std::error_code error;
    if (std::filesystem::exists(output, error))
        throw std::invalid_argument(output.string() + " is a file, and neither a .png nor a .gif file");
    if (std::ranges::find(other_endings, ending) != other_endings.end())
        throw std::invalid_argument(output.string() + ": pictures are .png or .gif files");
}

}  // namespace

PictureTarget picture_target(const std::filesystem::path& output, std::uint64_t pictures) {
    if (is_standard_output(output)) return pictures > 1 ? PictureTarget::gif : PictureTarget::png;
    std::error_code error;
    if (!std::filesystem::is_directory(output, error)) {
        const std::string ending = ending_of(output);
        if (ending == ".png" || ending == ".gif") {
            check_writable(output);
            return ending == ".png" ? PictureTarget::png : PictureTarget::gif;
        }
        refuse_other_file(output, ending);
    }
    check_folder(output);
    return PictureTarget::folder;
}

PictureWriter::PictureWriter(std::filesystem::path output, std::uint64_t pictures, double seconds)
    : output_(std::move(output)), target_(picture_target(output_, pictures)), seconds_(seconds) {
    if (target_ == PictureTarget::folder) make_folder(output_);
}

void PictureWriter::add(Picture picture) {
    if (target_ == PictureTarget::folder) return write_png(output_ / fmt::format("{:04}.png", added_++), picture);
    ++added_;
    if (target_ == PictureTarget::png) kept_.clear();
    kept_.push_back(std::move(picture));
}

void PictureWriter::finish() const {
    if (kept_.empty()) return;
    if (target_ == PictureTarget::gif)
        write_gif(output_, kept_, seconds_);
    else
        write_png(output_, kept_.back());
}

std::string PictureWriter::written() const {
    const std::uint64_t pictures = target_ == PictureTarget::png ? kept_.size() : added_;
    return fmt::format("{} picture{} to {}", pictures, pictures == 1 ? "" : "s",
                       is_standard_output(output_) ? "standard output" : output_.string());
}

std::uint64_t PictureWriter::bytes(std::uint64_t pictures, int width, int height) const {
    const std::uint64_t one = std::uint64_t{4} * static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height);
    return one * (target_ == PictureTarget::gif ? pictures + 1 : 2);
}

}  // namespace glsort::demo
