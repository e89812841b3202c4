// Points that are drawn as squares, twice: as the points lie in their buffer, and from back to front. Two rings of
// Gaussian splats, and a bush of billboards. Writes the picture to a PNG.
#include <glsort/ogre.h>
#include <glsort/ogre_splats.h>

#include <cstdio>
#include <cstring>
#include <exception>

#include "../scenery/leaf.h"
#include "support.h"

namespace {

Ogre::TexturePtr make_leaf() {
    constexpr unsigned int size = 64;
    std::vector<std::uint8_t> texels = scenery::leaf_texels(size);
    Ogre::Image image;
    image.loadDynamicImage(texels.data(), size, size, Ogre::PF_BYTE_RGBA);
    return Ogre::TextureManager::getSingleton().loadImage("leaf", Ogre::RGN_DEFAULT, image);
}

/// Leaves within a ball, those within darker.
std::vector<support::Vertex> make_bush(std::size_t count, const std::array<float, 3>& middle) {
    std::mt19937 random(11);
    std::normal_distribution<float> normal;
    std::uniform_real_distribution<float> unit;
    std::vector<support::Vertex> leaves(count);
    for (support::Vertex& leaf : leaves) {
        const std::array<float, 3> way{normal(random), normal(random), normal(random)};
        const float length = std::hypot(way[0], way[1], way[2]);
        const float radius = std::cbrt(unit(random));
        for (std::size_t axis = 0; axis < 3; ++axis)
            leaf.position[axis] = middle[axis] + 0.8f * radius * way[axis] / length;
        const float light = 0.2f + 0.8f * radius;
        leaf.colour = support::colour_of(light * (0.3f + 0.4f * unit(random)), 0.75f * light, 0.2f * light, 1.0f);
    }
    return leaves;
}

void attach(Ogre::SceneManager& scene, std::uint32_t visible, Ogre::SimpleRenderable& object) {
    object.setVisibilityFlags(visible);
    scene.getRootSceneNode()->attachObject(&object);
}

void draw(const char* file) {
    support::Engine engine;
    Ogre::RenderWindow* const window = engine.open("splats", 1200, 600);
    Ogre::SceneManager* const scene = engine.root.createSceneManager();
    const Ogre::TexturePtr leaf = make_leaf();

    // [example]
    // Gaussian splats in place of points.
    const Ogre::MaterialPtr splats = glsort_ogre::make_splat_material("splats", {.radius = 0.06f});

    // Billboards: pictures in place of points.
    const Ogre::MaterialPtr leaves = glsort_ogre::make_splat_material("leaves", {.radius = 0.09f, .look = R"(
        uniform sampler2D picture;
        vec4 splat(vec4 color, vec2 place) { return color * texture(picture, 0.5 * place + 0.5); }
    )"});
    leaves->getTechnique(0)->getPass(0)->createTextureUnitState()->setTexture(leaf);
    // [end]

    const std::vector<support::Vertex> rings = support::ring_points(20000, 0.2f);
    const std::vector<support::Vertex> bush = make_bush(2500, {-0.9f, -1.0f, -1.1f});
    support::Points stored_rings(rings, splats);
    support::Points stored_bush(bush, leaves);
    glsort_ogre::BackToFront<support::Points> sorted_rings(rings, splats);
    glsort_ogre::BackToFront<support::Points> sorted_bush(bush, leaves);
    attach(*scene, 1, stored_rings);
    attach(*scene, 1, stored_bush);
    attach(*scene, 2, sorted_rings);
    attach(*scene, 2, sorted_bush);

    // Left the objects as stored, right the sorted ones.
    Ogre::Camera* const camera = support::make_camera(*scene, "camera", {1.8f, -6.1f, 3.6f});
    support::show_halves(*window, camera);
    engine.root.renderOneFrame();
    window->writeContentsToFile(file);
    scene->getRootSceneNode()->detachAllObjects();
}

}  // namespace

int main(int argument_count, char** arguments) {
    const char* const file = argument_count > 1 ? arguments[1] : "ogre_splats.png";
    if (argument_count > 2 || file[0] == '-') {
        std::puts(
            "Usage: ogre_splats [PICTURE.png]\n\nDraws splats and billboards twice: as stored, and from back to "
            "front.");
        return argument_count == 2 && std::strcmp(file, "--help") == 0 ? 0 : 2;
    }
    try {
        draw(file);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "ogre_splats: %s\n", error.what());
        return 1;
    }
    std::printf("%s: left as stored, right from back to front\n", file);
}
