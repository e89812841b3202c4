#pragma once

#include <glsort/error.h>
#include <glsort/planner.h>
#include <glsort/sorter.h>
#include <glsort/spec.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/values.h"
#include "support/distributions.h"
#include "support/headless_context.h"
#include "support/options.h"

/// Options that several commands share.
namespace glsort::demo {

/// A subcommand, and the function to run after the arguments are parsed.
struct Command {
    CLI::App* app = nullptr;
    std::function<void()> run;
};

Command add_info_command(CLI::App& app);
Command add_plan_command(CLI::App& app);
Command add_sort_command(CLI::App& app);
Command add_bench_command(CLI::App& app);
Command add_check_command(CLI::App& app);
Command add_frames_command(CLI::App& app);

/// A number of at least 0, such as 0.5.
double parse_not_negative(const std::string& text);

/// Options of plan, sort and bench: the elements to sort, and their layout in memory.
struct ItemOptions {
    KeyType key = KeyType::u32;
    BitRange bits;
    std::uint32_t digit_bits = 0;  ///< 0: the algorithm's choice.
    Payload payload = Payload::index();
    Direction order = Direction::ascending;
    std::optional<Layout> layout;  ///< Empty: the algorithm's choice.
    std::uint32_t tile = 0;        ///< 0: the algorithm's choice.
    std::uint32_t samples = 0;     ///< 0: the algorithm's choice.
    std::uint64_t seed = 1;
};
void add_item_options(CLI::App& app, ItemOptions& options);

/// The layout of records: the requested layout, or else the algorithm's. For an algorithm outside the library:
/// row-wise.
Layout layout_of(const ItemOptions& options, const AlgorithmChoice& algorithm);

/// The medium of keys and values without --io. On fragment this is a texture if a texture can hold the payload, else a
/// buffer.
Medium default_io(Backend backend, const Payload& payload);

/// The specification of a sort, from the options and an algorithm.
SortSpec sort_spec(const ItemOptions& options, const std::string& algorithm);

/// Plans `request` without a context. Throws UsageError for a request that is impossible in every context, such as an
/// algorithm without support for the key type.
StreamProgram plan_or_refuse(const PlanRequest& request);

enum class Format { text, table, json, dot, csv };
/// Adds --format with the given formats, of which the first is the default.
void add_format_option(CLI::App& app, Format& format, const std::vector<std::string>& formats);

/// Adds -n,--count.
CLI::Option* add_count(CLI::App& app, std::uint32_t& n, const std::string& description);

/// Adds --algorithm, and --backend with its default.
void add_method_options(CLI::App& app, std::string& algorithm, Backend& backend, const std::string& backend_default);

/// Adds --max-elements-per-draw (SorterOptions::max_elements_per_draw).
CLI::Option* add_max_elements_per_draw(CLI::App& app, std::uint32_t& most);

/// The context that info, sort, bench and frames open.
struct ContextOptions {
    std::optional<Api> api;
    std::optional<int> version;  ///< 10 * major + minor
};
/// Adds --api and --gl-version. Versions that are too old for the library are refused after the arguments are parsed.
void add_context_options(CLI::App& app, ContextOptions& options);

}  // namespace glsort::demo
