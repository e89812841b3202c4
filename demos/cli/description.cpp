#include "cli/description.h"

#include <algorithm>
#include <cctype>

namespace glsort::demo {
namespace {

constexpr char between_words = '\n';

std::vector<std::string> cut(const std::string& text, char separator) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(separator, begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

// The words of a type such as `none|index|BYTES`. A word in capitals is a placeholder, and left out.
std::vector<std::string> words_of_type(const std::string& type) {
    std::vector<std::string> words;
    if (type.find('|') == std::string::npos) return words;
    for (const std::string& word : cut(type, '|'))
        if (std::none_of(word.begin(), word.end(), [](unsigned char c) { return std::isupper(c) != 0; }))
            words.push_back(word);
    return words;
}

}  // namespace

std::string joined_words(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : std::string(1, between_words)) + word;
    return text;
}

OptionDescription describe(CLI::Option& option) {
    OptionDescription out;
    for (const std::string& name : option.get_snames())
        out.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames())
        out.names.push_back("--" + name);
    out.text = option.get_description();
    if (option.get_type_size() == 0) return out;
    out.fallback = option.get_default_str();
    out.value = option.get_type_name();
    try {
        const std::string words = option.get_validator(offered_words)->get_description();
        out.words = cut(words, between_words);
        // CLI11 appends the descriptions of validators to the type.
        out.value = out.value.substr(0, out.value.size() - words.size() - 1);
    } catch (const CLI::OptionNotFound&) {
        out.words = words_of_type(out.value);
    }
    out.takes_file = out.value.find("FILE") != std::string::npos;
    out.takes_folder = out.value.find("DIR") != std::string::npos;
    out.takes_list = out.value.find(",...") != std::string::npos;
    return out;
}

CommandDescription describe(CLI::App& app) {
    CommandDescription out;
    out.name = app.get_name();
    out.text = app.get_description();
    out.footer = app.get_footer();
    for (CLI::Option* option : app.get_options())
        if (!option->get_group().empty() && option->nonpositional()) out.options.push_back(describe(*option));
    for (CLI::App* command : app.get_subcommands({}))
        if (!command->get_group().empty()) out.commands.push_back(describe(*command));
    return out;
}

std::string heading_of(const OptionDescription& option) {
    std::string text;
    for (const std::string& name : option.names)
        text += (text.empty() ? "" : ",") + name;
    return option.value.empty() ? text : text + " " + option.value;
}

}  // namespace glsort::demo
