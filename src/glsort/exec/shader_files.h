#pragma once

#include <glsort/exec/embedded_shaders.h>
#include <glsort/gl/program.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glsort {

/// Names that a file of shaders/ expects of a kernel.
enum class ShaderName { port, parameter, macro };

/// Puts the files of a shader together: each names what it includes and, in a block at its top, the names that it
/// expects (shaders/README.md, *Blocks*).
///
/// All functions throw `Error` naming the file, the line where there is one, and the name. A name's text must outlive
/// this.
class ShaderFiles {
  public:
    /// Parts of the shader are appended to `parts`. `kernel`: for messages.
    ShaderFiles(std::vector<gl::ShaderSource::Part>& parts, std::string_view kernel,
                std::span<const EmbeddedShader* const> files = embedded_shaders());

    /// Supplies a name. One that `must_be_expected` some file has to expect, allow or ignore. All names are supplied
    /// before the first file is added: those of macros decide on the conditions around includes.
    void supply(ShaderName kind, std::string_view name, bool must_be_expected = true);

    /// Adds a text of the composer's or of the caller's, which expects nothing; none where the text is empty.
    void add_generated(std::string name, std::string text);
    /// Adds the file of that path or name, behind the files that it includes; each once.
    void add_file(std::string_view file_name);
    /// Adds a text as if it was a file. One that has no block may use all that is supplied.
    void add_text(const std::string& name, std::string_view text);

    /// Compares what the files expect with what is supplied, in both directions. Call behind the last file.
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
    void add(std::string_view name, std::string_view text);
    bool is_defined(std::string_view macro) const;
    bool is_supplied(ShaderName kind, std::string_view name) const;
    /// Takes a line of a block, behind its verb.
    void add_entries(Verb verb, std::string_view list, std::string_view file, std::size_t line);
    [[noreturn]] void fail(std::string_view file, std::size_t line, std::string_view what) const;

    std::vector<gl::ShaderSource::Part>& parts_;
    std::string_view kernel_;
    std::span<const EmbeddedShader* const> files_;
    std::vector<Supplied> supplied_;
    std::vector<Entry> entries_;
    std::vector<std::string_view> added_;  ///< Files, by path.
    std::vector<std::string_view> open_;   ///< The file that is being added, and those that include it.
    bool takes_all_ = false;               ///< A text has no block.
};

}  // namespace glsort
