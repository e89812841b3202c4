#pragma once

#include <glsort/planner.h>

#include <string>
#include <vector>

namespace glsort::test {

/// `abisort:VARIANT` for every variant of GPU-ABiSort.
inline std::vector<std::string> abisort_variants() {
    std::vector<std::string> names;
    for (const Algorithm& algorithm : algorithms())
        if (algorithm.name == "abisort")
            for (const Algorithm::Variant& variant : algorithm.variants)
                names.push_back(algorithm.name + ":" + variant.name);
    return names;
}

}  // namespace glsort::test
