#include <fmt/format.h>

#include <glsort/plan/tuning.h>

namespace glsort {

TuningRow tuning_row(const Limits& limits) {
    if (limits.software) return TuningRow::software;
    return limits.multiprocessors != 0 ? TuningRow::known_gpu : TuningRow::unknown_gpu;
}

std::string reason_for_row(const Limits& limits) {
    switch (tuning_row(limits)) {
        case TuningRow::software:
            return "limit software is yes";
        case TuningRow::known_gpu:
            return fmt::format("limit multiprocessors is {}, and software is no", limits.multiprocessors);
        case TuningRow::unknown_gpu:
            break;
    }
    return "limit multiprocessors is 0 (not known), and software is no";
}

std::string_view to_string(TuningRow row) {
    switch (row) {
        case TuningRow::software:
            return "software rasteriser";
        case TuningRow::known_gpu:
            return "known GPU";
        case TuningRow::unknown_gpu:
            break;
    }
    return "unknown GPU";
}

}  // namespace glsort
