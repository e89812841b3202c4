#pragma once

#include <glsort/gl/api.h>
#include <glsort/gl_types.h>
#include <glsort/stream/program.h>

#include <vector>

namespace glsort {

/// The buffer or texture last bound to a stream of the caller.
struct ExternalStream {
    BufferSlice buffer;
    TextureView texture;
};

/// The bound objects of all caller's streams of a program.
class ExternalStreams {
  public:
    ExternalStreams() = default;
    /// A stream without a bound texture is assumed to have the layout and width in the program.
    explicit ExternalStreams(const StreamProgram& program) { follow(program); }

    /// Switches to another program. A stream with the same role and medium in both programs keeps its bound
    /// object.
    void follow(const StreamProgram& program);

    const ExternalStream& operator[](StreamId id) const { return streams_[id].bound; }

    void bind(StreamId id, const BufferSlice& buffer) { streams_[id].bound.buffer = buffer; }
    /// Returns whether shaders for the shape of the previous texture also serve the new texture.
    bool bind(StreamId id, const TextureView& texture);

    /// Tells the driver that the GPU has pending work on the caller's buffers. Only for drivers that lose updates
    /// without this call (`Api::updates_overtake_writes`).
    void order_updates(const gl::Api& api) const;

    /// Whether one of the caller's streams is a texture.
    bool has_textures() const;

  private:
    struct Bound {
        StreamRole role = StreamRole::scratch;
        Medium medium = Medium::buffer;
        ExternalStream bound;
    };

    std::vector<Bound> streams_;
};

}  // namespace glsort
