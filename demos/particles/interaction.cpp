#include "interaction.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "emitters.h"
#include "shortcuts.h"
#include "support/console.h"

namespace glsort::demo {

namespace {

// The next possible offer after the offer named `name`. After the last offer comes the first.
std::string next_offer(const std::vector<Offer>& offers, const std::string& name, int step) {
    const auto n = static_cast<int>(offers.size());
    int i = 0;
    while (i + 1 < n && offers[static_cast<std::size_t>(i)].name != name)
        ++i;
    for (int tried = 0; tried < n; ++tried) {
        i = (i + step + n) % n;
        const Offer& offer = offers[static_cast<std::size_t>(i)];
        if (offer.obstacle.empty()) return offer.name;
    }
    return name;
}

}  // namespace

Interaction::Interaction(Window& window, Demo& demo, const Device& device, Controls& controls, Taken taken)
    : window_(window), demo_(demo), device_(device), controls_(controls), taken_(std::move(taken)) {
    WindowEvents& events = window.events();
    events.key = [this](int key, int action, int modifiers) {
        change();
        const bool held = action == GLFW_REPEAT && (key == GLFW_KEY_LEFT || key == GLFW_KEY_RIGHT);
        if ((action == GLFW_PRESS || held) && !taken_.keyboard()) press(key, (modifiers & GLFW_MOD_SHIFT) != 0);
    };
    events.button = [this](int button, int action, int) {
        change();
        press_button(button, action == GLFW_PRESS);
    };
    events.cursor = [this](double x, double y) {
        change();
        move_cursor(x, y);
    };
    events.scroll = [this](double, double y) {
        change();
        if (!taken_.mouse()) demo_.camera().zoom(std::pow(0.9f, static_cast<float>(y)));
    };
    events.resize = [this](int, int) { change(); };
}

bool Interaction::take_changed() {
    if (frames_to_show_ == 0) return false;
    --frames_to_show_;
    return true;
}

void Interaction::press(int key, bool shift) {
    FrameOptions& frame = controls_.frame;
    KeyOptions& keys = controls_.method.keys;
    switch (key) {
        case GLFW_KEY_ESCAPE:
            // In front of an open list, the key is meant for the list.
            if (!taken_.close_list()) controls_.quit = true;
            break;
        case GLFW_KEY_SPACE:
            controls_.paused = !controls_.paused;
            break;
        case GLFW_KEY_R:
            controls_.first_view = true;
            break;
        case GLFW_KEY_S:
            frame.sort = !frame.sort;
            break;
        case GLFW_KEY_X:
            frame.split = !frame.split;
            break;
        case GLFW_KEY_LEFT:
            move_line(-0.02f);
            break;
        case GLFW_KEY_RIGHT:
            move_line(0.02f);
            break;
        case GLFW_KEY_EQUAL:  // The key of + on many keyboards.
        case GLFW_KEY_KP_ADD:
            scale_count(true);
            break;
        case GLFW_KEY_MINUS:
        case GLFW_KEY_KP_SUBTRACT:
            scale_count(false);
            break;
        case GLFW_KEY_B:
            next_backend();
            break;
        case GLFW_KEY_A:
            next_algorithm(shift ? -1 : 1);
            break;
        case GLFW_KEY_K:
            keys.by = keys.by == SortKey::depth ? SortKey::distance : SortKey::depth;
            break;
        case GLFW_KEY_G:
            keys.maker = keys.maker == KeyMaker::gpu ? KeyMaker::cpu : KeyMaker::gpu;
            break;
        case GLFW_KEY_F:
            keys.frustum = !keys.frustum;
            break;
        case GLFW_KEY_E:
            next_emitters(shift ? -1 : 1);
            break;
        case GLFW_KEY_TAB:
            controls_.panel = !controls_.panel;
            break;
        case GLFW_KEY_P:
        case GLFW_KEY_F12:
            controls_.picture = true;
            break;
        case GLFW_KEY_H:
            controls_.help = !controls_.help;
            demo_.say(shortcuts_text());
            break;
        default:
            break;
    }
}

void Interaction::press_button(int button, bool down) {
    if (!down) {
        drag_ = Drag::none;
    } else if (!taken_.mouse()) {
        if (button == GLFW_MOUSE_BUTTON_LEFT) drag_ = is_on_line() ? Drag::line : Drag::orbit;
        if (button == GLFW_MOUSE_BUTTON_RIGHT) drag_ = Drag::pan;
    }
}

void Interaction::move_cursor(double x, double y) {
    const Size size = window_.size();
    const float height = static_cast<float>(std::max(1, size.height));
    const float right = static_cast<float>(x - x_) / height;
    const float down = static_cast<float>(y - y_) / height;
    if (drag_ == Drag::orbit) {
        constexpr float radians_per_height = 3.0f;
        demo_.camera().orbit(-radians_per_height * right, radians_per_height * down);
    } else if (drag_ == Drag::pan) {
        demo_.camera().pan(-right, down);
    } else if (drag_ == Drag::line) {
        const float free = (1.0f - demo_.covered()) * static_cast<float>(size.width);
        move_line(static_cast<float>(x - x_) / std::max(1.0f, free));
    }
    x_ = x;
    y_ = y;
}

void Interaction::move_line(float part) {
    controls_.frame.split_at = std::clamp(controls_.frame.split_at + part, 0.02f, 0.98f);
}

bool Interaction::is_on_line() const {
    constexpr double reach = 8.0;
    return drag_ == Drag::line || (controls_.frame.split && std::abs(x_ - line()) < reach);
}

double Interaction::line() const {
    const double covered = demo_.covered();
    return window_.size().width * (covered + (1.0 - covered) * controls_.frame.split_at);
}

void Interaction::next_algorithm(int step) {
    Method& method = controls_.method;
    method.algorithm = next_offer(device_.algorithms(method), method.algorithm, step);
}

void Interaction::next_backend() {
    Method& method = controls_.method;
    std::vector<Offer> offers = device_.backends();
    for (Offer& offer : offers) {
        Method other = method;
        other.backend = backend_from_string(offer.name);
        offer.obstacle = device_.obstacle(other);
    }
    method.backend = backend_from_string(next_offer(offers, std::string(to_string(method.backend)), 1));
}

void Interaction::next_emitters(int step) {
    std::uint32_t& emitters = controls_.method.emitters;
    const std::uint32_t next = (emitters - 1 + most_emitters + static_cast<std::uint32_t>(step)) % most_emitters;
    emitters = next + 1;
}

// In a small window, and on OpenGL ES, there is no panel.
void Interaction::refuse(const std::string& problem) {
    controls_.problem = problem;
    complain("particles: " + problem);
}

void Interaction::scale_count(bool up) {
    Method& method = controls_.method;
    const std::uint64_t wanted = up ? 2 * std::uint64_t{method.count} : std::max<std::uint64_t>(1, method.count / 2);
    const std::uint32_t largest = up ? std::min(device_.largest_count(method), demo_.largest_count()) : UINT32_MAX;
    if (wanted <= largest)
        method.count = static_cast<std::uint32_t>(wanted);
    else
        refuse(fmt::format("{} {} are more than there are, or room for: the limit is {}", wanted, demo_.things(),
                           largest));
}

}  // namespace glsort::demo
