#include <glsort/base/browser.h>
#include <glsort/base/in_function.h>
#include <glsort/session/scratch.h>

namespace glsort {

Scratch::Scratch(const GetProcAddress& get_proc_address)
    : memory_(in_function("Scratch::Scratch",
                          [&] { return std::make_shared<ScratchMemory>(gl::load_api(get_proc_address)); })) {}
Scratch::~Scratch() = default;

std::uint64_t Scratch::bytes() const {
    return memory_->bytes();
}

void Scratch::abandon() noexcept {
    memory_->api->abandoned = true;
}

std::shared_ptr<ScratchMemory> shared_memory(const Scratch* scratch, const gl::Api& api) {
    if (scratch == nullptr) return nullptr;
    if (!in_browser && scratch->memory_->api->abandoned) throw Error("shared_scratch was abandoned");
    // In browsers, the current context cannot be queried.
    if (!in_browser && scratch->memory_->api->context != api.context)
        throw Error("shared_scratch was made in another OpenGL context than the sorter");
    return scratch->memory_;
}

}  // namespace glsort
