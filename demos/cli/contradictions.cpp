#include "cli/contradictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "support/options.h"

namespace glsort::demo {
namespace {

bool fits(const std::string& value, const std::string& wanted) {
    // MAJOR.MINOR has two digits, so the order of texts is the order of versions.
    return wanted.starts_with("<") ? value < wanted.substr(1) : value == wanted;
}

// The value of a flag: `--flag=1` is `--flag`.
bool is_true(const std::string& value) {
    bool truth = false;
    return CLI::detail::lexical_cast(value, truth) && truth;
}

// The values of an option in the arguments, the items of lists one by one. Of an option that takes one value, the last
// one counts.
std::vector<std::string> values_of(const CLI::Option& option) {
    if (option.get_multi_option_policy() != CLI::MultiOptionPolicy::TakeAll) return {option.results().back()};
    std::vector<std::string> values;
    for (const std::string& text : option.results())
        for (const std::string& item : split_list(text))
            values.push_back(item);
    return values;
}

// The text of `use` with the value in the arguments. Nothing if the arguments do not fit `use`.
std::optional<std::string> found(const CLI::App& app, const std::string& use) {
    const std::string name = use.substr(0, use.find(' '));
    const CLI::Option* option = app.get_option_no_throw(name);
    if (option == nullptr) throw std::logic_error(name + " is no option of " + app.get_name());
    if (option->count() == 0) return std::nullopt;
    if (option->get_expected_max() == 0)  // A flag, whose opposite is false.
        return is_true(option->results().back()) == is_true(option->get_flag_value(name.substr(2), ""))
                   ? std::optional(name)
                   : std::nullopt;
    if (name == use) return name;
    for (const std::string& value : values_of(*option))
        if (fits(value, use.substr(name.size() + 1))) return fmt::format("{} {}", name, value);
    return std::nullopt;
}

void check(const CLI::App& app, const Contradiction& contradiction) {
    for (const std::string& use : contradiction.unless)
        if (found(app, use)) return;
    std::vector<std::string> uses;
    for (const std::string& use : contradiction.uses) {
        const std::optional<std::string> text = found(app, use);
        if (!text) return;
        uses.push_back(*text);
    }
    const std::string all = fmt::format("{}", fmt::join(uses, " and "));
    const std::string other = fmt::format("{}", fmt::join(contradiction.unless, " or "));
    throw CLI::ExcludesError(uses.size() == 1 ? fmt::format("{} needs {}: {}", all, other, contradiction.reason)
                                              : fmt::format("{} contradict each other: {}", all, contradiction.reason),
                             CLI::ExitCodes::ExcludesError);
}

}  // namespace

void refuse_contradictions(CLI::App& app, std::vector<Contradiction> contradictions) {
    app.parse_complete_callback([&app, contradictions = std::move(contradictions)] {
        for (const Contradiction& contradiction : contradictions)
            check(app, contradiction);
    });
}

std::vector<Contradiction> contradictions_of_compute(const CLI::App& app, const std::string& backend) {
    const std::string compute = backend + " compute";
    const std::string gl = "compute shaders need OpenGL 4.3";
    if (app.get_option_no_throw("--api") == nullptr) return {{{compute, "--gl-version <4.3"}, gl, {}}};
    return {{{compute, "--gl-version <4.3"}, gl, {"--api gles"}},
            {{compute, "--api gles", "--gl-version <3.1"}, "compute shaders need OpenGL ES 3.1", {}}};
}

}  // namespace glsort::demo
