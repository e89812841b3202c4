#include "cli/values.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/description.h"

namespace glsort::demo {
namespace {

constexpr const char* seed_text =
    "Start of the random numbers, 0 to 2^64-1 (digits or 2^K); the same seed gives the same numbers";

}  // namespace

CLI::ValidationError refusal_of(const std::string& names, const std::string& text, const std::exception& error) {
    // The long name, which is the first with two dashes. Otherwise the short name.
    const std::size_t dashes = names.find("--");
    std::string name = dashes == std::string::npos ? names : names.substr(dashes);
    name.resize(std::min(name.size(), name.find(',')));
    if (dynamic_cast<const LimitExceeded*>(&error) != nullptr) name += " " + text;
    return CLI::ValidationError(name, without_function(error.what()));
}

CLI::Option* add_path(CLI::App& app, const std::string& names, std::filesystem::path& path,
                      const std::string& description) {
    return add_value(app, names, path, parse_path, description)->type_name("FILE");
}

CLI::Option* add_switch(CLI::App& app, const std::string& name, bool& value, const std::string& description) {
    // CLI11 accepts any number as the value of a flag, and takes it as a number of repetitions.
    const auto refuse_numbers = [](const std::string& text) {
        return text == "true" || text == "false"
                   ? ""
                   : fmt::format("the value {} of a flag is neither true nor false", text);
    };
    return app.add_flag("--" + name + ",!--no-" + name, value, description)
        ->check(CLI::Validator(refuse_numbers, ""))
        ->take_last();
}

CLI::Option* offer(CLI::Option* option, const std::vector<std::string>& words) {
    // CLI11 cannot store words that an option merely offers. A validator that accepts everything stores the words.
    return option->check(
        CLI::Validator([](std::string&) { return std::string(); }, joined_words(words), offered_words));
}

CLI::Option* add_seed(CLI::App& app, std::uint64_t& seed) {
    return add_value(app, "--seed", seed, parse_seed, seed_text)->type_name("S")->default_str(std::to_string(seed));
}

CLI::Option* add_seed(CLI::App& app, std::optional<std::uint64_t>& seed, const std::string& fallback) {
    return add_value(app, "--seed", seed, parse_seed, seed_text)->type_name("S")->default_str(fallback);
}

CLI::Option* add_progress(CLI::App& app, bool& asked) {
    return app.add_flag("--progress", asked,
                        "Says on standard error how far the work is, and how long the rest will take, even if standard "
                        "error is no terminal");
}

}  // namespace glsort::demo
