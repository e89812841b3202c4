#include <fmt/format.h>

#include <glsort/error.h>
#include <glsort/exec/embedded_shaders.h>
#include <glsort/exec/gl_executor.h>
#include <glsort/exec/gpu_count.h>
#include <algorithm>
#include <string>
#include <utility>

namespace glsort {
namespace {

/// Words of the arguments of a dispatch.
constexpr std::size_t argument_words = 3;
constexpr std::size_t first_base = 1;  ///< Element of the uniform array.

constexpr const char* buffer_text = R"(
layout(std430, binding = 0) readonly buffer Count { uint caller[]; };
uint given_count(uint place) { return caller[place]; }
)";

constexpr const char* texture_text = R"(
uniform highp usampler2D caller;
uint given_count(uint place) { return texelFetch(caller, ivec2(place, 0), 0).x; }
)";

constexpr const char* kernel_text = R"(
layout(local_size_x = 64) in;
layout(std430, binding = 1) readonly buffer Table { uvec4 entries[]; };
layout(std430, binding = 2) writeonly buffer Numbers { uint words[]; };
// (place of the count, capacity, entries, max groups along one dimension), then the bases of the caller's streams
uniform uvec4 call[3];

uint base_of(uint stream) { return call[1u + stream / 4u][stream % 4u]; }

void main() {
    uint given = given_count(call[0].x);
    uint count = min(given, call[0].y);
    uint i = gl_GlobalInvocationID.x;
    if (i == 0u) {
        words[0] = count;
        words[1] = given > call[0].y ? 1u : 0u;
        words[2] = 0u;
        words[3] = 0u;
    }
    if (i >= call[0].z) return;
    uvec4 target = entries[2u * i];
    uvec4 rule = entries[2u * i + 1u];
    if (target.y == GLSORT_RULE_OF_NUMBER) {
        words[target.x] = glsort_ruled_number(target, rule, count);
    } else if (target.y == GLSORT_RULE_OF_GROUPS) {
        uvec3 groups = glsort_ruled_groups(target, rule, count, call[0].w);
        words[target.x] = groups.x;
        words[target.x + 1u] = groups.y;
        words[target.x + 2u] = groups.z;
    } else {
        words[target.x] = base_of(target.z);
    }
}
)";

std::size_t round_up(std::size_t number, std::size_t unit) {
    return (number + unit - 1) / unit * unit;
}

/// Makes new storage, as later updates may overtake commands that use the old one (docs/driver-faults.md).
void store(const gl::Api& api, const gl::Buffer& buffer, const char* label, const void* data, std::size_t bytes) {
    allocate_buffer(api, buffer, fmt::format("the {}", label), bytes, data);
    gl::set_label(api, GL_BUFFER, buffer.name(), label);
}

}  // namespace

gl::ProgramSource GpuCount::source(bool es, Medium medium) {
    const char* version =
        es ? "#version 310 es\nprecision highp float;\nprecision highp int;\n" : "#version 430 core\n";
    const char* given = medium == Medium::texture ? texture_text : buffer_text;
    return gl::ProgramSource::compute(
        {version,
         {{"the caller's count", given},
          {"shaders/lib/count_rule.glsl", std::string(find_embedded_shader("lib/count_rule.glsl")->source)},
          {"the count on the GPU", kernel_text}}});
}

GpuCount::GpuCount(const std::shared_ptr<const gl::Api>& api, std::shared_ptr<ProgramCache> programs, Medium medium,
                   std::uint64_t max_groups)
    : api_(api),
      programs_(std::move(programs)),
      medium_(medium),
      max_groups_(static_cast<std::uint32_t>(std::min<std::uint64_t>(max_groups, 0xffffffffu))),
      numbers_(api),
      table_(api) {
    programs_->issue(source(api_->es, medium_));
    GLint alignment = 256;
    api_->GetIntegerv(GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT, &alignment);
    alignment_ = static_cast<std::size_t>(std::max(alignment, 16)) / 4;
}

void GpuCount::begin(std::uint32_t capacity) {
    if (program_ == 0) {
        const gl::Program& program = programs_->get(source(api_->es, medium_)).program;
        program_ = program.name();
        uniforms_ = program.uniform("call");
    }
    capacity_ = capacity;
    places_.clear();
    words_.clear();
    rules_.clear();
    streams_.clear();
    bases_.fill(0);
}

void GpuCount::add(std::size_t word, CountRule::Kind kind, std::uint32_t extra, const Counted& number) {
    const auto [scale, per, offset] = terms_of_rule(number);
    rules_.push_back({.word = static_cast<std::uint32_t>(word),
                      .kind = kind,
                      .extra = extra,
                      .scale = scale,
                      .per = per,
                      .offset = offset});
}

void GpuCount::add_op(std::span<const std::uint32_t> words, const Counted& instances, std::uint32_t group_size,
                      std::uint32_t first_group, std::uint32_t most_groups) {
    places_.push_back({words_.size(), words.size()});
    words_.insert(words_.end(), words.begin(), words.end());
    words_.resize(round_up(words_.size(), alignment_));
    // `word` is the number of the op for now. `upload` turns the number into a place, which depends on how many ops
    // there are.
    add(places_.size() - 1, CountRule::Kind::groups, group_size, instances);
    rules_.back().first_group = first_group;
    rules_.back().most_groups = most_groups;
}

void GpuCount::add_number(std::size_t word, const Counted& number) {
    if (!number.is_constant()) add(places_.back().first + word, CountRule::Kind::number, 0, number);
}

void GpuCount::add_base(std::size_t word, StreamId stream) {
    add(places_.back().first + word, CountRule::Kind::base, static_cast<std::uint32_t>(base_of(stream)), 0);
}

void GpuCount::upload() {
    const std::size_t first = round_up(count_status_words + argument_words * places_.size(), alignment_);
    for (CountRule& rule : rules_)
        rule.word = static_cast<std::uint32_t>(
            rule.kind == CountRule::Kind::groups ? count_status_words + argument_words * rule.word : first + rule.word);
    for (Place& place : places_)
        place.first += first;
    std::vector<std::uint32_t> numbers(first);
    numbers.insert(numbers.end(), words_.begin(), words_.end());
    numbers_words_ = numbers.size();
    store(*api_, numbers_, "numbers of a count on the GPU", numbers.data(), 4 * numbers.size());
    // If the only op reads the count itself, there are no rules. A bound buffer must not be empty.
    const CountRule none;
    store(*api_, table_, "table of a count on the GPU", rules_.empty() ? &none : rules_.data(),
          sizeof(CountRule) * std::max<std::size_t>(rules_.size(), 1));
}

std::size_t GpuCount::base_of(StreamId stream) {
    const auto found = std::find(streams_.begin(), streams_.end(), stream);
    const auto number = static_cast<std::size_t>(found - streams_.begin());
    if (number == max_count_bases)
        throw Error(fmt::format("a program has more than {} streams of the caller's", max_count_bases));
    if (found == streams_.end()) streams_.push_back(stream);
    return number;
}

void GpuCount::set_base(StreamId stream, std::uint32_t base) {
    bases_[base_of(stream)] = base;
}

CountTable GpuCount::table() const {
    return {.rules = {table_.name(), 0},
            .rule_count = static_cast<std::uint32_t>(rules_.size()),
            .numbers = {numbers_.name(), 0},
            .words = static_cast<std::uint32_t>(numbers_words_),
            .most_columns = max_groups_,
            .bases = bases_};
}

void GpuCount::run(std::uint32_t place) {
    std::uint32_t call[4 * first_base + max_count_bases] = {place, capacity_, static_cast<std::uint32_t>(rules_.size()),
                                                            max_groups_};
    std::copy(bases_.begin(), bases_.end(), call + 4 * first_base);
    api_->UseProgram(program_);
    api_->Uniform4uiv(uniforms_, static_cast<GLsizei>(std::size(call) / 4), call);
    api_->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, table_.name());
    api_->BindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, numbers_.name());
    // One group at least writes the status.
    api_->DispatchCompute(static_cast<GLuint>(std::max<std::size_t>((rules_.size() + 63) / 64, 1)), 1, 1);
}

void GpuCount::show_numbers() const {
    api_->MemoryBarrier(GL_UNIFORM_BARRIER_BIT | GL_COMMAND_BARRIER_BIT);
}

void GpuCount::bind_arguments() const {
    api_->BindBuffer(GL_DISPATCH_INDIRECT_BUFFER, numbers_.name());
}

void GpuCount::bind_numbers(std::size_t number) const {
    const Place& place = places_[number];
    api_->BindBufferRange(GL_UNIFORM_BUFFER, 0, numbers_.name(), static_cast<GLintptr>(4 * place.first),
                          static_cast<GLsizeiptr>(4 * place.size));
}

void GpuCount::dispatch(std::size_t number) const {
    api_->DispatchComputeIndirect(static_cast<GLintptr>(4 * (count_status_words + argument_words * number)));
}

}  // namespace glsort
