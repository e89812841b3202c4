#include "binding.h"

#include <glsort/sorter.h>
#include <glsort/stream/program.h>

/// For tools: what a sorter runs, as text.

extern "C" {

EXPORT("sorter_program") int sorter_program(glsort::Sorter* sorter, std::uint32_t count) {
    return glsort::web::answer([&] { return glsort::to_text(sorter->program(count)); });
}

}  // extern "C"
