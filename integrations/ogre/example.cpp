// Two rings of translucent points around opaque balls, drawn twice: as the points lie in their buffer, and from back to
// front. Writes the picture to a PNG.
#include <glsort/ogre.h>

#include <cstdio>
#include <cstring>
#include <exception>

#include "support.h"

namespace {

using support::Points;

// [example]
/// The same points from back to front.
using SortedPoints = glsort_ogre::BackToFront<Points>;
// [end]

void draw(const char* file) {
    support::Engine engine;
    Ogre::RenderWindow* const window = engine.open("rings", 1200, 600);
    Ogre::SceneManager* const scene = engine.root.createSceneManager();
    support::make_point_material("points");
    support::make_opaque_material("balls");

    const std::vector<support::Vertex> vertices = support::ring_points(20000, 0.05f);
    const Ogre::MaterialPtr material = Ogre::MaterialManager::getSingleton().getByName("points");
    Points unsorted(vertices, material);
    SortedPoints sorted(vertices, material);
    scene->getRootSceneNode()->attachObject(&unsorted);
    scene->getRootSceneNode()->attachObject(&sorted);
    for (const float x : {-0.95f, 0.95f}) {
        Ogre::Entity* const ball = scene->createEntity(Ogre::SceneManager::PT_SPHERE);
        ball->setMaterialName("balls");
        Ogre::SceneNode* const node = scene->getRootSceneNode()->createChildSceneNode(Ogre::Vector3(x, 0, 0));
        node->setScale(0.007f, 0.007f, 0.007f);  // to a radius of 0.35
        node->attachObject(ball);
    }

    // Left the first object, right the second one.
    Ogre::Camera* const camera = support::make_camera(*scene, "camera", {1.8f, -5.0f, 3.1f});
    unsorted.setVisibilityFlags(1);
    sorted.setVisibilityFlags(2);
    support::show_halves(*window, camera);
    engine.root.renderOneFrame();
    window->writeContentsToFile(file);
    scene->getRootSceneNode()->detachAllObjects();
}

}  // namespace

int main(int argument_count, char** arguments) {
    const char* const file = argument_count > 1 ? arguments[1] : "ogre_example.png";
    if (argument_count > 2 || file[0] == '-') {
        std::puts(
            "Usage: ogre_example [PICTURE.png]\n\nDraws translucent rings twice: as stored, and from back to front.");
        return argument_count == 2 && std::strcmp(file, "--help") == 0 ? 0 : 2;
    }
    try {
        draw(file);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "ogre_example: %s\n", error.what());
        return 1;
    }
    std::printf("%s: left as stored, right from back to front\n", file);
}
