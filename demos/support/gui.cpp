#include "support/gui.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>

namespace glsort::demo {

namespace {

constexpr float font_pixels = 15.0f;

// The fonts of the system if installed, otherwise the font of ImGui.
ImFont* add_font(const char* path, float scale) {
    ImFontAtlas& fonts = *ImGui::GetIO().Fonts;
    if (*path != '\0' && std::filesystem::exists(path)) {
        static const ImWchar ranges[] = {0x0020, 0x00ff, 0x2010, 0x2044, 0x2190, 0x21ff, 0x2200, 0x22ff, 0};
        return fonts.AddFontFromFileTTF(path, std::round(font_pixels * scale), nullptr, ranges);
    }
    ImFontConfig config;
    config.SizePixels = 13.0f * std::max(1.0f, std::round(scale));
    return fonts.AddFontDefault(&config);
}

// The scale of lengths in screen coordinates. ImGui itself scales from these to the pixels of the framebuffer.
float display_scale(const Window& window) {
    float x = 1.0f;
    float y = 1.0f;
    glfwGetWindowContentScale(window.handle(), &x, &y);
    const auto pixels = static_cast<float>(window.framebuffer_size().width);
    const auto coordinates = static_cast<float>(std::max(1, window.size().width));
    return std::clamp(std::max(x, y) / std::max(1.0f, pixels / coordinates), 1.0f, 4.0f);
}

}  // namespace

struct Gui::State {
    GLFWwindow* window = nullptr;
    float scale = 1.0f;
    ImFont* fixed_width = nullptr;

    State(GLFWwindow* handle, float display) : window(handle), scale(display) {
        if (ImGui::GetCurrentContext() != nullptr) throw std::logic_error("Gui: there is one already");
        IMGUI_CHECKVERSION();
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;  // Nothing is saved: the options alone decide how a program begins.
        io.LogFilename = nullptr;
        add_font(GLSORT_FONT, scale);
        fixed_width = add_font(GLSORT_FIXED_WIDTH_FONT, scale);

        ImGui::StyleColorsDark();
        ImGuiStyle& style = ImGui::GetStyle();
        style.WindowRounding = 0.0f;
        style.FrameRounding = 3.0f;
        style.GrabRounding = 3.0f;
        style.WindowBorderSize = 0.0f;
        style.Colors[ImGuiCol_WindowBg] = ImVec4(0.09f, 0.10f, 0.12f, 1.0f);
        style.Colors[ImGuiCol_PopupBg] = ImVec4(0.06f, 0.07f, 0.08f, 1.0f);
        style.ScaleAllSizes(scale);

        if (window != nullptr && !ImGui_ImplGlfw_InitForOpenGL(window, true))
            throw std::runtime_error("Gui: the window does not take input for ImGui");
        if (!ImGui_ImplOpenGL3_Init("#version 330 core")) throw std::runtime_error("Gui: ImGui cannot load OpenGL 3.3");
    }
    ~State() {
        ImGui_ImplOpenGL3_Shutdown();
        if (window != nullptr) ImGui_ImplGlfw_Shutdown();
        ImGui::DestroyContext();
    }
};

Gui::Gui(Window& window) : state_(std::make_unique<State>(window.handle(), display_scale(window))) {}

Gui::Gui(Size size, float scale) : state_(std::make_unique<State>(nullptr, scale)) {
    ImGui::GetIO().DisplaySize = {static_cast<float>(size.width), static_cast<float>(size.height)};
}

Gui::~Gui() = default;

void Gui::begin_frame() {
    ImGui_ImplOpenGL3_NewFrame();
    if (state_->window != nullptr)
        ImGui_ImplGlfw_NewFrame();
    else
        ImGui::GetIO().DeltaTime = 1.0f / 60.0f;
    ImGui::NewFrame();
}

void Gui::end_frame() {
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

bool Gui::wants_keyboard() const {
    return ImGui::GetIO().WantTextInput;
}
bool Gui::wants_mouse() const {
    return ImGui::GetIO().WantCaptureMouse;
}
bool Gui::close_list() {
    if (!ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) return false;
    ImGui::ClosePopupToLevel(0, true);
    return true;
}
float Gui::scale() const {
    return state_->scale;
}
ImFont* Gui::fixed_width() const {
    return state_->fixed_width;
}

}  // namespace glsort::demo
