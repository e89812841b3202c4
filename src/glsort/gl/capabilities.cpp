#include <fmt/format.h>

#include <glsort/base/browser.h>
#include <glsort/gl/capabilities.h>
#include <glsort/gl/objects.h>
#include <glsort/gl/state_guard.h>
#include <glsort/gl/subgroups.h>
#include <algorithm>
#include <bit>
#include <string_view>

namespace glsort::gl {
namespace {

std::uint32_t limit_of(const Api& api, GLenum name) {
    GLint value = 0;
    api.GetIntegerv(name, &value);
    return static_cast<std::uint32_t>(std::max(value, 0));
}

/// Whether a framebuffer with `attachments` integer attachments is complete.
bool probe_attachments(const std::shared_ptr<const Api>& api, std::uint32_t attachments) {
    const Texture texture(api);
    const Framebuffer framebuffer(api);
    api->ActiveTexture(GL_TEXTURE0);  // One of the units that the guard saves.
    api->BindTexture(GL_TEXTURE_2D_ARRAY, texture.name());
    api->BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    api->TexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAX_LEVEL, 0);
    api->TexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA32UI, 1, 1, static_cast<GLsizei>(attachments), 0, GL_RGBA_INTEGER,
                    GL_UNSIGNED_INT, nullptr);
    api->BindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer.name());
    std::array<GLenum, max_attachments> buffers{};
    for (std::uint32_t i = 0; i < attachments; ++i) {
        buffers[i] = GL_COLOR_ATTACHMENT0 + i;
        api->FramebufferTextureLayer(GL_DRAW_FRAMEBUFFER, buffers[i], texture.name(), 0, static_cast<GLint>(i));
    }
    api->DrawBuffers(static_cast<GLsizei>(attachments), buffers.data());
    return api->CheckFramebufferStatus(GL_DRAW_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

bool is_vendor(const Api& api, std::string_view name) {
    return std::string_view(reinterpret_cast<const char*>(api.GetString(GL_VENDOR))).find(name) !=
           std::string_view::npos;
}

bool is_renderer(const Api& api, std::string_view name) {
    return std::string_view(reinterpret_cast<const char*>(api.GetString(GL_RENDERER))).find(name) !=
           std::string_view::npos;
}

/// Whether the vendor's GPUs are known to keep running every group that has begun.
bool runs_what_has_begun(const Api& api) {
    for (const char* name : {"NVIDIA", "AMD", "ATI Technologies", "Advanced Micro Devices", "Intel"})
        if (is_vendor(api, name)) return true;
    return false;
}

/// 0 if the driver does not report the number.
std::uint32_t multiprocessors(const Api& api) {
    return api.NV_shader_thread_group != 0 ? limit_of(api, GL_SM_COUNT_NV) : 0;
}

/// Storage blocks without which no sort runs on compute. Some algorithms need more, and are then not chosen.
std::uint32_t needed_storage_blocks(const Api& api) {
    return api.es ? 4 : 5;
}

}  // namespace

Limits query_limits(const std::shared_ptr<const Api>& api, bool probe) {
    const bool compute = api->at_least(43, 31);
    const StateGuard guard(
        *api, {.textures = true, .draw = true, .draw_buffers = true, .storage = compute, .unpack = true, .copy = true});
    Limits limits;
    const std::uint32_t limit = std::min({limit_of(*api, GL_MAX_COLOR_ATTACHMENTS), limit_of(*api, GL_MAX_DRAW_BUFFERS),
                                          static_cast<std::uint32_t>(max_attachments)});
    limits.attachments = 1;
    for (std::uint32_t count : {8u, 4u, 2u}) {
        if (count > limit || !probe_attachments(api, count)) continue;
        limits.attachments = count;
        break;
    }
    // A power of two: viewports have sides of powers of two, and OpenGL silently cuts larger viewports.
    limits.texture_size = std::bit_floor(
        std::min(limit_of(*api, GL_MAX_TEXTURE_SIZE), static_cast<std::uint32_t>(std::max(api->viewport_size, 0))));
    limits.texture_buffer = api->has_texture_buffers() ? limit_of(*api, GL_MAX_TEXTURE_BUFFER_SIZE) : 0;
    // One unit is for a count on the GPU.
    limits.textures_read = static_cast<std::uint32_t>(max_indices(&StateScope::texture_units)) - 1;
    limits.subgroup_size = 0;
    limits.subgroups = Subgroups::none;
    limits.software = is_software(*api);
    limits.array_stores = !mistakes_indices(*api);
    limits.pixel_pack = !api->es;
    limits.texture_barrier = api->texture_barrier() != nullptr;
    if (in_browser || !compute) {
        limits.shared_memory = limits.invocations = limits.storage_blocks = 0;
        limits.storage_bytes = 0;
        limits.block_arrays = false;
        return limits;
    }
    limits.shared_memory = limit_of(*api, GL_MAX_COMPUTE_SHARED_MEMORY_SIZE);
    limits.invocations = limit_of(*api, GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS);
    // Written images count among the outputs, too.
    limits.storage_blocks = std::min({limit_of(*api, GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS),
                                      limit_of(*api, GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS),
                                      limit_of(*api, GL_MAX_COMBINED_SHADER_OUTPUT_RESOURCES) - (api->es ? 0 : 1),
                                      static_cast<std::uint32_t>(max_indices(&StateScope::storage_blocks))});
    GLint64 bytes = 0;
    api->GetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &bytes);
    limits.storage_bytes = static_cast<std::uint64_t>(std::max<GLint64>(bytes, 0));
    // Ops with such arrays have up to 1024 words of uniforms. OpenGL 4.3 and 4.4 guarantee 512.
    limits.block_arrays = !api->es && limit_of(*api, GL_MAX_COMPUTE_UNIFORM_COMPONENTS) >= 1024;
    if (probe) {
        const SubgroupProbe subgroups = probe_subgroups(api);
        limits.subgroup_size = subgroups.size;
        limits.subgroups = subgroups.extension;
    }
    limits.multiprocessors = multiprocessors(*api);
    limits.look_back = !limits.software && runs_what_has_begun(*api);
    return limits;
}

bool has_compute(const Api& api, std::string& reason) {
    if (in_browser || !api.at_least(43, 31)) {
        reason = fmt::format("needs OpenGL 4.3 or OpenGL ES 3.1; this is OpenGL{} {}.{}", api.es ? " ES" : "",
                             api.version / 10, api.version % 10);
        return false;
    }
    const std::uint32_t blocks = limit_of(api, GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS);
    if (blocks < needed_storage_blocks(api)) {
        reason = fmt::format("needs {} storage blocks in a compute shader; this context has {}",
                             needed_storage_blocks(api), blocks);
        return false;
    }
    reason = fmt::format("OpenGL{} {}.{}", api.es ? " ES" : "", api.version / 10, api.version % 10);
    return true;
}

bool has_large_sparse_pages(const Api& api) {
    return !api.es && api.ARB_sparse_buffer != 0 && api.BufferStorage != nullptr &&
           api.BufferPageCommitmentARB != nullptr && is_vendor(api, "NVIDIA");
}

bool is_software(const Api& api) {
    for (const char* name : {"llvmpipe", "softpipe", "SwiftShader", "Software"})
        if (is_renderer(api, name)) return true;
    return false;
}

bool mistakes_uniforms(const Api& api) {
    return !in_browser && is_renderer(api, "zink") && is_software(api);
}

bool mistakes_indices(const Api& api) {
    return is_renderer(api, "softpipe");
}

bool uploads_overtake(const Api& api) {
    return is_renderer(api, "zink") && is_software(api);
}

bool captures_overtake(const Api& api) {
    return !in_browser && is_renderer(api, "llvmpipe");
}

bool loses_bound_storage(const Api& api) {
    return is_renderer(api, "zink") && is_software(api);
}

bool hides_feedback(const Api& api) {
    return api.at_least(0, 31) && is_renderer(api, "ANGLE");
}

bool refuses_mapped_feedback(const Api& api) {
    return is_renderer(api, "ANGLE");
}

bool continues_captures(const Api& api) {
    return is_renderer(api, "softpipe");
}

bool joins_captures(const Api& api) {
    return is_renderer(api, "ANGLE");
}

bool packs_aligned_slowly(const Api& api) {
    return !in_browser && is_vendor(api, "NVIDIA");
}

std::uint32_t most_numbered_vertices(const Api& api) {
    return is_renderer(api, "softpipe") ? 4096 : 0xffffffffu;
}

}  // namespace glsort::gl
