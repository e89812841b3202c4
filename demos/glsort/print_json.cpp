#include "print_json.h"

#include <nlohmann/json.hpp>

namespace glsort::demo {

std::string text_of(const nlohmann::ordered_json& json) {
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

void print_json(const nlohmann::ordered_json& json) {
    print(text_of(json));
}

}  // namespace glsort::demo
