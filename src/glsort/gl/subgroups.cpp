#include <glsort/error.h>
#include <glsort/gl/capabilities.h>
#include <glsort/gl/objects.h>
#include <glsort/gl/program.h>
#include <glsort/gl/subgroups.h>

#include <bit>
#include <cstring>
#include <string>
#include <vector>

namespace glsort::gl {
namespace {

constexpr std::uint32_t group_size = 128;

/// What an invocation reports about itself.
struct Answer {
    std::uint32_t subgroup;
    std::uint32_t lane;
    std::uint32_t size;
    std::uint32_t unused;
    std::uint64_t votes;
    std::uint64_t padding;
};

constexpr const char* khr_answer = R"(
    uvec2 votes = subgroupBallot(vote(i)).xy;
    answers[2u * i] = uvec4(gl_SubgroupID, gl_SubgroupInvocationID, gl_SubgroupSize, 0u);
)";

constexpr const char* ballot_answer = R"(
    uvec2 votes = unpackUint2x32(ballotARB(vote(i)));
    answers[2u * i] = uvec4(i / gl_SubGroupSizeARB, gl_SubGroupInvocationARB, gl_SubGroupSizeARB, 0u);
)";

/// A vote that differs between any two neighbouring subgroups.
bool vote(std::uint32_t i) {
    return i * i % 7 < 3;
}

ShaderSource probe_source(const Api& api, Subgroups extension) {
    const std::string text = std::string(
                                 "layout(local_size_x = 128) in;\n"
                                 "layout(std430, binding = 0) buffer Answers { uvec4 answers[]; };\n"
                                 "bool vote(uint i) { return i * i % 7u < 3u; }\n"
                                 "void main() {\n    uint i = gl_LocalInvocationIndex;") +
                             (extension == Subgroups::khr ? khr_answer : ballot_answer) +
                             "    answers[2u * i + 1u] = uvec4(votes, 0u, 0u);\n}\n";
    const char* version = api.es ? "#version 310 es" : "#version 430 core";
    return {std::string(version) + subgroup_extensions(extension), {{"the probe of subgroups", text}}};
}

/// The size of the subgroups if the answers are correct. Otherwise 0.
std::uint32_t judge(const std::vector<Answer>& answers) {
    const std::uint32_t size = answers.front().size;
    if (size < 4 || size > 64 || !std::has_single_bit(size)) return 0;
    std::vector<std::uint64_t> votes(group_size / size);
    for (std::uint32_t i = 0; i < group_size; ++i) {
        const Answer& answer = answers[i];
        if (answer.size != size || answer.subgroup != i / size || answer.lane != i % size) return 0;
        if (vote(i)) votes[answer.subgroup] |= std::uint64_t{1} << answer.lane;
    }
    for (const Answer& answer : answers)
        if (answer.votes != votes[answer.subgroup]) return 0;
    return size;
}

std::uint32_t ask(const std::shared_ptr<const Api>& api, Subgroups extension) {
    const Program program = Program::compute(api, probe_source(*api, extension));
    const Buffer buffer(api);
    std::vector<Answer> answers(group_size);
    const auto bytes = static_cast<GLsizeiptr>(answers.size() * sizeof(Answer));
    api->BindBuffer(GL_COPY_READ_BUFFER, buffer.name());
    api->BufferData(GL_COPY_READ_BUFFER, bytes, nullptr, GL_STREAM_READ);
    api->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer.name());
    api->UseProgram(program.name());
    api->DispatchCompute(1, 1, 1);
    api->MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    const void* data = api->MapBufferRange(GL_COPY_READ_BUFFER, 0, bytes, GL_MAP_READ_BIT);
    if (data == nullptr) return 0;
    std::memcpy(answers.data(), data, static_cast<std::size_t>(bytes));
    api->UnmapBuffer(GL_COPY_READ_BUFFER);
    return judge(answers);
}

bool has_khr(const Api& api) {
    if (api.KHR_shader_subgroup == 0) return false;
    constexpr GLint needed = GL_SUBGROUP_FEATURE_BASIC_BIT_KHR | GL_SUBGROUP_FEATURE_BALLOT_BIT_KHR |
                             GL_SUBGROUP_FEATURE_SHUFFLE_BIT_KHR | GL_SUBGROUP_FEATURE_ARITHMETIC_BIT_KHR;
    GLint stages = 0;
    GLint features = 0;
    api.GetIntegerv(GL_SUBGROUP_SUPPORTED_STAGES_KHR, &stages);
    api.GetIntegerv(GL_SUBGROUP_SUPPORTED_FEATURES_KHR, &features);
    return (stages & GL_COMPUTE_SHADER_BIT) != 0 && (features & needed) == needed;
}

bool has_ballot(const Api& api) {
    return api.ARB_shader_ballot != 0 && api.ARB_gpu_shader_int64 != 0 && is_software(api);
}

/// The size that `ask` finds for an extension of the context. 0 if the shader does not compile.
std::uint32_t size_by(const std::shared_ptr<const Api>& api, Subgroups extension) {
    try {
        return ask(api, extension);
    } catch (const Error&) {
        // The driver lists the extension but does not compile the shader. The extension counts as missing.
        return 0;
    }
}

}  // namespace

const char* subgroup_extensions(Subgroups subgroups) {
    switch (subgroups) {
        case Subgroups::ballot:
            return "\n#extension GL_ARB_gpu_shader_int64 : require"
                   "\n#extension GL_ARB_shader_ballot : require";
        case Subgroups::khr:
            return "\n#extension GL_KHR_shader_subgroup_basic : require"
                   "\n#extension GL_KHR_shader_subgroup_ballot : require"
                   "\n#extension GL_KHR_shader_subgroup_shuffle : require"
                   "\n#extension GL_KHR_shader_subgroup_arithmetic : require";
        case Subgroups::none:
            break;
    }
    return "";
}

SubgroupProbe probe_subgroups(const std::shared_ptr<const Api>& api) {
    for (const Subgroups extension : {Subgroups::khr, Subgroups::ballot}) {
        if (extension == Subgroups::khr ? !has_khr(*api) : !has_ballot(*api)) continue;
        if (const std::uint32_t size = size_by(api, extension); size != 0) return {extension, size};
    }
    return {};
}

}  // namespace glsort::gl
