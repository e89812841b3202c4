#include "controls.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "availability.h"
#include "support/options.h"
#include "widgets.h"

namespace glsort::demo {

namespace {

constexpr std::array backends = {Backend::fragment, Backend::compute, Backend::cpu};

std::vector<std::string> all_algorithms() {
    std::vector<std::string> names;
    for (const Algorithm& algorithm : algorithms())
        for (const Algorithm::Variant& variant : algorithm.variants)
            names.push_back(algorithm.name + ":" + variant.name);
    return names;
}

std::string summary_of(std::string_view name) {
    for (const Algorithm& algorithm : algorithms())
        for (const Algorithm::Variant& variant : algorithm.variants)
            if (algorithm.name + ":" + variant.name == name) return variant.summary;
    return {};
}

// An entry of a drop-down list. If there is a reason against the entry, the entry is grey and shows the reason.
bool selectable(const std::string& name, bool selected, std::string reason, const std::string& tip) {
    // A reason is a sentence that may begin with the name.
    if (reason.starts_with(name + " ")) reason.erase(0, name.size() + 1);
    const std::string text = reason.empty() ? name : name + "  (" + reason + ")";
    ImGui::BeginDisabled(!reason.empty());
    const bool taken = ImGui::Selectable(text.c_str(), selected);
    ImGui::EndDisabled();
    tip_of_item(reason.empty() ? tip : reason);
    return taken;
}

// Tiles, samples and digits belong to one algorithm. Another algorithm gets its own defaults.
Method with_algorithm(Method method, const std::string& algorithm) {
    method.algorithm = algorithm;
    method.tile = method.samples = method.digit_bits = 0;
    return method;
}

std::string layout_name(const std::optional<Layout>& layout) {
    return layout ? std::string(to_string(*layout)) : "fastest";
}

std::string power_text(std::uint32_t n) {
    return n >= 1024 && (n & (n - 1)) == 0 ? fmt::format("2^{}", static_cast<int>(std::log2(n) + 0.5))
                                           : std::to_string(n);
}

}  // namespace

std::vector<Method> Controls::methods() const {
    std::vector<Method> all;
    for (const Player::Slot& slot : player_.slots())
        all.push_back(slot.method);
    return all;
}

void Controls::choose(const Input& input) {
    n_error_.clear();
    player_.choose(input, methods());
}

void Controls::choose(std::size_t slot, const Method& method) {
    std::vector<Method> all = methods();
    all[slot] = method;
    player_.choose(player_.input(), all);
}

const std::string& Controls::reason_against(const Method& method) {
    if (!(reasons_input_ == player_.input())) reasons_.clear();
    reasons_input_ = player_.input();
    const std::string name = fmt::format("{} {} {} {} {} {}", method.algorithm, to_string(method.backend),
                                         layout_name(method.layout), method.tile, method.samples, method.digit_bits);
    const auto [reason, added] = reasons_.try_emplace(name);
    if (added) reason->second = why_not(player_.input(), method, device_);
    return reason->second;
}

void Controls::next_algorithm(std::size_t slot, int by) {
    const std::vector<std::string> names = all_algorithms();
    Method method = player_.slots()[slot].method;
    const AlgorithmChoice choice = choose_algorithm(method.algorithm);
    const auto here = std::ranges::find(names, choice.name + ":" + choice.variant) - names.begin();
    const auto count = static_cast<std::ptrdiff_t>(names.size());
    for (std::ptrdiff_t i = 1; i < count; ++i) {
        method = with_algorithm(method, names[static_cast<std::size_t>(((here + by * i) % count + count) % count)]);
        if (reason_against(method).empty()) return choose(slot, method);
    }
}

void Controls::next_backend(std::size_t slot) {
    Method method = player_.slots()[slot].method;
    const auto here = std::ranges::find(backends, method.backend) - backends.begin();
    for (std::size_t i = 1; i < backends.size(); ++i) {
        method.backend = backends[(static_cast<std::size_t>(here) + i) % backends.size()];
        if (reason_against(method).empty()) return choose(slot, method);
    }
}

void Controls::next_layout(std::size_t slot) {
    if (player_.input().is_scene()) return;  // The command line refuses a layout there, too.
    Method method = player_.slots()[slot].method;
    if (!method.layout)
        method.layout = Layout::row_wise;
    else if (*method.layout == Layout::row_wise)
        method.layout = Layout::z_order;
    else
        method.layout.reset();
    choose(slot, method);
}

void Controls::next_distribution() {
    const std::vector<Distribution> all = all_distributions();
    Input input = player_.input();
    const auto here = static_cast<std::size_t>(std::ranges::find(all, input.distribution) - all.begin());
    input.distribution = all[(here + 1) % all.size()];
    choose(input);
}

void Controls::scale_n(bool up) {
    Input input = player_.input();
    input.n = std::clamp(up ? input.n * 2 : input.n / 2, min_elements, max_elements);
    choose(input);
}

void Controls::next_seed() {
    Input input = player_.input();
    ++input.seed;
    choose(input);
}

void Controls::toggle_compare() {
    std::vector<Method> all = methods();
    if (all.size() > 1) {
        all.pop_back();
    } else {
        // Compares with the best known algorithm, or that one with GPU-ABiSort. Scenes cannot use all algorithms.
        const bool bitonic = choose_algorithm(all.front().algorithm).name == "bitonic";
        Method other;
        for (const char* name : {bitonic ? "abisort" : "bitonic:step", "merge"}) {
            other = with_algorithm(all.front(), name);
            other.layout.reset();
            if (reason_against(other).empty()) break;
            other.backend = Backend::cpu;
            if (reason_against(other).empty()) break;
        }
        all.push_back(other);
    }
    player_.choose(player_.input(), all);
}

void Controls::toggle_pace() {
    player_.set_pace(player_.pace() == Player::Pace::op ? Player::Pace::time : Player::Pace::op);
}

void Controls::draw(float unit) {
    for (std::size_t slot = 0; slot < player_.slots().size(); ++slot) {
        ImGui::PushID(static_cast<int>(slot));
        draw_method(slot, unit);
        if (slot == 0) draw_input(unit);
        ImGui::PopID();
    }
    draw_transport(unit);
}

void Controls::draw_method(std::size_t slot, float unit) {
    Method method = player_.slots()[slot].method;
    const AlgorithmChoice choice = choose_algorithm(method.algorithm);
    const std::string name = choice.name + ":" + choice.variant;
    show_term("algorithm");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(178.0f * unit);
    if (ImGui::BeginCombo("##algorithm", name.c_str(), ImGuiComboFlags_HeightLargest)) {
        for (const std::string& other : all_algorithms()) {
            const Method changed = other == name ? method : with_algorithm(method, other);
            const std::string& reason = reason_against(changed);
            if (selectable(other, other == name, reason, summary_of(other))) choose(slot, changed);
        }
        ImGui::EndCombo();
    }
    tip_of_item(summary_of(name));

    flow(150.0f * unit);
    show_term("backend");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(92.0f * unit);
    if (ImGui::BeginCombo("##backend", std::string(to_string(method.backend)).c_str())) {
        for (const Backend backend : backends) {
            Method changed = method;
            changed.backend = backend;
            const std::string& reason = reason_against(changed);
            const std::string where = player_.input().is_scene() ? "Scenes run in C++, by the program of this backend"
                                      : backend == Backend::cpu  ? "C++ on the CPU"
                                                                 : device_.report.renderer;
            if (selectable(std::string(to_string(backend)), backend == method.backend, reason, where))
                choose(slot, changed);
        }
        ImGui::EndCombo();
    }

    flow(140.0f * unit);
    show_term("layout");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(88.0f * unit);
    if (ImGui::BeginCombo("##layout", layout_name(method.layout).c_str())) {
        const std::array<std::optional<Layout>, 3> layouts = {std::nullopt, Layout::row_wise, Layout::z_order};
        for (const std::optional<Layout>& layout : layouts)
            if (selectable(layout_name(layout), layout == method.layout,
                           layout && player_.input().is_scene() ? "scenes have no such choice" : "",
                           layout ? "" : "The fastest layout of the algorithm")) {
                Method changed = method;
                changed.layout = layout;
                choose(slot, changed);
            }
        ImGui::EndCombo();
    }
}

void Controls::draw_input(float unit) {
    Input input = player_.input();
    flow(190.0f * unit);
    show_term("distribution");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(116.0f * unit);
    if (ImGui::BeginCombo("##distribution", std::string(distribution_name(input.distribution)).c_str(),
                          ImGuiComboFlags_HeightLargest)) {
        for (const Distribution distribution : all_distributions())
            if (ImGui::Selectable(std::string(distribution_name(distribution)).c_str(),
                                  distribution == input.distribution)) {
                input.distribution = distribution;
                choose(input);
            }
        ImGui::EndCombo();
    }

    flow(130.0f * unit);
    show_term("n");
    ImGui::SameLine();
    if (ImGui::Button("-")) scale_n(false);
    tip_of_item("Half as many elements");
    ImGui::SameLine(0.0f, 2.0f * unit);
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "%s", power_text(input.n).c_str());
    ImGui::SetNextItemWidth(62.0f * unit);
    if (ImGui::InputText("##n", text.data(), text.size(), ImGuiInputTextFlags_EnterReturnsTrue)) {
        n_error_.clear();
        try {
            const std::uint64_t n = parse_count(text.data());
            if (n < min_elements || n > max_elements)
                throw std::invalid_argument(
                    fmt::format("{} is not from {} to {}", text.data(), min_elements, max_elements));
            input.n = static_cast<std::uint32_t>(n);
            choose(input);
        } catch (const std::invalid_argument& error) {
            n_error_ = error.what();
        }
    }
    tip_of_term("n");
    ImGui::SameLine(0.0f, 2.0f * unit);
    if (ImGui::Button("+")) scale_n(true);
    tip_of_item("Twice as many elements");

    flow(110.0f * unit);
    show_term("seed");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(62.0f * unit);
    std::uint64_t seed = input.seed;
    if (ImGui::InputScalar("##seed", ImGuiDataType_U64, &seed, nullptr, nullptr, nullptr,
                           ImGuiInputTextFlags_EnterReturnsTrue)) {
        input.seed = seed;
        choose(input);
    }
    flow(80.0f * unit);
    bool compare = player_.slots().size() > 1;
    if (ImGui::Checkbox("compare", &compare)) toggle_compare();
    tip_of_term("compare");
    if (!n_error_.empty()) ImGui::TextColored({0.93f, 0.53f, 0.4f, 1.0f}, "n: %s", n_error_.c_str());
}

void Controls::draw_transport(float unit) {
    if (ImGui::Button("|<")) player_.seek_begin();
    tip_of_item("To the input");
    ImGui::SameLine();
    if (ImGui::Button("<")) player_.step(-1);
    tip_of_item("One op back");
    ImGui::SameLine();
    if (ImGui::Button(player_.playing() ? "pause" : "play", {52.0f * unit, 0.0f})) player_.play(!player_.playing());
    ImGui::SameLine();
    if (ImGui::Button(">")) player_.step(1);
    tip_of_item("One op forward");
    ImGui::SameLine();
    if (ImGui::Button(">|")) player_.seek_end();
    tip_of_item("To the result");
    ImGui::SameLine();

    const bool two = player_.slots().size() > 1;
    const float right = (two ? 410.0f : 196.0f) * unit;
    std::size_t longest = 0;
    for (std::size_t i = 0; i < player_.slots().size(); ++i) {
        const auto& run = player_.slots()[i].run;
        const auto& best = player_.slots()[longest].run;
        if (run != nullptr && (best == nullptr || run->ops() > best->ops())) longest = i;
    }
    const auto& run = player_.slots()[longest].run;
    // The text is drawn over the grab, so the grab is dark.
    ImGui::PushStyleColor(ImGuiCol_SliderGrab, {0.20f, 0.36f, 0.58f, 1.0f});
    ImGui::SetNextItemWidth(std::max(100.0f * unit, ImGui::GetContentRegionAvail().x - right));
    if (player_.pace() == Player::Pace::time && two) {
        auto position = static_cast<float>(player_.position());
        const auto length = static_cast<float>(player_.length());
        if (ImGui::SliderFloat("##scrub", &position, 0.0f, length, fmt::format("%.3f of {:.3f} ms", length).c_str(),
                               ImGuiSliderFlags_AlwaysClamp))
            player_.seek(position);
    } else {
        int done = run != nullptr ? static_cast<int>(run->target()) : 0;
        const int ops = run != nullptr ? static_cast<int>(run->ops()) : 1;
        if (ImGui::SliderInt("##scrub", &done, 0, ops, fmt::format("%d of {} ops done", ops).c_str(),
                             ImGuiSliderFlags_AlwaysClamp))
            player_.seek(longest, static_cast<std::size_t>(done));
    }
    tip_of_item("Drag to go anywhere in the program");
    ImGui::SameLine();
    show_term("speed");
    ImGui::SameLine();
    ImGui::SetNextItemWidth(130.0f * unit);
    auto speed = static_cast<float>(player_.speed());
    if (ImGui::SliderFloat("##speed", &speed, static_cast<float>(Player::slowest), static_cast<float>(Player::fastest),
                           "%.1f ops/s", ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp))
        player_.set_speed(speed);
    tip_of_term("speed");
    ImGui::PopStyleColor();
    if (!two) return;
    ImGui::SameLine();
    show_term("pace");
    ImGui::SameLine();
    if (ImGui::RadioButton("by op", player_.pace() == Player::Pace::op)) player_.set_pace(Player::Pace::op);
    ImGui::SameLine();
    if (ImGui::RadioButton("by time", player_.pace() == Player::Pace::time)) player_.set_pace(Player::Pace::time);
}

}  // namespace glsort::demo
