#include <glsort/exec/shader_files.h>

#include <fmt/format.h>
#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <glsort/error.h>

/// Includes and blocks of shader files: of files made up here, and of the library's files.

namespace glsort::test {
namespace {

using Catch::Contains;
using Names = std::set<std::string>;

/// The result of composing file `kernel_toy` from some files: the parts, or the error.
struct Composed {
    std::vector<gl::ShaderSource::Part> parts;
    std::string error;

    std::string names() const {
        std::string all;
        for (const gl::ShaderSource::Part& part : parts)
            all += part.name + " ";
        return all;
    }
};

Composed compose(const std::vector<EmbeddedShader>& files, const std::function<void(ShaderFiles&)>& supply) {
    Composed composed;
    try {
        std::vector<const EmbeddedShader*> pointers;
        for (const EmbeddedShader& file : files)
            pointers.push_back(&file);
        ShaderFiles shader(composed.parts, "kernel_toy", pointers);
        supply(shader);
        shader.add_file("kernel_toy.glsl");
        shader.check();
    } catch (const Error& error) {
        composed.error = error.what();
    }
    return composed;
}

Composed compose(const std::vector<EmbeddedShader>& files) {
    return compose(files, [](ShaderFiles&) {});
}

TEST_CASE("a shader file comes behind those that it includes, each once", "[compose]") {
    const std::vector<EmbeddedShader> files = {
        {"a/kernel_toy.glsl", "// A toy.\n\n#include \"b/left.glsl\"\n#include \"b/right.glsl\"\nint last;\n"},
        {"b/left.glsl", "#include \"b/base.glsl\"\nint left;\n"},
        {"b/right.glsl", "#include \"b/base.glsl\"\nint right;\n"},
        {"b/base.glsl", "int base;\n"}};
    const Composed composed = compose(files);
    CHECK(composed.error == "");
    CHECK(composed.names() ==
          "shaders/b/base.glsl shaders/b/left.glsl shaders/b/right.glsl shaders/a/kernel_toy.glsl ");
    // Lines keep their numbers.
    CHECK(composed.parts.back().text ==
          "// A toy.\n\n// #include \"b/left.glsl\"\n// #include \"b/right.glsl\"\nint last;\n");
}

TEST_CASE("conditions around includes go by the macros of the kernel", "[compose]") {
    const std::vector<EmbeddedShader> files = {
        {"a/kernel_toy.glsl",
         "// allows macros: GLSORT_LEFT\n#if defined(GLSORT_LEFT)\n#include \"b/left.glsl\"\n#else\n"
         "#include \"b/right.glsl\"\n#endif\n#if !defined(GLSORT_LEFT)\n#include \"b/base.glsl\"\n#endif\nint last;\n"},
        {"b/left.glsl", "int left;\n"},
        {"b/right.glsl", "int right;\n"},
        {"b/base.glsl", "int base;\n"}};
    CHECK(compose(files).names() == "shaders/b/right.glsl shaders/b/base.glsl shaders/a/kernel_toy.glsl ");
    const auto left = [](ShaderFiles& shader) { shader.supply(ShaderName::macro, "GLSORT_LEFT"); };
    CHECK(compose(files, left).names() == "shaders/b/left.glsl shaders/a/kernel_toy.glsl ");
}

TEST_CASE("includes that cannot be are refused by file and line", "[compose]") {
    const auto error_of = [](const char* text, const char* other = "int base;\n") {
        return compose({{"a/kernel_toy.glsl", text}, {"b/base.glsl", other}}).error;
    };
    CHECK_THAT(error_of("#include \"b/base.glsl\"\n", "#include \"a/kernel_toy.glsl\"\n"),
               Contains("shaders/a/kernel_toy.glsl includes itself") && Contains("shaders/b/base.glsl"));
    CHECK_THAT(error_of("// One.\n#include \"b/none.glsl\"\n"),
               Contains("shaders/a/kernel_toy.glsl:2: ") && Contains("b/none.glsl"));
    CHECK_THAT(error_of("#include <b/base.glsl>\n"), Contains("shaders/a/kernel_toy.glsl:1: "));
    // An include names a path. A file's name is not enough.
    CHECK_THAT(error_of("#include \"base.glsl\"\n"),
               Contains("shaders/a/kernel_toy.glsl:1: ") && Contains("base.glsl"));
    CHECK_THAT(error_of("int a;\n#include \"b/base.glsl\"\n"),
               Contains("shaders/a/kernel_toy.glsl includes a file after its first line of code"));
}

TEST_CASE("a wrong block is found, whichever side is wrong", "[compose]") {
    const auto error_of = [](const char* text, const std::function<void(ShaderFiles&)>& supply) {
        return compose({{"a/kernel_toy.glsl", text}}, supply).error;
    };
    const auto nothing = [](ShaderFiles&) {};
    const auto all = [](ShaderFiles& shader) {
        shader.supply(ShaderName::port, "source");
        shader.supply(ShaderName::parameter, "count");
        shader.supply(ShaderName::macro, "GLSORT_AT(i)");
        shader.supply(ShaderName::macro, "GLSORT_LANE", false);
    };
    const char* const right =
        "// expects ports: source\n// expects parameters: count\n// allows macros: GLSORT_AT, GLSORT_MORE\nint a;\n";
    CHECK(error_of(right, all) == "");
    CHECK_THAT(error_of(right, nothing),
               Contains("shaders/a/kernel_toy.glsl:1: ") && Contains("port source") && Contains("kernel_toy"));
    CHECK_THAT(error_of("// expects macros: GLSORT_LANE,\n//\nint a;\n", nothing), Contains("macro GLSORT_LANE"));
    CHECK(error_of("// expects macros: GLSORT_LANE\nint a;\n",
                   [](ShaderFiles& shader) { shader.supply(ShaderName::macro, "GLSORT_LANE", false); }) == "");
    // Names that the kernel supplies and no file expects.
    const std::string unexpected = error_of("// expects ports: source\nint a;\n", all);
    CHECK_THAT(unexpected, Contains("kernel_toy") && Contains("parameter count") && Contains("macro GLSORT_AT") &&
                               Contains("shaders/a/kernel_toy.glsl"));
    CHECK_THAT(unexpected, !Contains("source") && !Contains("GLSORT_LANE"));
    // Names of different kinds are different names.
    CHECK_THAT(error_of("// expects ports: source, count\n// allows macros: GLSORT_AT\nint a;\n", all),
               Contains("port count"));
    CHECK(error_of("// expects ports: source\n// ignores parameters: count\n// ignores macros: GLSORT_AT\nint a;\n",
                   all) == "");
    CHECK(error_of("// expects ports: source\n// allows parameters: *\n// ignores macros: GLSORT_AT\nint a;\n", all) ==
          "");
    // Lines that are not lists.
    CHECK_THAT(error_of("// One.\n// expects names: source\nint a;\n", nothing),
               Contains("shaders/a/kernel_toy.glsl:2: "));
    CHECK_THAT(error_of("// expects ports: source target\nint a;\n", nothing),
               Contains("shaders/a/kernel_toy.glsl:1: "));
}

TEST_CASE("text that a kernel brings may go without a block", "[compose]") {
    std::vector<gl::ShaderSource::Part> parts;
    const auto check_text = [&parts](const char* text) {
        ShaderFiles shader(parts, "kernel_toy", {});
        shader.supply(ShaderName::port, "source");
        shader.add_text("toy", text);
        shader.check();
    };
    CHECK_NOTHROW(check_text("int a;\n"));
    CHECK(parts.back().name == "toy");
    CHECK_NOTHROW(check_text("// expects ports: source\nint a;\n"));
    CHECK_THROWS_AS(check_text("// expects ports: target\nint a;\n"), Error);
    CHECK_THROWS_AS(check_text("// allows ports: target\nint a;\n"), Error);
}

std::string without_comments(const std::string& text) {
    return std::regex_replace(text, std::regex("//[^\n]*"), "");
}

/// The first group of all matches of an expression.
Names found(const std::string& text, const std::string& expression) {
    Names names;
    const std::regex pattern(expression);
    for (std::sregex_iterator i(text.begin(), text.end(), pattern), end; i != end; ++i)
        names.insert((*i)[1].str());
    return names;
}

/// The names that a file defines at global scope. Definitions in the library's files begin a line.
Names defined_in(const std::string& code) {
    Names names = found("\n" + code, R"(\n(?:(?:shared|const) )*(?:[a-zA-Z]\w*) (\w+)\s*[(\[=;])");
    names.merge(found(code, R"(#define (\w+))"));
    names.merge(found("\n" + code, R"(\nstruct (\w+))"));
    return names;
}

struct LibraryFile {
    std::string text, code;
    Names includes, own;
    std::map<std::string, Names> listed;  ///< Keys such as "expects ports".
};

std::map<std::string, LibraryFile> library_files() {
    std::map<std::string, LibraryFile> files;
    for (const EmbeddedShader* shader : embedded_shaders()) {
        LibraryFile& file = files[std::string(shader->name)];
        file.text = shader->source;
        file.code = without_comments(file.text);
        file.includes = found(file.text, "#include \"([^\"]*)\"");
        file.own = defined_in(file.code);
        static const std::regex line("(?:^|\n)// ((?:expects|allows|ignores) \\w+): ([^\n]*)");
        for (std::sregex_iterator i(file.text.begin(), file.text.end(), line), end; i != end; ++i)
            file.listed[(*i)[1].str()].merge(found((*i)[2].str(), R"(([\w*]+))"));
    }
    return files;
}

/// Adds the names that a file defines, or gets from the files that it includes, directly or indirectly.
void add_known(const std::map<std::string, LibraryFile>& files, const LibraryFile& file, Names& known) {
    known.insert(file.own.begin(), file.own.end());
    for (const std::string& include : file.includes)
        add_known(files, files.at(include), known);
}

TEST_CASE("all that shader files define has our prefix", "[compose][rules]") {
    for (const auto& [name, file] : library_files())
        for (const std::string& own : file.own) {
            CAPTURE(name, own);
            CHECK((own.starts_with("glsort_") || own.starts_with("GLSORT_")));
        }
}

TEST_CASE("shader files include the files of lib that they use", "[compose][rules]") {
    const std::map<std::string, LibraryFile> files = library_files();
    Names of_library;
    for (const auto& [name, file] : files)
        if (name.starts_with("lib/")) of_library.insert(file.own.begin(), file.own.end());
    for (const auto& [name, file] : files) {
        CAPTURE(name);
        Names known;
        add_known(files, file, known);
        Names missing;
        for (const std::string& used : found(file.code, R"(\b(glsort_\w+))"))
            if (of_library.contains(used) && !known.contains(used)) missing.insert(used);
        CHECK(missing == Names{});
    }
}

TEST_CASE("the blocks of shader files list what the files use", "[compose][rules]") {
    const std::map<std::string, LibraryFile> files = library_files();
    Names functions;
    for (const auto& [name, file] : files)
        functions.insert(file.own.begin(), file.own.end());
    const auto without = [](Names names, const Names& others) {
        std::erase_if(names, [&](const std::string& name) { return others.contains(name); });
        return names;
    };
    for (const auto& [name, file] : files) {
        CAPTURE(name);
        Names known;
        add_known(files, file, known);
        std::map<std::string, Names> used;
        const Names calls =
            found(file.code, R"(\b(glsort_\w+_(?:read|gather4?|write|scatter|scatter_key|scatter_value|add|load))\b)");
        for (const std::string& call : without(calls, functions))
            used["ports"].merge(found(call, R"(^glsort_(\w+?)_(?:read|gather4?|write|scatter\w*|add|load)$)"));
        used["parameters"] = found(file.code, R"(\bglsort_op_(\w+))");
        if (used["parameters"].erase("parameter") > 0) used["parameters"].insert("*");
        used["macros"] = without(found(file.code, R"(\b(GLSORT_\w+))"), known);
        // Parameters of a macro of the library.
        used["macros"].erase("GLSORT_WORD");
        for (const char* kind : {"ports", "parameters", "macros"}) {
            CAPTURE(kind);
            Names listed;
            for (const char* verb : {"expects ", "allows "}) {
                const auto names = file.listed.find(verb + std::string(kind));
                if (names != file.listed.end()) listed.insert(names->second.begin(), names->second.end());
            }
            CHECK(without(used[kind], listed) == Names{});
            for (const std::string& unused : without(listed, used[kind])) {
                // An unused name has a default in the file, or a macro of the kernel uses the name.
                CAPTURE(unused);
                CHECK((file.own.contains(unused) || (kind == std::string("ports") && unused == "values")));
            }
            const auto ignored = file.listed.find("ignores " + std::string(kind));
            if (ignored != file.listed.end()) CHECK(without(ignored->second, used[kind]) == ignored->second);
        }
    }
}

}  // namespace
}  // namespace glsort::test
