#include <fmt/format.h>

#include <glsort/base/fingerprint.h>
#include <glsort/gl/program_entry.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace glsort::gl {
namespace {

struct Header {
    std::uint64_t magic = 0x31'79'72'74'6e'65'6c'67u;  // "glentry1"
    std::uint64_t text_hash = 0;
    std::uint64_t binary_hash = 0;
    std::uint32_t format = 0;
    std::uint32_t bytes = 0;
};

/// Where the second hash of the text starts. The first hash, in the key, has another start.
constexpr std::uint64_t other_start = 0x9e3779b97f4a7c15u;

/// Tells damage of a binary, and of its format.
std::uint64_t hash_of(std::span<const std::byte> binary, std::uint32_t format) {
    return fingerprint(binary, fnv_start ^ format);
}

}  // namespace

bool ProgramEntry::is_kept(const Api& api) {
    if (in_browser) return false;  // WebGL has no binaries
    if (!api.binaries.load && !api.binaries.store) return false;
    if (api.GetProgramBinary == nullptr || api.ProgramBinary == nullptr || api.ProgramParameteri == nullptr)
        return false;
    GLint formats = 0;
    api.GetIntegerv(GL_NUM_PROGRAM_BINARY_FORMATS, &formats);
    return formats > 0;
}

ProgramEntry::ProgramEntry(std::shared_ptr<const Api> api, std::string_view text) : api_(std::move(api)) {
    if (!is_kept(*api_)) return;
    std::uint64_t driver = fnv_start;
    for (const GLenum name : {GL_VENDOR, GL_RENDERER, GL_VERSION}) {
        const auto* string = reinterpret_cast<const char*>(api_->GetString(name));
        if (string != nullptr) driver = fingerprint(std::string_view(string), driver);
    }
    text_hash_ = fingerprint(text, other_start);
    key_ = fmt::format("{:016x}{:016x}{:016x}", driver, fingerprint(text, driver), text.size());
}

bool ProgramEntry::load(GLuint program) const {
    if (in_browser || key_.empty() || !api_->binaries.load) return false;
    const std::vector<std::byte> entry = api_->binaries.load(key_);
    Header header;
    if (entry.size() < sizeof(header)) return false;
    std::memcpy(&header, entry.data(), sizeof(header));
    const std::span<const std::byte> binary = std::span(entry).subspan(sizeof(header));
    if (header.magic != Header{}.magic || header.text_hash != text_hash_ || header.bytes != binary.size() ||
        header.binary_hash != hash_of(binary, header.format))
        return false;
    api_->ProgramBinary(program, header.format, binary.data(), static_cast<GLsizei>(binary.size()));
    GLint linked = GL_FALSE;
    api_->GetProgramiv(program, GL_LINK_STATUS, &linked);
    // A format that the driver no longer has raises an OpenGL error. The error is read here, so that no later check
    // finds the error.
    if (linked == GL_FALSE && api_->reads_errors) take_errors(*api_);
    return linked != GL_FALSE;
}

void ProgramEntry::prepare(GLuint program) const {
    if (!key_.empty()) api_->ProgramParameteri(program, GL_PROGRAM_BINARY_RETRIEVABLE_HINT, GL_TRUE);
}

void ProgramEntry::store(GLuint program) const {
    if (in_browser || key_.empty() || !api_->binaries.store) return;
    GLint length = 0;
    api_->GetProgramiv(program, GL_PROGRAM_BINARY_LENGTH, &length);
    if (length <= 0) return;
    std::vector<std::byte> entry(sizeof(Header) + static_cast<std::size_t>(length));
    GLenum format = 0;
    api_->GetProgramBinary(program, length, &length, &format, entry.data() + sizeof(Header));
    if (length <= 0) return;
    entry.resize(sizeof(Header) + static_cast<std::size_t>(length));
    const Header header{.text_hash = text_hash_,
                        .binary_hash = hash_of(std::span(entry).subspan(sizeof(Header)), format),
                        .format = format,
                        .bytes = static_cast<std::uint32_t>(length)};
    std::memcpy(entry.data(), &header, sizeof(header));
    api_->binaries.store(key_, entry);
}

}  // namespace glsort::gl
