#pragma once

#include <glsort/gl/api.h>
#include <glsort/gl_types.h>
#include <glsort/stream/program.h>

#include <vector>

namespace glsort {

/// The caller's stream, as it was bound last.
struct ExternalStream {
    BufferSlice buffer;
    TextureView texture;
};

/// The caller's streams of a program, by stream.
class ExternalStreams {
  public:
    ExternalStreams() = default;
    /// Until a texture is bound, it is taken to have the layout and the width that the program gives it.
    explicit ExternalStreams(const StreamProgram& program) { follow(program); }

    /// Becomes those of another program. What was bound stays bound where the stream is as it was before.
    void follow(const StreamProgram& program);

    const ExternalStream& operator[](StreamId id) const { return streams_[id].bound; }

    void bind(StreamId id, const BufferSlice& buffer) { streams_[id].bound.buffer = buffer; }
    /// Returns whether shaders made for the shape of the texture before serve this one as well.
    bool bind(StreamId id, const TextureView& texture);

    /// Tells a driver that forgets so (`Api::updates_overtake_writes`) that the GPU has work with the caller's buffers.
    void order_updates(const gl::Api& api) const;

  private:
    struct Bound {
        StreamRole role = StreamRole::scratch;
        Medium medium = Medium::buffer;
        ExternalStream bound;
    };

    std::vector<Bound> streams_;
};

}  // namespace glsort
