#include "options.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "support/console.h"
#include "support/tuning.h"

namespace glsort::demo {
namespace {

const std::vector<std::string> format_names = {"text", "table", "json", "dot", "csv"};

// A number above 0. The library takes 0 as the algorithm's choice.
std::uint32_t parse_above_0(const std::string& text) {
    return static_cast<std::uint32_t>(parse_within(text, 1, 0xffffffffu));
}

// FIRST-END, such as 0-24.
BitRange parse_bits(const std::string& text) {
    const std::size_t dash = text.find('-');
    if (dash == std::string::npos) throw std::invalid_argument("\"" + text + "\" is not FIRST-END (0-24)");
    const BitRange bits{parse_elements(text.substr(0, dash)), parse_elements(text.substr(dash + 1))};
    if (bits.first >= bits.end) throw std::invalid_argument("\"" + text + "\" has no bits: END comes behind FIRST");
    return bits;
}

std::string joined(const std::vector<std::string>& words, const char* between) {
    return fmt::format("{}", fmt::join(words, between));
}

}  // namespace

double parse_not_negative(const std::string& text) {
    std::size_t end = 0;
    double value = 0;
    try {
        value = std::stod(text, &end);
    } catch (const std::logic_error&) {
        end = 0;
    }
    if (end == 0 || end != text.size() || !std::isfinite(value) || value < 0)
        throw std::invalid_argument("\"" + text + "\" is not a number from 0 on");
    return value;
}

void add_item_options(CLI::App& app, ItemOptions& options) {
    add_value(app, "--key", options.key, key_type_from_string, "Type of the keys")
        ->type_name("u32|i32|f32|u64|i64|f64")
        ->default_str(std::string(to_string(options.key)));
    add_value(
        app, "--bits", options.bits, parse_bits,
        "What of the keys is compared: bits FIRST to END-1 of their codes, 0 the lowest; algorithm radix or merge")
        ->type_name("FIRST-END")
        ->default_str("all");
    add_value(
        app, "--digit-bits", options.digit_bits,
        [](const std::string& text) { return static_cast<std::uint32_t>(parse_within(text, 1, 11)); },
        "Bits of a digit, 1 to 11; algorithm radix")
        ->type_name("D")
        ->default_str("the algorithm's choice");
    add_value(app, "--payload", options.payload, payload_from_string,
              "What travels with a key: nothing, its position in the input, or a value of BYTES "
              "bytes, a multiple of 4, in textures 4")
        ->type_name("none|index|BYTES")
        ->default_str(to_string(options.payload));
    add_value(app, "--order", options.order, direction_from_string, "Direction of the keys")
        ->type_name("ascending|descending")
        ->default_str(std::string(to_string(options.order)));
    add_value(app, "--layout", options.layout, layout_from_string, "How records lie in textures")
        ->type_name("row-wise|z-order")
        ->default_str("the one in which the algorithm is fastest");
    add_value(app, "--tile", options.tile, parse_above_0,
              "Elements of a tile, a power of two; algorithms sample and bitonic:local")
        ->type_name("N")
        ->default_str("the algorithm's choice");
    add_value(app, "--samples", options.samples, parse_above_0, "Samples of a tile, a power of two; algorithm sample")
        ->type_name("N")
        ->default_str("the algorithm's choice");
    add_seed(app, options.seed);
}

Layout layout_of(const ItemOptions& options, const AlgorithmChoice& algorithm) {
    if (options.layout) return *options.layout;
    for (const Algorithm& known : algorithms())
        if (known.name == algorithm.name) return choose_algorithm(algorithm.name + ":" + algorithm.variant).layout;
    return Layout::row_wise;
}

Medium default_io(Backend backend, const Payload& payload) {
    return backend == Backend::fragment && payload.size <= 4 ? Medium::texture : Medium::buffer;
}

SortSpec sort_spec(const ItemOptions& options, const std::string& algorithm) {
    SortSpec spec;
    spec.order = {.key = options.key, .bits = options.bits, .direction = options.order};
    spec.payload = options.payload;
    spec.algorithm = algorithm;
    spec.tuning = tuning_for(algorithm, options.digit_bits, options.tile, options.samples);
    spec.layout = options.layout;
    return spec;
}

StreamProgram plan_or_refuse(const PlanRequest& request) {
    try {
        return plan(request);
    } catch (const Error& error) {
        throw UsageError(in_words_of_options(without_function(error.what())));
    }
}

void add_format_option(CLI::App& app, Format& format, const std::vector<std::string>& formats) {
    const auto parse = [formats](const std::string& text) {
        parse_choice("format", text, formats);
        return static_cast<Format>(parse_choice("format", text, format_names));
    };
    format = parse(formats.front());
    add_value(app, "--format", format, parse, "Form of the output")
        ->type_name(joined(formats, "|"))
        ->default_str(formats.front());
}

void add_context_options(CLI::App& app, ContextOptions& options) {
    add_value(app, "--api", options.api, parse_api, "OpenGL or OpenGL ES")
        ->type_name("gl|gles")
        ->default_str("the best that there is");
    add_value(app, "--gl-version", options.version, parse_gl_version,
              "Lowest version of the context; drivers may give a newer one")
        ->type_name("MAJOR.MINOR")
        ->default_str("the newest that there is");
    // The least version depends on --api, which may follow --gl-version.
    app.final_callback([&options] {
        try {
            if (options.version) check_gl_version(*options.version, options.api.value_or(Api::gl));
        } catch (const std::invalid_argument& error) {
            throw refusal_of("--gl-version", "", error);
        }
    });
}

CLI::Option* add_count(CLI::App& app, std::uint32_t& n, const std::string& description) {
    return add_value(app, "-n,--count", n, parse_elements, description + " (digits or 2^K)")->type_name("N");
}

CLI::Option* add_max_elements_per_draw(CLI::App& app, std::uint32_t& most) {
    return add_value(app, "--max-elements-per-draw", most, parse_elements,
                     "The most elements that one draw or dispatch sorts; longer operations are done in pieces; 0 is no "
                     "limit")
        ->type_name("N")
        ->default_str("0");
}

void add_method_options(CLI::App& app, std::string& algorithm, Backend& backend, const std::string& backend_default) {
    offer(
        add_value(app, "--algorithm", algorithm, parse_algorithm, "Algorithm and variant: " + listed(algorithm_names()))
            ->type_name("NAME[:VARIANT]")
            ->default_str(algorithm),
        algorithm_names());
    add_value(app, "--backend", backend, parse_backend, "Where to sort; automatic is " + backend_default)
        ->type_name("automatic|fragment|compute|cpu")
        ->default_str("automatic");
}

}  // namespace glsort::demo
