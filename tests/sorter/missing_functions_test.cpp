#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "sorter/between_calls.h"
#include "support/paths.h"

namespace glsort::test {
namespace {

using Catch::Contains;

/// The function that the loader below omits.
std::string& left_out() {
    static std::string name;
    return name;
}

GlProcedure load_all_but_one(const char* name) {
    return name == left_out() ? nullptr : TestContext::get_proc_address()(name);
}

/// All OpenGL functions that the library's sources call.
std::set<std::string> called_functions() {
    static const std::regex call(R"(\bapi_?(?:->|\.)([A-Z][a-z]\w+)\(|&GladGLContext::([A-Z]\w+))");
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(paths::source("src/glsort"))) {
        if (!entry.is_regular_file()) continue;
        std::ifstream file(entry.path());
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        for (auto found = std::sregex_iterator(text.begin(), text.end(), call); found != std::sregex_iterator();
             ++found)
            names.insert("gl" + (*found)[1].str() + (*found)[2].str());
    }
    return names;
}

/// Functions that the library looks for, but does not need.
const std::set<std::string> optional_functions{"glBufferPageCommitmentARB",
                                               "glBufferStorage",
                                               "glGetNamedBufferParameteri64v",
                                               "glGetProgramBinary",
                                               "glGetQueryObjectui64vEXT",
                                               "glGetQueryivEXT",
                                               "glObjectLabel",
                                               "glPopDebugGroup",
                                               "glProgramBinary",
                                               "glProgramParameteri",
                                               "glPushDebugGroup",
                                               "glQueryCounterEXT",
                                               "glShadingRateEXT",
                                               "glShadingRateQCOM",
                                               "glViewportPositionWScaleNV",
                                               "glViewportSwizzleNV",
                                               "glWindowRectanglesEXT"};

TEST_CASE("a function that get_proc_address lacks is named", "[sorter]") {
    const std::set<std::string> called = called_functions();
    CHECK(called.size() > 90);
    for (const Tier tier : all_tiers()) {
        if (!available(tier)) continue;
        TestContext& context = clean_context(tier);
        std::size_t missing = 0;
        for (const std::string& name : called) {
            // Functions of other versions.
            if (TestContext::get_proc_address()(name.c_str()) == nullptr || optional_functions.contains(name)) continue;
            // OpenGL ES 3.1's loader has functions that the library calls only on OpenGL.
            INFO(tier_name(tier) << ", " << name);
            left_out() = name;
            // Without glGetString, the library cannot know whether a context is current.
            const std::string reason = name == "glGetString" ? "no OpenGL context" : name;
            const std::string message = error_of([&] { Sorter({.capacity = 8}, load_all_but_one); });
            CHECK_THAT(message, Contains("Sorter::Sorter: ") && Contains(reason));
            CHECK_THAT(error_of([&] { describe_context(load_all_but_one); }),
                       Contains("describe_context: ") && Contains(reason));
            ++missing;
        }
        CHECK(missing > 70);
        left_out().clear();
        CHECK(error_of([&] { Sorter({.capacity = 8}, load_all_but_one); }) == "(nothing thrown)");
        context.require_clean("functions that are missing");
    }
}

TEST_CASE("a function that is not called in a context need not be there", "[sorter]") {
    for (const Tier tier : all_tiers()) {
        if (!available(tier)) continue;
        TestContext& context = clean_context(tier);
        INFO(tier_name(tier));
        for (const char* name : {"glDrawElements", "glTexStorage2D", "glPushDebugGroup", "glTextureBarrier"}) {
            left_out() = name;
            SortSpec spec = small_spec(Backend::automatic);
            SorterOptions options;
            options.debug_groups = true;
            Bench bench(context, spec, load_all_but_one, options);
            CHECK(bench.wrong(1) == "");
        }
        left_out().clear();
        context.require_clean("functions that are not called");
    }
}

}  // namespace
}  // namespace glsort::test
