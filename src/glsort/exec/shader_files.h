#pragma once

#include <glsort/exec/embedded_shaders.h>
#include <glsort/gl/program.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glsort {

/// The kinds of names that a file of shaders/ expects from a kernel.
enum class ShaderName { port, parameter, macro };

/// Assembles a shader from its files. Each file names the files that it includes. A block at the top of a file names
/// the ports, parameters and macros that the file expects from the kernel (shaders/README.md, *Blocks*).
///
/// All functions throw `Error` with the file, the line if there is one, and the name. The texts of all names must
/// outlive this object.
class ShaderFiles {
  public:
    /// Appends the parts of the shader to `parts`. `kernel` is used in messages.
    ShaderFiles(std::vector<gl::ShaderSource::Part>& parts, std::string_view kernel,
                std::span<const EmbeddedShader* const> files = embedded_shaders());

    /// Supplies a name. If `must_be_expected`, some file must expect, allow or ignore the name. Supply all names before
    /// the first file: macro names decide the conditions around includes.
    void supply(ShaderName kind, std::string_view name, bool must_be_expected = true);

    /// Adds a text of the composer or the caller, which expects nothing. An empty text adds no part.
    void add_generated(std::string name, std::string text);
    /// Adds the file of that path or name, after the files that it includes. Each file is added once.
    void add_file(std::string_view file_name) { add_file(file_name, {}, 0); }
    /// Adds a text like a file. A text without a block may use all supplied names.
    void add_text(const std::string& name, std::string_view text);

    /// Checks that all expected names are supplied, and the other way round. Call after the last file.
    void check() const;

  private:
    enum class Verb { expects, allows, ignores };
    struct Supplied {
        ShaderName kind;
        std::string_view name;
        bool must_be_expected;
    };
    struct Entry {
        Verb verb;
        ShaderName kind;
        std::string_view name;
        std::string_view file;
        std::size_t line;
    };

    const EmbeddedShader& find(std::string_view file_name, std::string_view includer, std::size_t line) const;
    /// `includer`, `line`: the place of the include. Empty: the composer adds the file.
    void add_file(std::string_view file_name, std::string_view includer, std::size_t line);
    void add(std::string_view name, std::string_view text);
    bool is_defined(std::string_view macro) const;
    bool is_supplied(ShaderName kind, std::string_view name) const;
    /// Parses a line of a block, without its verb.
    void add_entries(Verb verb, std::string_view list, std::string_view file, std::size_t line);
    [[noreturn]] void fail(std::string_view file, std::size_t line, std::string_view what) const;

    std::vector<gl::ShaderSource::Part>& parts_;
    std::string_view kernel_;
    std::span<const EmbeddedShader* const> files_;
    std::vector<Supplied> supplied_;
    std::vector<Entry> entries_;
    std::vector<std::string_view> added_;  ///< Paths of added files.
    std::vector<std::string_view> open_;   ///< The file being added and the files that include it.
    bool takes_all_ = false;               ///< Some text has no block.
};

}  // namespace glsort
