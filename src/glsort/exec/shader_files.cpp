#include <fmt/format.h>

#include <glsort/error.h>
#include <glsort/exec/shader_files.h>
#include <glsort/gl/text.h>

#include <algorithm>
#include <utility>

namespace glsort {
namespace {

/// Blocks are comments: a library without the comments of its shaders has nothing to check.
constexpr bool has_blocks = GLSORT_SHADER_COMMENTS != 0;
constexpr std::string_view verbs[] = {"// expects ", "// allows ", "// ignores "};
constexpr std::string_view kinds[] = {"ports: ", "parameters: ", "macros: "};
constexpr std::string_view kind_names[] = {"port", "parameter", "macro"};
constexpr std::string_view include = "#include";
/// Stands for all parameters, in a file that reads parameters by number.
constexpr std::string_view any = "*";

std::string_view name_of(ShaderName kind) {
    return kind_names[static_cast<std::size_t>(kind)];
}

/// Sets `between` to the text between `before` and `after`. Returns false if the line does not have this form.
bool take_between(std::string_view line, std::string_view before, std::string_view after, std::string_view& between) {
    if (line.size() <= before.size() + after.size() || !line.starts_with(before) || !line.ends_with(after))
        return false;
    between = line.substr(before.size(), line.size() - before.size() - after.size());
    return true;
}

/// The conditions around a line.
class Conditions {
  public:
    void begin(bool holds) { open_.push_back({holds, taken()}); }
    void flip() { open_.back().holds = !open_.back().holds; }
    void end() { open_.pop_back(); }
    bool is_empty() const { return open_.empty(); }
    /// Whether the line counts.
    bool taken() const { return open_.empty() || (open_.back().holds && open_.back().included); }

  private:
    struct Condition {
        bool holds;     ///< Whether this branch is taken.
        bool included;  ///< Whether the enclosing branch is taken.
    };
    std::vector<Condition> open_;
};

}  // namespace

ShaderFiles::ShaderFiles(std::vector<gl::ShaderSource::Part>& parts, std::string_view kernel,
                         std::span<const EmbeddedShader* const> files)
    : parts_(parts), kernel_(kernel), files_(files) {}

void ShaderFiles::supply(ShaderName kind, std::string_view name, bool must_be_expected) {
    // For a macro with parameters, only its name.
    supplied_.push_back({kind, name.substr(0, name.find('(')), must_be_expected});
}

void ShaderFiles::add_generated(std::string name, std::string text) {
    if (!text.empty()) parts_.push_back({std::move(name), std::move(text)});
}

void ShaderFiles::add_file(std::string_view file_name, std::string_view includer, std::size_t line) {
    const EmbeddedShader& file = find(file_name, includer, line);
    if (std::find(added_.begin(), added_.end(), file.name) == added_.end()) add(file.name, file.source);
}

void ShaderFiles::add_text(const std::string& name, std::string_view text) {
    const std::size_t before = entries_.size();
    add(name, text);
    if (entries_.size() == before) takes_all_ = true;
    parts_.back().name = name;
}

/// Adds a file after the files that it includes. Reads the top of the file for its includes and its block: comments,
/// includes, and conditions around includes.
void ShaderFiles::add(std::string_view name, std::string_view text) {
    if (std::find(open_.begin(), open_.end(), name) != open_.end())
        throw Error(
            fmt::format("shaders/{} includes itself, by way of shaders/{}", name, fmt::join(open_, ", shaders/")));
    open_.push_back(name);
    std::string copy;
    copy.reserve(text.size() + 64);
    Conditions conditions;
    std::string_view left = text;
    for (std::size_t number = 1; !left.empty(); ++number) {
        std::string_view rest = left;
        const std::string_view line = gl::take_piece(rest, '\n');
        std::string_view operand;
        if (line.starts_with("//")) {
            for (std::size_t verb = 0; has_blocks && verb < std::size(verbs); ++verb)
                if (line.starts_with(verbs[verb]))
                    add_entries(static_cast<Verb>(verb), line.substr(verbs[verb].size()), name, number);
        } else if (line.starts_with(include)) {
            if (!take_between(line, "#include \"", "\"", operand))
                fail(name, number, R"(an include is #include "FOLDER/NAME.glsl")");
            if (conditions.taken()) add_file(operand, name, number);
            copy += "// ";  // The line becomes a comment, so line numbers stay.
        } else if (take_between(line, "#if defined(", ")", operand) && operand.find(')') == std::string_view::npos) {
            conditions.begin(is_defined(operand));
        } else if (take_between(line, "#if !defined(", ")", operand) && operand.find(')') == std::string_view::npos) {
            conditions.begin(!is_defined(operand));
        } else if (line == "#else" && !conditions.is_empty()) {
            conditions.flip();
        } else if (line == "#endif" && !conditions.is_empty()) {
            conditions.end();
        } else if (!line.empty()) {
            break;
        }
        copy += line;
        copy += '\n';
        left = rest;
    }
    if (left.starts_with(include) || left.find("\n#include") != std::string_view::npos)
        throw Error(fmt::format("shaders/{} includes a file after its first line of code", name));
    copy += left;
    parts_.push_back({fmt::format("shaders/{}", name), std::move(copy)});
    added_.push_back(name);
    open_.pop_back();
}

void ShaderFiles::add_entries(Verb verb, std::string_view list, std::string_view file, std::size_t line) {
    std::size_t kind = 0;
    while (kind < std::size(kinds) && !list.starts_with(kinds[kind]))
        ++kind;
    if (kind == std::size(kinds)) fail(file, line, "a line of a block must name ports, parameters or macros");
    list.remove_prefix(kinds[kind].size());
    while (!list.empty()) {
        std::string_view name = gl::take_piece(list, ',');
        if (name.starts_with(' ')) name.remove_prefix(1);
        if (name.empty() || name.find(' ') != std::string_view::npos)
            fail(file, line, "names in a block must be separated by commas");
        entries_.push_back({verb, static_cast<ShaderName>(kind), name, file, line});
    }
}

const EmbeddedShader& ShaderFiles::find(std::string_view file_name, std::string_view includer, std::size_t line) const {
    for (const EmbeddedShader* file : files_)
        if (file->name == file_name || (includer.empty() && file->name.substr(file->name.find('/') + 1) == file_name))
            return *file;
    if (!includer.empty()) fail(includer, line, fmt::format("there is no shader {} in the library", file_name));
    throw Error(fmt::format("there is no shader {} in the library", file_name));
}

bool ShaderFiles::is_defined(std::string_view macro) const {
    return is_supplied(ShaderName::macro, macro);
}

bool ShaderFiles::is_supplied(ShaderName kind, std::string_view name) const {
    return std::any_of(supplied_.begin(), supplied_.end(),
                       [&](const Supplied& supplied) { return supplied.kind == kind && supplied.name == name; });
}

void ShaderFiles::check() const {
    if (!has_blocks) return;
    for (const Entry& entry : entries_)
        if (entry.verb == Verb::expects && !is_supplied(entry.kind, entry.name))
            fail(entry.file, entry.line,
                 fmt::format("it expects the {} {}, which kernel {} does not supply", name_of(entry.kind), entry.name,
                             kernel_));
    if (takes_all_) return;
    std::string unexpected;
    for (const Supplied& supplied : supplied_) {
        const bool expected =
            !supplied.must_be_expected || std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
                return entry.kind == supplied.kind && (entry.name == supplied.name || entry.name == any);
            });
        if (!expected) unexpected += fmt::format(", {} {}", name_of(supplied.kind), supplied.name);
    }
    if (!unexpected.empty())
        throw Error(fmt::format("kernel {} supplies what none of its files expects: {} (the files: shaders/{})",
                                kernel_, unexpected.substr(2), fmt::join(added_, ", shaders/")));
}

void ShaderFiles::fail(std::string_view file, std::size_t line, std::string_view what) const {
    throw Error(fmt::format("shaders/{}:{}: {}", file, line, what));
}

}  // namespace glsort
