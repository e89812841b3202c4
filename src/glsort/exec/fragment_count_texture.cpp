#include <glsort/exec/fragment_count_texture.h>
#include <glsort/exec/gl_executor.h>
#include <glsort/exec/shader_composer.h>

#include <cstdint>
#include <utility>

namespace glsort {
namespace {

constexpr const char* status_text = R"(
uniform highp usampler2D count;
uniform uvec4 capacity;
flat out uvec4 status;
void main() {
    uint given = texelFetch(count, ivec2(0), 0).x;
    status = uvec4(min(given, capacity.x), given > capacity.x ? 1u : 0u, 0u, 0u);
    gl_Position = vec4(0.0);
}
)";

}  // namespace

gl::ProgramSource CountTexture::source(bool es) {
    const gl::ShaderSource fragment = empty_fragment_shader(es);
    gl::ProgramSource program = gl::ProgramSource::graphics(
        {fragment.version, {{"the status of a count on the GPU", status_text}}}, fragment, {{"status"}});
    program.label = "the status of a count on the GPU";
    return program;
}

CountTexture::CountTexture(const std::shared_ptr<const gl::Api>& api, std::shared_ptr<ProgramCache> programs)
    : api_(api), texture_(api), status_(api), programs_(std::move(programs)) {
    programs_->issue(source(api_->es));
    allocate_texels(*api_, texture_.name(), 1, 1, 1);
    api_->BindBuffer(GL_ARRAY_BUFFER, status_.name());
    api_->BufferData(GL_ARRAY_BUFFER, 16, nullptr, GL_DYNAMIC_COPY);
    gl::set_label(*api_, GL_TEXTURE, texture_.name(), "count on the GPU");
    gl::set_label(*api_, GL_BUFFER, status_.name(), "status of a count on the GPU");
}

void CountTexture::set_capacity(std::uint32_t capacity) {
    capacity_ = capacity;
    if (program_ != 0) return;
    const gl::Program& program = programs_->get(source(api_->es)).program;
    program_ = program.name();
    capacity_uniform_ = program.uniform("capacity");
}

void CountTexture::take(const BufferSlice& count) {
    api_->BindBuffer(GL_PIXEL_UNPACK_BUFFER, count.name);
    api_->ActiveTexture(GL_TEXTURE0);
    api_->BindTexture(GL_TEXTURE_2D, texture_.name());
    api_->TexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RED_INTEGER, GL_UNSIGNED_INT,
                        reinterpret_cast<const void*>(static_cast<std::uintptr_t>(count.offset)));
    api_->BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
}

void CountTexture::write_status(FragmentCaptures& captures) {
    api_->UseProgram(program_);
    const GLuint capacity[4] = {capacity_};
    api_->Uniform4uiv(capacity_uniform_, 1, capacity);
    captures.begin();
    api_->BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, status_.name());
    captures.points(0, 1);
    captures.end(1);
}

}  // namespace glsort
