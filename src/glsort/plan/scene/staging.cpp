#include <glsort/plan/moves.h>
#include <glsort/plan/scene/staging.h>

namespace glsort::scene {
namespace {

/// Declares a texture for what is in the buffer `id`.
StreamId declare_staged(StreamProgram& program, StreamId id) {
    const Stream buffer = program.streams[id];
    program.streams.push_back({.name = buffer.name + ".staged",
                               .medium = Medium::texture,
                               .words = buffer.words,
                               .records = buffer.records,
                               .layout = stream_layout(Layout::row_wise, buffer.records)});
    return program.streams.size() - 1;
}

}  // namespace

StreamId stage_for_reading(StreamProgram& program, StreamId id, const Limits& limits) {
    const Stream& stream = program.streams[id];
    if (program.backend != Backend::fragment || stream.medium == Medium::texture) return id;
    if (reads_in_buffer(limits, stream.words, stream.records)) return id;
    const StreamId texture = declare_staged(program, id);
    add_move(program, id, texture, upload_kernel(program.streams[id].words));
    return texture;
}

StreamId stage_for_writing(StreamProgram& program, StreamId id, const Limits& limits) {
    const Stream& target = program.streams[id];
    const bool packs = limits.pixel_pack && target.words != 3 && target.elements_per_record == 1;
    if (program.backend != Backend::fragment || target.medium == Medium::texture || !packs) return id;
    return declare_staged(program, id);
}

void unstage(StreamProgram& program, StreamId written, StreamId id) {
    if (written != id) add_move(program, written, id, download_kernel(program.streams[id].words));
}

}  // namespace glsort::scene
