#include "gl_job.h"

#include <algorithm>

namespace glsort::demo {
namespace {

// What a texel holds: a key, or a key and its value.
struct Element {
    std::uint32_t key_words;
    std::uint32_t value_words;
    // There are no textures of three words.
    std::uint32_t texel_words() const {
        const std::uint32_t words = key_words + value_words;
        return words == 3 ? 4 : words;
    }
};

Element element_of(const SortSpec& spec, bool with_value) {
    const std::size_t words = with_value ? value_words(spec.payload, 1) : 0;
    return {key_bytes(spec.order.key) / 4, static_cast<std::uint32_t>(words)};
}

}  // namespace

GlJob::GlJob(const GlContext& context, const SortSpec& spec, const Items& input, const SorterOptions& options)
    : gl_(context.gl), sorter_(spec, HeadlessContext::get_proc_address(), options) {
    arguments_.count = static_cast<std::uint32_t>(input.count);
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
    // Indices are only written: nothing to restore.
    if (spec().payload.kind == Payload::Kind::bytes) unsorted_values_.emplace(gl_, input.values);
}

void GlJob::upload_texture(const Items& input) {
    const Element element = element_of(spec(), spec().payload.kind == Payload::Kind::bytes);
    const TextureView shape = sorter_.texture_for(std::max(1u, arguments_.count));

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

void GlJob::restore() {
    if (!keys_) return;
    keys_->copy_from(*unsorted_keys_);
    if (unsorted_values_) values_->copy_from(*unsorted_values_);
}

Items GlJob::result() {
    Items items;
    items.count = arguments_.count;
    if (keys_) {
        items.keys = keys_->download();
        if (values_) items.values = values_->download();
        return items;
    }
    const Element element = element_of(spec(), spec().payload.kind != Payload::Kind::none);
    const std::vector<std::uint32_t> texels = output_->download(arguments_.count);
    for (std::size_t i = 0; i < items.count; ++i) {
        const std::uint32_t* key = texels.data() + i * element.texel_words();
        const std::uint32_t* value = key + element.key_words;
        items.keys.insert(items.keys.end(), key, value);
        items.values.insert(items.values.end(), value, value + element.value_words);
    }
    return items;
}

}  // namespace glsort::demo
