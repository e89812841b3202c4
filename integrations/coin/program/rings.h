#pragma once

#include <Inventor/SbColor.h>
#include <Inventor/SbVec3f.h>
#include <Inventor/nodes/SoIndexedFaceSet.h>
#include <Inventor/nodes/SoVertexProperty.h>

#include <cmath>
#include <cstdint>

/// Translucent rings as Coin draws them: one object of indexed triangles.

struct Ring {
    SbVec3f center;
    bool upright;  ///< In the plane of x and y. Otherwise in that of x and z.
    SbColor color;
};

/// Appends the positions, normals and colours of a tube with `around` * `across` places. The ends meet.
inline void add_vertices(SoVertexProperty& vertices, const Ring& ring, int around, int across) {
    constexpr float radius = 1.0f, tube = 0.3f, full = 6.2831853f;
    const int first = vertices.vertex.getNum();
    const int count = around * across;
    vertices.vertex.setNum(first + count);
    vertices.normal.setNum(first + count);
    vertices.orderedRGBA.setNum(first + count);
    SbVec3f* const positions = vertices.vertex.startEditing() + first;
    SbVec3f* const normals = vertices.normal.startEditing() + first;
    std::uint32_t* const colors = vertices.orderedRGBA.startEditing() + first;
    for (int i = 0; i < around; ++i)
        for (int j = 0; j < across; ++j) {
            const float a = full * float(i) / float(around), b = full * float(j) / float(across);
            const auto turned = [&](float x, float y, float z) {
                return ring.upright ? SbVec3f(x, y, z) : SbVec3f(x, z, -y);
            };
            const SbVec3f axis = turned(std::cos(a), std::sin(a), 0);
            const SbVec3f normal = axis * std::cos(b) + turned(0, 0, std::sin(b));
            positions[i * across + j] = ring.center + axis * radius + normal * tube;
            normals[i * across + j] = normal;
            const bool light = i * 24 / around % 2 == 0;  // stripes show how the tube winds
            colors[i * across + j] = ring.color.getPackedValue(light ? 0.6f : 0.4f);
        }
    vertices.vertex.finishEditing();
    vertices.normal.finishEditing();
    vertices.orderedRGBA.finishEditing();
}

/// Appends the triangles between the places from vertex `first` on.
inline void add_triangles(SoIndexedFaceSet& faces, int first, int around, int across) {
    const int begin = faces.coordIndex.getNum();
    faces.coordIndex.setNum(begin + around * across * 8);
    std::int32_t* index = faces.coordIndex.startEditing() + begin;
    const auto vertex = [&](int i, int j) { return first + i % around * across + j % across; };
    for (int i = 0; i < around; ++i)
        for (int j = 0; j < across; ++j)
            for (const int corner : {vertex(i, j), vertex(i + 1, j), vertex(i, j + 1), SO_END_FACE_INDEX,
                                     vertex(i, j + 1), vertex(i + 1, j), vertex(i + 1, j + 1), SO_END_FACE_INDEX})
                *index++ = corner;
    faces.coordIndex.finishEditing();
}

struct RingsOptions {
    int bits = 14;          ///< About 2^bits triangles, and as many if it is even.
    float distance = 1.0f;  ///< Of the centres. Below 0.4 the rings cut each other.
    bool colored = true;    ///< By vertices. Otherwise by the material in front of the object.
    bool odd = false;       ///< An odd number of triangles.
};

/// Two rings, which are linked as those of a chain.
inline SoIndexedFaceSet* make_rings(const RingsOptions& options = {}) {
    auto* const vertices = new SoVertexProperty;
    auto* const faces = new SoIndexedFaceSet;
    faces->coordIndex.setNum(0);
    vertices->normalBinding = SoVertexProperty::PER_VERTEX_INDEXED;
    // 4 triangles for each place of one ring, and 4 times as many places around as across.
    const int across = int(std::sqrt(float(1 << options.bits) / 16.0f));
    const int around = 4 * across;
    const float half = 0.5f * options.distance;
    for (const Ring& ring :
         {Ring{{-half, 0, 0}, false, {0.9f, 0.45f, 0.05f}}, Ring{{half, 0, 0}, true, {0.1f, 0.4f, 0.9f}}}) {
        const int first = vertices->vertex.getNum();
        add_vertices(*vertices, ring, around, across);
        add_triangles(*faces, first, around, across);
    }
    if (options.colored)
        vertices->materialBinding = SoVertexProperty::PER_VERTEX_INDEXED;
    else
        vertices->orderedRGBA.setNum(0);
    if (options.odd) faces->coordIndex.setNum(faces->coordIndex.getNum() - 4);
    faces->vertexProperty = vertices;
    return faces;
}
