#include <glsort/planner.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

using namespace glsort;

namespace {

// The kernels of all algorithms, small and large, on all backends.
std::set<std::string> names_of_kernels() {
    std::set<std::string> names;
    for (const Algorithm& algorithm : algorithms())
        for (const Algorithm::Variant& variant : algorithm.variants)
            for (const std::uint32_t n : {16u, 1000u, 100000u})
                for (const Backend backend : {Backend::fragment, Backend::compute}) {
                    if (backend == Backend::fragment && !variant.takes.fragment) continue;
                    PlanRequest request;
                    request.n = n;
                    request.spec.algorithm = algorithm.name + ":" + variant.name;
                    request.spec.backend = backend;
                    for (const Op& op : plan(request).ops)
                        names.insert(op.kernel->name);
                }
    return names;
}

}  // namespace

TEST_CASE("stages matches no kernel's name, and reads no definition", "[demos]") {
    const std::set<std::string> names = names_of_kernels();
    CHECK(names.size() > 25);
    const auto folder = std::filesystem::path(GLSORT_SOURCE_DIR) / "demos" / "stages";
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        std::ifstream file(entry.path());
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        CAPTURE(entry.path().filename().string());
        for (const std::string& name : names) {
            CAPTURE(name);
            CHECK(text.find('"' + name + '"') == std::string::npos);
        }
        for (const char* other :
             {"kernel->defines", "kernel.defines", "kernel->body", "name.starts_with", "CpuInvocation"}) {
            CAPTURE(other);
            CHECK(text.find(other) == std::string::npos);
        }
    }
}
