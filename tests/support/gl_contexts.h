#pragma once

#include <cstdlib>
#include <optional>
#include <set>
#include <sstream>
#include <string>

#include "support/tier_context.h"

namespace glsort::test {

using namespace trial;

/// The tiers that an environment variable lists, such as "gl45,es30". Empty without the variable. Throws
/// std::invalid_argument for an unknown name.
inline std::optional<std::set<Tier>> tiers_listed_in(const char* variable) {
    const char* const list = std::getenv(variable);
    if (list == nullptr || *list == '\0') return std::nullopt;
    std::set<Tier> tiers;
    std::istringstream names(list);
    for (std::string name; std::getline(names, name, ',');)
        tiers.insert(tier_from_name(name));
    return tiers;
}

}  // namespace glsort::test
