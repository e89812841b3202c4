#pragma once

#include <fmt/format.h>
#include <glsort/exec/compute_executor.h>
#include <glsort/exec/cpu_executor.h>
#include <glsort/exec/fragment_executor.h>
#include <glsort/gl/capabilities.h>
#include <glsort/planner.h>
#include <glsort/stream/scheduler.h>

#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "support/any_order.h"
#include "support/comparisons.h"
#include "support/distributions.h"
#include "support/fewer_modes.h"
#include "support/gl_contexts.h"
#include "support/random.h"
#include "support/skip.h"

/// Runs a program on a GL backend and on the cpu backend, and compares after every op.

namespace glsort::test {

/// Words of the caller's streams before the first op, by the name of the stream.
using StreamContents = std::map<std::string, std::vector<std::uint32_t>>;

/// Keys of a distribution, and random values, for the caller's streams of a sort.
inline StreamContents contents_for(const StreamProgram& program, demo::Distribution distribution, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const std::vector<std::uint32_t> keys = make_keys_of(program, distribution, program.n, seed);
    const std::uint32_t of_a_key = words_of_key(program);
    StreamContents contents;
    for (const Stream& stream : program.streams) {
        if (stream.role == StreamRole::scratch || stream.role == StreamRole::output) continue;
        std::vector<std::uint32_t>& words = contents[stream.name];
        for (std::uint32_t i = 0; i < stream.records; ++i)
            for (std::uint32_t w = 0; w < stream.words; ++w)
                words.push_back(w < of_a_key && stream.name != "values" ? keys[std::size_t{i} * of_a_key + w]
                                                                        : static_cast<std::uint32_t>(random()));
    }
    return contents;
}

/// The op, kernel, stream and record of a difference.
struct Mismatch {
    std::string text;
};

/// What a stream of the caller holds that gets no contents.
inline std::vector<std::uint32_t> first_words(const Stream& stream) {
    return std::vector<std::uint32_t>(static_cast<std::size_t>(stream.bytes() / 4), stream.begins_zero ? 0u : 0xdeadu);
}

/// The caller's buffers and textures for the external streams of a program.
class ExternalObjects {
  public:
    ExternalObjects(const std::shared_ptr<const gl::Api>& api, const StreamProgram& program,
                    const StreamContents& contents, GlExecutor& executor)
        : api_(api) {
        for (StreamId id = 0; id < program.streams.size(); ++id) {
            const Stream& stream = program.streams[id];
            if (stream.role == StreamRole::scratch) continue;
            std::vector<std::uint32_t> words = first_words(stream);
            if (contents.contains(stream.name)) words = contents.at(stream.name);
            if (stream.medium == Medium::buffer)
                bind_buffer(executor, id, stream.words, words);
            else
                bind_texture(executor, id, stream, words);
        }
    }

  private:
    void bind_buffer(GlExecutor& executor, StreamId id, std::uint64_t element_words,
                     const std::vector<std::uint32_t>& words) {
        // An offset that is no multiple of the alignment of storage buffers, but a multiple of the required unit.
        const std::uint64_t offset = 4 * std::gcd(element_words, std::uint64_t{4}) * (1 + id);
        const gl::Buffer& buffer = buffers_.emplace_back(api_);
        api_->BindBuffer(GL_COPY_WRITE_BUFFER, buffer.name());
        api_->BufferData(GL_COPY_WRITE_BUFFER, static_cast<GLsizeiptr>(offset + 4 * words.size() + 8), nullptr,
                         GL_DYNAMIC_DRAW);
        api_->BufferSubData(GL_COPY_WRITE_BUFFER, static_cast<GLintptr>(offset),
                            static_cast<GLsizeiptr>(4 * words.size()), words.data());
        executor.bind(id, BufferSlice{buffer.name(), offset});
    }

    void bind_texture(GlExecutor& executor, StreamId id, const Stream& stream,
                      const std::vector<std::uint32_t>& words) {
        const Rectangle box = bounding_box(stream.layout, std::max(stream.records.value(), 1u));
        const bool rows = stream.layout.kind == Layout::row_wise;
        const TextureView view{0, rows ? stream.layout.width : box.x1, box.y1, stream.layout.kind};
        const std::uint32_t channels = stream.texel_words();
        std::vector<std::uint32_t> texels(std::size_t{view.width} * view.height * channels);
        for (std::uint32_t i = 0; i < stream.records; ++i) {
            const Texel texel = texel_of({view.layout, view.width}, i);
            for (std::uint32_t c = 0; c < stream.words; ++c)
                texels[(std::size_t{texel.y} * view.width + texel.x) * channels + c] =
                    words[std::size_t{i} * stream.words + c];
        }
        const gl::Texture& texture = textures_.emplace_back(api_);
        const IntegerFormat format = stream.floats ? float_format(channels) : integer_format(channels);
        api_->ActiveTexture(GL_TEXTURE0);
        api_->BindTexture(GL_TEXTURE_2D, texture.name());
        api_->TexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format.internal), static_cast<GLsizei>(view.width),
                         static_cast<GLsizei>(view.height), 0, format.format,
                         static_cast<GLenum>(stream.floats ? GL_FLOAT : GL_UNSIGNED_INT), texels.data());
        executor.bind(id, TextureView{texture.name(), view.width, view.height, view.layout});
    }

    /// As `integer_format`, for floats of 32 bits.
    static IntegerFormat float_format(std::uint32_t channels) {
        if (channels == 1) return {GL_R32F, GL_RED};
        return channels == 2 ? IntegerFormat{GL_RG32F, GL_RG} : IntegerFormat{GL_RGBA32F, GL_RGBA};
    }

    std::shared_ptr<const gl::Api> api_;
    std::vector<gl::Buffer> buffers_;
    std::vector<gl::Texture> textures_;
};

/// A count in a buffer or a texture of the caller's.
class CountOnGpu {
  public:
    CountOnGpu(std::shared_ptr<const gl::Api> api, Medium medium, std::uint32_t given)
        : count(given), api_(std::move(api)), medium_(medium), buffer_(api_), texture_(api_) {
        // The count is the second word of the buffer.
        const std::array words{0xdeadu, given};
        api_->BindBuffer(GL_COPY_WRITE_BUFFER, buffer_.name());
        api_->BufferData(GL_COPY_WRITE_BUFFER, sizeof(words), words.data(), GL_STATIC_COPY);
        api_->ActiveTexture(GL_TEXTURE0);
        api_->BindTexture(GL_TEXTURE_2D, texture_.name());
        api_->TexImage2D(GL_TEXTURE_2D, 0, GL_R32UI, 1, 1, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, &given);
    }
    void give_to(GlExecutor& executor) const {
        if (medium_ == Medium::texture)
            executor.take_count(TextureView{texture_.name(), 1, 1, Layout::row_wise});
        else
            executor.take_count(BufferSlice{buffer_.name(), 4});
        executor.finish_count();
    }

    const std::uint32_t count;

  private:
    std::shared_ptr<const gl::Api> api_;
    Medium medium_;
    gl::Buffer buffer_;
    gl::Texture texture_;
};

/// The program by which the cpu sorts a count that is on the GPU: that of the capacity, over fewer elements.
inline StreamProgram over_fewer(StreamProgram program, const CountOnGpu& count) {
    program.counts->first = 1;
    set_count(program, std::min(count.count, program.n));
    return program;
}

/// Runs `program` op by op on `executor` and on the cpu, and compares every specified output after each op. Returns the
/// first difference, or nothing. `count`: null if the count of the program is known.
inline std::optional<Mismatch> run_in_lockstep(const std::shared_ptr<const gl::Api>& api, GlExecutor& executor,
                                               const StreamProgram& program, const Limits& limits,
                                               const StreamContents& contents, const CountOnGpu* count = nullptr) {
    Scheduler gl_scheduler(executor);
    gl_scheduler.prepare(program, limits);
    const ExternalObjects objects(api, program, contents, executor);

    const StreamProgram specified = count != nullptr ? over_fewer(program, *count) : program;
    CpuExecutor cpu_executor;
    Scheduler cpu_scheduler(cpu_executor);
    cpu_scheduler.prepare(specified, limits);
    std::map<StreamId, std::vector<std::uint32_t>> memory;
    for (StreamId id = 0; id < program.streams.size(); ++id) {
        const Stream& stream = program.streams[id];
        if (stream.role == StreamRole::scratch) continue;
        memory[id] = first_words(stream);
        if (contents.contains(stream.name)) memory[id] = contents.at(stream.name);
        cpu_executor.bind(id, memory[id]);
    }

    executor.see_writes();
    if (count != nullptr) count->give_to(executor);
    executor.start();
    // An op may leave parts of a stream unwritten, so both executors begin with equal words.
    for (std::size_t i = 0; program.backend == Backend::compute && i < gl_scheduler.schedule().storages.size(); ++i) {
        const Stream& stream = specified.streams[gl_scheduler.schedule().storages[i].stream];
        if (stream.role == StreamRole::scratch) cpu_executor.fill(i, executor.read(i, stream.records));
    }
    for (std::size_t number = 0; cpu_scheduler.step(); ++number) {
        gl_scheduler.step();
        const Op& op = specified.ops[number];
        const std::vector<Port> ports = output_ports(op);
        for (std::size_t i = 0; i < op.writes.size(); ++i) {
            if (!ports[i].specified) continue;
            const StreamId id = op.writes[i].stream;
            const Stream& stream = specified.streams[id];
            const std::vector<std::uint32_t> expected = demo::in_one_order(op, i, stream, cpu_scheduler.read(id));
            const std::vector<std::uint32_t> found = demo::in_one_order(op, i, stream, gl_scheduler.read(id));
            const std::size_t record_words = std::size_t{stream.words} * stream.elements_per_record;
            for (const Block& block : op.writes[i].records.blocks())
                for (std::size_t w = block.begin * record_words; w < block.end * record_words; ++w)
                    if (expected[w] != found[w])
                        return Mismatch{
                            fmt::format("op {} ({}), stream {}, records {}..{}: word {} of record {} is {:#x}, "
                                        "the cpu's is {:#x}",
                                        number, describe(op), stream.name, block.begin, block.end - 1, w % record_words,
                                        w / record_words, found[w], expected[w])};
        }
    }
    executor.finish(Readers::all);
    return std::nullopt;
}

/// The OpenGL functions of the context, loaded as the library loads them.
inline std::shared_ptr<const gl::Api> api_of(TestContext& context) {
    return gl::load_api(context.get_proc_address());
}

/// Runs `program` in lockstep, and fails with the text of the first difference.
inline void check_in_lockstep(const std::shared_ptr<const gl::Api>& api, GlExecutor& executor,
                              const StreamProgram& program, const Limits& limits, const StreamContents& contents,
                              const CountOnGpu* count = nullptr) {
    const auto mismatch = run_in_lockstep(api, executor, program, limits, contents, count);
    CHECK((mismatch ? mismatch->text : "") == "");
}

/// Plans `request` and checks it in lockstep, on keys of a distribution.
inline void check_in_lockstep(TestContext& context, GlExecutor& executor, const PlanRequest& request,
                              demo::Distribution distribution, std::uint64_t seed) {
    const StreamProgram program = plan(request);
    INFO(request.spec.algorithm << " on " << to_string(request.spec.backend) << ", tier " << tier_name(context.tier())
                                << ", n " << request.n << " of " << request.spec.capacity << ", "
                                << to_string(program.layout.kind) << ", " << to_string(request.spec.input) << " to "
                                << to_string(request.spec.output) << ", " << name_of_key(request) << " "
                                << to_string(request.spec.order.direction) << ", payload "
                                << to_string(request.spec.payload) << ", attachments " << request.limits.attachments
                                << ", texture barriers " << request.limits.texture_barrier << ", "
                                << demo::distribution_name(distribution));
    check_in_lockstep(api_of(context), executor, program, request.limits, contents_for(program, distribution, seed));
}

/// A new executor of a backend. `gpu_count`: where a count on the GPU is.
inline std::unique_ptr<GlExecutor> make_executor(const std::shared_ptr<const gl::Api>& api, Backend backend,
                                                 std::uint32_t max_elements_per_draw = 0,
                                                 std::optional<Medium> gpu_count = std::nullopt) {
    ExecutorOptions options;
    options.max_elements_per_draw = max_elements_per_draw;
    options.gpu_count = gpu_count;
    if (backend == Backend::fragment) return std::make_unique<FragmentExecutor>(api, options);
    return std::make_unique<ComputeExecutor>(api, options);
}

/// The GL backends of a tier.
inline std::vector<Backend> backends_of(Tier tier) {
    if (tier == Tier::gl45 || tier == Tier::es31) return {Backend::fragment, Backend::compute};
    return {Backend::fragment};
}

/// Whether this driver has the tier. If not, prints a message.
inline bool is_there(Tier tier) {
    std::string why;
    const bool there = available(tier, &why);
    if (!there) WARN("tier " << tier_name(tier) << " is left out: " << why);
    return there;
}

/// The tiers that this driver has. GLSORT_TEST_LOCKSTEP_TIERS may list which of them are taken.
inline std::vector<Tier> available_tiers() {
    const std::optional<std::set<Tier>> taken = tiers_listed_in("GLSORT_TEST_LOCKSTEP_TIERS");
    std::vector<Tier> tiers = all_tiers();
    std::erase_if(tiers, [&](Tier tier) { return (taken && !taken->contains(tier)) || !is_there(tier); });
    return tiers;
}

/// The tiers with compute shaders. With fewer modes, one of them.
inline std::vector<Tier> compute_tiers() {
    std::vector<Tier> tiers = available_tiers();
    std::erase_if(tiers, [](Tier tier) { return backends_of(tier).size() < 2; });
    if (fewer_modes && !tiers.empty()) tiers = {tiers[run_seed() % tiers.size()]};
    return tiers;
}

/// Whether the probe has found no subgroups that work. If so, reports that a part of the test is left out.
/// gl/subgroups_test.cpp checks that a driver with subgroups does not end here.
inline bool lacks_subgroups(const Limits& limits) {
    if (limits.subgroup_size != 0) return false;
    leave_out("no subgroups");
    return true;
}

/// Calls `check` in these tiers, with the limits of the tier. `what` is the subject of the test.
template <class Check>
void in_tiers(const std::vector<Tier>& tiers, const char* what, const Check& check) {
    for (const Tier tier : tiers) {
        TestContext& context = test::context(tier);
        INFO("tier " << tier_name(tier));
        const auto api = api_of(context);
        check(context, gl::query_limits(api));
        context.require_clean(what);
    }
}
/// Calls `check(api, limits, backend)` for each GL backend of each tier.
template <class Check>
void in_backends(const char* what, const Check& check) {
    in_tiers(available_tiers(), what, [&](TestContext& context, const Limits& limits) {
        const auto api = api_of(context);
        for (const Backend backend : backends_of(context.tier())) {
            INFO(to_string(backend));
            check(api, limits, backend);
        }
    });
}
template <class Check>
void in_compute_tiers(const char* what, const Check& check) {
    in_tiers(compute_tiers(), what, check);
}

/// A random range of a key's bits, with at least one bit.
inline BitRange some_bits(std::mt19937_64& random, KeyType key) {
    const std::uint32_t bits = 8 * key_bytes(key);
    const auto first = static_cast<std::uint32_t>(random() % bits);
    return {first, first + 1 + static_cast<std::uint32_t>(random() % (bits - first))};
}

/// For the compute backend: random keys, payload and order.
inline PlanRequest some_request(std::mt19937_64& random, const std::string& algorithm, std::uint32_t n,
                                const Limits& limits) {
    constexpr std::array types{KeyType::u32, KeyType::i32, KeyType::f32, KeyType::u64, KeyType::i64, KeyType::f64};
    constexpr std::array loads{Payload::none(), Payload::index(), Payload::bytes(4), Payload::bytes(12)};
    PlanRequest request;
    request.n = n;
    request.spec.algorithm = algorithm;
    request.spec.backend = Backend::compute;
    request.spec.order.key = types[random() % types.size()];
    request.spec.payload = loads[random() % loads.size()];
    request.spec.order.direction = random() % 2 == 0 ? Direction::ascending : Direction::descending;
    request.limits = limits;
    return request;
}

/// Random padding with short runs, so that small streams have several runs; or no padding.
inline Padding some_padding(std::mt19937_64& random) {
    if (random() % 4 == 0) return {};
    return {1u << random() % 8, static_cast<std::uint32_t>(random() % 9)};
}

inline demo::Distribution some_distribution(std::mt19937_64& random) {
    const auto distributions = demo::all_distributions();
    return distributions[random() % distributions.size()];
}

}  // namespace glsort::test
