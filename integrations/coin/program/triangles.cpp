// Draws translucent triangles by the patched Coin: in the order of their arrays, sorted by Coin on the CPU, and sorted
// by glsort on the GPU. Needs neither a display nor a window.
//
//   coin_triangles [FOLDER]   writes a picture of each to FOLDER, compares many more, and counts what passed and failed
//   coin_triangles --time     prints medians of frames in milliseconds, as CSV

#include <Inventor/SoDB.h>
#include <Inventor/nodekits/SoNodeKit.h>
#include <Inventor/nodes/SoDirectionalLight.h>
#include <Inventor/nodes/SoMaterial.h>
#include <Inventor/nodes/SoOrthographicCamera.h>
#include <Inventor/nodes/SoPerspectiveCamera.h>
#include <Inventor/nodes/SoSeparator.h>
#include <Inventor/nodes/SoShapeHints.h>
#include <Inventor/nodes/SoSphere.h>
#include <Inventor/nodes/SoTexture2.h>
#include <Inventor/nodes/SoTransform.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>

#include "rings.h"
#include "studio.h"
#include "suite.h"

namespace {

using suite::require;

constexpr float example_angle = 0.45f;

// --- Scenes --------------------------------------------------------------------------------------

/// A camera that moves around what is in `objects`, and lights from two sides.
class Scene {
  public:
    SoSeparator* const root = new SoSeparator;
    SoSeparator* const objects = new SoSeparator;

    explicit Scene(bool perspective = true) {
        root->ref();
        if (perspective) {
            auto* const camera = new SoPerspectiveCamera;
            camera->heightAngle = 0.53f;
            camera_ = camera;
        } else {
            auto* const camera = new SoOrthographicCamera;
            camera->height = 3.5f;
            camera_ = camera;
        }
        root->addChild(camera_);
        for (const SbVec3f& direction : {SbVec3f(-0.3f, -0.6f, -0.7f), SbVec3f(0.5f, 0.6f, 0.6f)}) {
            auto* const light = new SoDirectionalLight;
            light->direction = direction;
            light->intensity = 0.8f;
            root->addChild(light);
        }
        auto* const both_sides = new SoShapeHints;
        both_sides->vertexOrdering = SoShapeHints::COUNTERCLOCKWISE;
        root->addChild(both_sides);
        root->addChild(objects);
        look_from(example_angle);
    }
    ~Scene() { root->unref(); }
    Scene(const Scene&) = delete;

    /// `angle`: around the vertical axis, in radians.
    void look_from(float angle) {
        const SbRotation around(SbVec3f(0, 1, 0), angle), down(SbVec3f(1, 0, 0), -0.55f);
        camera_->orientation = down * around;
        SbVec3f back;
        camera_->orientation.getValue().multVec(SbVec3f(0, 0, 1), back);
        camera_->position = back * 7;
        camera_->nearDistance = 3;
        camera_->farDistance = 12;
    }

  private:
    SoCamera* camera_;
};

using Fill = std::function<void(SoSeparator&)>;

void add_material(SoSeparator& objects, const SbColor& color, float transparency) {
    auto* const material = new SoMaterial;
    material->diffuseColor = color;
    material->transparency = transparency;
    objects.addChild(material);
}

Fill rings(const RingsOptions& options) {
    return [options](SoSeparator& objects) {
        if (!options.colored) add_material(objects, {0.9f, 0.5f, 0.2f}, 0.5f);
        objects.addChild(make_rings(options));
    };
}

void rings_around_balls(SoSeparator& objects) {
    for (const float x : {-1.0f, 0.0f}) {
        auto* const ball = new SoSeparator;
        auto* const place = new SoTransform;
        place->translation = SbVec3f(x, 0, 0);
        auto* const sphere = new SoSphere;
        sphere->radius = 0.2f;
        ball->addChild(place);
        add_material(*ball, {0.75f, 0.75f, 0.72f}, 0);
        ball->addChild(sphere);
        objects.addChild(ball);
    }
    objects.addChild(make_rings());
}

void turned_and_stretched(SoSeparator& objects) {
    auto* const place = new SoTransform;
    place->rotation = SbRotation(SbVec3f(1, 2, 3), 1.0f);
    place->scaleFactor = SbVec3f(1.0f, 0.6f, 1.3f);
    objects.addChild(place);
    objects.addChild(make_rings());
}

void with_texture(SoSeparator& objects) {
    const unsigned char texels[] = {255, 255, 255, 120, 40, 40, 40, 200, 40, 40, 40, 200, 255, 255, 255, 120};
    auto* const texture = new SoTexture2;
    texture->image.setValue(SbVec2s(2, 2), 4, texels);
    objects.addChild(texture);
    objects.addChild(make_rings());
}

void two_objects(SoSeparator& objects) {
    objects.addChild(make_rings({.bits = 12}));
    auto* const place = new SoTransform;
    place->translation = SbVec3f(0, 0.7f, 0);
    objects.addChild(place);
    objects.addChild(make_rings({.bits = 15}));
}

// --- Comparisons ---------------------------------------------------------------------------------

int differing_pixels(const Picture& a, const Picture& b) {
    int count = 0;
    for (std::size_t i = 0; i < a.size(); i += 3)
        count += !std::equal(&a[i], &a[i] + 3, &b[i]);
    return count;
}

/// The backends of glsort that the context allows.
std::vector<Order> backends() {
    return timing::has_compute() ? std::vector{Order::fragment, Order::compute} : std::vector{Order::fragment};
}

std::vector<Order> all_orders() {
    std::vector<Order> orders{Order::arrays, Order::coin};
    for (const Order order : backends())
        orders.push_back(order);
    return orders;
}

/// The picture of new nodes, in which no earlier order is left.
Picture draw(Studio& studio, const Fill& fill, Order order, bool perspective, float angle, int objects) {
    Scene scene(perspective);
    fill(*scene.objects);
    scene.look_from(angle);
    studio.order_by(order);
    studio.reports.clear();
    studio.draw(scene.root);
    const GLenum error = glGetError();
    require(error == GL_NO_ERROR, std::string(name_of(order)) + ": OpenGL error " + std::to_string(error));
    const bool by_glsort = order == Order::fragment || order == Order::compute;
    require(studio.reports.warnings.empty(), studio.reports.warnings);
    require(studio.reports.sorts == (by_glsort ? objects : 0),
            std::string(name_of(order)) + ": glsort sorted " + std::to_string(studio.reports.sorts) + " objects");
    return studio.picture();
}

struct Options {
    bool perspective = true;
    float angle = 0.9f;
    int objects = 1;
};

/// Pixels that may differ. Keys of Coin and of glsort differ in their last bits, so triangles whose depths agree up to
/// these may change places. Even one triangle that is missing changes more pixels in most scenes.
constexpr int few = 5;

/// Draws the scene in all orders, and compares with Coin's.
void compare(Studio& studio, const Fill& fill, const Options& options = {}) {
    constexpr int many = 1000;
    const auto picture = [&](Order order) {
        return draw(studio, fill, order, options.perspective, options.angle, options.objects);
    };
    const Picture unsorted = picture(Order::arrays);
    const Picture expected = picture(Order::coin);
    require(differing_pixels(unsorted, expected) >= many, "the scene does not depend on the order");
    for (const Order order : backends()) {
        const int wrong = differing_pixels(picture(order), expected);
        if (wrong > 0) std::printf("  %s: %d pixels differ\n", name_of(order), wrong);
        require(wrong <= few, std::string(name_of(order)) + ": " + std::to_string(wrong) + " pixels differ");
    }
}

// --- Cases ---------------------------------------------------------------------------------------

void camera_turns(Studio& studio) {
    Scene sorted_by_coin, sorted_by_glsort;
    rings({})(*sorted_by_coin.objects);
    rings({})(*sorted_by_glsort.objects);
    for (int i = 0; i < 12; ++i) {
        for (Scene* scene : {&sorted_by_coin, &sorted_by_glsort})
            scene->look_from(0.5f * float(i));
        studio.order_by(Order::coin);
        studio.draw(sorted_by_coin.root);
        const Picture expected = studio.picture();
        studio.order_by(backends().back());
        studio.reports.clear();
        studio.draw(sorted_by_glsort.root);
        require(studio.reports.sorts == 1, "glsort did not sort");
        require(differing_pixels(studio.picture(), expected) <= few, "another picture");
    }
}

void second_context(Studio& first) {
    {
        Studio second;
        compare(second, rings({}));
        compare(first, rings({}));
        compare(second, rings({}));
    }
    Studio third;
    compare(third, rings({}));
    compare(first, rings({}));
}

/// Contexts that share objects, and so have one number in Coin. Both draw the nodes in turn.
void sharing_contexts(Studio& first) {
    Studio second(&first);
    for (int i = 0; i < 2; ++i)
        for (Studio* const studio : {&first, &second})
            compare(*studio, rings({}));
}

/// A driver may give the handle of a closed context to a new one, while another context of the number lives on.
void handle_comes_back(Studio& first) {
    Studio second(&first);
    bool same = false;
    for (int attempt = 0; attempt < 5 && !same; ++attempt) {
        for (const Order order : backends())
            draw(second, rings({}), order, true, 0, 1);
        const void* const closed = second.handle();
        for (int i = 0; i < 50 && !same; ++i) {
            second.reopen(first);
            same = second.handle() == closed;
        }
    }
    if (!same) std::puts("  the handle of a closed context did not come back");
    compare(second, rings({}));
    compare(first, rings({}));
}

/// Coin forgets all objects of the number, those of the contexts that live on, too.
void number_ends(Studio& first) {
    Studio second(&first);
    compare(second, rings({}));
    compare(first, rings({}));
    first.end_number();
    compare(second, rings({}));
    compare(first, rings({}));
}

void unknown_backend(Studio& studio) {
    const Picture expected = draw(studio, rings({}), Order::coin, true, example_angle, 1);
    Scene scene;
    rings({})(*scene.objects);
    studio.order_by(Order::coin);
    coin_setenv("COIN_GLSORT", "quickly", 1);
    studio.reports.clear();
    studio.draw(scene.root);
    require(studio.reports.sorts == 0, "glsort sorted");
    require(studio.reports.warnings.find("quickly") != std::string::npos, "no warning names the value");
    require(studio.picture() == expected, "Coin did not sort");
}

struct Case {
    const char* name;
    std::function<void(Studio&)> run;
};

const Case cases[] = {
    {"indices of 16 bits", [](Studio& s) { compare(s, rings({.bits = 14})); }},
    {"indices of 32 bits", [](Studio& s) { compare(s, rings({.bits = 18})); }},
    {"an odd number of triangles", [](Studio& s) { compare(s, rings({.bits = 10, .odd = true})); }},
    {"rings that cut each other", [](Studio& s) { compare(s, rings({.bits = 16, .distance = 0.3f})); }},
    {"one colour", [](Studio& s) { compare(s, rings({.colored = false})); }},
    {"a texture", [](Studio& s) { compare(s, with_texture); }},
    {"opaque balls", [](Studio& s) { compare(s, rings_around_balls); }},
    {"turned and stretched", [](Studio& s) { compare(s, turned_and_stretched); }},
    {"orthographic camera", [](Studio& s) { compare(s, turned_and_stretched, {.perspective = false}); }},
    {"two objects", [](Studio& s) { compare(s, two_objects, {.objects = 2}); }},
    {"camera turns", camera_turns},
    {"several contexts", second_context},
    {"contexts that share objects", sharing_contexts},
    {"contexts that share objects, one with the handle of a closed one", handle_comes_back},
    {"contexts that share objects, whose number ends", number_ends},
    {"unknown backend", unknown_backend},
};

// --- Pictures ------------------------------------------------------------------------------------

void write(const std::string& file, const Picture& picture, int columns) {
    stbi_flip_vertically_on_write(1);
    require(stbi_write_png(file.c_str(), columns, height, 3, picture.data(), 3 * columns) != 0, "cannot write " + file);
    std::printf("%s\n", file.c_str());
}

/// Left the triangles as they are stored, right from back to front.
void write_example(Studio& studio, const std::string& file) {
    Scene scene;
    rings({.bits = 17})(*scene.objects);
    SoSceneManager& manager = studio.manager;
    studio.order_by(Order::arrays);
    studio.draw(scene.root);
    const Picture left = studio.picture();
    // [example]
    manager.getGLRenderAction()->setTransparencyType(SoGLRenderAction::SORTED_OBJECT_SORTED_TRIANGLE_BLEND);
    coin_setenv("COIN_GLSORT", "auto", 1);  // glsort's only line
    // [end]
    studio.draw(scene.root);
    const Picture right = studio.picture();
    Picture both;
    for (int row = 0; row < height; ++row)
        for (const Picture* half : {&left, &right})
            both.insert(both.end(), half->begin() + row * width * 3, half->begin() + (row + 1) * width * 3);
    write(file, both, 2 * width);
}

void write_pictures(Studio& studio, const std::string& folder) {
    write_example(studio, folder + "/example.png");
    for (const Order order : all_orders())
        write(folder + "/" + name_of(order) + ".png", draw(studio, rings({.bits = 17}), order, true, example_angle, 1),
              width);
}

// --- Time ----------------------------------------------------------------------------------------

/// As CSV in the form of docs/results. The camera turns by 3 degrees a frame. Coin's sort begins with the order of the
/// frame before.
void measure(Studio& studio) {
    timing::print_head();
    for (const Order order : all_orders())
        for (const int bits : {14, 17, 20}) {
            Scene scene;
            scene.objects->addChild(make_rings({.bits = bits}));
            studio.order_by(order);
            const double time = timing::median_frame([&](int frame) {
                scene.look_from(0.0524f * float(frame));
                studio.draw(scene.root);
            });
            timing::print_row(description_of(order), 12, 1u << bits, time);
        }
}

}  // namespace

int main(int argc, char** argv) {
    const std::string argument = argc > 1 ? argv[1] : ".";
    if (argc > 2 || (argument[0] == '-' && argument != "--time")) {
        std::puts(
            "Usage: coin_triangles [FOLDER] | --time\n\n"
            "Draws translucent triangles, sorted by Coin and by glsort: writes pictures to FOLDER, compares more, and\n"
            "ends with a line \"N passed, N failed\". Needs EGL, and no display.\n\n"
            "  --time  prints medians of milliseconds as CSV instead: frames of 2^14, 2^17 and 2^20 triangles\n"
            "  --help  prints this text");
        return argument == "--help" ? 0 : 2;
    }
    try {
        SoDB::init();
        SoNodeKit::init();
        Studio studio;
        std::fprintf(stderr, "%s\n", timing::description().c_str());
        if (argument == "--time") return measure(studio), 0;
        write_pictures(studio, argument);
        suite::Suite all;
        for (const Case& test : cases)
            all.run(test.name, [&] { test.run(studio); });
        return all.conclude();
    } catch (const std::exception& error) {
        std::printf("coin_triangles: %s\n", error.what());
        return 1;
    }
}
