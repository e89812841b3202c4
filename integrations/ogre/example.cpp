#include <cstdio>
#include <exception>
#include <string>

#include "scenes.h"

/// Draws a translucent knot of 20 000 points from back to front, in OGRE.
int main(int argc, char** argv) try {
    const std::string path = argc == 2 ? argv[1] : "ogre.png";
    if (argc > 2 || path.rfind("--", 0) == 0) {
        std::puts(
            "Usage: ogre_example [PICTURE]\n\nDraws 20 000 translucent points and writes the picture (ogre.png).");
        return path == "--help" && argc == 2 ? 0 : 2;
    }
    const std::unique_ptr<Ogre::Root> root = scenes::make_root();
    Ogre::RenderWindow& window = *scenes::make_window("knot");
    scenes::make_materials();
    scenes::Scene scene;
    scenes::Knot knot(scenes::Order::compute, 20000);
    scene.add(knot);
    scene.show_in(window);
    root->renderOneFrame();
    window.writeContentsToFile(path);
    knot.detachFromParent();
    std::printf("%s: 20000 points from back to front\n", path.c_str());
} catch (const std::exception& error) {
    std::fprintf(stderr, "ogre_example: %s\n", error.what());
    return 1;
}
