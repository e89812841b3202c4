#include <glsort/gl_types.h>

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace glsort {
namespace {

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

std::vector<std::byte> read_file(const std::string& path) {
    std::vector<std::byte> bytes;
    const File file(std::fopen(path.c_str(), "rb"));
    if (file == nullptr) return bytes;
    std::byte part[4096];
    for (std::size_t size = 0; (size = std::fread(part, 1, sizeof(part), file.get())) > 0;)
        bytes.insert(bytes.end(), part, part + size);
    return bytes;
}

bool try_write(const std::string& path, std::span<const std::byte> bytes) {
    std::FILE* const file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) return false;
    const bool whole = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
    return std::fclose(file) == 0 && whole;
}

/// Writes beside the place first: another program may read the file at any time.
void write_file(const std::string& path, std::span<const std::byte> bytes) {
    const std::string beside = path + "." + std::to_string(std::random_device()());
    // Unlike `std::rename`, this function replaces files on every system.
    std::error_code failed;
    const bool written = try_write(beside, bytes);
    if (written) std::filesystem::rename(beside, path, failed);
    if (!written || failed) std::remove(beside.c_str());
}

}  // namespace

ProgramBinaries binaries_in_folder(const std::string& folder) {
    const auto place = [folder](std::string_view key) { return folder + "/" + std::string(key) + ".glprogram"; };
    return {.load = [place](std::string_view key) { return read_file(place(key)); },
            .store =
                [folder, place](std::string_view key, std::span<const std::byte> entry) {
                    std::error_code ignored;  // The file then cannot be written.
                    std::filesystem::create_directories(folder, ignored);
                    write_file(place(key), entry);
                }};
}

}  // namespace glsort
