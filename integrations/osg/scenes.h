#pragma once

#include <glsort/osg.h>

#include <osg/BlendFunc>
#include <osg/Depth>
#include <osg/PointSprite>
#include <osg/Program>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

/// What the test draws, and what the measurement of times draws: translucent points, in an order of glsort or of the
/// CPU.

namespace scenes {

/// What an application does without glsort: sorts on the CPU, and uploads indices. The keys are those of glsort.
class CpuSort : public osg::Drawable::DrawCallback {
  public:
    explicit CpuSort(osg::DrawElementsUInt* indices) : indices_(indices), unsorted_(indices->begin(), indices->end()) {}

    void drawImplementation(osg::RenderInfo& info, const osg::Drawable* drawable) const override {
        sort(*info.getState(), *drawable->asGeometry());
        drawable->drawImplementation(info);
    }

    void sort(const osg::State& state, const osg::Geometry& geometry) const {
        const auto& vertices = static_cast<const osg::Vec3Array&>(*geometry.getVertexArray());
        const osg::Matrixd& m = state.getModelViewMatrix();
        const std::array<float, 4> way{-float(m(0, 2)), -float(m(1, 2)), -float(m(2, 2)), -float(m(3, 2))};
        const std::size_t corners = indices_->getMode() == GL_TRIANGLES ? 3 : 1;
        std::vector<float> depths(unsorted_.size() / corners);
        for (std::size_t i = 0; i < depths.size(); ++i) {
            std::array<float, 3> p{};
            for (int axis = 0; axis < 3; ++axis) {
                const auto at = [&](std::size_t j) { return vertices[unsorted_[corners * i + j]][axis]; };
                p[axis] = corners == 1 ? at(0) : (at(0) + at(1) + at(2)) / 3.0f;
            }
            depths[i] = way[0] * p[0] + way[1] * p[1] + way[2] * p[2] + way[3];
        }
        std::vector<std::uint32_t> order(depths.size());
        std::iota(order.begin(), order.end(), 0u);
        std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return depths[a] > depths[b]; });
        for (std::size_t i = 0; i < order.size(); ++i)
            for (std::size_t j = 0; j < corners; ++j)
                (*indices_)[corners * i + j] = unsorted_[corners * order[i] + j];
        indices_->dirty();
    }

  private:
    osg::ref_ptr<osg::DrawElementsUInt> indices_;
    std::vector<GLuint> unsorted_;
};

enum class Sort { none, cpu, fragment, compute };
inline constexpr Sort backends[] = {Sort::fragment, Sort::compute};

inline glsort::Backend backend_of(Sort sort) {
    return sort == Sort::fragment ? glsort::Backend::fragment : glsort::Backend::compute;
}

/// Call after all else of the geometry is set.
inline void apply(osg::Geometry& geometry, Sort sort) {
    if (sort == Sort::none) return;
    if (sort != Sort::cpu) return glsort_osg::draw_back_to_front(geometry, backend_of(sort));
    osg::ref_ptr<osg::DrawElementsUInt> all = new osg::DrawElementsUInt(geometry.getPrimitiveSet(0)->getMode());
    for (unsigned i = 0; i < geometry.getNumPrimitiveSets(); ++i)
        for (unsigned j = 0; j < geometry.getPrimitiveSet(i)->getNumIndices(); ++j)
            all->push_back(geometry.getPrimitiveSet(i)->index(j));
    geometry.removePrimitiveSet(0, geometry.getNumPrimitiveSets());
    geometry.addPrimitiveSet(all);
    geometry.setUseDisplayList(false);
    geometry.setUseVertexBufferObjects(true);
    geometry.setDrawCallback(new CpuSort(all));
}

inline void make_translucent(osg::Geometry& geometry, int bin) {
    osg::StateSet& state = *geometry.getOrCreateStateSet();
    state.setAttributeAndModes(new osg::BlendFunc);
    state.setAttributeAndModes(new osg::Depth(osg::Depth::LESS, 0, 1, false));
    state.setRenderBinDetails(bin, "RenderBin");
    state.setMode(GL_LIGHTING, osg::StateAttribute::OFF);
    geometry.setDataVariance(osg::Object::DYNAMIC);
}

inline void add_points(osg::Geometry& geometry, int count) {
    auto* positions = static_cast<osg::Vec3Array*>(geometry.getVertexArray());
    auto* colors = static_cast<osg::Vec4Array*>(geometry.getColorArray());
    std::mt19937 random(unsigned(positions->size()) + 3);
    std::uniform_real_distribution<float> uniform(0.0f, 1.0f);
    const auto next = [&] { return uniform(random); };
    for (int i = 0; i < count; ++i) {
        const float x = 4 * next() - 2, y = 4 * next() - 2, z = 4 * next() - 2;
        positions->push_back({x, y, z});
        const float red = next(), green = next(), blue = next();
        colors->push_back({red, green, blue, 0.4f});
    }
    positions->dirty();
    colors->dirty();
}

inline osg::ref_ptr<osg::Geometry> make_points(int count, const char* point_size = "40.0 / gl_Position.w") {
    osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
    geometry->setVertexArray(new osg::Vec3Array);
    geometry->setColorArray(new osg::Vec4Array, osg::Array::BIND_PER_VERTEX);
    add_points(*geometry, count);
    // Two sets, which become one order.
    geometry->addPrimitiveSet(new osg::DrawArrays(GL_POINTS, 0, count / 2));
    geometry->addPrimitiveSet(new osg::DrawArrays(GL_POINTS, count / 2, count - count / 2));
    make_translucent(*geometry, 11);
    osg::ref_ptr<osg::Program> program = new osg::Program;
    program->addShader(new osg::Shader(osg::Shader::VERTEX,
                                       "#version 120\nvarying vec4 color;\nvoid main() {\n"
                                       "gl_Position = gl_ModelViewProjectionMatrix * gl_Vertex;\n"
                                       "gl_PointSize = " +
                                           std::string(point_size) + ";\ncolor = gl_Color;\n}\n"));
    program->addShader(new osg::Shader(osg::Shader::FRAGMENT,
                                       "#version 120\nvarying vec4 color;\nvoid main() {\n"
                                       "vec2 place = 2.0 * gl_PointCoord - 1.0;\n"
                                       "if (dot(place, place) > 1.0) discard;\ngl_FragColor = color;\n}\n"));
    osg::StateSet& state = *geometry->getOrCreateStateSet();
    state.setAttribute(program);
    state.setMode(GL_VERTEX_PROGRAM_POINT_SIZE, osg::StateAttribute::ON);
    state.setTextureAttributeAndModes(0, new osg::PointSprite);
    return geometry;
}

}  // namespace scenes
