#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/options.h"

/// Options of CLI11 whose texts are parsed to values.
namespace glsort::demo {

/// The usage error for an exception that the text of an option caused.
CLI::ValidationError refusal_of(const std::string& names, const std::string& text, const std::exception& error);

/// Whether an argument is `NAME=NUMBER`, and the number exceeds 64 bits.
inline bool is_too_large(const std::string& argument) {
    const std::size_t equals = argument.find('=');
    if (equals == std::string::npos) return false;
    try {
        std::stoll(argument.substr(equals + 1));
    } catch (const std::out_of_range&) {
        return true;
    } catch (const std::invalid_argument&) {
        return false;
    }
    return false;
}

/// Parses the arguments of a program that has opposite flags. Throws CLI::ParseError for any error in the arguments.
inline void parse_arguments(CLI::App& app, int argc, const char* const* argv) {
    try {
        app.parse(argc, argv);
    } catch (const std::out_of_range&) {
        // CLI11 reads the value of an opposite flag, such as --sort beside --no-sort, as a number. If the number is too
        // large, the standard library throws.
        for (int i = 1; i < argc; ++i)
            if (is_too_large(argv[i]))
                throw CLI::ValidationError(argv[i],
                                           "the value exceeds the limit of a flag, 2^63-1; write the flag alone");
        throw;
    }
}

/// Adds an option. `parse` converts the option's text to the value. An exception of `parse` becomes a usage error that
/// names the option. If the option is given twice, the last one counts.
template <class T, class Parse>
CLI::Option* add_value(CLI::App& app, const std::string& names, T& value, Parse parse, const std::string& description) {
    const auto store = [&value, parse, names](const std::string& text) {
        try {
            value = parse(text);
        } catch (const std::exception& error) {
            throw refusal_of(names, text, error);
        }
    };
    return app.add_option_function<std::string>(names, store, description)->take_last();
}

/// Adds an option for a comma-separated list. `parse` converts each item. If the option is given twice, the lists are
/// joined.
template <class T, class Parse>
CLI::Option* add_list(CLI::App& app, const std::string& names, std::vector<T>& values, Parse parse,
                      const std::string& description) {
    const auto store = [&values, parse, names](const std::vector<std::string>& texts) {
        std::string read;  // The text or the item that an error is about.
        try {
            values.clear();
            for (const std::string& text : texts)
                for (const std::string& item : split_list(read = text))
                    values.push_back(parse(read = item));
            if (values.empty()) throw std::invalid_argument("the list is empty");
        } catch (const std::exception& error) {
            throw refusal_of(names, read, error);
        }
    };
    return app.add_option_function<std::vector<std::string>>(names, store, description)
        ->allow_extra_args(false)
        ->take_all();
}

/// Adds an option for the name of a file or folder. `-` is standard input or output.
CLI::Option* add_path(CLI::App& app, const std::string& names, std::filesystem::path& path,
                      const std::string& description);

/// Adds a flag with an opposite, `--no-NAME`. The last of both counts.
CLI::Option* add_switch(CLI::App& app, const std::string& name, bool& value, const std::string& description);

/// Adds words to an option, for completions. The option accepts other words, too.
CLI::Option* offer(CLI::Option* option, const std::vector<std::string>& words);

/// Adds --seed.
CLI::Option* add_seed(CLI::App& app, std::uint64_t& seed);
CLI::Option* add_seed(CLI::App& app, std::optional<std::uint64_t>& seed, const std::string& fallback);

/// Adds --progress.
CLI::Option* add_progress(CLI::App& app, bool& asked);

}  // namespace glsort::demo
