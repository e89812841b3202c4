#pragma once

#include <glsort/base/browser.h>
#include <glsort/base/work.h>
#include <glsort/exec/program_cache.h>
#include <glsort/gl/api.h>
#include <glsort/gl/objects.h>
#include <glsort/session/finished_sorts.h>
#include <glsort/sorter.h>

#include <memory>

namespace glsort {

struct ExecutorOptions;

/// What all sessions of one sorter share: a session that replaces a smaller one neither asks the context nor compiles
/// shaders again.
struct SharedContext {
    std::shared_ptr<gl::Api> api;
    ContextReport report;  ///< Complete once the steps of `open_context` are done.
    std::shared_ptr<ProgramCache> programs;
    /// What the sorts of all these sessions report. Null unless `reports(options)`.
    std::unique_ptr<FinishedSorts> finished;
    /// The fence behind the last sort, if `SorterOptions::fence` is set.
    gl::Sync fence;

    /// Whether sorts are reported. Browsers have no reports.
    static bool reports(const SorterOptions& options) { return !in_browser && options.report_finished; }
    /// The options of an executor that follow from the options of a sorter. `caller_scratch` and the options of counts
    /// are left to the session.
    ExecutorOptions executor_options(const SorterOptions& options) const;
    /// Where the sorts of a session with `options` are reported, or null.
    FinishedSorts* reports_of(const SorterOptions& options) { return reports(options) ? finished.get() : nullptr; }
};

/// Loads the functions of the current context. Adds steps to `work` that find out its properties. `probe`: whether to
/// test subgroups, which compiles shaders.
std::shared_ptr<SharedContext> open_context(const GetProcAddress& get_proc_address, const SorterOptions& options,
                                            bool probe, Work& work);

}  // namespace glsort
