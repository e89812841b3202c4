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
#include "support/gif.h"
#include "support/output_file.h"

namespace glsort::demo {
namespace {

// Of other pictures and films. A folder of such a name is hardly meant.
constexpr std::array<std::string_view, 7> other_endings{".jpg", ".jpeg", ".bmp", ".webp", ".tif", ".mp4", ".webm"};

std::string ending_of(const std::filesystem::path& path) {
    std::string ending = path.extension().string();
    std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return std::tolower(c); });
    return ending;
}

}  // namespace

PictureTarget picture_target(const std::filesystem::path& output, std::uint64_t pictures) {
    if (is_standard_output(output)) return pictures > 1 ? PictureTarget::gif : PictureTarget::png;
    std::error_code error;
    const std::string ending = ending_of(output);
    if (std::filesystem::is_directory(output, error)) return PictureTarget::folder;
    if (ending != ".png" && ending != ".gif") {
        if (std::filesystem::exists(output, error))
            throw std::invalid_argument(output.string() + " is a file, and neither a .png nor a .gif file");
        if (std::ranges::find(other_endings, ending) != other_endings.end())
            throw std::invalid_argument(output.string() + ": pictures are .png or .gif files");
        return PictureTarget::folder;
    }
    check_writable(output);
    return ending == ".png" ? PictureTarget::png : PictureTarget::gif;
}

PictureWriter::PictureWriter(std::filesystem::path output, std::uint64_t pictures, double seconds)
    : output_(std::move(output)), target_(picture_target(output_, pictures)), seconds_(seconds) {
    if (target_ == PictureTarget::folder) std::filesystem::create_directories(output_);
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
