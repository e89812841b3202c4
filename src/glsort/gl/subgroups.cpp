#include <glsort/base/browser.h>
#include <glsort/error.h>
#include <glsort/gl/capabilities.h>
#include <glsort/gl/subgroups.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <string_view>
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
    std::uint32_t of_other;  ///< The value of another invocation.
    std::uint64_t votes;
    std::uint32_t sum_in_front;     ///< The sum of the values of earlier invocations. 0 without arithmetic.
    std::uint32_t sum_and_largest;  ///< The sum of all values, and 2^16 times the largest value. 0 without arithmetic.
    bool operator==(const Answer&) const = default;
};

constexpr const char* khr_answer = R"(
    uvec2 votes = subgroupBallot(value(i) < 3u).xy;
    uint of_other = subgroupShuffle(value(i), gl_SubgroupInvocationID ^ 1u);
    uvec2 sums = uvec2(subgroupExclusiveAdd(value(i)), subgroupAdd(value(i)) + (subgroupMax(value(i)) << 16));
    answers[2u * i] = uvec4(gl_SubgroupID, gl_SubgroupInvocationID, gl_SubgroupSize, of_other);
)";

// The kernels that read values by ARB_shader_ballot read from one lane in all invocations.
constexpr const char* ballot_answer = R"(
    uvec2 votes = unpackUint2x32(ballotARB(value(i) < 3u));
    uint of_other = readInvocationARB(value(i), 1u);
    uvec2 sums = uvec2(0u);
    answers[2u * i] = uvec4(i / gl_SubGroupSizeARB, gl_SubGroupInvocationARB, gl_SubGroupSizeARB, of_other);
)";

constexpr GLsizeiptr answer_bytes = group_size * sizeof(Answer);

/// The value of an invocation, the `value` of the shader. Invocations with values below 3 vote. Values and votes differ
/// between any two neighbouring subgroups.
std::uint32_t value(std::uint32_t i) {
    return i * i % 7;
}

/// What the invocations of the subgroup that begins at invocation `first` must report.
std::vector<Answer> expected(Subgroups extension, std::uint32_t first, std::uint32_t size) {
    std::vector<Answer> answers(size);
    std::uint64_t votes = 0;
    std::uint32_t sum = 0;
    std::uint32_t largest = 0;
    for (std::uint32_t lane = 0; lane < size; ++lane) {
        const std::uint32_t mine = value(first + lane);
        const std::uint32_t other = extension == Subgroups::khr ? lane ^ 1u : 1u;
        answers[lane] = {first / size, lane, size, value(first + other), 0, sum, 0};
        if (mine < 3) votes |= std::uint64_t{1} << lane;
        sum += mine;
        largest = std::max(largest, mine);
    }
    for (Answer& answer : answers) {
        answer.votes = votes;
        answer.sum_and_largest = sum + (largest << 16);
        if (extension != Subgroups::khr) answer.sum_in_front = answer.sum_and_largest = 0;
    }
    return answers;
}

/// The size of the subgroups if the answers are correct. Otherwise 0.
std::uint32_t judge(Subgroups extension, const std::vector<Answer>& answers) {
    const std::uint32_t size = answers.front().size;
    if (size < 4 || size > 64 || !std::has_single_bit(size)) return 0;
    for (std::uint32_t first = 0; first < group_size; first += size) {
        const std::vector<Answer> right = expected(extension, first, size);
        if (!std::equal(right.begin(), right.end(), answers.begin() + first)) return 0;
    }
    return size;
}

/// Whether all compute shaders are known to have subgroups of one size. Other drivers choose the size for each shader,
/// so the probe's shader tells nothing about kernels: Intel's (Mesa) by registers, AMD's (radeonsi) by loops.
bool has_one_size(const Api& api) {
    const std::string_view vendor = reinterpret_cast<const char*>(api.GetString(GL_VENDOR));
    return vendor.find("NVIDIA") != std::string_view::npos || is_software(api);
}

bool has_khr(const Api& api) {
    if (api.KHR_shader_subgroup == 0 || !has_one_size(api)) return false;
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
                                 "uint value(uint i) { return i * i % 7u; }\n"
                                 "void main() {\n    uint i = gl_LocalInvocationIndex;") +
                             (extension == Subgroups::khr ? khr_answer : ballot_answer) +
                             "    answers[2u * i + 1u] = uvec4(votes, sums);\n}\n";
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
    return judge(extensions_.back(), answers);
}

SubgroupProbe probe_subgroups(const std::shared_ptr<const Api>& api) {
    SubgroupProbing probing(api);
    while (probing.step(true) != Progress::done) {
    }
    return probing.result();
}

}  // namespace glsort::gl
