#include "check_ways.h"

#include <array>

namespace glsort::check {

bool is_quiet(Upload upload) {
    switch (upload) {
        case Upload::compute:
        case Upload::feedback:
        case Upload::blit:
        case Upload::draw:
        case Upload::image_store:
            return false;
        default:
            return true;
    }
}

bool is_quiet(Reading reading) {
    switch (reading) {
        case Reading::storage:
        case Reading::vertex:
        case Reading::fetch:
            return false;
        default:
            return true;
    }
}

bool is_refused(Between between) {
    return between >= Between::deleted_name;
}

std::string_view to_string(Upload upload) {
    constexpr std::array<std::string_view, upload_ways> names{"glBufferSubData",
                                                              "glBufferSubData (array)",
                                                              "glNamedBufferSubData",
                                                              "glBufferData",
                                                              "orphan and glBufferSubData",
                                                              "map",
                                                              "map, buffer invalidated",
                                                              "map, range invalidated",
                                                              "map, flushed explicitly",
                                                              "map unsynchronized after orphan",
                                                              "persistent map",
                                                              "glCopyBufferSubData",
                                                              "clear and glBufferSubData",
                                                              "compute shader",
                                                              "transform feedback",
                                                              "a sharing context",
                                                              "glTexSubImage2D",
                                                              "glTextureSubImage2D",
                                                              "glTexSubImage2D (unpack buffer)",
                                                              "glTexImage2D",
                                                              "glCopyTexSubImage2D",
                                                              "glCopyImageSubData",
                                                              "glClearTexImage and glTexSubImage2D",
                                                              "glBlitFramebuffer",
                                                              "draw",
                                                              "image stores"};
    return names[static_cast<std::size_t>(upload)];
}

std::string_view to_string(Reading reading) {
    constexpr std::array<std::string_view, reading_ways> names{"map",
                                                               "persistent map",
                                                               "glGetBufferSubData",
                                                               "copy and map",
                                                               "compute shader",
                                                               "vertex attributes",
                                                               "glReadPixels",
                                                               "glReadPixels (pack buffer)",
                                                               "texture fetch",
                                                               "glGetTexImage"};
    return names[static_cast<std::size_t>(reading)];
}

std::string_view to_string(Action action) {
    constexpr std::array<std::string_view, 4> names{"sort", "steps", "abandoned steps", "lockstep"};
    return names[static_cast<std::size_t>(action)];
}

std::string_view to_string(Keep keep) {
    constexpr std::array<std::string_view, 4> names{"now", "copied", "later", "dropped"};
    return names[static_cast<std::size_t>(keep)];
}

std::string_view to_string(Between between) {
    constexpr std::array<std::string_view, betweens> names{"nothing",
                                                           "an error pending",
                                                           "a full stack of debug groups",
                                                           "a deleted name",
                                                           "a name deleted after begin",
                                                           "a mapped buffer",
                                                           "another context",
                                                           "a sharing context",
                                                           "no context",
                                                           "a sorter moved from"};
    return names[static_cast<std::size_t>(between)];
}

std::string_view to_string(Farewell farewell) {
    constexpr std::array<std::string_view, 5> names{"in its context", "in another context", "without a context",
                                                    "abandoned", "abandoned, one behind its context"};
    return names[static_cast<std::size_t>(farewell)];
}

std::string_view to_string(Storage storage) {
    constexpr std::array<std::string_view, 4> names{"", ", immutable", ", mapped persistently",
                                                    ", mapped persistently, not coherent"};
    return names[static_cast<std::size_t>(storage)];
}

}  // namespace glsort::check
