#include "cli/manual.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <system_error>

#include "support/output_file.h"

namespace glsort::demo {
namespace {

// Escapes text for man(7): backslashes, hyphens that readers can copy, and lines that begin like a request.
std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        const bool line_begins = out.empty() || out.back() == '\n';
        if (line_begins && (c == '.' || c == '\'')) out += "\\&";
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else
            out += c;
    }
    return out;
}

std::string in_capitals(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
    return text;
}

std::string entry_of(const OptionDescription& option) {
    std::string names;
    for (const std::string& name : option.names)
        names += (names.empty() ? "\\fB" : ", \\fB") + escaped(name) + "\\fR";
    if (!option.value.empty()) names += " \\fI" + escaped(option.value) + "\\fR";
    std::string text = ".TP\n" + names + "\n" + escaped(option.text);
    if (!option.fallback.empty()) text += " (default: " + escaped(option.fallback) + ")";
    return text + "\n";
}

std::string footer_of(const CommandDescription& command) {
    if (command.footer.empty()) return {};
    const bool list = command.footer.find('\n') != std::string::npos;
    return list ? ".PP\n.nf\n" + escaped(command.footer) + "\n.fi\n" : ".PP\n" + escaped(command.footer) + "\n";
}

}  // namespace

std::string to_manual(const CommandDescription& program, const std::string& version) {
    std::string text =
        fmt::format(".TH {} 1 \"\" \"glsort {}\" \"User Commands\"\n", in_capitals(program.name), version);
    // whatis(1) reads this section, which must be one line. The first sentence is enough.
    const std::string summary = program.text.substr(0, program.text.find_first_of(".:\n"));
    text += ".SH NAME\n" + program.name + " \\- " + escaped(summary) + "\n";
    text += fmt::format(".SH SYNOPSIS\n.B {}\n", program.name);
    text += program.commands.empty() ? "[\\fIOPTION\\fR...]\n" : "\\fICOMMAND\\fR [\\fIOPTION\\fR...]\n";
    text += ".SH DESCRIPTION\n" + escaped(program.text) + "\n" + footer_of(program);
    text += ".SH OPTIONS\n";
    for (const OptionDescription& option : program.options)
        text += entry_of(option);
    for (const CommandDescription& command : program.commands) {
        text += fmt::format(".SH {}\n.B {} {}\n[\\fIOPTION\\fR...]\n.PP\n{}\n", in_capitals(command.name), program.name,
                            command.name, escaped(command.text));
        for (const OptionDescription& option : command.options)
            text += entry_of(option);
        text += footer_of(command);
    }
    return text +
           ".SH EXIT STATUS\n0: done. 1: failed. 2: wrong arguments. 130: ended by Ctrl\\-C, unless this page says "
           "otherwise.\n";
}

void write_manual(const CommandDescription& program, const std::string& version, const std::filesystem::path& folder) {
    const auto write = [&folder](const std::filesystem::path& path, const std::string& text) {
        const std::filesystem::path file = folder / path;
        std::error_code error;
        std::filesystem::create_directories(file.parent_path(), error);
        if (error)
            throw std::runtime_error(fmt::format("cannot make {}: {}", file.parent_path().string(), error.message()));
        write_file(file, text);
    };
    write("man/man1/" + program.name + ".1", to_manual(program, version));
    write("bash-completion/completions/" + program.name, to_bash(program));
    write("zsh/site-functions/_" + program.name, to_zsh(program));
    write("fish/vendor_completions.d/" + program.name + ".fish", to_fish(program));
}

}  // namespace glsort::demo
