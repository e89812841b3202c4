#include "check_slot.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <random>

namespace glsort::check {
namespace {

Words random_words(std::uint64_t seed, std::size_t n) {
    std::mt19937 random(static_cast<std::uint32_t>(seed));
    Words words(n);
    for (std::uint32_t& word : words)
        word = static_cast<std::uint32_t>(random());
    return words;
}

// An offset is a multiple of 4, 2 or 1 words: the largest that divides an element.
std::size_t aligned(std::size_t words, std::uint32_t of_an_element) {
    const std::size_t unit = std::gcd(of_an_element, 4u);
    return (words + unit - 1) / unit * unit;
}

bool has_payload(const SortSpec& spec) {
    return spec.payload.kind != Payload::Kind::none;
}
bool moves_values(const SortSpec& spec) {
    return spec.payload.kind == Payload::Kind::bytes;
}

}  // namespace

Slot::Slot(const GladGLContext& gl, Copies& copies, const SorterPlan& plan, const SlotPlan& place, const Sorter& sorter)
    : gl_(gl), copies_(copies), plan_(plan) {
    const SortSpec& spec = plan.spec;
    const auto texture = [&](const std::optional<TextureView>& shape, bool value, std::uint64_t seed) {
        const TextureView view = shape.value_or(sorter.texture_for(spec.capacity));
        const std::uint32_t channels = std::bit_ceil(words_of_key(spec) + (value ? 1 : 0));
        return std::make_unique<CheckedTexture>(gl_, copies_, view, channels,
                                                random_words(seed, std::size_t{view.width} * view.height * channels),
                                                place.immutable_textures);
    };
    if (spec.input == Medium::buffer) {
        const bool in_place = spec.output == Medium::buffer;
        const bool values = moves_values(spec) || (has_payload(spec) && in_place);
        const bool shared = values && place.one_buffer;
        const std::size_t keys_begin = aligned(place.before_keys, words_of_key(spec));
        const std::size_t keys_end = keys_begin + std::size_t{spec.capacity} * words_of_key(spec);
        const std::size_t values_begin =
            values ? aligned((shared ? keys_end : 0) + place.before_values, words_of_value(spec)) : 0;
        const std::size_t values_end = values_begin + std::size_t{spec.capacity} * words_of_value(spec);
        keys_ = std::make_unique<CheckedBuffer>(
            gl_, copies_, random_words(11, (shared ? values_end : keys_end) + place.behind), place.storage);
        if (values && !shared)
            values_ = std::make_unique<CheckedBuffer>(gl_, copies_, random_words(12, values_end + place.behind),
                                                      place.storage);
        Buffers buffers{{keys_->name(), 4 * keys_begin}};
        if (values) buffers.values = {shared ? keys_->name() : values_->name(), 4 * values_begin};
        arguments_.input = buffers;
    } else {
        input_ = texture(place.input, moves_values(spec) || place.wide_input, 13);
        arguments_.input = input_->view();
    }
    if (spec.gpu_count) {
        if (spec.gpu_count_medium == Medium::texture) {
            count_texture_ = std::make_unique<CheckedTexture>(gl_, copies_, TextureView{0, 2, 1}, 1,
                                                              random_words(15, 2), place.immutable_textures);
            arguments_.gpu_count_texture = count_texture_->view();
        } else {
            count_ = std::make_unique<CheckedBuffer>(gl_, copies_, random_words(15, 3), Storage::plain);
            arguments_.gpu_count = {count_->name(), 4};
        }
        loses_rest_ = sorter.spec().backend == Backend::fragment && spec.output == Medium::buffer;
    }
    if (spec.output == Medium::texture && !spec.own_output) {
        output_ = texture(place.output, has_payload(spec), 14);
        arguments_.output = output_->view();
    }
}

void Slot::load(const Sample& sample, const Call& call) {
    elements_ = sample.count;
    if (plan_.spec.gpu_count)
        load_count(sample.count, call.number);
    else
        arguments_.count = sample.count;
    if (input_) {
        put(*input_, sample.keys, sample.values, sample.count);
        input_->upload(call.upload);
    } else {
        put(sample.keys, sample.values);
        // An unspecified result leaves unknown words.
        const std::uint32_t count = std::max(sample.count, unknown_);
        std::vector<WordRange> of_keys = ranges(Role::keys, 0, count);
        const std::vector<WordRange> of_values = ranges(Role::values, 0, count);
        if (is_shared()) of_keys.insert(of_keys.end(), of_values.begin(), of_values.end());
        keys_->upload(call.upload, of_keys);
        if (values_) values_->upload(call.upload, of_values);
        unknown_ = 0;
    }
    if (output_ && (call.junk || output_unknown_)) {
        output_->expected = random_words(sample.keys.empty() ? 1 : sample.keys.front(), output_->expected.size());
        output_->upload(Upload::sub_image);
        output_unknown_ = false;
        touched_ = 0;
    }
    pending_ = false;
}

void Slot::load_count(std::uint32_t count, std::uint32_t number) {
    // A count above the capacity is clamped.
    const bool above = count == plan_.spec.capacity && number % 2 == 1;
    gpu_count_ = count + (above ? number : 0);
    if (count_) {
        count_->expected[1] = gpu_count_;
        count_->upload(Upload::sub_data, {{1, 2}});
    } else {
        count_texture_->expected[0] = gpu_count_;
        count_texture_->upload(Upload::sub_image);
    }
}

void Slot::expect_result(const Sample& sample, bool specified, const TextureView& own) {
    const bool in_buffers = plan_.spec.output == Medium::buffer;
    loose_ = !specified;
    own_ = own;
    if (in_buffers)
        put(sample.sorted_keys, sample.sorted_values);
    else if (output_)
        put(*output_, sample.sorted_keys, sample.sorted_values, sample.count);
    if (own.name != 0) {
        const std::uint32_t channels = channels_of(Role::own);
        const std::uint32_t of_a_key = words_of_key(plan_.spec);
        own_expected_.assign(std::size_t{own.width} * own.height * channels, 0);
        for (std::uint32_t i = 0; i < sample.count; ++i) {
            for (std::uint32_t w = 0; w < of_a_key; ++w)
                own_expected_[word_place(own, channels, i, w)] = sample.sorted_keys[std::size_t{i} * of_a_key + w];
            if (has_payload(plan_.spec))
                own_expected_[word_place(own, channels, i, of_a_key)] = sample.sorted_values[i];
        }
    }
    if (loose_ && in_buffers) unknown_ = std::max(unknown_, sample.count);
    if (loses_rest_) unknown_ = plan_.spec.capacity;
    if (loose_ && output_) output_unknown_ = true;
    if (output_) touched_ = std::max(touched_, sample.count);
    pending_ = true;
}

std::string Slot::wrong() {
    pending_ = false;
    const bool way_of_textures = reading_ == Reading::fetch || reading_ == Reading::get_image ||
                                 reading_ == Reading::pixels || reading_ == Reading::pack;
    const Reading of_buffers = way_of_textures ? Reading::copy : reading_;
    const Reading of_textures = way_of_textures ? reading_ : Reading::pixels;
    for (const auto& [role, buffer] : {std::pair{Role::keys, keys_.get()}, {Role::values, values_.get()}}) {
        if (buffer == nullptr) continue;
        std::string text = difference(expectation(role), buffer->read(of_buffers));
        if (!text.empty()) return text;
    }
    if (count_ && count_->read(Reading::copy) != count_->expected) return "the buffer of the count has changed";
    if (count_texture_ &&
        read_texture(gl_, copies_, count_texture_->view(), 1, of_textures) != count_texture_->expected)
        return "the texture of the count has changed";
    if (input_) input_->finish_stores();
    for (const Role role : {Role::input, Role::output, Role::own}) {
        const TextureView view = view_of(role);
        if (view.name == 0) continue;
        std::string text =
            difference(expectation(role), read_texture(gl_, copies_, view, channels_of(role), of_textures));
        if (!text.empty()) return text;
    }
    return "";
}

std::string Slot::changed_parameters() const {
    for (const auto& [name, texture] :
         {std::pair{"input", input_.get()}, {"output", output_.get()}, {"count", count_texture_.get()}}) {
        std::string text = texture != nullptr ? texture->changed_parameters() : "";
        if (!text.empty()) return fmt::format("{} texture: {}", name, text);
    }
    return "";
}

std::unique_ptr<Slot::Copied> Slot::copied(bool quiet) {
    auto copies = std::make_unique<Copied>(*this);
    pending_ = false;
    if (plan_.spec.output == Medium::buffer) {
        copies->held_.push_back({keys_->copy(), expectation(Role::keys)});
        if (values_) copies->held_.push_back({values_->copy(), expectation(Role::values)});
        return copies;
    }
    const Role role = output_ ? Role::output : Role::own;
    const TextureView view = view_of(role);
    TextureView held = view;
    held.name = make_texture(gl_, view, channels_of(role), nullptr);
    if (quiet)
        copy_texture(gl_, view.name, held);
    else
        copies_.draw(view.name, held.name, view.width, view.height);
    copies->held_.push_back({held.name, expectation(role)});
    return copies;
}

Slot::Copied::~Copied() {
    for (const Held& held : held_)
        if (held.expected.role == Role::keys || held.expected.role == Role::values)
            slot_.gl_.DeleteBuffers(1, &held.name);
        else
            slot_.gl_.DeleteTextures(1, &held.name);
}

std::string Slot::Copied::wrong() const {
    for (const Held& held : held_) {
        const Role role = held.expected.role;
        Words found;
        if (role == Role::keys || role == Role::values) {
            found = read_mapped(slot_.gl_, held.name, held.expected.words.size());
        } else {
            TextureView view = slot_.view_of(role);
            view.name = held.name;
            found = read_texture(slot_.gl_, slot_.copies_, view, slot_.channels_of(role), Reading::pixels);
        }
        std::string text = slot_.difference(held.expected, std::move(found));
        if (!text.empty()) return text;
    }
    return "";
}

void Slot::put(CheckedTexture& texture, const Words& keys, const Words& values, std::uint32_t count) const {
    const std::uint32_t of_a_key = words_of_key(plan_.spec);
    const bool has_values = texture.channels() > of_a_key;
    for (std::uint32_t i = 0; i < count; ++i) {
        for (std::uint32_t w = 0; w < of_a_key; ++w)
            texture.expected[word_place(texture.view(), texture.channels(), i, w)] =
                keys[std::size_t{i} * of_a_key + w];
        if (has_values) texture.expected[word_place(texture.view(), texture.channels(), i, of_a_key)] = values[i];
    }
}

Buffers Slot::buffers() const {
    const auto* buffers = std::get_if<Buffers>(&arguments_.input);
    return buffers != nullptr ? *buffers : Buffers{};
}

void Slot::put(const Words& keys, const Words& values) {
    std::ranges::copy(keys, keys_->expected.begin() + static_cast<std::ptrdiff_t>(buffers().keys.offset / 4));
    if (buffers().values.name == 0) return;
    Words& holds = is_shared() ? keys_->expected : values_->expected;
    std::ranges::copy(values, holds.begin() + static_cast<std::ptrdiff_t>(buffers().values.offset / 4));
}

std::vector<WordRange> Slot::ranges(Role role, std::uint32_t first, std::uint32_t last) const {
    if (role == Role::values && buffers().values.name == 0) return {};
    const std::size_t begin = (role == Role::keys ? buffers().keys : buffers().values).offset / 4;
    const std::size_t size = role == Role::keys ? words_of_key(plan_.spec) : words_of_value(plan_.spec);
    return {{begin + first * size, begin + last * size}};
}

TextureView Slot::view_of(Role role) const {
    if (role == Role::input && input_) return input_->view();
    if (role == Role::output && output_) return output_->view();
    if (role == Role::own) return own_;
    return {};
}

std::uint32_t Slot::channels_of(Role role) const {
    if (role == Role::input) return input_->channels();
    if (role == Role::output) return output_->channels();
    return std::bit_ceil(words_of_key(plan_.spec) + (has_payload(plan_.spec) ? 1 : 0));
}

Slot::Expectation Slot::expectation(Role role) const {
    const bool in_buffers = role == Role::keys || role == Role::values;
    Expectation expected{.role = role,
                         .words = {},
                         .loose = loose_,
                         .count = elements_,
                         .rest_end = loses_rest_ ? plan_.spec.capacity : 0,
                         .touched = touched_};
    // Inputs that are no outputs must not change.
    if (role == Role::input || (in_buffers && plan_.spec.output == Medium::texture)) expected.loose = false;
    if (role == Role::keys) expected.words = keys_->expected;
    if (role == Role::values) expected.words = values_->expected;
    if (role == Role::input) expected.words = input_->expected;
    if (role == Role::output) expected.words = output_->expected;
    if (role == Role::own) expected.words = own_expected_;
    return expected;
}

std::string Slot::difference(const Expectation& expected, Words found) const {
    const Words& words = expected.words;
    if (found.size() != words.size()) return fmt::format("{} words instead of {}", found.size(), words.size());
    const Role role = expected.role;
    const auto is_anything = [&](std::size_t word) { found[word] = words[word]; };
    if (role == Role::keys || role == Role::values) {
        std::vector<WordRange> anything;
        const std::uint32_t begin = expected.loose ? 0 : expected.count;
        const std::uint32_t end = std::max(expected.loose ? expected.count : 0, expected.rest_end);
        if (begin < end) anything = ranges(role, begin, end);
        if (begin < end && role == Role::keys && is_shared())
            anything.push_back(ranges(Role::values, begin, end).front());
        for (const WordRange& range : anything)
            for (std::size_t word = range.begin; word < range.end; ++word)
                is_anything(word);
    } else {
        const TextureView view = view_of(role);
        const std::uint32_t channels = channels_of(role);
        const std::uint32_t used = words_of_key(plan_.spec) + (has_payload(plan_.spec) ? 1 : 0);
        if (role == Role::own) {
            // The sorter may write any words past the count.
            Words elements = words;
            for (std::uint32_t i = 0; i < expected.count; ++i)
                for (std::uint32_t c = 0; c < used && !expected.loose; ++c)
                    elements[word_place(view, channels, i, c)] = found[word_place(view, channels, i, c)];
            found = std::move(elements);
        } else if (role == Role::output) {
            // The last of four channels may be unused, and then has any value.
            for (std::uint32_t i = 0; i < expected.touched; ++i)
                for (std::uint32_t c = expected.loose && i < expected.count ? 0 : used; c < channels; ++c)
                    is_anything(word_place(view, channels, i, c));
        }
    }
    const auto [right, wrong] = std::ranges::mismatch(words, found);
    if (right == words.end()) return "";
    const auto word = static_cast<std::size_t>(right - words.begin());
    std::size_t differing = 0;
    for (std::size_t i = word; i < words.size(); ++i)
        differing += words[i] != found[i] ? 1 : 0;
    return fmt::format("{} is {:#010x} instead of {:#010x}; {} of {} words differ", place_of(expected, word), *wrong,
                       *right, differing, words.size());
}

std::string Slot::place_of(const Expectation& expected, std::size_t word) const {
    const Role role = expected.role;
    if (role == Role::keys || role == Role::values) {
        const std::string buffer = role == Role::keys ? "the buffer of keys" : "the buffer of values";
        const std::uint32_t capacity = plan_.spec.capacity;
        for (const auto& [part, name, size] : {std::tuple{Role::keys, "key", words_of_key(plan_.spec)},
                                               {Role::values, "value", words_of_value(plan_.spec)}}) {
            if (part != role && !(role == Role::keys && is_shared())) continue;
            for (const WordRange& range : ranges(part, 0, capacity))
                if (word >= range.begin && word < range.end) {
                    const std::size_t element = (word - range.begin) / size;
                    return fmt::format("word {} of {} (word {} of {} {}{})", word, buffer, (word - range.begin) % size,
                                       name, element, element < expected.count ? "" : ", past the count");
                }
        }
        return fmt::format("word {} of {} (outside of the slice)", word, buffer);
    }
    const TextureView view = view_of(role);
    const std::uint32_t channels = channels_of(role);
    const std::uint32_t texel = static_cast<std::uint32_t>(word / channels);
    const std::uint32_t element = index_of({view.layout, view.width}, {texel % view.width, texel / view.width});
    return fmt::format("channel {} of texel ({}, {}) of the {} texture (element {}{})", word % channels,
                       texel % view.width, texel / view.width, role == Role::input ? "input" : "output", element,
                       element < expected.count ? "" : ", past the count");
}

}  // namespace glsort::check
