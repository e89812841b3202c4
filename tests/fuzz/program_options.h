#pragma once

#include <string>
#include <vector>

namespace glsort::fuzz {

/// Parses the arguments of a program, of which the first is its name, and returns its exit code. Runs nothing.
int parse_options(std::vector<std::string> arguments);

/// The arguments as `main` takes them.
inline std::vector<char*> pointers_to(std::vector<std::string>& arguments) {
    std::vector<char*> pointers;
    for (std::string& argument : arguments)
        pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    return pointers;
}

}  // namespace glsort::fuzz
