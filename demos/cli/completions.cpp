#include <fmt/format.h>

#include "cli/manual.h"

namespace glsort::demo {
namespace {

std::string joined(const std::vector<std::string>& words, std::string_view between = " ") {
    return fmt::format("{}", fmt::join(words, between));
}

std::vector<std::string> names_of(const CommandDescription& command) {
    std::vector<std::string> names;
    for (const OptionDescription& option : command.options)
        names.insert(names.end(), option.names.begin(), option.names.end());
    return names;
}

std::vector<std::string> names_of(const std::vector<CommandDescription>& commands) {
    std::vector<std::string> names;
    names.reserve(commands.size());
    for (const CommandDescription& command : commands)
        names.push_back(command.name);
    return names;
}

// Quotes a text for shells of the Bourne family, or for fish. `quote` replaces a single quote in the text.
std::string quoted(const std::string& text, std::string_view quote) {
    std::string out;
    for (const char c : text) {
        if (c == '\'')
            out += quote;
        else
            out += c == '\n' ? ' ' : c;
    }
    return "'" + out + "'";
}

// The completions of the options' values, as lines of a `case`.
std::string bash_values(const CommandDescription& command) {
    std::string lines;
    for (const OptionDescription& option : command.options) {
        if (option.value.empty()) continue;
        std::vector<std::string> patterns;
        for (const std::string& name : option.names)
            patterns.push_back(fmt::format("'{} {}'", command.name, name));
        std::string action;
        if (!option.words.empty())
            action += fmt::format(" _glsort_offer {} '{}';", option.takes_list ? "list" : "one", joined(option.words));
        if (option.takes_file) action += " _glsort_offer_files -f;";
        if (option.takes_folder && !option.takes_file) action += " _glsort_offer_files -d;";
        lines += fmt::format("        {})\n           {} return ;;\n", joined(patterns, " | "), action);
    }
    return lines;
}

constexpr std::string_view bash_helpers = R"(
# What is left of the word that is being completed, where bash has cut it at = or :.
_glsort_reply() {
    local whole=$1 cut=; shift
    [[ $whole == *:* && $COMP_WORDBREAKS == *:* ]] && cut=${whole%:*}:
    COMPREPLY+=("${@#"$cut"}")
}
_glsort_offer() {
    local before= IFS=$' \n'
    [[ $1 == list && $current == *,* ]] && before=${current%,*},
    local -a found=($(compgen -P "$before" -W "$2" -- "${current#"$before"}"))
    ((${#found[@]})) && _glsort_reply "$current" "${found[@]}"
}
_glsort_offer_files() {
    local IFS=$'\n'
    compopt -o filenames 2>/dev/null
    COMPREPLY+=($(compgen "$1" -- "$current"))
}
)";

std::string zsh_option(const OptionDescription& option, const std::string& indent) {
    // Brackets and colons have a special meaning in zsh's descriptions.
    const auto plain = [](const std::string& text) {
        std::string out;
        for (const char c : text) {
            if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
            out += c;
        }
        return quoted(out, "'\\''");
    };
    std::string value;
    if (!option.value.empty()) {
        std::string action = " ";
        if (option.takes_list && !option.words.empty())
            action = fmt::format("_values -s , value {}", [&option] {
                std::vector<std::string> words;
                for (const std::string& word : option.words) {
                    std::string escaped;
                    for (const char c : word)
                        escaped += c == ':' ? std::string("\\:") : std::string(1, c);
                    words.push_back(escaped);
                }
                return joined(words);
            }());
        else if (option.takes_file && !option.words.empty())
            action = fmt::format("_alternative \"words:word:({})\" \"files:file:_files\"", joined(option.words));
        else if (option.takes_file)
            action = "_files";
        else if (option.takes_folder)
            action = "_files -/";
        else if (!option.words.empty())
            action = fmt::format("({})", joined(option.words));
        const std::string name = plain(option.value);
        value = fmt::format(":{}:{}", name.substr(1, name.size() - 2), action);
    }
    const std::string text = plain(option.text);
    std::string lines;
    for (const std::string& name : option.names)
        lines += fmt::format("{}'*{}[{}]{}' \\\n", indent, name, text.substr(1, text.size() - 2), value);
    return lines;
}

std::string zsh_arguments(const CommandDescription& command, const std::string& indent) {
    std::string text = indent + "_arguments -s \\\n";
    for (const OptionDescription& option : command.options)
        text += zsh_option(option, indent + "    ");
    return text.substr(0, text.size() - 3) + "\n";
}

std::string fish_options(const std::string& program, const CommandDescription& command, const std::string& condition) {
    std::string text;
    for (const OptionDescription& option : command.options) {
        text += fmt::format("complete -c {} -n {}", program, condition);
        for (const std::string& name : option.names)
            text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
        if (!option.value.empty()) text += option.takes_file || option.takes_folder ? " -r -F" : " -x";
        if (!option.words.empty()) text += " -a " + quoted(joined(option.words), "\\'");
        text += " -d " + quoted(option.text, "\\'") + "\n";
    }
    return text;
}

}  // namespace

std::string to_bash(const CommandDescription& program) {
    const std::string commands = joined(names_of(program.commands));
    std::string text = fmt::format("# Completions of {} for bash.\n{}", program.name, bash_helpers);
    text += fmt::format("_{}() {{\n", program.name);
    text += R"(    local line=${COMP_LINE:0:COMP_POINT} current= previous= command= word
    local -a words
    read -ra words <<<"$line"
    [[ $line == *[[:space:]] ]] || { current=${words[-1]}; unset 'words[-1]'; }
    previous=${words[-1]}
    [[ $current == --*=* ]] && { previous=${current%%=*}; current=${current#*=}; }
    COMPREPLY=()
)";
    if (commands.empty()) {
        text += fmt::format("    command={}\n", program.name);
    } else {
        text += fmt::format("    for word in \"${{words[@]:1}}\"; do\n        case $word in\n            {})\n",
                            joined(names_of(program.commands), " | "));
        text += "                command=$word\n                break ;;\n        esac\n    done\n";
        text += fmt::format("    [[ $command ]] || command={}\n", program.name);
    }
    text += "    case \"$command $previous\" in\n" + bash_values(program);
    for (const CommandDescription& command : program.commands)
        text += bash_values(command);
    text += "    esac\n    case $command in\n";
    const auto add_names = [&text](const CommandDescription& command, const std::string& more) {
        text += fmt::format("        {})\n            _glsort_offer one '{}{}' ;;\n", command.name,
                            joined(names_of(command)), more.empty() ? "" : " " + more);
    };
    add_names(program, commands);
    for (const CommandDescription& command : program.commands)
        add_names(command, "");
    return text + fmt::format("    esac\n}}\ncomplete -F _{0} {0}\n", program.name);
}

std::string to_zsh(const CommandDescription& program) {
    std::string text = fmt::format("#compdef {}\n# Completions of {} for zsh.\n", program.name, program.name);
    if (program.commands.empty()) return text + zsh_arguments(program, "");
    text += fmt::format("_{}() {{\n    local command=\n", program.name);
    text += fmt::format("    (( CURRENT > 2 )) && command=${{words[2]}}\n    case $command in\n");
    for (const CommandDescription& command : program.commands)
        text += fmt::format(
            "        {})\n            words=(\"{} $command\" \"${{(@)words[3,-1]}}\")\n            (( CURRENT-- ))\n{} "
            "           ;;\n",
            command.name, program.name, zsh_arguments(command, "            "));
    text += "        *)\n            local -a commands=(\n";
    for (const CommandDescription& command : program.commands)
        text += fmt::format("                {}\n", quoted(command.name + ":" + command.text, "'\\''"));
    text += "            )\n            _describe command commands\n" + zsh_arguments(program, "            ");
    return text + fmt::format("            ;;\n    esac\n}}\n_{} \"$@\"\n", program.name);
}

std::string to_fish(const CommandDescription& program) {
    std::string text = fmt::format("# Completions of {} for fish.\ncomplete -c {} -f\n", program.name, program.name);
    const std::string commands = joined(names_of(program.commands));
    const std::string none = commands.empty() ? "true" : "'not __fish_seen_subcommand_from " + commands + "'";
    for (const CommandDescription& command : program.commands)
        text += fmt::format("complete -c {} -n {} -a {} -d {}\n", program.name, none, command.name,
                            quoted(command.text, "\\'"));
    text += fish_options(program.name, program, none);
    for (const CommandDescription& command : program.commands)
        text += fish_options(program.name, command, "'__fish_seen_subcommand_from " + command.name + "'");
    return text;
}

}  // namespace glsort::demo
