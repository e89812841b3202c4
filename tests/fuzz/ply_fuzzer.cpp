#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "fuzz/input_file.h"
#include "particles/splats.h"
#include "support/ply.h"

/// PLY files, as the readers of meshes and of splats take them: each file is read, or refused by its name.

namespace {

using namespace glsort::demo;
using glsort::fuzz::InputFile;
using glsort::fuzz::require;

/// Calls a reader, which may refuse the file by std::runtime_error and by nothing else.
template <class Read>
void read_or_refuse(const InputFile& file, const Read& read) {
    try {
        read();
    } catch (const std::runtime_error& error) {
        require(std::string(error.what()).find(file.path().string()) != std::string::npos,
                std::string("an error names the file: ") + error.what());
    }
}

/// The numbers of an element: all properties but lists.
std::vector<std::string> numbers_of(const PlyElement& element) {
    std::vector<std::string> names;
    for (const PlyProperty& property : element.properties)
        if (!property.list_count) names.push_back(property.name);
    return names;
}

void read_element(const InputFile& file, const PlyHeader& header, const PlyElement& element) {
    if (header.find(element.name) != &element) return;  // A second element of that name is never found.
    const std::vector<std::string> names = numbers_of(element);
    const std::vector<float> values = read_ply(file.path(), element.name, names);
    require(values.size() == element.count * names.size(), "an element has all of its numbers");
}

void check_splat(const Splat& splat) {
    for (int i = 0; i < 3; ++i)
        require(std::isfinite(splat.position[i]) && std::isfinite(splat.colour[i]) &&
                    std::isfinite(splat.variance[i]) && std::isfinite(splat.covariance[i]) && splat.variance[i] >= 0.0f,
                "a splat is made of finite numbers");
    require(splat.opacity >= 0.0f && splat.opacity <= 1.0f, "an opacity is from 0 to 1");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const InputFile file;
    file.hold(data, size);
    read_or_refuse(file, [&] {
        const PlyHeader header = read_ply_header(file.path());
        require(header.bytes <= size, "a header is a part of its file");
        for (const PlyElement& element : header.elements)
            read_or_refuse(file, [&] { read_element(file, header, element); });
    });
    read_or_refuse(file, [&] { holds_splats(file.path()); });
    read_or_refuse(file, [&] {
        for (const Splat& splat : load_splats(file.path()))
            check_splat(splat);
    });
    return 0;
}
