#include <glsort/program_binaries.h>

#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <system_error>
#include <utility>

namespace glsort {
namespace {

std::vector<std::byte> read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::vector<std::byte> bytes;
    for (std::istreambuf_iterator<char> next(file), end; next != end; ++next)
        bytes.push_back(static_cast<std::byte>(*next));
    return bytes;
}

/// Writes beside the place first: another program may read the file at any time.
void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes) {
    std::error_code ignored;
    std::filesystem::create_directories(path.parent_path(), ignored);
    const std::filesystem::path beside = path.string() + "." + std::to_string(std::random_device()());
    bool written = false;
    {
        std::ofstream file(beside, std::ios::binary);
        file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        file.close();
        written = !file.fail();
    }
    if (written) std::filesystem::rename(beside, path, ignored);
    if (!written || ignored) std::filesystem::remove(beside, ignored);
}

}  // namespace

ProgramBinaries binaries_in_folder(std::filesystem::path folder) {
    const auto place = [folder = std::move(folder)](std::string_view key) {
        return folder / (std::string(key) + ".glprogram");
    };
    return {
        .load = [place](std::string_view key) { return read_file(place(key)); },
        .store = [place](std::string_view key, std::span<const std::byte> entry) { write_file(place(key), entry); }};
}

}  // namespace glsort
