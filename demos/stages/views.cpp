#include <fmt/format.h>
#include <glsort/error.h>

#include <cctype>
#include <memory>
#include <vector>

#include "bars_view.h"
#include "layout_table_view.h"
#include "merge_view.h"
#include "network_view.h"
#include "radix_view.h"
#include "sample_view.h"
#include "texture_view.h"
#include "tree_view.h"
#include "view.h"

namespace glsort::demo {

std::vector<std::unique_ptr<View>> make_views() {
    std::vector<std::unique_ptr<View>> views;
    views.push_back(std::make_unique<BarsView>());
    views.push_back(std::make_unique<TextureView>());
    views.push_back(std::make_unique<NetworkView>());
    views.push_back(std::make_unique<TreeView>());
    views.push_back(std::make_unique<LayoutTableView>());
    views.push_back(std::make_unique<MergeView>());
    views.push_back(std::make_unique<RadixView>());
    views.push_back(std::make_unique<SampleView>());
    return views;
}

std::string option_of(const View& view) {
    std::string name = view.name();
    for (char& c : name)
        c = c == ' ' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return name;
}

const View& choose_view(const std::vector<std::unique_ptr<View>>& views, std::string_view name,
                        const StreamProgram& program) {
    std::string fitting;
    for (const auto& view : views) {
        if (!view->fits(program)) continue;
        if (name.empty() || option_of(*view) == name) return *view;
        fitting += (fitting.empty() ? "" : ", ") + option_of(*view);
    }
    throw Error(fmt::format("no view \"{}\" fits {}:{} with n = {}; the views that fit are {}", name, program.algorithm,
                            program.variant, program.n, fitting));
}

}  // namespace glsort::demo
