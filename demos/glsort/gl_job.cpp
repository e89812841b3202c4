#include "gl_job.h"

#include <glsort/error.h>
#include <glsort/stream/validate.h>

#include <algorithm>
#include <stdexcept>

#include "support/console.h"
#include "support/memory.h"
#include "support/options.h"

namespace glsort::demo {
namespace {

// The words of a texel: a key, or a key and its value.
struct Element {
    std::uint32_t key_words;
    std::uint32_t value_words;
    // There are no textures with three words per texel.
    std::uint32_t texel_words() const {
        const std::uint32_t words = key_words + value_words;
        return words == 3 ? 4 : words;
    }
};

Element element_of(const SortSpec& spec, bool with_value) {
    const std::size_t words = with_value ? value_words(spec.payload, 1) : 0;
    return {key_bytes(spec.order.key) / 4, static_cast<std::uint32_t>(words)};
}

// Bytes of the buffers or textures that a job makes, without memory of the sorter.
std::uint64_t bytes_of_input_and_output(const SortSpec& spec, std::uint64_t count) {
    const Element in = element_of(spec, spec.payload.kind == Payload::Kind::bytes);
    const Element out = element_of(spec, spec.payload.kind != Payload::Kind::none);
    if (spec.input == Medium::texture) return 4 * count * (in.texel_words() + out.texel_words());
    // The sort is in place. Copies of the input restore the buffers.
    return 4 * count * (in.key_words + in.value_words + out.key_words + out.value_words);
}

}  // namespace

std::uint64_t check_device_holds(const GlContext& context, SortSpec spec, std::uint32_t count,
                                 const std::string& argument) {
    const ContextReport report = describe_context(HeadlessContext::get_proc_address());
    if (spec.backend == Backend::automatic) spec.backend = report.automatic;
    spec.capacity = std::max(1u, count);
    const PlanRequest request{.spec = spec, .n = spec.capacity, .limits = report.limits};
    std::uint64_t bytes = bytes_of_input_and_output(spec, spec.capacity);
    try {
        const StreamProgram program = plan(request);
        validate(program, report.limits);
        bytes += cost(program).scratch_bytes;
    } catch (const Error& error) {
        throw UsageError(argument + ": " + in_units(without_function(error.what())));
    }
    if (const std::uint64_t free = free_gpu_memory(context.gl); free != 0)
        require_memory(argument, bytes, free, "the GPU's");
    return bytes;
}

GlJob::GlJob(const GlContext& context, const SortSpec& spec, const Items& input, const SorterOptions& options)
    : gl_(context.gl),
      sorter_(spec, HeadlessContext::get_proc_address(), options),
      count_(static_cast<std::uint32_t>(input.count)) {
    if (spec.gpu_count) {
        gpu_count_.emplace(gl_, std::vector<std::uint32_t>{count_});
        arguments_.gpu_count = {gpu_count_->name()};
    } else {
        arguments_.count = count_;
    }
    if (spec.input == Medium::buffer)
        upload_buffers(input);
    else
        upload_texture(input);
    gl_.Finish();
}

void GlJob::upload_buffers(const Items& input) {
    keys_.emplace(gl_, input.keys);
    unsorted_keys_.emplace(gl_, input.keys);
    arguments_.input = Buffers{{keys_->name()}};
    if (spec().payload.kind == Payload::Kind::none) return;
    values_.emplace(gl_, input.values);
    arguments_.input = Buffers{{keys_->name()}, {values_->name()}};
    // A sort only writes indices, so no copy needs to restore them.
    if (spec().payload.kind == Payload::Kind::bytes) unsorted_values_.emplace(gl_, input.values);
}

void GlJob::upload_texture(const Items& input) {
    const Element element = element_of(spec(), spec().payload.kind == Payload::Kind::bytes);
    const TextureView shape = sorter_.texture_for(std::max(1u, count_));

    std::vector<std::uint32_t> texels(input.count * element.texel_words());
    for (std::size_t i = 0; i < input.count; ++i) {
        std::uint32_t* texel = texels.data() + i * element.texel_words();
        texel = std::copy_n(&input.keys[i * element.key_words], element.key_words, texel);
        if (element.value_words != 0) std::copy_n(&input.values[i * element.value_words], element.value_words, texel);
    }
    input_.emplace(gl_, shape, element.texel_words());
    input_->upload(texels);
    output_.emplace(gl_, shape, element_of(spec(), spec().payload.kind != Payload::Kind::none).texel_words());
    arguments_.input = input_->view();
    arguments_.output = output_->view();
}

void GlJob::sort_in_steps(const std::function<void(std::size_t done, std::size_t ops)>& done) {
    Stepper stepper(sorter_);
    stepper.begin(arguments_);
    const std::size_t ops = sorter_.program(spec().gpu_count ? spec().capacity : count_).ops.size();
    while (stepper.step()) {
        gl_.Finish();
        done(stepper.steps_done(), ops);
    }
}

void GlJob::restore() {
    if (!keys_) return;
    keys_->copy_from(*unsorted_keys_);
    if (unsorted_values_) values_->copy_from(*unsorted_values_);
}

Items GlJob::result() {
    Items items;
    items.count = count_;
    if (keys_) {
        items.keys = keys_->download();
        if (values_) items.values = values_->download();
        return items;
    }
    const Element element = element_of(spec(), spec().payload.kind != Payload::Kind::none);
    const std::vector<std::uint32_t> texels = output_->download(count_);
    for (std::size_t i = 0; i < items.count; ++i) {
        const std::uint32_t* key = texels.data() + i * element.texel_words();
        const std::uint32_t* value = key + element.key_words;
        items.keys.insert(items.keys.end(), key, value);
        items.values.insert(items.values.end(), value, value + element.value_words);
    }
    return items;
}

}  // namespace glsort::demo
