#include "cli/help.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "cli/description.h"

namespace glsort::demo {
namespace {

constexpr std::size_t line_width = 100;
constexpr std::size_t description_column = 34;

// Breaks `text` at blanks. The first line starts at column `used`, the others at `indent`.
std::string wrapped(std::string_view text, std::size_t used, std::size_t indent) {
    std::string lines;
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(text.size(), word.size() + 1));
        if (used > indent && used + 1 + word.size() > line_width) {
            lines += "\n" + std::string(indent, ' ');
            used = indent;
        } else if (used > indent) {
            lines += " ";
            ++used;
        }
        lines += word;
        used += word.size();
    }
    return lines + "\n";
}

std::string entry(const std::string& name, const std::string& description) {
    std::string text = "  " + name;
    // At least one blank separates the name and the description. A long name gets a line of its own.
    if (text.size() + 1 > description_column) text += "\n" + std::string(description_column, ' ');
    text.resize(std::max(text.size(), description_column), ' ');
    return text + wrapped(description, description_column, description_column);
}

}  // namespace

std::string HelpFormatter::make_description(const CLI::App* app) const {
    return wrapped(app->get_description(), 0, 0);
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool) const {
    // CLI11 finds validators only through options that are not const.
    const OptionDescription described = describe(const_cast<CLI::Option&>(*option));
    const std::string fallback = described.fallback.empty() ? "" : " (default: " + described.fallback + ")";
    return entry(heading_of(described), described.text + fallback);
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
    return entry(command->get_name(), command->get_description());
}

std::string HelpFormatter::make_footer(const CLI::App* app) const {
    const std::string footer = app->get_footer();
    // The lines of a list are not joined.
    const bool list = footer.find('\n') != std::string::npos;
    return footer.empty() || list ? footer : wrapped(footer, 0, 0);
}

}  // namespace glsort::demo
