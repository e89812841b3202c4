#include <fmt/format.h>

#include <glsort/base/browser.h>
#include <glsort/base/in_function.h>
#include <glsort/exec/executors.h>
#include <glsort/plan/algorithm.h>
#include <glsort/session/choices.h>
#include <glsort/stream/validate.h>

#include <cstdint>
#include <vector>

namespace glsort {
namespace {

/// The error message of the fragment backend for `request`, or nothing. The message ends with the variants that the
/// backend takes.
std::string why_not_fragment(PlanRequest request) {
    request.spec.backend = Backend::fragment;
    try {
        make_program(request);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

/// A request for the whole capacity. If the sorter merges lists, the request has lists.
PlanRequest largest(const SortSpec& spec, const Limits& limits) {
    PlanRequest request{.spec = spec, .n = spec.capacity, .limits = limits};
    if (spec.max_lists > 0) request.lists = most_even_lists(spec);
    return request;
}

/// Whether programs for the whole capacity are within the limits of the device on `backend`.
bool fits(const SortSpec& spec, const Limits& limits, Backend backend) {
    PlanRequest request = largest(spec, limits);
    request.spec.backend = backend;
    try {
        validate(make_program(request), limits);
        request.lists.clear();
        if (spec.max_lists > 0) validate(make_program(request), limits);
        return true;
    } catch (const Error&) {
        return false;
    }
}

/// The variant for a request. Throws `Error` if the request has lists and the variant merges none.
ChosenVariant chosen(const PlanRequest& asked) {
    check_kinds(asked.spec);
    const ChosenVariant choice = choose_variant(asked);
    if (asked.lists.empty() || choice.variant->takes.lists) return choice;
    in_function(fmt::format("max_lists {}", asked.spec.max_lists), [&] { check_takes(asked, choice); });
    return choice;
}

/// The backend for a specification that names none.
Backend automatic_backend(const SortSpec& spec, const ContextReport& report, bool portable, bool no_images) {
    const Backend backend = portable ? report.automatic : Backend::compute;
    // The fragment backend may still be able to sort if compute cannot write the output, or cannot hold the data.
    const bool fragment_instead =
        !in_browser && portable && backend == Backend::compute && is_built(Backend::fragment) &&
        (no_images || !fits(spec, report.limits, Backend::compute)) && fits(spec, report.limits, Backend::fragment);
    return fragment_instead ? Backend::fragment : backend;
}

}  // namespace

void check_options(const SorterOptions& options) {
    if (options.state != StatePolicy::restore && options.state != StatePolicy::caller_resets)
        throw Error(fmt::format("state {} is none; the last one is {} (caller_resets)", static_cast<int>(options.state),
                                static_cast<int>(StatePolicy::caller_resets)));
    if (options.construction < Construction::waits || options.construction > Construction::calls_refuse)
        throw Error(fmt::format("construction {} is none; the last one is {} (calls_refuse)",
                                static_cast<int>(options.construction), static_cast<int>(Construction::calls_refuse)));
    if (static_cast<bool>(options.hook.begin) != static_cast<bool>(options.hook.end))
        throw Error(fmt::format("hook.{} is not set; both functions are needed", options.hook.begin ? "end" : "begin"));
    if (options.shared_scratch && options.caller_scratch)
        throw Error("shared_scratch and caller_scratch are both given; scratch memory comes from one of them");
}

void check_spec(const SortSpec& spec) {
    if (spec.capacity == 0) throw Error("capacity 0; it must be 1 or more");
    if (spec.backend == Backend::cpu) throw Error("backend cpu sorts host memory; that is CpuSorter's");
    if (spec.max_lists > max_merge_lists)
        throw Error(fmt::format("max_lists {} exceeds the limit of {}", spec.max_lists, max_merge_lists));
    if (spec.gpu_count && spec.max_lists > 0)
        throw Error(fmt::format("gpu_count is given with max_lists {}; merges of lists need the count on the CPU",
                                spec.max_lists));
    if (spec.gpu_count_medium != Medium::buffer && spec.gpu_count_medium != Medium::texture)
        throw Error(fmt::format("gpu_count_medium {} is none; the last one is {} (texture)",
                                static_cast<int>(spec.gpu_count_medium), static_cast<int>(Medium::texture)));
    if (spec.own_output && spec.output != Medium::texture) throw Error("own_output needs output to be a texture");
}

std::vector<std::uint32_t> most_even_lists(const SortSpec& spec) {
    std::vector<std::uint32_t> lists(spec.max_lists, spec.capacity / spec.max_lists);
    for (std::uint32_t i = 0; i < spec.capacity % spec.max_lists; ++i)
        ++lists[i];
    return lists;
}

Choices make_choices(const SortSpec& asked, const SorterOptions& options, const gl::Api& api,
                     const ContextReport& report) {
    SortSpec spec = asked;
    const ChosenVariant choice = chosen(largest(spec, report.limits));
    const bool portable = choice.variant->takes.fragment;
    const auto refusal_of_fragment = [&] { return why_not_fragment(largest(asked, report.limits)); };
    if (spec.backend == Backend::fragment && !portable) throw Error(refusal_of_fragment());
    spec.layout = spec.layout.value_or(choice.variant->layout);
    const bool automatic = spec.backend == Backend::automatic;
    // OpenGL ES has no images of two channels, and binds only immutable textures as images.
    const bool no_images = api.es && spec.output == Medium::texture;
    if (automatic) spec.backend = automatic_backend(spec, report, portable, no_images);
    if (!is_built(spec.backend)) throw Error(why_not_built(spec.backend));
    if (spec.backend == Backend::compute) {
        for (const ContextReport::Offer& offer : report.offers)
            if (offer.backend == Backend::compute && !offer.available)
                throw Error((portable || !automatic ? "backend compute " : refusal_of_fragment() + ", which ") +
                            offer.reason);
        if (no_images) throw Error("backend compute writes textures in OpenGL only, not in OpenGL ES");
    } else if (options.caller_scratch) {
        throw Error("caller_scratch needs backend compute; the scratch memory of fragments is textures");
    }

    // If the specification names no variant, sorts and merges of lists may use different variants.
    Choices choices;
    PlanRequest request = largest(spec, report.limits);
    if (spec.max_lists > 0) {
        choices.list_algorithm = choose_variant(request).name();
        if (spec.algorithm == "automatic") request.spec.algorithm = spec.algorithm = choice.algorithm->name;
        request.lists.clear();
    }
    spec.algorithm = choose_variant(request).name();
    choices.spec = spec;
    return choices;
}

}  // namespace glsort
