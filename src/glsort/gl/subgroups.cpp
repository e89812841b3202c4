#include <glsort/base/browser.h>
#include <glsort/error.h>
#include <glsort/gl/capabilities.h>
#include <glsort/gl/subgroups.h>

#include <bit>
#include <cstring>
#include <string>
#include <utility>
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

constexpr GLsizeiptr answer_bytes = group_size * sizeof(Answer);

/// A vote that differs between any two neighbouring subgroups.
bool vote(std::uint32_t i) {
    return i * i % 7 < 3;
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

}  // namespace

const char* subgroup_extensions(Subgroups subgroups) {
    if constexpr (in_browser) return "";  // WebGL has none
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

ShaderSource SubgroupProbing::source(bool es, Subgroups extension) {
    const std::string text = std::string(
                                 "layout(local_size_x = 128) in;\n"
                                 "layout(std430, binding = 0) buffer Answers { uvec4 answers[]; };\n"
                                 "bool vote(uint i) { return i * i % 7u < 3u; }\n"
                                 "void main() {\n    uint i = gl_LocalInvocationIndex;") +
                             (extension == Subgroups::khr ? khr_answer : ballot_answer) +
                             "    answers[2u * i + 1u] = uvec4(votes, 0u, 0u);\n}\n";
    const char* version = es ? "#version 310 es" : "#version 430 core";
    return {std::string(version) + subgroup_extensions(extension), {{"the probe of subgroups", text}}};
}

SubgroupProbing::SubgroupProbing(std::shared_ptr<const Api> api) : api_(std::move(api)) {
    if (has_ballot(*api_)) extensions_.push_back(Subgroups::ballot);
    if (has_khr(*api_)) extensions_.push_back(Subgroups::khr);
}

Progress SubgroupProbing::step(bool may_wait) {
    if (extensions_.empty()) return Progress::done;
    if (asked_.get() == nullptr) {
        if (!issued_) issued_.emplace(api_, ProgramSource::compute(source(api_->es, extensions_.back())));
        if (!may_wait && !issued_->is_done()) return Progress::waiting;
        try {
            program_ = issued_->finish();
            ask();
        } catch (const Error&) {
            // The driver lists the extension but does not compile the shader. The extension counts as missing.
            next_extension();
        }
        return extensions_.empty() ? Progress::done : Progress::more;
    }
    if (!may_wait && !asked_.is_signaled()) return Progress::waiting;
    result_ = {extensions_.back(), size_of_answers()};
    if (result_.size != 0) {
        issued_->store(program_);
        extensions_.clear();
        return Progress::done;
    }
    result_ = {};
    next_extension();
    return extensions_.empty() ? Progress::done : Progress::more;
}

void SubgroupProbing::next_extension() {
    extensions_.pop_back();
    issued_.reset();
    asked_.reset();
}

void SubgroupProbing::ask() {
    answers_ = Buffer(api_);
    api_->BindBuffer(GL_COPY_READ_BUFFER, answers_.name());
    api_->BufferData(GL_COPY_READ_BUFFER, answer_bytes, nullptr, GL_STREAM_READ);
    api_->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, answers_.name());
    api_->UseProgram(program_.name());
    api_->DispatchCompute(1, 1, 1);
    api_->MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    asked_ = Sync(api_);
    api_->Flush();
}

std::uint32_t SubgroupProbing::size_of_answers() {
    std::vector<Answer> answers(group_size);
    api_->BindBuffer(GL_COPY_READ_BUFFER, answers_.name());
    const void* data = api_->MapBufferRange(GL_COPY_READ_BUFFER, 0, answer_bytes, GL_MAP_READ_BIT);
    if (data == nullptr) return 0;
    std::memcpy(answers.data(), data, static_cast<std::size_t>(answer_bytes));
    api_->UnmapBuffer(GL_COPY_READ_BUFFER);
    return judge(answers);
}

SubgroupProbe probe_subgroups(const std::shared_ptr<const Api>& api) {
    SubgroupProbing probing(api);
    while (probing.step(true) != Progress::done) {
    }
    return probing.result();
}

}  // namespace glsort::gl
