#pragma once

#include <glsort/plan/networks/network.h>

#include <string>
#include <vector>

namespace glsort::test {

/// Every network, including networks that are added later.
inline std::vector<const SortingNetwork*> every_network() {
    std::vector<const SortingNetwork*> networks;
    for (const AlgorithmDescriptor* algorithm : algorithm_descriptors())
        for (const VariantDescriptor& variant : algorithm->variants)
            if (variant.network != nullptr) networks.push_back(variant.network);
    return networks;
}

/// The variants that run a network step by step: `bitonic:step`, ...
inline std::vector<std::string> stepwise_networks() {
    std::vector<std::string> names;
    for (const AlgorithmDescriptor* algorithm : algorithm_descriptors())
        for (const VariantDescriptor& variant : algorithm->variants)
            if (variant.network != nullptr) names.push_back(ChosenVariant{algorithm, &variant}.name());
    return names;
}

}  // namespace glsort::test
