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

/// A subcommand, and what it does once the arguments are parsed.
struct Command {
    CLI::App* app = nullptr;
    std::function<void()> run;
};

Command add_info_command(CLI::App& app);
Command add_plan_command(CLI::App& app);
Command add_sort_command(CLI::App& app);
Command add_bench_command(CLI::App& app);
Command add_check_command(CLI::App& app);

/// A number from 0 on, such as 0.5.
double parse_not_negative(const std::string& text);

/// What is sorted, and how it lies in memory: options of plan, sort and bench.
struct ItemOptions {
    KeyType key = KeyType::u32;
    BitRange bits;
    std::uint32_t digit_bits = 0;  ///< 0: the algorithm's own.
    Payload payload = Payload::index();
    Direction order = Direction::ascending;
    std::optional<Layout> layout;  ///< Nothing: the algorithm's own.
    std::uint32_t tile = 0;        ///< 0: the algorithm's own.
    std::uint32_t samples = 0;     ///< 0: the algorithm's own.
    std::uint64_t seed = 1;
};
void add_item_options(CLI::App& app, ItemOptions& options);

/// How records lie: as asked for, or as suits the algorithm (row-wise where that is none of ours).
Layout layout_of(const ItemOptions& options, const AlgorithmChoice& algorithm);

/// Where keys and values are unless --io says so: on fragment in textures, if those hold the payload.
Medium default_io(Backend backend, const Payload& payload);

/// What the options, and an algorithm, say of the specification of a sort.
SortSpec sort_spec(const ItemOptions& options, const std::string& algorithm);

/// Plans `request` without a context. Throws UsageError for what no context could make possible: an
/// algorithm that lacks the key type, say.
StreamProgram plan_or_refuse(const PlanRequest& request);

enum class Format { text, table, json, dot, csv };
/// Adds --format, which takes those of the formats that the command has; the first is the default.
void add_format_option(CLI::App& app, Format& format, const std::vector<std::string>& formats);

/// Adds -n,--count.
CLI::Option* add_count(CLI::App& app, std::uint32_t& n, const std::string& description);

/// Adds --algorithm, and --backend with its default.
void add_method_options(CLI::App& app, std::string& algorithm, Backend& backend, const std::string& backend_default);

/// The context that info, sort and bench open.
struct ContextOptions {
    std::optional<Api> api;
    std::optional<int> version;  ///< 10 * major + minor
};
void add_context_options(CLI::App& app, ContextOptions& options);

}  // namespace glsort::demo
