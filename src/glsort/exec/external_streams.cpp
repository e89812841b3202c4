#include <glsort/exec/external_streams.h>

#include <algorithm>
#include <utility>

namespace glsort {

void ExternalStreams::follow(const StreamProgram& program) {
    streams_.resize(program.streams.size());
    for (StreamId id = 0; id < program.streams.size(); ++id) {
        const Stream& stream = program.streams[id];
        Bound& bound = streams_[id];
        if (bound.role == stream.role && bound.medium == stream.medium) continue;
        bound = {stream.role, stream.medium, {}};
        bound.bound.texture.layout = stream.layout.kind;
        bound.bound.texture.width = stream.layout.width;
    }
}

bool ExternalStreams::bind(StreamId id, const TextureView& texture) {
    const TextureView before = std::exchange(streams_[id].bound.texture, texture);
    const bool same_width = before.width == texture.width || texture.layout == Layout::z_order;
    return before.layout == texture.layout && same_width;
}

void ExternalStreams::order_updates(const gl::Api& api) const {
    for (const Bound& stream : streams_)
        if (stream.role != StreamRole::scratch && stream.medium == Medium::buffer && stream.bound.buffer.name != 0)
            gl::order_updates(api, stream.bound.buffer.name);
}

bool ExternalStreams::has_textures() const {
    return std::any_of(streams_.begin(), streams_.end(), [](const Bound& stream) {
        return stream.role != StreamRole::scratch && stream.medium == Medium::texture;
    });
}

}  // namespace glsort
