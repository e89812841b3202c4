#include "check_round.h"

#include <glsort/error.h>
#include <glsort/stream/stream.h>
#include <glsort/stream/validate.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "check_dice.h"

namespace glsort::check {
namespace {

bool is_es(Tier tier) {
    return trial::tier_api(tier) == demo::Api::gles;
}
bool has_45(Tier tier) {
    return tier == Tier::gl45 || tier == Tier::compat;
}
bool has_immutable_textures(Tier tier) {
    return tier != Tier::gl33;
}
bool has_debug_groups(const SorterPlan& sorter) {
    return trial::shows_everything(sorter.tier) || sorter.extensions;
}
bool has_compute_shaders(Tier tier) {
    return tier != Tier::gl33 && tier != Tier::es30;
}

std::uint32_t some_capacity(Dice& dice, bool large) {
    const std::uint64_t kind = large ? 6 + dice.below(14) : dice.below(20);
    const auto up_to_power = [&dice](std::uint32_t low, std::uint32_t high) {
        const std::uint32_t log = dice.from(low, high);
        const std::uint32_t power = 1u << log;
        switch (dice.below(4)) {
            case 0:
                return power;
            case 1:
                return power + 1;
            case 2:
                return power - 1;
            default:
                return dice.from(power / 2, power);
        }
    };
    if (kind < 3) return dice.from(1, 70);
    if (kind < 6) return up_to_power(5, 9);
    if (kind < 12) return up_to_power(9, 12);
    if (kind < 18) return up_to_power(13, 14);
    if (kind < 19 || !dice.chance(0.5)) return up_to_power(14, 17);
    return std::min(up_to_power(17, 20), largest_count);
}

// A limit of the elements of a draw. Small limits only for few elements, for every piece takes some microseconds.
std::uint32_t some_limit(Dice& dice, std::uint32_t capacity) {
    if (capacity <= 70) return dice.from(1, 80);
    return dice.from(capacity / 20, capacity + capacity / 4);
}

std::uint32_t some_count(Dice& dice, std::uint32_t capacity, std::uint32_t tile) {
    std::uint32_t count = 0;
    switch (dice.below(12)) {
        case 0:
            return dice.from(0, std::min(capacity, 3u));
        case 1:
        case 2:
            count = (1u << dice.from(0, 20)) + dice.from(0, 2) - 1;
            break;
        case 3: {
            const std::uint32_t unit = tile != 0 ? tile : 1u << dice.from(5, 12);
            count = unit * dice.from(1, std::max(1u, capacity / unit)) + dice.from(0, 2) - 1;
            break;
        }
        case 4:
        case 5:
        case 6:
            return capacity;
        case 7:
            return capacity - 1;
        case 8:
            count = dice.from(0, 1u << dice.from(1, static_cast<std::uint32_t>(std::bit_width(capacity))));
            break;
        default:
            return dice.from(capacity / 2, capacity);
    }
    return count <= capacity ? count : dice.from(0, capacity);
}

std::vector<std::string> names_of_algorithms() {
    std::vector<std::string> names;
    for (const Algorithm& algorithm : algorithms()) {
        for (const Algorithm::Variant& variant : algorithm.variants)
            names.push_back(algorithm.name + ":" + variant.name);
    }
    return names;
}

// The parameters that the algorithm accepts. An algorithm that the request chooses later accepts digits and lists.
Takes taken_by(const std::string& name) {
    for (const Algorithm& algorithm : algorithms())
        for (const Algorithm::Variant& variant : algorithm.variants)
            if (algorithm.name + ":" + variant.name == name) return variant.takes;
    return {.bits = true, .digit_bits = 11, .lists = true, .gpu_count = true};
}

Payload some_payload(Dice& dice) {
    switch (dice.below(8)) {
        case 0:
        case 1:
            return Payload::none();
        case 2:
        case 3:
        case 4:
            return Payload::index();
        case 5:
        case 6:
            return Payload::bytes(4);
        default:
            return Payload::bytes(4 * dice.from(1, 16));
    }
}

// Drafts the options with little influence on shaders: place and number of the keys, and the state that a sort leaves.
void draft_surroundings(Dice& dice, SortSpec& spec, SorterOptions& options, const Choices& choices) {
    spec.order.direction = dice.chance(0.5) ? Direction::ascending : Direction::descending;
    const std::uint64_t media = dice.below(10);
    spec.output = media >= 6 ? Medium::texture : Medium::buffer;
    spec.input = media >= 8 ? Medium::texture : Medium::buffer;
    spec.own_output = spec.output == Medium::texture && dice.chance(0.3);
    options.state = dice.chance(0.25) ? StatePolicy::caller_resets : StatePolicy::restore;
    options.barrier_before = !dice.chance(0.25);
    options.debug_groups = dice.chance(0.05);
    options.caller_scratch = spec.backend == Backend::compute && dice.chance(0.15);
    spec.capacity = some_capacity(dice, choices.large);
    if (spec.capacity > choices.max_count) spec.capacity = dice.from(1, choices.max_count);
    if (dice.chance(0.15)) options.max_elements_per_draw = some_limit(dice, spec.capacity);
}

// A specification that every backend accepts.
SortSpec small_spec(const Choices& choices) {
    SortSpec spec;
    spec.capacity = std::min(16u, choices.max_count);
    return spec;
}

std::uint32_t& tile_of(Tuning& tuning, const Takes& takes) {
    return takes.samples ? tuning.sample.tile : tuning.networks.tile;
}

// Drafts a specification, which may be impossible.
SortSpec draft(Dice& dice, const Offer& offer, const Choices& choices, int& comparison, SorterOptions& options) {
    constexpr std::array types{KeyType::u32, KeyType::i32, KeyType::f32, KeyType::u64, KeyType::i64, KeyType::f64};
    SortSpec spec;
    spec.backend = choices.automatic && dice.chance(0.1) ? Backend::automatic : dice.pick(offer.backends);
    if (!dice.chance(0.3)) spec.algorithm = dice.pick(names_of_algorithms());
    spec.order.key = types[dice.below(types.size())];
    comparison = dice.chance(0.15) ? static_cast<int>(dice.below(comparisons().size())) : -1;
    if (comparison >= 0) spec.order.comparison = comparisons()[static_cast<std::size_t>(comparison)].comparison;
    const Takes takes = taken_by(spec.algorithm);
    if (takes.bits && dice.chance(0.25)) {
        const std::uint32_t bits = 8 * key_bytes(spec.order.key);
        spec.order.bits.first = dice.from(0, bits - 1);
        spec.order.bits.end = dice.from(spec.order.bits.first + 1, bits);
    }
    if (takes.digit_bits != 0 && dice.chance(0.15)) spec.tuning.radix.digit_bits = dice.from(1, takes.digit_bits);
    spec.payload = some_payload(dice);
    if (dice.chance(0.4)) spec.layout = dice.chance(0.5) ? Layout::row_wise : Layout::z_order;
    if (takes.lists && dice.chance(0.3))
        spec.max_lists = dice.chance(0.5) ? dice.from(1, 9) : dice.from(1, max_merge_lists);
    if (takes.tile && dice.chance(0.4)) tile_of(spec.tuning, takes) = 1u << dice.from(2, 11);
    if (takes.samples && dice.chance(0.3)) spec.tuning.sample.samples = 1u << dice.from(2, 8);
    draft_surroundings(dice, spec, options, choices);
    spec.gpu_count = takes.gpu_count && spec.max_lists == 0 && dice.chance(0.4);
    if (!spec.gpu_count) return spec;
    if (dice.chance(0.4)) spec.gpu_count_medium = Medium::texture;
    // The fragment backend takes no other layout.
    if (spec.layout && spec.backend != Backend::compute) spec.layout = Layout::row_wise;
    return spec;
}

// The program of a sort of the whole capacity.
StreamProgram largest_program(const SortSpec& spec, const Offer& offer, const Limits& limits) {
    PlanRequest request = request_of(spec, limits, spec.capacity);
    if (spec.backend == Backend::automatic) request.spec.backend = offer.automatic;
    return plan(request);
}

// Elements times ops. A software rasteriser does some 10^8 a second.
std::uint64_t work_of(const StreamProgram& program, std::uint32_t capacity) {
    // A program of few ops has one op that compares each key with all others.
    const std::size_t ops = program.ops.size();
    return std::uint64_t{capacity} * (ops < 4 && capacity > 1u << 12 ? 40 : ops);
}

// Lowers the capacity until a sort takes little enough time and memory.
void fit_capacity(SortSpec& spec, bool is_order, const Offer& offer, const Limits& limits) {
    // If a comparison is no strict weak order, all keys may come into one bucket.
    const bool in_buckets = taken_by(spec.algorithm).samples;
    if (!is_order && in_buckets) spec.capacity = std::min(spec.capacity, 512u);
    const std::uint64_t work = offer.limits.software ? 1u << 20 : 1u << 28;
    constexpr std::uint64_t words = 1u << 22;
    const std::uint64_t of_an_element = words_of_key(spec) + std::max(words_of_value(spec), 1u);
    while (spec.capacity > 16) {
        try {
            const std::uint64_t now = work_of(largest_program(spec, offer, limits), spec.capacity);
            if (now <= work && of_an_element * spec.capacity <= words) return;
        } catch (const Error&) {
            // The specification is impossible. `is_possible` reports this.
            return;
        }
        spec.capacity = std::max(16u, spec.capacity / 2);
    }
}

// Max calls of a visit. Fast sorts have many calls.
std::uint32_t most_calls_of(const SortSpec& spec, const Offer& offer, const Limits& limits) {
    constexpr std::uint64_t least = 4;
    constexpr std::uint64_t most = 120;
    const bool software = offer.limits.software;
    // An op without work takes time, too. Barriers of groups are slow without a GPU.
    constexpr std::uint64_t of_an_op = 1u << 12;
    std::uint64_t work = 1;
    for (const Op& op : largest_program(spec, offer, limits).ops)
        work += (spec.capacity + of_an_op) * (software && op.kernel->group_size > 1 ? 32 : 1);
    return static_cast<std::uint32_t>(std::clamp((software ? 1u << 23 : 1u << 27) / work, least, most));
}

// Max calls of a visit while a query is active. The driver has room for the results of so many passes.
std::uint32_t most_query_calls_of(const SorterPlan& sorter, const Offer& offer, const Limits& limits) {
    if (!offer.strict_queries) return ~std::uint32_t{0};
    constexpr std::size_t most_passes = 500;
    // Each piece of a transfer is a pass.
    if (sorter.options.max_elements_per_draw != 0) return 0;
    // An op is a pass or two, and a step may be read. Uploads and reads of results are passes, too.
    const std::size_t passes_of_a_call = 3 * largest_program(sorter.spec, offer, limits).ops.size() + 10;
    return static_cast<std::uint32_t>(most_passes / passes_of_a_call);
}

std::optional<State> some_state(Dice& dice, const SorterPlan& sorter, bool caller_resets) {
    constexpr std::array shares{1.0, 0.5, 0.25, 0.1, 0.03};
    State state;
    state.seed = dice.number();
    state.share = shares[dice.below(shares.size())];
    // A caller that resets state must have no active feedback (sorter.h).
    state.feedback = dice.chance(0.3) && !caller_resets;
    // The driver compiles shaders again for an active query.
    state.query = dice.chance(0.3) && sorter.compiled_in;
    state.compiled_in = sorter.compiled_in;
    return state;
}

std::vector<Upload> texture_uploads_of(const SorterPlan& sorter, const SlotPlan& slot) {
    const bool es = is_es(sorter.tier);
    const bool immutable = slot.immutable_textures;
    std::vector<Upload> ways{Upload::sub_image, Upload::unpack, Upload::copy_image,
                             Upload::blit,      Upload::draw,   Upload::shared};
    if (!immutable) ways.push_back(Upload::image);
    if (has_45(sorter.tier)) ways.insert(ways.end(), {Upload::named_sub_image, Upload::clear_image});
    // Copies, and stores to images, need complete textures.
    if (immutable && (has_45(sorter.tier) || sorter.tier == Tier::es32)) ways.push_back(Upload::copy_sub_image);
    // Images of OpenGL ES have one channel or four.
    const bool has_value = sorter.spec.payload.kind == Payload::Kind::bytes || slot.wide_input;
    const bool two_channels = std::bit_ceil(words_of_key(sorter.spec) + (has_value ? 1 : 0)) == 2;
    if (immutable && has_compute_shaders(sorter.tier) && !(es && two_channels)) ways.push_back(Upload::image_store);
    return ways;
}

std::vector<Upload> buffer_uploads_of(const SorterPlan& sorter, const SlotPlan& slot) {
    if (sorter.strict_mappings && stays_mapped(slot.storage)) {
        if (!has_compute_shaders(sorter.tier)) return {Upload::persistent};
        return {Upload::persistent, Upload::persistent, Upload::compute};
    }
    std::vector<Upload> ways{Upload::sub_data, Upload::sub_data_array, Upload::copy, Upload::shared};
    if (stays_mapped(slot.storage)) ways.insert(ways.end(), {Upload::persistent, Upload::persistent});
    if (slot.storage == Storage::plain)
        ways.insert(ways.end(), {Upload::sub_data, Upload::data, Upload::orphan, Upload::map, Upload::map_invalidate,
                                 Upload::map_range, Upload::map_flush, Upload::map_unsynchronized});
    if (has_45(sorter.tier)) ways.insert(ways.end(), {Upload::named_sub_data, Upload::named_sub_data, Upload::clear});
    if (!stays_mapped(slot.storage)) ways.push_back(Upload::feedback);
    if (has_compute_shaders(sorter.tier)) ways.push_back(Upload::compute);
    return ways;
}

std::vector<Upload> uploads_of(const SorterPlan& sorter, const SlotPlan& slot, bool quiet) {
    std::vector<Upload> ways =
        sorter.spec.input == Medium::texture ? texture_uploads_of(sorter, slot) : buffer_uploads_of(sorter, slot);
    if (quiet) std::erase_if(ways, [](Upload way) { return !is_quiet(way); });
    return ways;
}

std::vector<Reading> readings_of(const SorterPlan& sorter, const SlotPlan& slot, bool quiet) {
    std::vector<Reading> ways;
    if (sorter.spec.output == Medium::texture) {
        ways = {Reading::pixels, Reading::pack, Reading::fetch};
        if (!is_es(sorter.tier)) ways.push_back(Reading::get_image);
    } else {
        ways = {Reading::copy};
        if (slot.storage == Storage::plain) ways.insert(ways.end(), {Reading::map, Reading::map});
        if (stays_mapped(slot.storage)) ways.push_back(Reading::mapping);
        if (!is_es(sorter.tier)) ways.push_back(Reading::get);
        if (!stays_mapped(slot.storage)) ways.push_back(Reading::vertex);
        if (has_compute_shaders(sorter.tier)) ways.push_back(Reading::storage);
    }
    if (quiet) std::erase_if(ways, [](Reading way) { return !is_quiet(way); });
    return ways;
}

// A random shape for a texture of `capacity` elements, or nothing.
std::optional<TextureView> some_shape(Dice& dice, std::uint32_t capacity, std::uint32_t most) {
    if (dice.chance(0.5)) return std::nullopt;
    TextureView shape;
    shape.layout = dice.chance(0.5) ? Layout::row_wise : Layout::z_order;
    const std::uint32_t least = (capacity + most - 1) / most;
    shape.width = dice.from(std::max(least, 1u), std::min(most, std::max(capacity, least)));
    const Rectangle box = bounding_box({shape.layout, shape.width}, capacity);
    shape.width = std::max(shape.width, box.x1);
    if (shape.layout == Layout::z_order) shape.width = box.x1 + dice.from(0, 3);
    shape.height = box.y1 + dice.from(0, 3);
    const bool wasteful = std::uint64_t{shape.width} * shape.height > 4 * std::uint64_t{capacity} + 1000;
    if (shape.width > most || shape.height > most || wasteful) return std::nullopt;
    return shape;
}

Storage some_storage(Dice& dice, const SorterPlan& sorter) {
    if (!sorter.may_persist || sorter.spec.input != Medium::buffer || !dice.chance(0.25)) return Storage::plain;
    // The fragment backend writes buffers by transform feedback.
    const bool captures = sorter.spec.output == Medium::buffer && sorter.spec.backend != Backend::compute;
    if (sorter.strict_mappings && captures) return Storage::immutable;
    // A mapping that is not coherent needs barriers.
    constexpr std::array storages{Storage::immutable, Storage::mapped, Storage::flushed};
    return storages[dice.below(has_compute_shaders(sorter.tier) ? 3 : 2)];
}

SlotPlan some_slot(Dice& dice, const SorterPlan& sorter, const Limits& limits) {
    SlotPlan slot;
    slot.before_keys = dice.chance(0.3) ? 0 : dice.from(1, 40);
    slot.before_values = dice.chance(0.3) ? 0 : dice.from(1, 40);
    slot.behind = dice.from(1, 9);
    slot.one_buffer = dice.chance(0.3);
    // Without glTexBufferRange (OpenGL 4.3), shaders that read a buffer as a texture reach only its first elements.
    if (sorter.tier == Tier::gl33 && sorter.least_limits) {
        slot.before_keys = slot.before_values = 0;
        slot.one_buffer = false;
    }
    slot.storage = some_storage(dice, sorter);
    slot.immutable_textures = has_immutable_textures(sorter.tier) && dice.chance(0.3);
    // Only for sorts that move no values: a moved value needs the channel.
    slot.wide_input = sorter.spec.payload.kind != Payload::Kind::bytes && dice.chance(0.3) &&
                      std::bit_ceil(words_of_key(sorter.spec) + 1) <= 4;
    slot.input = some_shape(dice, sorter.spec.capacity, limits.texture_size);
    slot.output = some_shape(dice, sorter.spec.capacity, limits.texture_size);
    // The fragment backend takes no z-order then.
    if (sorter.spec.gpu_count && slot.output && slot.output->layout == Layout::z_order) slot.output.reset();
    return slot;
}

// Whether the specification is possible. Lowers the capacity if necessary.
bool fit(SorterPlan& sorter, const Offer& offer, const Limits& limits) {
    if (!is_possible(sorter.spec, offer, limits)) {
        // A sort that no texture holds may be possible with a lower capacity.
        sorter.spec.capacity = std::max(1u, sorter.spec.capacity / 16);
        if (!is_possible(sorter.spec, offer, limits)) return false;
    }
    fit_capacity(sorter.spec, sorter.known() == nullptr || sorter.known()->strict_weak, offer, limits);
    return is_possible(sorter.spec, offer, limits);
}

// Without a GPU, shaders of groups take seconds to compile.
bool compiles_for_long(const SorterPlan& sorter, const Offer& offer, const Limits& limits) {
    return offer.limits.software && std::ranges::any_of(largest_program(sorter.spec, offer, limits).ops,
                                                        [](const Op& op) { return op.kernel->group_size > 1; });
}

Farewell some_farewell(Dice& dice) {
    if (dice.chance(0.85)) return Farewell::own_context;
    constexpr std::array farewells{Farewell::other_context, Farewell::no_context, Farewell::abandoned,
                                   Farewell::context_gone};
    return farewells[dice.below(farewells.size())];
}

// `relative`: a sorter that shares most of its shaders with the new one, or null.
SorterPlan some_sorter(Dice& dice, const Choices& choices, const SorterPlan* relative) {
    const Offer& offer = choices.offers[static_cast<std::size_t>(dice.below(choices.offers.size()))];
    SorterPlan sorter;
    sorter.tier = offer.tier;
    sorter.extensions = offer.extensions;
    sorter.may_persist = offer.persistent;
    sorter.strict_mappings = offer.strict_mappings;
    sorter.least_limits = dice.chance(0.1);
    const Limits& limits = sorter.least_limits ? offer.least : offer.limits;
    for (int attempt = 0;; ++attempt) {
        if (relative != nullptr && attempt < 10) {
            sorter.spec = relative->spec;
            sorter.comparison = relative->comparison;
            draft_surroundings(dice, sorter.spec, sorter.options, choices);
        } else {
            sorter.spec = draft(dice, offer, choices, sorter.comparison, sorter.options);
        }
        if (attempt == 1000) sorter.spec = small_spec(choices);
        if (attempt == 1000) sorter.options = {};
        if (attempt == 1000) sorter.comparison = -1;
        if (!fit(sorter, offer, limits)) continue;
        if (relative != nullptr || !compiles_for_long(sorter, offer, limits) || dice.chance(0.4)) break;
    }
    sorter.compiled_in = !choices.software() || dice.chance(0.1);
    sorter.most_calls = most_calls_of(sorter.spec, offer, limits);
    sorter.most_query_calls = most_query_calls_of(sorter, offer, limits);
    if (dice.chance(0.3)) sorter.born = some_state(dice, sorter, false);
    if (sorter.born && sorter.most_query_calls == 0) sorter.born->query = false;
    sorter.born_with_error = dice.chance(0.2);
    sorter.farewell = some_farewell(dice);
    sorter.shared_scratch = !sorter.options.caller_scratch && dice.chance(0.15);
    const std::uint32_t slots = dice.from(1, 3);
    for (std::uint32_t i = 0; i < slots; ++i)
        sorter.slots.push_back(some_slot(dice, sorter, limits));
    const auto distributions = demo::all_distributions();
    const std::uint32_t samples = dice.from(6, 12);
    for (std::uint32_t i = 0; i < samples; ++i) {
        SamplePlan sample;
        sample.count = some_count(dice, sorter.spec.capacity,
                                  std::max(sorter.spec.tuning.networks.tile, sorter.spec.tuning.sample.tile));
        sample.distribution = dice.chance(0.3) ? demo::Distribution::uniform : dice.pick(distributions);
        sample.seed = dice.number();
        if (sorter.spec.max_lists > 0 && dice.chance(0.7)) sample.lists = dice.from(1, sorter.spec.max_lists);
        sorter.samples.push_back(sample);
    }
    return sorter;
}

Action some_action(Dice& dice, const SorterPlan& sorter, std::uint32_t count) {
    const std::uint64_t kind = dice.below(100);
    if (kind < 86 || !sorter.can_step()) return Action::sort;
    if (kind < 92) return Action::steps;
    if (kind < 98) return Action::abandon;
    // The cpu knows a count on the GPU only after the sort.
    return kind < 99 && count <= 2000 && !sorter.spec.gpu_count ? Action::lockstep : Action::sort;
}

Between some_between(Dice& dice, const SorterPlan& sorter, const SlotPlan& slot, std::uint32_t count) {
    if (dice.chance(0.9)) return Between::nothing;
    std::vector<Between> all{Between::pending_error, Between::other_context, Between::sharing_context,
                             Between::no_context, Between::moved_from};
    // A sort of no elements checks no names.
    if (count > 0) all.push_back(Between::deleted_name);
    if (count > 0 && sorter.can_step()) all.push_back(Between::deleted_meanwhile);
    if (has_debug_groups(sorter))
        all.insert(all.end(), sorter.options.debug_groups ? all.size() : 1, Between::full_groups);
    const bool may_map = slot.storage == Storage::plain;
    const bool asks = sorter.options.state == StatePolicy::restore && sorter.spec.input == Medium::buffer;
    if (count > 0 && may_map && asks) all.push_back(Between::mapped);
    return dice.pick(all);
}

Visit some_visit(Dice& dice, const SorterPlan& sorter, std::size_t number) {
    Visit visit;
    visit.sorter = number;
    const bool resets = sorter.options.state == StatePolicy::caller_resets;
    if (dice.chance(0.55)) visit.state = some_state(dice, sorter, resets);
    visit.compare = visit.state.has_value() || dice.chance(0.15);
    visit.leave = dice.chance(0.15);
    const std::uint32_t calls = dice.from(1, sorter.most_calls);
    if (visit.state && calls > sorter.most_query_calls) visit.state->query = false;
    std::size_t last_sample = sorter.samples.size();
    for (std::uint32_t i = 0; i < calls; ++i) {
        Call call;
        // Often chooses the previous place, for an upload right after a sort.
        const bool again = !visit.calls.empty() && dice.chance(0.5);
        call.slot = again ? visit.calls.back().slot : static_cast<std::size_t>(dice.below(sorter.slots.size()));
        const SlotPlan& slot = sorter.slots[call.slot];
        do
            call.sample = static_cast<std::size_t>(dice.below(sorter.samples.size()));
        while (call.sample == last_sample);
        last_sample = call.sample;
        call.upload = dice.pick(uploads_of(sorter, slot, visit.state.has_value()));
        call.junk = dice.chance(0.3);
        call.action = some_action(dice, sorter, sorter.samples[call.sample].count);
        call.steps = dice.from(0, dice.chance(0.5) ? 3 : 60);
        call.all_readers = dice.chance(0.5);
        constexpr std::array keeps{Keep::now, Keep::copied, Keep::later, Keep::dropped};
        call.keep = keeps[dice.below(keeps.size())];
        // The sorter's own texture is valid until the sorter's next sort.
        if (sorter.spec.own_output && call.keep == Keep::later && i + 1 < calls) call.keep = Keep::dropped;
        if (sorter.spec.own_output && call.keep == Keep::copied) call.keep = Keep::dropped;
        if (i + 1 == calls && call.keep == Keep::dropped) call.keep = Keep::later;
        // A read right after the call happens in the state of the visit.
        call.reading = dice.pick(readings_of(sorter, slot, visit.state && call.keep == Keep::now));
        call.between = some_between(dice, sorter, slot, sorter.samples[call.sample].count);
        call.number = dice.from(0, 31);
        visit.calls.push_back(call);
    }
    // Another visit may change the sorter's own texture.
    if (sorter.spec.own_output) visit.leave = false;
    return visit;
}

}  // namespace

Round make_round(std::uint64_t seed, const Choices& choices) {
    Dice dice(seed);
    Round round;
    round.seed = seed;
    const std::uint64_t kind = dice.below(10);
    const std::size_t sorters = kind < 2 ? 1 : kind < 4 ? 2 : kind < 6 ? 3 : kind < 8 ? 4 : 5;
    std::vector<std::size_t> turns;
    for (std::size_t i = 0; i < sorters; ++i) {
        // Shaders take long to compile, and drivers keep compiled shaders for the next sorter.
        const SorterPlan* relative = nullptr;
        if (i > 0 && dice.chance(0.7)) relative = &round.sorters[static_cast<std::size_t>(dice.below(i))];
        round.sorters.push_back(some_sorter(dice, choices, relative));
        turns.insert(turns.end(), dice.from(10, 22), i);
    }
    for (std::size_t i = turns.size(); i > 1; --i)
        std::swap(turns[i - 1], turns[static_cast<std::size_t>(dice.below(i))]);
    for (const std::size_t number : turns)
        round.visits.push_back(some_visit(dice, round.sorters[number], number));
    return round;
}

PlanRequest request_of(const SortSpec& spec, const Limits& limits, std::uint32_t count,
                       const std::vector<std::uint32_t>& lists) {
    return {.spec = spec, .n = count, .limits = limits, .lists = lists};
}

bool is_possible(const SortSpec& spec, const Offer& offer, const Limits& limits) {
    // The backend `automatic` is allowed only if every backend accepts the specification.
    std::vector<Backend> backends{spec.backend};
    if (spec.backend == Backend::automatic) backends = offer.backends;
    for (const Backend backend : backends) {
        if (std::ranges::find(offer.backends, backend) == offer.backends.end()) return false;
        // OpenGL ES has no images of two channels.
        if (backend == Backend::compute && is_es(offer.tier) && spec.output == Medium::texture) return false;
        if (spec.max_lists > 0 && spec.algorithm != "automatic" && !spec.algorithm.starts_with("merge")) return false;
        std::vector<std::uint32_t> lists;
        if (spec.max_lists > 0) {
            lists.assign(spec.max_lists, spec.capacity / spec.max_lists);
            for (std::uint32_t i = 0; i < spec.capacity % spec.max_lists; ++i)
                ++lists[i];
        }
        try {
            PlanRequest request = request_of(spec, limits, spec.capacity);
            request.spec.backend = backend;
            if (!lists.empty() && spec.algorithm == "automatic") request.spec.algorithm = "merge";
            const StreamProgram program = plan(request);
            validate(program, limits);
            if (!lists.empty()) {
                request.lists = lists;
                validate(plan(request), limits);
            }
            const Rectangle box = bounding_box(stream_layout(program.layout.kind, spec.capacity), spec.capacity);
            const bool textures = spec.input == Medium::texture || spec.output == Medium::texture;
            if (textures && std::max(box.x1, box.y1) > limits.texture_size) return false;
        } catch (const Error&) {
            return false;
        }
    }
    return true;
}

}  // namespace glsort::check
