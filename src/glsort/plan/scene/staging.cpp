#include <glsort/plan/moves.h>
#include <glsort/plan/scene/staging.h>

#include <utility>

namespace glsort::scene {

StreamId readable(StreamProgram& program, StreamId id) {
    const Stream buffer = program.streams[id];
    if (program.backend != Backend::fragment || buffer.medium == Medium::texture) return id;
    const StreamId texture = program.streams.size();
    program.streams.push_back({.name = buffer.name + ".staged",
                               .medium = Medium::texture,
                               .records = buffer.records,
                               .layout = stream_layout(Layout::row_wise, buffer.records)});
    Op op;
    op.kernel = upload_kernel(1);
    op.domain = Substream::first(buffer.records);
    op.reads = {{id, op.domain}};
    op.writes = {{texture, op.domain}};
    program.ops.push_back(std::move(op));
    return texture;
}

}  // namespace glsort::scene
