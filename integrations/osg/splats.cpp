// Makes a picture of points that are drawn as squares: left a cloud of Gaussian splats, right a bush of billboards.
//
//   osg_splats [PICTURE.png] [--unsorted]

#include <glsort/osg.h>
#include <glsort/osg_splats.h>

#include <osg/BlendFunc>
#include <osg/Depth>
#include <osg/MatrixTransform>
#include <osg/Texture2D>

#include <algorithm>
#include <vector>

#include "../scenery/leaf.h"
#include "studio.h"

namespace {

osg::ref_ptr<osg::Texture2D> make_leaf() {
    constexpr int size = 64;
    osg::ref_ptr<osg::Image> image = new osg::Image;
    image->allocateImage(size, size, 1, GL_RGBA, GL_UNSIGNED_BYTE);
    const std::vector<std::uint8_t> texels = scenery::leaf_texels(size);
    std::copy(texels.begin(), texels.end(), image->data());
    osg::ref_ptr<osg::Texture2D> texture = new osg::Texture2D(image);
    texture->setFilter(osg::Texture::MIN_FILTER, osg::Texture::LINEAR_MIPMAP_LINEAR);
    return texture;
}

/// Leaves within a ball, each of a size of its own. Those within are darker.
osg::ref_ptr<osg::Geometry> make_bush() {
    constexpr int count = 4000;
    osg::ref_ptr<osg::Vec3Array> positions = new osg::Vec3Array;
    osg::ref_ptr<osg::Vec4Array> colors = new osg::Vec4Array(osg::Array::BIND_PER_VERTEX);
    osg::ref_ptr<osg::FloatArray> sizes = new osg::FloatArray(osg::Array::BIND_PER_VERTEX);
    std::mt19937 random(11);
    std::normal_distribution<float> normal;
    std::uniform_real_distribution<float> uniform;
    for (int i = 0; i < count; ++i) {
        osg::Vec3 way(normal(random), normal(random), normal(random));
        way.normalize();
        const float radius = std::cbrt(uniform(random));
        positions->push_back(way * (1.9f * radius));
        const float light = 0.25f + 0.75f * radius * (0.75f + 0.25f * way.z());
        colors->push_back({light * (0.35f + 0.4f * uniform(random)), 0.75f * light, 0.2f * light, 1.0f});
        sizes->push_back(0.5f + uniform(random));
    }
    osg::ref_ptr<osg::Geometry> bush = new osg::Geometry;
    bush->setVertexArray(positions);
    bush->setColorArray(colors);
    bush->setTexCoordArray(0, sizes);
    bush->addPrimitiveSet(new osg::DrawArrays(GL_POINTS, 0, count));
    return bush;
}

void make_translucent(osg::Geometry& geometry) {
    osg::StateSet& state = *geometry.getOrCreateStateSet();
    state.setAttributeAndModes(new osg::BlendFunc);
    state.setAttributeAndModes(new osg::Depth(osg::Depth::LESS, 0.0, 1.0, false));
    state.setRenderingHint(osg::StateSet::TRANSPARENT_BIN);
}

}  // namespace

int main(int argc, char** argv) {
    const studio::Call call = studio::read_call(argc, argv, "osg_splats", "splats and billboards");
    if (call.code >= 0) return call.code;

    osg::ref_ptr<osg::Geometry> cloud = studio::make_ribbon(12000, 0.15f, 0.3f);
    osg::ref_ptr<osg::Geometry> leaves = make_bush();
    osg::ref_ptr<osg::Texture2D> leaf = make_leaf();
    make_translucent(*cloud);
    make_translucent(*leaves);
    // [example]
    // Gaussian splats in place of points.
    glsort_osg::draw_as_splats(*cloud, {.radius = 0.2f});
    glsort_osg::draw_back_to_front(*cloud);

    // Billboards: pictures in place of points. Texture coordinate array 0 has their sizes.
    leaves->getOrCreateStateSet()->setTextureAttribute(0, leaf);
    leaves->getOrCreateStateSet()->addUniform(new osg::Uniform("picture", 0));
    glsort_osg::draw_as_splats(*leaves, {.radius = 0.16f, .sized = true, .look = R"(
        uniform sampler2D picture;
        vec4 splat(vec4 color, vec2 place) { return color * texture(picture, 0.5 * place + 0.5); }
    )"});
    glsort_osg::draw_back_to_front(*leaves);
    // [end]
    if (!call.sorted) {
        cloud->setDrawCallback(nullptr);
        leaves->setDrawCallback(nullptr);
    }

    osg::ref_ptr<osg::Group> scene = new osg::Group;
    studio::add_thing(*scene, new osg::Box(osg::Vec3(0, 0, -2.45f), 12.0f, 7.0f, 0.1f), {0.85f, 0.87f, 0.9f, 1});
    const auto place = [&](float x, osg::Drawable* drawable) {
        osg::ref_ptr<osg::MatrixTransform> transform = new osg::MatrixTransform(osg::Matrix::translate(x, 0, 0));
        transform->addChild(drawable);
        scene->addChild(transform);
    };
    place(-2.6f, cloud);
    place(2.9f, leaves);
    place(-2.6f, new osg::ShapeDrawable(new osg::Sphere(osg::Vec3(), 1.0f)));
    place(2.9f, new osg::ShapeDrawable(new osg::Cylinder(osg::Vec3(0, 0, -1.6f), 0.2f, 1.6f)));
    return studio::photograph(*scene, call, {1.0, -11.0, 4.8});
}
