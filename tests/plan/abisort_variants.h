#pragma once

#include <glsort/planner.h>

#include <algorithm>
#include <string>
#include <vector>

namespace glsort::test {

/// `abisort:VARIANT` for every variant of GPU-ABiSort that there is.
inline std::vector<std::string> abisort_variants() {
    std::vector<std::string> names;
    for (const Algorithm& algorithm : algorithms())
        if (algorithm.name == "abisort")
            for (const Algorithm::Variant& variant : algorithm.variants)
                names.push_back(algorithm.name + ":" + variant.name);
    return names;
}

/// Those of `names` that there are.
inline std::vector<std::string> existing_variants(std::vector<std::string> names) {
    const std::vector<std::string> all = abisort_variants();
    std::erase_if(names, [&](const std::string& name) {
        return std::find(all.begin(), all.end(), name) == all.end();
    });
    return names;
}

}  // namespace glsort::test
