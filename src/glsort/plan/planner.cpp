#include <fmt/format.h>

#include <glsort/error.h>
#include <glsort/plan/abisort.h>
#include <glsort/plan/bitonic.h>
#include <glsort/plan/bitonic_local.h>
#include <glsort/plan/merge.h>
#include <glsort/plan/odd_even.h>
#include <glsort/plan/periodic_balanced.h>
#include <glsort/plan/radix.h>
#include <glsort/plan/sample.h>
#include <glsort/planner.h>

namespace glsort {
namespace {

/// An algorithm's variant, and the function that plans it.
struct Entry {
    std::string_view name;
    std::string_view variant;
    std::string_view summary;
    bool portable;
    RecordType::Form form;
    Layout layout;  ///< The layout in which it is fastest (docs/experiments.md).
    void (*plan)(SortFrame&);
    bool tiled = false;  ///< Whether it takes `PlanRequest::tile`.
    /// The form of records, where that depends on the request.
    RecordType::Form (*form_for)(const PlanRequest&, const AlgorithmChoice&) = nullptr;
};

constexpr Entry entries[] = {
    {"merge", "multiway", "multiway merge sort by gather alone (Odeh et al. 2012, extended to 8 runs)",
     true, RecordType::Form::full, Layout::row_wise, plan_merge_multiway},
    {"merge", "shared", "the same merges in memory that groups of invocations share", false,
     RecordType::Form::full, Layout::row_wise, plan_merge_shared},
    {"radix", "reduce-then-scan",
     "radix sort, three kernels a digit (Merrill and Grimshaw 2010)", false, RecordType::Form::carrying,
     Layout::row_wise, plan_radix_reduce_then_scan},
    {"radix", "one-sweep",
     "radix sort, one kernel a digit by decoupled look-back (Adinets and Merrill 2022)", false,
     RecordType::Form::carrying, Layout::row_wise, plan_radix_one_sweep},
    {"sample", "multi-level",
     "deterministic sample sort, buckets divided again until they fit a tile (Dehne and Zaboli 2010, extended)",
     false, RecordType::Form::indexed, Layout::row_wise, plan_sample_multi_level, true, form_of_sample},
    {"sample", "paper", "GPU Bucket Sort: one level of 64 samples a tile (Dehne and Zaboli 2010)", false,
     RecordType::Form::indexed, Layout::row_wise, plan_sample_paper, true},
    {"sample", "randomized",
     "the same levels with samples drawn at random (Leischner, Osipov and Sanders 2010)", false,
     RecordType::Form::indexed, Layout::row_wise, plan_sample_randomized, true},
    {"bitonic", "step", "bitonic sorting network, one step an op (Batcher 1968)", true,
     RecordType::Form::full, Layout::row_wise, plan_bitonic_step},
    {"bitonic", "local", "the same network, in memory that groups of invocations share (Baraglia et al. 2009)",
     false, RecordType::Form::full, Layout::row_wise, plan_bitonic_local, true},
    {"odd-even", "step", "odd-even merge sorting network, one step an op (Batcher 1968)", true,
     RecordType::Form::full, Layout::row_wise, plan_odd_even_step},
    {"periodic-balanced", "step", "periodic balanced sorting network, one step an op (Dowd et al. 1989)", true,
     RecordType::Form::full, Layout::row_wise, plan_periodic_balanced_step},
    {"abisort", "fused",
     "GPU-ABiSort in place, with runs of 16, traversal and last merge in one op (past section 7)", true,
     RecordType::Form::narrow, Layout::z_order, plan_abisort_fused},
    {"abisort", "appendix-a",
     "GPU-ABiSort, the stages of a merge one after the other (Gress and Zachmann 2006, appendix A)",
     true, RecordType::Form::narrow, Layout::z_order, plan_abisort_appendix_a},
    {"abisort", "overlapped",
     "GPU-ABiSort, stages overlapped over substreams of several blocks (section 5.4)", true,
     RecordType::Form::narrow, Layout::z_order, plan_abisort_overlapped},
    {"abisort", "paper",
     "GPU-ABiSort with local sorts and bitonic merges of short sequences (section 7)", true,
     RecordType::Form::narrow, Layout::z_order, plan_abisort_paper},
};

const Entry& find(const AlgorithmChoice& choice) {
    for (const Entry& entry : entries)
        if (entry.name == choice.name && entry.variant == choice.variant) return entry;
    throw Error(fmt::format("plan: {}:{} is not an algorithm", choice.name, choice.variant));
}

/// Whether the algorithm takes the caller's comparison, and keys of that length.
void check_comparison(const PlanRequest& request, const Entry& entry) {
    if (!request.comparison) return;
    const Comparison& comparison = *request.comparison;
    if (entry.form != RecordType::Form::full && entry.form != RecordType::Form::indexed)
        throw Error(fmt::format("plan: {}:{} takes no comparison; merge, sample and the sorting networks do", entry.name,
                                entry.variant));
    if (comparison.key_bytes % 4 != 0 || comparison.key_bytes < 4 || comparison.key_bytes > 16)
        throw Error(fmt::format("plan: comparison {} has keys of {} bytes; it must be 4, 8, 12 or 16",
                                comparison.name, comparison.key_bytes));
    // Where keys of 12 bytes lie as single words, those are numbered.
    if (comparison.key_bytes == 12 && request.capacity > 0xffffffffu / 3)
        throw Error(fmt::format("plan: {} keys of 12 bytes exceed the limit of {}", request.capacity,
                                0xffffffffu / 3));
    const bool values = request.payload.kind != Payload::Kind::none;
    if (comparison.key_bytes == 16 && values &&
        (request.output == Medium::texture ||
         (request.input == Medium::texture && request.payload.kind == Payload::Kind::bytes)))
        throw Error("plan: a texture holds keys of at most 12 bytes beside a payload, not 16");
    const bool host = request.backend == Backend::cpu;
    if (host ? !comparison.host : comparison.glsl.empty())
        throw Error(fmt::format("plan: comparison {} has no {}, which the {} backend needs",
                                comparison.name, host ? "host function" : "GLSL",
                                to_string(request.backend)));
}

/// Whether the algorithm goes by digits, of such bits.
void check_bits(const PlanRequest& request, const Entry& entry) {
    if (entry.name != "radix") {
        if (request.bits != BitRange{})
            throw Error(fmt::format("plan: {}:{} takes no range of bits; radix does", entry.name, entry.variant));
        if (request.digit_bits != 0)
            throw Error(fmt::format("plan: {}:{} has no digits; radix has", entry.name, entry.variant));
        return;
    }
    const std::uint32_t key_bits = 8 * key_bytes(request.key);
    const BitRange bits = request.bits.of(request.key);
    if (bits.end > key_bits || bits.first >= bits.end)
        throw Error(fmt::format("plan: bits {} to {} are no range of the {} bits of a key", bits.first, bits.end,
                                key_bits));
    if (request.digit_bits > most_digit_bits)
        throw Error(fmt::format("plan: digits of {} bits exceed the limit of {}", request.digit_bits,
                                most_digit_bits));
}

/// Whether the algorithm has tiles, and takes samples of them. It says which.
void check_tile(const PlanRequest& request, const Entry& entry) {
    if (request.tile != 0 && !entry.tiled)
        throw Error(fmt::format("plan: tile {}: {}:{} has no tile; sample and bitonic:local have", request.tile,
                                entry.name, entry.variant));
    if (request.samples != 0 && entry.name != "sample")
        throw Error(fmt::format("plan: samples {}: {}:{} takes no samples; sample does", request.samples, entry.name,
                                entry.variant));
}

/// Whether the enumeration has the value; `last` is its last one.
template <class Enum>
void check_enumerator(const char* argument, Enum value, Enum last) {
    if (static_cast<int>(value) < 0 || value > last)
        throw Error(fmt::format("plan: {} {} is none; the last one is {} ({})", argument,
                                static_cast<int>(value), static_cast<int>(last), to_string(last)));
}

/// Whether the payload can be moved, and reached by numbers of 32 bits.
void check_payload(const PlanRequest& request) {
    if (request.payload.kind != Payload::Kind::bytes) return;
    const std::uint64_t size = request.payload.size;
    if (size != 4 && (request.input == Medium::texture || request.output == Medium::texture))
        throw Error(fmt::format("plan: a payload of {} bytes lies in buffers only; textures hold 4 bytes, "
                                "or take the index",
                                size));
    if (size / 4 * request.capacity > 0xffffffffu)
        throw Error(fmt::format("plan: payloads of {} bytes for {} elements exceed the limit of {} bytes",
                                size, request.capacity, 4 * std::uint64_t{0xffffffffu}));
}

/// Whether every enumeration has its value, and the payload its size.
void check_kinds(const PlanRequest& request) {
    check_enumerator("key type", request.key, KeyType::f64);
    check_enumerator("order", request.order, Order::descending);
    check_enumerator("backend", request.backend, Backend::cpu);
    check_enumerator("input", request.input, Medium::texture);
    check_enumerator("output", request.output, Medium::texture);
    if (request.layout) check_enumerator("layout", *request.layout, Layout::z_order);
    const Payload& payload = request.payload;
    switch (payload.kind) {
        case Payload::Kind::none:
        case Payload::Kind::index: {
            const bool none = payload.kind == Payload::Kind::none;
            const std::uint32_t size = none ? 0 : 4;
            if (payload.size != size)
                throw Error(fmt::format("plan: a payload {} of {} bytes; it has {}",
                                        none ? "none" : "index", payload.size, size));
            return;
        }
        case Payload::Kind::bytes:
            if (payload.size == 0)
                throw Error("plan: a payload of 0 bytes; without values it is Payload::none()");
            if (payload.size % 4 != 0)
                throw Error(fmt::format("plan: a payload of {} bytes; it must be a multiple of 4",
                                        payload.size));
            return;
    }
    throw Error(fmt::format("plan: payload kind {} is none; the last one is {} (bytes)",
                            static_cast<int>(payload.kind),
                            static_cast<int>(Payload::Kind::bytes)));
}

/// Begins a message about radix, where the request does not name it: what takes it.
std::string radix_taken_by(const PlanRequest& request) {
    if (request.algorithm != "automatic") return "";
    if (request.bits != BitRange{})
        return fmt::format("bits {} to {} take algorithm radix: ", request.bits.first,
                           request.bits.of(request.key).end);
    if (request.digit_bits != 0)
        return fmt::format("digit_bits {} take algorithm radix: ", request.digit_bits);
    return "";
}

/// Whether the lists are those of `n` elements, and the algorithm merges such.
void check_lists(const PlanRequest& request, const Entry& entry) {
    if (request.lists.empty()) return;
    if (entry.name != "merge")
        throw Error(fmt::format("plan: {}:{} takes no lists; merge does", entry.name, entry.variant));
    if (request.lists.size() > most_lists)
        throw Error(fmt::format("plan: {} lists exceed the limit of {}", request.lists.size(), most_lists));
    std::uint64_t sum = 0;
    for (const std::uint32_t length : request.lists) sum += length;
    if (sum != request.n)
        throw Error(fmt::format("plan: the lists add up to {} elements; n is {}", sum, request.n));
    // Numbers of 32 bits must reach the places between groups of lists, too.
    constexpr std::uint32_t largest = 1u << 31;
    if (sum > largest)
        throw Error(fmt::format("plan: lists of {} elements exceed the limit of {}", sum, largest));
}

}  // namespace

const std::vector<Algorithm>& algorithms() {
    static const std::vector<Algorithm> all = [] {
        std::vector<Algorithm> list;
        for (const Entry& entry : entries) {
            if (list.empty() || list.back().name != entry.name)
                list.push_back({std::string(entry.name), {}});
            list.back().variants.push_back(
                {std::string(entry.variant), std::string(entry.summary), entry.portable});
        }
        return list;
    }();
    return all;
}

AlgorithmChoice choose_algorithm(const PlanRequest& request) {
    check_kinds(request);
    std::string_view text = request.algorithm;
    // A software rasteriser pays for barriers: gathers are cheaper there.
    const bool groups = request.backend == Backend::compute && request.limits.software == 0;
    if (text == "automatic") {
        const bool digits = groups && !request.comparison && request.lists.empty();
        text = digits || request.bits != BitRange{} || request.digit_bits != 0 ? "radix" : "merge";
    }
    // The kernels that merge lists are the portable ones.
    if (text == "merge" && groups && request.lists.empty()) text = "merge:shared";
    if (text == "merge:shared" && !request.lists.empty()) text = "merge:multiway";
    // Its last op has five storage blocks; OpenGL ES promises four.
    if (text == "radix" && request.limits.look_back != 0 && request.limits.subgroup_size != 0 &&
        request.limits.storage_blocks >= 5)
        text = "radix:one-sweep";
    return choose_algorithm(text);
}

AlgorithmChoice choose_algorithm(std::string_view text) {
    if (text == "automatic") text = "merge";
    const std::string_view name = text.substr(0, text.find(':'));
    const std::string_view variant = name.size() == text.size() ? "" : text.substr(name.size() + 1);
    std::string known;
    for (const Entry& entry : entries) {
        if (entry.name == name && (name.size() == text.size() || entry.variant == variant))
            return {std::string(entry.name), std::string(entry.variant), entry.portable, entry.layout};
        known += fmt::format("{}{}:{}", known.empty() ? "" : ", ", entry.name, entry.variant);
    }
    throw Error(fmt::format("algorithm '{}' is unknown; it is automatic or one of {}", text, known));
}

StreamProgram plan(const PlanRequest& request) {
    const AlgorithmChoice choice = choose_algorithm(request);
    PlanRequest resolved = request;
    resolved.layout = request.layout.value_or(choice.layout);
    if (resolved.capacity == 0) resolved.capacity = resolved.n;
    if (resolved.backend == Backend::automatic)
        resolved.backend = choice.portable ? Backend::fragment : Backend::compute;
    if (resolved.backend == Backend::fragment && !choice.portable)
        throw Error(fmt::format(
            "plan: {}{}:{} does not run on the fragment backend; it takes backend compute",
            radix_taken_by(request), choice.name, choice.variant));
    if (resolved.n > resolved.capacity)
        throw Error(fmt::format("plan: n {} exceeds the capacity {}", resolved.n,
                                resolved.capacity));
    check_payload(resolved);
    const Entry& entry = find(choice);
    check_comparison(resolved, entry);
    check_lists(resolved, entry);
    check_bits(resolved, entry);
    check_tile(resolved, entry);
    SortFrame frame(resolved, choice, entry.form_for != nullptr ? entry.form_for(resolved, choice) : entry.form);
    entry.plan(frame);
    return frame.finish();
}

}  // namespace glsort
